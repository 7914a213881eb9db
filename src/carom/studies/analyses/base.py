"""What an analysis is given and what it returns.

An analysis is a function of a study's table and of the options that the study file gives it; what it returns can
describe itself as a section of the report:

    @register_analysis("fragility", check=checked)
    def fragility(table: StudyTable, options: Mapping[str, Any]) -> Fragility: ...

    class Fragility:
        def section(self) -> Section: ...

Failed runs are rows too, with NaN for every output: look at `StudyTable.finished`, and count them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from carom.errors import CaromError, UnknownNameError
from carom.registry import Registry
from carom.studies.section import Section
from carom.studies.statuses import FINISHED

__all__ = [
    "ANALYSES", "Analysis", "Finding", "Result", "StudyTable", "check_analyses", "findings", "register_analysis",
]  # fmt: skip

Column = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class StudyTable:
    """The runs of a study, a row each, in order of their numbers."""

    columns: Mapping[str, Column]
    """Name to values, all of one length.

    ``run`` and ``sample`` (whole numbers), ``motion`` (names), ``scale``, ``pga`` [m/s²] and ``sa`` of the motion as
    scaled, where there are motions; the parameters by the names the study gives them; the outputs; ``status``.
    """
    units: Mapping[str, str] = field(default_factory=dict)
    """Name to unit, for those that have one."""
    parameters: tuple[str, ...] = ()
    """Names of the columns that the study varies."""
    outputs: tuple[str, ...] = ()
    """Names of the columns that the runs give; NaN where a run failed."""
    title: str = ""
    study: Mapping[str, Any] = field(default_factory=dict)
    """The study file as understood, as plain data: ``study["sampler"]``, ``study["parameters"]`` …"""

    def __len__(self) -> int:
        return len(self.columns["status"])

    def __getitem__(self, name: str) -> Column:
        """Return a column; an unknown name is answered with the known ones."""
        if name not in self.columns:
            raise UnknownNameError("column", name, self.columns)
        return self.columns[name]

    @property
    def finished(self) -> npt.NDArray[np.bool_]:
        """Which runs reached their end."""
        found: npt.NDArray[np.bool_] = np.asarray(self.columns["status"]) == FINISHED
        return found


class Result(Protocol):
    """What an analysis found."""

    def section(self) -> Section:
        """Return it as a section of the report."""


class Analysis(NamedTuple):
    """A registered analysis."""

    run: Callable[[StudyTable, Mapping[str, Any]], Result]
    check: Callable[[Mapping[str, Any]], object] | None
    """Raises `InputError` for options that cannot be right; called before anything is run."""


class Finding(NamedTuple):
    """An analysis that was asked for: its result, or why there is none."""

    name: str
    result: Result | None
    error: str = ""


ANALYSES: Registry[Analysis] = Registry("analysis", "carom.studies.analyses")

Function = Callable[[StudyTable, Mapping[str, Any]], Any]


def register_analysis(
    name: str, *, check: Callable[[Mapping[str, Any]], object] | None = None
) -> Callable[[Function], Function]:
    """Make a function an analysis that a study file may ask for, under ``[analyses.name]``."""

    def decorate(function: Function) -> Function:
        ANALYSES.register(name, Analysis(function, check))
        return function

    return decorate


def check_analyses(asked: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse analyses that do not exist and options that cannot be right."""
    for name, options in asked.items():
        check = ANALYSES.get(name).check
        if check is not None:
            check(options)


def findings(table: StudyTable, asked: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """Carry out the analyses; one that cannot be made says why and does not stop the others."""
    for name, options in asked.items():
        try:
            yield Finding(name, ANALYSES.get(name).run(table, options))
        except CaromError as error:
            yield Finding(name, None, str(error))
