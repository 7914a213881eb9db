"""A scenario under a visitor's hands: what it was, what was moved, and what comes of it."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import carom
from carom.app.controls import Control, controls_of
from carom.app.wire import frame
from carom.errors import CaromError, InputError, refusal
from carom.laws.base import stiffness_unit
from carom.laws.catalogue import laws
from carom.motions import Motion
from carom.problem import Problem
from carom.reports.runs.animation import sway
from carom.reports.runs.words import answer as in_short
from carom.reports.runs.words import sentences
from carom.results import Pounding, Simulation
from carom.scenario import Scenario
from carom.scenario.motions.grounds import grounds_under
from carom.scenario.reading import default_text, scenario_of
from carom.scenario.studies.paths import Place, changed, places_in
from carom.scenario.studies.quick import Known, problem_of
from carom.studies.single.assess import first_look, second_look
from carom.units import number, standard_gravity

__all__ = ["Explorer"]

FULL = 2500, 700
"""Samples of a curve over time, about what a screen shows; samples of what moves, and of energies."""
HURRIED = 800, 250
"""The same while others wait."""
SUITE = [f"thirty-{event:02d}{component}" for event in range(1, 11) for component in "abc"]
"""Names of the built-in suite."""
OF_FILES = "Sampling:"
"""How a caution begins that is about histories in files."""
MOST = 500
"""Impacts that are marked."""
RTOL = 1e-5
"""Tolerance in contact; pictures show three digits."""


class Explorer:
    """One scenario, and the last answer of it."""

    def __init__(
        self, tables: Mapping[str, Any] | None = None, name: str = "the default scenario", folder: Path | None = None
    ) -> None:
        self.tables: dict[str, Any] = dict(tables) if tables is not None else tomllib.loads(default_text())
        self.name = name
        self.scenario: Scenario = scenario_of(self.tables, name, folder or Path())
        self.places = places_in(self.tables)
        self.controls: list[Control] = controls_of(self.tables)
        self.known = Known()
        self.motions: dict[str, Motion] = {}
        ground = self.scenario.ground
        if len(ground) == 1 and "x" in ground:
            self.motions[ground["x"].name] = ground["x"]
        self.result: Pounding | None = None
        self._twin: tuple[Any, Simulation] | None = None
        """What the last run without contact came from, and the run."""
        self._answered: Problem | None = None
        self.last: dict[str, Any] = self.tables
        """The tables behind the result."""

    def told(self) -> dict[str, Any]:
        """Return what a page needs before the first answer: controls, laws, motions."""
        return {
            "kind": "scenario",
            "title": self.scenario.title,
            "controls": [control._asdict() for control in self.controls],
            "laws": {name: str(table.get("name", "")) for name, table in self.tables.get("laws", {}).items()},
            "catalogue": [{"name": kind.name, "title": kind.title, "n": kind.n} for kind in laws],
            "motions": [*self.motions, *SUITE] if self.motions else [],
            "pga": max((motion.pga for motion in self.scenario.ground.values()), default=0.0) / standard_gravity,
        }

    def add_motion(self, motion: Motion) -> str:
        """Take a record that a visitor brought; return how it is called among the others."""
        name = motion.name if motion.name not in self.motions else f"{motion.name} ({len(self.motions)})"
        self.motions[name] = motion
        return name

    def stated(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scenario's tables as a visitor has moved them."""
        moves: list[tuple[Place, Any]] = []
        controls = {control.path: control for control in self.controls}
        for path, value in _table(wish, "moved").items():
            control = controls.get(path)
            if control is None or isinstance(value, bool) or not isinstance(value, (int, float)):
                raise refusal("moved", "the page", "must name a control and a number", {path: value})
            inside = min(max(float(value), control.low), control.high)
            place = self.places[path]
            if control.listed:
                given = self.tables
                for step in place.steps:
                    given = given[step]  # type: ignore[index]
                moves.append((place, [inside * float(one) for one in place.take(given)]))
            else:
                moves.append((place, inside))
        tables = changed(self.tables, moves)
        for name, law in _table(wish, "laws").items():
            if name not in tables.get("laws", {}):
                raise refusal("laws", "the page", "must name a table under [laws]", name)
            tables["laws"][name] = _with_name(tables["laws"][name], str(law))
        return tables

    def grounds(self, wish: Mapping[str, Any]) -> dict[str, Motion]:
        """Return the ground motions that a visitor wishes: of one record its name, and a peak acceleration [g]."""
        ground = self.scenario.ground
        pga = None if wish.get("pga") is None else _number("pga", wish["pga"], 0.001, 5.0) * standard_gravity
        if self.motions:
            name = str(wish.get("motion") or next(iter(self.motions)))
            if name not in self.motions:
                suite = {one.name: one for one in carom.motions.suite("thirty")}
                if name not in suite:
                    raise refusal("motion", "the page", "must be one of its list", name)
                self.motions[name] = suite[name]
            motion = self.motions[name]
            return {"x": motion if pga is None else motion.scaled(pga=pga)}
        largest = max((motion.pga for motion in ground.values()), default=0.0)
        if pga is None or largest == 0.0:
            return dict(ground)
        return {axis: motion.scaled(factor=pga / largest) for axis, motion in ground.items()}

    def problem(self, wish: Mapping[str, Any]) -> Problem:
        """Return the problem that a visitor wishes, at the gaps, laws and motion as they were moved."""
        self.last = self.stated(wish)
        return problem_of(
            self.last, allow_overlap=self.scenario.analysis.allow_overlap, known=self.known,
            motion=grounds_under(self.last["structures"], self.grounds(wish)),
        )  # fmt: skip

    def answer(self, wish: Mapping[str, Any], *, hurried: bool = False) -> bytes:
        """Return what comes of a wish, as one message; what is refused is a message too.

        `hurried`: others wait, and curves come at fewer points.
        """
        began = time.perf_counter()
        said: dict[str, Any] = {"kind": "answer", "number": int(wish.get("number", 0)), "coarse": hurried}
        try:
            problem = self.problem(wish)
            apart = _without_gaps(self.last), wish.get("motion"), wish.get("pga")
            twin = self._twin[1] if self._twin is not None and self._twin[0] == apart else None
            result = first_look(problem, title=self.scenario.title, twin=twin, **self._options())
        except CaromError as error:
            return frame({**said, "kind": "refused", "words": str(error)}, {})
        self._twin = apart, result.twin
        self.result, self._answered = result, problem
        words, arrays = _drawn(result, *(HURRIED if hurried else FULL))
        return frame({**said, **words, "seconds": time.perf_counter() - began}, arrays)

    def details(self, wish: Mapping[str, Any]) -> bytes:
        """Return what takes longer, of the last answer: words, spectra, the hardest impact closely, motion in space."""
        said: dict[str, Any] = {"kind": "details", "number": int(wish.get("number", 0))}
        if self.result is None or self._answered is None:
            return frame({**said, "kind": "refused", "words": "Nothing has been computed yet."}, {})
        damping = self.scenario.analysis.spectrum_damping
        result = second_look(self._answered, self.result, spectrum_damping=damping, **self._options())
        tops = [standing.top for standing in result.scene.shaken]
        arrays: dict[str, Any] = {}
        if result.spectra is not None and tops:
            arrays["periods"] = result.spectra.periods
            arrays |= {"psa": result.spectra.psa[tops], "psa without": result.spectra.psa_without[tops]}
        if result.loops:
            arrays |= {"overlap": result.loops[0].overlap, "loop": result.loops[0].force}
        said |= {
            "sentences": sentences(result),
            "cautions": [one for one in result.cautions if not one.startswith(OF_FILES)],
            "space": sway(result) if result.scene.in_space else None,
        }
        return frame(said, arrays)

    def _options(self) -> dict[str, Any]:
        """Return how `carom.simulate` is to run."""
        analysis = self.scenario.analysis
        options = {**analysis.simulation, "duration": analysis.duration}
        options["sampling"] = None if self.scenario.ground else analysis.sampling
        if analysis.scheme == "event":
            options["rtol"] = max(RTOL, analysis.rtol)
        return options


