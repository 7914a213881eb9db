"""A problem under a visitor's hands: what may be moved, and what comes of it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import carom
from carom.app.controls import Control
from carom.app.wire import frame
from carom.errors import CaromError, refusal
from carom.laws.catalogue import laws
from carom.motions import Motion
from carom.problem import Problem
from carom.reports.runs.animation import flashes, in_line, sway
from carom.reports.runs.words import answer as in_short
from carom.reports.runs.words import sentences
from carom.results import Pounding, Simulation
from carom.studies.single.assess import first_look, second_look
from carom.units import standard_gravity

__all__ = ["RTOL", "Explored", "given_table"]

FULL = 2500, 700
"""Samples of a curve over time, about what a screen shows; samples of what moves, and of energies."""
HURRIED = 800, 250
"""The same while others wait."""
SUITE = [f"thirty-{event:02d}{component}" for event in range(1, 11) for component in "abc"]
"""Names of the built-in suite."""
OF_FILES = "Sampling:"
"""How a caution begins that is about histories in files."""
MOST, FLASHES = 500, 60
"""Impacts that are marked over time, and in the moving picture."""
RTOL = 1e-5
"""Tolerance in contact; pictures show three digits."""


class Explored(ABC):
    """One problem, and the last answer of it.

    `title` heads the page, `laws` names the law of each table of laws, `ground` holds the motions by direction, and
    `options` say how `carom.simulate` runs.
    """

    def __init__(
        self,
        *,
        title: str,
        controls: Sequence[Control],
        laws: Mapping[str, str],
        ground: Mapping[str, Motion],
        options: Mapping[str, Any],
        spectrum_damping: float = 0.05,
    ) -> None:
        self.title = title
        self.controls = list(controls)
        self.laws = dict(laws)
        self.ground = dict(ground)
        self.options = dict(options)
        self.spectrum_damping = spectrum_damping
        self.motions: dict[str, Motion] = {}
        """What a visitor may choose from, where the ground moves along x alone."""
        if set(ground) == {"x"}:
            self.motions[ground["x"].name] = ground["x"]
        self.result: Pounding | None = None
        self._twin: tuple[Any, Simulation] | None = None
        """What the last run without contact came from, and the run."""
        self._answered: Problem | None = None

    @abstractmethod
    def problem(self, wish: Mapping[str, Any]) -> Problem:
        """Return the problem that a visitor wishes, at the gaps, laws and motion as they were moved."""

    @abstractmethod
    def apart(self, wish: Mapping[str, Any]) -> Any:
        """Return what the run without contact comes from, to be compared; not gaps and laws, which it does not know."""

    def told(self) -> dict[str, Any]:
        """Return what a page needs before the first answer: controls, laws, motions."""
        return {
            "kind": "scenario",
            "title": self.title,
            "controls": [control._asdict() for control in self.controls],
            "laws": self.laws,
            "catalogue": [{"name": kind.name, "title": kind.title, "n": kind.n} for kind in laws],
            "motions": [*self.motions, *SUITE] if self.motions else [],
            "pga": max((motion.pga for motion in self.ground.values()), default=0.0) / standard_gravity,
        }

    def add_motion(self, motion: Motion) -> str:
        """Take a record that a visitor brought; return how it is called among the others."""
        name = motion.name if motion.name not in self.motions else f"{motion.name} ({len(self.motions)})"
        self.motions[name] = motion
        return name

    def moved(self, wish: Mapping[str, Any]) -> dict[str, tuple[Control, float]]:
        """Return the controls that a visitor moved, by their paths, and where to: within their ends."""
        controls = {control.path: control for control in self.controls}
        found = {}
        for path, value in given_table(wish, "moved").items():
            control = controls.get(path)
            if control is None or isinstance(value, bool) or not isinstance(value, (int, float)):
                raise refusal("moved", "the page", "must name a control and a number", {path: value})
            found[path] = control, min(max(float(value), control.low), control.high)
        return found

    def chosen(self, wish: Mapping[str, Any]) -> dict[str, str]:
        """Return the laws that a visitor chose, by the names of those that they replace."""
        found = {}
        for name, law in given_table(wish, "laws").items():
            if name not in self.laws:
                raise refusal("laws", "the page", "must name a table under [laws]", name)
            found[name] = laws.get(str(law)).name
        return found

    def grounds(self, wish: Mapping[str, Any]) -> dict[str, Motion]:
        """Return the ground motions that a visitor wishes: of one record its name, and a peak acceleration [g]."""
        ground = self.ground
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

    def answer(self, wish: Mapping[str, Any], *, hurried: bool = False) -> bytes:
        """Return what comes of a wish, as one message; what is refused is a message too.

        `hurried`: others wait, and curves come at fewer points.
        """
        began = time.perf_counter()
        said: dict[str, Any] = {"kind": "answer", "number": int(wish.get("number", 0)), "coarse": hurried}
        try:
            problem = self.problem(wish)
            apart = self.apart(wish), wish.get("motion"), wish.get("pga")
            twin = self._twin[1] if self._twin is not None and self._twin[0] == apart else None
            result = first_look(problem, title=self.title, twin=twin, **self.options)
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
        result = second_look(self._answered, self.result, spectrum_damping=self.spectrum_damping, **self.options)
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


def given_table(wish: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a table of a wish, an empty one where it has none."""
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
    tops = [standing.top for standing in moving]
    hardest = result.hardest
    contact = int(run.table["contact"][hardest]) if hardest is not None else 0
    said: dict[str, Any] = {
        "structures": [
            {
                "name": standing.name,
                "drift": float(run.drifts(standing).max(initial=0.0)),
                "displacement": _both(run, twin, standing.sliding, 0),
                "acceleration": _both(run, twin, standing.sliding, 2),
            }
            for standing in moving
        ],
        "contacts": [
            {"label": touch.label, "gap": touch.gap, "needed": float(needed), "hits": result.per_contact[touch.label]}
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
        "starts": run.table["start"][:MOST],
        "durations": run.table["duration"][:MOST],
        "struck": run.table["contact"][:MOST],
        "blows": result.blows[:MOST],
    }
    if moving and not result.scene.in_space:
        begin, end = float(run.time[0]), float(run.time[-1])
        line, arrays["sway"] = in_line(result, coarse)
        rate = (coarse.size - 1) / (end - begin) if end > begin else 1.0
        said["line"] = {**line, "begin": begin, "rate": rate, "impacts": flashes(result, begin, end, FLASHES)}
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
