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

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from carom.errors import CaromError, InputError, UnknownNameError
from carom.registry import Registry
from carom.scenario.studies.model import OUTPUTS
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
    """Raises `InputError` for options that cannot be right; called before anything is run. What it returns may say by
    ``columns`` which ones the analysis reads; a name that ends in a dot stands for any that begins so."""


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


def check_analyses(asked: Mapping[str, Mapping[str, Any]], columns: Collection[str] | None = None) -> None:
    """Refuse analyses that do not exist, options that cannot be right, and, of a study with these columns, others."""
    for name, options in asked.items():
        check = ANALYSES.get(name).check
        found = None if check is None else check(options)
        if columns is None:
            continue
        for column in getattr(found, "columns", ()):
            if column not in columns and not (column.endswith(".") and any(one.startswith(column) for one in columns)):
                raise _missing(name, column, columns)


def _missing(analysis: str, column: str, columns: Collection[str]) -> InputError:
    kind = column.partition(".")[0]
    told = str(UnknownNameError("column", column, columns)).partition(". ")[2]
    kept = {one.partition(".")[0] for one in columns}
    way_out = f'Add "{kind}" to the study\'s outputs.' if kind in OUTPUTS and kind not in kept else told
    what = f"the column `{column}`" if not column.endswith(".") else f"columns `{column}…`"
    return InputError(f"analyses.{analysis} reads {what}, which the runs do not have. {way_out}")


def findings(table: StudyTable, asked: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """Carry out the analyses; one that cannot be made says why and does not stop the others."""
    for name, options in asked.items():
        try:
            yield Finding(name, ANALYSES.get(name).run(table, options))
        except CaromError as error:
            yield Finding(name, None, str(error))
