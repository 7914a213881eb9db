"""Read a study: all that is wrong with it at once, or what it states."""

from __future__ import annotations

import hashlib
import tomllib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from carom.errors import CaromWarning, InputError
from carom.motions.motion import Motion
from carom.problem import Problem, reduction_cautions
from carom.scenario.faults import BEYOND, Fault, ScenarioError, beyond, fault_of, from_pydantic
from carom.scenario.few_modes import settled
from carom.scenario.format import refuse_newer
from carom.scenario.model import Analysis
from carom.scenario.motions.components import Components
from carom.scenario.reading import default_text, scenario_of
from carom.scenario.remarks import notes_of
from carom.scenario.stated import Scenario
from carom.scenario.structures.matrices import written_out
from carom.scenario.studies.cautions import unlikely_in
from carom.scenario.studies.model import RunPart, SamplerPart, StudyFile
from carom.scenario.studies.motions import AXES, MotionList, as_stated, motions_of, names_motions
from carom.scenario.studies.parameters import Parameter, correlation_of, parameter_of
from carom.scenario.studies.paths import Place, places_by_label, places_in
from carom.scenario.text import parsed, text_of

__all__ = ["Study", "read_study", "study_of"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Study:
    """What a study file states."""

    title: str
    description: str
    scenario: Scenario
    """The scenario that all runs start from."""
    tables: Mapping[str, Any]
    """Its tables."""
    folder: Path
    """Where its paths start."""
    parameters: tuple[Parameter, ...]
    correlation: npt.NDArray[np.float64] | None
    """Of all parameters in their order; None: independent."""
    sampler: SamplerPart
    motions: MotionList | None
    """None: the scenario has no motion."""
    outputs: tuple[str, ...]
    run: RunPart
    analyses: Mapping[str, Mapping[str, Any]]
    name: str
    """The file's name."""
    text: str
    """The file itself."""
    notes: tuple[str, ...] = ()
    """What its readers warned of."""

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What is to be known of it before it is run: what its readers warned of, and what is unlikely."""
        return (*self.notes, *unlikely_in(self))

    @property
    def problem(self) -> Problem:
        """The problem that all runs start from, without its motion."""
        return self.scenario.problem.replace(motion=None)

    @property
    def analysis(self) -> Analysis:
        """How the scenario wants to be computed."""
        return self.scenario.analysis

    def as_dict(self) -> dict[str, Any]:
        """Return all that decides the runs, as plain data: what must not change once a study has begun."""
        return {
            "scenario": dict(self.tables),
            "parameters": {one.name: one.as_dict() for one in self.parameters},
            "correlation": None if self.correlation is None else self.correlation.tolist(),
            "sampler": self.sampler.model_dump(),
            "motions": None if self.motions is None else _described(self.motions),
            "outputs": list(self.outputs),
            "run": self.run.model_dump(),
        }


def read_study(path: str | Path) -> Study:
    """Read a study file.

    Raises
    ------
    ScenarioError
        With every fault of the file and of the scenario it names.
    """
    path = Path(path)
    text = text_of(
        path, what="study", missing="`carom study new` writes one to start from.",
        folder="Name the study file; `carom study status` and `carom study report` take the folder of a study.",
    )  # fmt: skip
    return study_of(text, path.name, path.parent)


def study_of(text: str, name: str, folder: Path) -> Study:
    """Return what the text of a study file states; paths in it are relative to `folder`."""
    return _Reading(name, text, folder).study()


@dataclass
class _Reading:
    """The state of reading one file: its tables, and what was found wrong so far."""

    name: str
    text: str
    folder: Path
    faults: list[Fault] = field(default_factory=list)

    def study(self) -> Study:
        raw = parsed(self.name, self.text)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CaromWarning)
            stated = self._stated(raw)
        own = notes_of({name: table for name, table in raw.items() if name != "scenario"}, caught)
        few = reduction_cautions(stated.scenario.problem)
        return replace(stated, notes=(*stated.scenario.notes, *few, *own))

    def _stated(self, raw: dict[str, Any]) -> Study:
        if "structures" in raw and "scenario" not in raw:
            raise InputError(
                f"{self.name} is a scenario, not a study. `carom run {self.name}` runs it; a study names it by "
                f'scenario = "{self.name}" and says what varies.'
            )
        refuse_newer(self.name, raw)
        try:
            file = StudyFile.model_validate(raw)
        except ValidationError as error:
            self.faults += from_pydantic(error.errors(), StudyFile)
            if isinstance(raw.get("scenario"), str | dict):
                self._base(raw["scenario"])
            raise ScenarioError(self.name, self.faults) from None
        base = self._base(file.scenario, shaken=file.motions is not None and names_motions(file.motions))
        motions = self._motions(file, base)
        known = {} if base is None else _places(*base[:2])
        parameters = [self._parameter(one, file, base, known) for one in file.parameters] if base else []
        names = tuple(file.parameters)
        correlation = self._made("correlations", lambda: correlation_of(file.correlations, names))
        if self.faults or base is None:
            raise ScenarioError(self.name, self.faults)
        scenario, tables, folder = base
        return Study(
            file.title, file.description, scenario, tables, folder, tuple(one for one in parameters if one is not None),
            correlation, file.sampler, motions, tuple(dict.fromkeys(file.outputs)), file.run, file.analyses, self.name,
            self.text,
        )  # fmt: skip

    def _base(
        self, given: str | Mapping[str, Any], *, shaken: bool = True
    ) -> tuple[Scenario, dict[str, Any], Path] | None:
        """Return the scenario, its tables and its folder; its faults are those of the study."""
        folder, name = self.folder, f"{self.name}, scenario"
        if isinstance(given, str):
            if given == "default":
                tables, name = tomllib.loads(default_text()), "default"
            else:
                path = self.folder / given
                folder, name = path.parent, path.name
                try:
                    tables = parsed(name, text_of(path, what="scenario", missing="", folder=""))
                except ScenarioError as error:
                    self.faults += error.faults
                    return None
                except InputError as error:
                    way_out = f'{error} `carom new` writes one; scenario = "default" is the built-in one.'
                    rule = "must be a scenario file that is there, its path taken from the study's folder"
                    self.faults.append(Fault("scenario", rule, given, way_out))
                    return None
        else:
            tables = dict(given)
        stated = {"title": self.name, **tables}
        if shaken and "motion" not in tables:
            stated["motion"] = {"record": "default"}  # the study's own motions take its place
        try:
            scenario = scenario_of(stated, name, folder)
        except ScenarioError as error:
            where = "scenario." if not isinstance(given, str) else f"{name}: "
            self.faults += [Fault(where + one.field, one.rule, one.value, one.way_out) for one in error.faults]
            return None
        whole = self._made("scenario", lambda: written_out(tables, folder))
        if whole is None:
            return None
        kept = {key: table for key, table in whole.items() if key != "format"}
        return scenario, settled(kept, scenario.problem), folder

    def _motions(self, file: StudyFile, base: tuple[Scenario, dict[str, Any], Path] | None) -> MotionList | None:
        part, ground = file.motions, {} if base is None else base[0].ground
        own = [one for one in ground if one not in AXES]
        if own and part is not None and names_motions(part):
            way_out = "Leave them out: `scales` alone scales what the scenario states, under all structures alike."
            rule = "must not name motions where a structure has its own: nothing says which belongs under which"
            self.faults.append(Fault("motions", rule, ", ".join(own), way_out))
            return None
        if part is not None and not own:
            return self._made("motions", lambda: motions_of(part, self.folder))
        if not ground:
            return None
        stated = ground["x"] if set(ground) == {"x"} else Components(ground)
        return self._made("motions", lambda: as_stated(stated, part))

    def _parameter(
        self, name: str, file: StudyFile, base: tuple[Scenario, dict[str, Any], Path], known: Mapping[str, Place]
    ) -> Parameter | None:
        part = file.parameters[name]
        return self._made(f"parameters.{name}", lambda: parameter_of(name, part, base[1], known))

    def _made(self, place: str, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except InputError as error:
            self.faults.append(fault_of(error, place, FIELDS))
        except BEYOND:
            self.faults.append(beyond(place))
        return None


FIELDS = ("path", "values", "range", "distribution", "low", "high", "mean", "std", "median", "mode", "dispersion",
          "levels", "records", "scales")  # fmt: skip
"""Fields at which a refusal is laid."""


def _places(scenario: Scenario, tables: Mapping[str, Any]) -> dict[str, Place]:
    """Return what may be varied: contacts by the number of their table or by label."""
    known = places_in(tables)
    return places_by_label(known, scenario.problem) | known


def _described(motions: MotionList) -> dict[str, Any]:
    """Return motions as data: a change of a record's samples is a change of the study."""
    return {
        "records": {
            name: {
                "dt": motion.dt,
                "samples": motion.npts,
                "digest": hashlib.sha256(_samples(motion)).hexdigest()[:16],
            }
            for name, motion in zip(motions.names, motions.motions, strict=True)
        },
        "factors": motions.factors.tolist(),
        "period": motions.period,
    }  # fmt: skip


def _samples(motion: Motion | Components) -> bytes:
    return motion.samples() if isinstance(motion, Components) else motion.acceleration.tobytes()