def _with_name(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a law's table under another law: of equal peak force at its own overlap of a millimetre, equal e asked."""
    if name not in laws:
        raise InputError(f"There is no law '{name}'.")
    before, after = laws.get(str(table["name"])), laws.get(name)
    found = {key: value for key, value in table.items() if key in ("restitution", "tension", "v0")}
    stiffness = number(table["stiffness"], stiffness_unit(before.n), name="stiffness", owner=name)
    return {**found, "name": name, "stiffness": stiffness * 1e-3 ** (before.n - after.n)}


def _without_gaps(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables but for gaps and laws, which the run without contact does not know."""
    contacts = [
        {key: value for key, value in one.items() if key not in ("gap", "law")} for one in tables.get("contacts", [])
    ]
    return {**{key: value for key, value in tables.items() if key != "laws"}, "contacts": contacts}


def _table(wish: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = wish.get(name, {})
    if not isinstance(found, Mapping):
        raise refusal(name, "the page", "must be a table", found)
    return found


def _number(name: str, value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise refusal(name, "the page", f"must be a number from {low:g} to {high:g}", value)
    return float(value)


def _drawn(result: Pounding, most_fine: int, most_coarse: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a page shows of a run: words, and numbers."""
    run, twin = result.run, result.twin
    moving = result.scene.shaken
    floors = [list(standing.dofs) for standing in moving]
    tops = [standing.top for standing in moving]
    hardest = result.hardest
    contact = int(run.table["contact"][hardest]) if hardest is not None else 0
    said: dict[str, Any] = {
        "structures": [
            {
                "name": standing.name, "levels": list(standing.levels), "first": sum(map(len, floors[:i])),
                "drift": float(run.drifts(standing).max(initial=0.0)),
                "displacement": _both(run, twin, standing.sliding, 0),
                "acceleration": _both(run, twin, standing.sliding, 2),
            }
            for i, standing in enumerate(moving)
        ],
        "standings": [
            {"name": one.name, "levels": list(one.levels), "moving": moving.index(one) if one in moving else -1}
            for one in result.scene.standings
        ],
        "contacts": [
            {"label": touch.label, "left": touch.left, "right": touch.right, "gap": touch.gap, "needed": float(needed),
             "levels": [touch.left_level, touch.right_level], "hits": result.per_contact[touch.label]}
            for touch, needed in zip(result.scene.touches, result.needed_gaps, strict=True)
        ],
        "contact": contact, "impacts": result.count, "rigid": result.rigid,
        "force": result.max_force if np.isfinite(result.max_force) else None,
        "sentences": [in_short(result)],
        "path": str(run.evidence.get("path", "")),
        "in_space": result.scene.in_space,
    }  # fmt: skip
    fine, coarse = _even(run.time, most_fine), _even(run.time, most_coarse)
    arrays: dict[str, Any] = {
        "time": run.time[fine],
        "tops": run.displacement[:, tops][fine].T,
        "tops without": twin.displacement[:, tops][fine].T,
        "moments": run.time[coarse],
        "sway": run.displacement[:, [dof for one in floors for dof in one]][coarse],
        "starts": run.table["start"][:MOST],
        "durations": run.table["duration"][:MOST],
        "struck": run.table["contact"][:MOST],
        "blows": result.blows[:MOST],
    }
    for name in ("input", "kinetic", "strain", "damping", "contact", "hysteretic"):
        if name in run.ledger:
            arrays[f"energy {name}"] = run.ledger[name][coarse]
    if run.contacts:
        arrays |= {"gap": run.gap[fine, contact], "force": run.force[fine, contact]}
    return said, arrays


def _both(run: Simulation, twin: Simulation, dofs: Sequence[int], quantity: int) -> list[float]:
    """Return the largest value of a structure with contact and without."""
    return [float(one.extremes[list(dofs), quantity].max()) for one in (run, twin)]


def _even(time: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.int64]:
    """Return which samples are sent: all of few, of many some that are evenly spread."""
    return np.unique(np.linspace(0, time.size - 1, min(time.size, most)).round().astype(np.int64))
