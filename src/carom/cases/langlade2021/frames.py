"""langlade2021 Figures 12a, 15, 16, A.4 and A.5 by frames, member by member, beside oscillators and sticks."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from carom.cases.base import Run, register_case
from carom.cases.langlade2021 import table5 as single
from carom.cases.langlade2021 import two_storey as sticks
from carom.cases.langlade2021.frame_model import plane_frame, plane_frames, two_frames
from carom.cases.langlade2021.shared import PERIODS, STEPPED, STIFFNESS
from carom.cases.langlade2021.table5 import OURS, title_of
from carom.cases.langlade2021.two_storey import CORNERS, SHOWN, TESTS, Test, TwoStoreyCase
from carom.motions import Motion, response_spectrum
from carom.results import Curve, FigureData, Panel, Row, Simulation, Width

MODELS = ("stick", "frame")
APPENDIX = {"figa4": ("A.4", (0, 2)), "figa5": ("A.5", (1, 3))}
"""Figures of the appendix: which tests they show."""
STIFFNESS_WITHIN = 0.02
"""Of the single storey, with what two storeys were fitted with."""


@lru_cache(maxsize=64)
def shaken(run: Run, test: Test, motion: Motion) -> Simulation:
    """Return the frames of two storeys under the motion, by the paper's method."""
    result: Simulation = run(two_frames(test, motion), **STEPPED)
    return result


@lru_cache(maxsize=64)
def shaken_plane(run: Run, test: single.Test, motion: Motion) -> Simulation:
    """Return the plane frames of one storey under the motion, by the paper's method."""
    result: Simulation = run(plane_frames(test, motion), **STEPPED)
    return result


def count(result: Simulation, side: str) -> float:
    """Return the number of impacts of frames at a corner of the second floor."""
    at = result.contacts.index(f"floor 2, {side} corner")
    return float(np.count_nonzero(result.table["contact"] == at))


@register_case
class Frames(TwoStoreyCase):
    """What frames and sticks make of the same motion: impacts, displacements; and what a column's foot bears."""

    name: ClassVar[str] = "langlade2021-frames"
    title: ClassVar[str] = "Structures of one and of two storeys as frames, beside oscillators and sticks"
    place: ClassVar[str] = "sections 4.3 and 4.4, Figures 12, 15, 16, A.4 and A.5"
    verified: ClassVar[str] = "frequencies as in langlade2021-table7-frame; sticks and oscillators beside"
    notes: ClassVar[tuple[str, ...]] = (
        "Frames are those of langlade2021-table7-frame, fitted, with the damping of Table 6 in the six modes that it "
        "has and 2 % in the others, which rock slabs and stretch columns. Slabs meet corner to corner, by the paper's "
        "method, e = 0.6 and 1 ms. Beside them stand the sticks of langlade2021-fig15, fitted to the same frequencies, "
        "and the oscillators of langlade2021-table5.",
        "Plane frames are one face of the first storey, with what the two storeys were fitted with, unchanged, and "
        "Rayleigh damping of the printed ratio at the lowest two modes, as section 4.3 says.",
        TwoStoreyCase.notes[1],
        "Frames and sticks of the same frequencies part after the first impact: each impact hangs on those before it, "
        "and Structure 2's frame misses its frequencies by up to 1.4 %.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return what the plane frames are, then impacts and displacements by both models."""
        found = [
            Row(
                quantity=f"Structure {i + 1}: stiffness of the plane frame, both faces", published=printed,
                computed=2.0 / float(np.linalg.inv(of.stiffness_matrix)[at, at]), unit="N/m",
                tolerance=STIFFNESS_WITHIN,
            )
            for i, printed in enumerate(STIFFNESS)
            for of in (plane_frame(i),)
            for at in (of.dof_names.index("slab ux"),)
        ]  # fmt: skip
        told: dict[str, tuple[float, str]] = {}
        for one in single.TESTS:
            motion = self._shown_single(run, one)
            ahead = f"{one.motion} {one.pga:.2f} g, {title_of(motion)}, one storey: impacts"
            told[f"{ahead}, oscillators"] = single.count(run, one, motion), ""
            told[f"{ahead}, plane frames"] = float(shaken_plane(run, one, motion).table["start"].size), ""
        for test in TESTS:
            told |= self._two_storeys(run, test)
        return found + [
            Row(quantity=title, published=None, computed=value, unit=unit, reason=OURS)
            for title, (value, unit) in told.items()
        ]

    def _two_storeys(self, run: Run, test: Test) -> dict[str, tuple[float, str]]:
        motion = self.shown(run, test)
        stick, frame = sticks.shaken(run, test, motion), shaken(run, test, motion)
        told: dict[str, tuple[float, str]] = {}
        for side in CORNERS:
            ahead = f"{test}, {title_of(motion)}: impacts at the {side} corner"
            told[f"{ahead}, sticks"] = sticks.count(stick, side), ""
            told[f"{ahead}, frames"] = count(frame, side), ""
        for i in range(2):
            ahead = f"{test}, {title_of(motion)}: Structure {i + 1}, largest displacement of the left corner"
            told[f"{ahead}, stick"] = 1e3 * _largest(stick, sticks.place(i, "left")), "mm"
            told[f"{ahead}, frame"] = 1e3 * _largest(frame, f"{i + 1} left x"), "mm"
            moment = 1e-3 * _largest(frame, f"{i + 1} foot")
            told[f"{test}, {title_of(motion)}: Structure {i + 1}, largest moment at a foot, frame"] = moment, "kN·m"
        return told

    def _shown_single(self, run: Run, test: single.Test) -> Motion:
        """Return the motion of a test of one storey: the first record, or the middle one of those that pound."""
        if found := self.records.get(test.motion):
            return found[0]
        return single.SingleStorey().shown(run, test)

    def figures(self, run: Run) -> list[FigureData]:
        """Return left corners by both models under Kobe at 0.25 g with spectra, the appendix, and one storey."""
        last, wide = TESTS[-1], Width.DOUBLE
        found = [
            FigureData(
                f"{self.name}-fig15", "Left corners of the second floors, by sticks and by frames",
                "after langlade2021 Fig. 15", self._histories(run, last), width=wide, aspect=0.3,
            ),
            FigureData(
                f"{self.name}-fig16", "Spectra of the left corners, 5 %, by sticks and by frames",
                "after langlade2021 Fig. 16", self._spectra(run, last), columns=2, width=wide, aspect=0.55,
            ),
        ]  # fmt: skip
        for name, (figure, which) in APPENDIX.items():
            columns = [
                (*self._histories(run, test), *self._spectra(run, test)[::2]) for test in (TESTS[i] for i in which)
            ]
            panels = tuple(panel for row in zip(*columns, strict=True) for panel in row)
            tests = " and ".join(str(TESTS[i]) for i in which)
            found.append(
                FigureData(
                    f"{self.name}-{name}", f"{tests}: left corners by sticks and by frames",
                    f"after langlade2021 Fig. {figure}", panels, columns=2, width=wide, aspect=0.5,
                )
            )  # fmt: skip
        return [*found, self._one_storey(run)]

    def _one_storey(self, run: Run) -> FigureData:
        test = single.TESTS[0]
        motion = self._shown_single(run, test)
        oscillators = single.shaken(run, test, single.BEST, motion)
        frames = shaken_plane(run, test, motion)
        panels = tuple(
            _compared(
                ("oscillator", oscillators.time, oscillators.displacement[:, i]),
                ("plane frame", frames.time, frames.displacement[:, frames.dofs.index(f"{i + 1} slab ux")]),
                f"Structure {i + 1}, one storey, {'' if self.records[test.motion] else 'stand-in for '}{test.motion}, "
                f"{test.pga:.2f} g",
            )
            for i in range(2)
        )
        return FigureData(
            f"{self.name}-fig12a", "One storey, by oscillators and by plane frames", "after langlade2021 Fig. 12a",
            panels, width=Width.DOUBLE, aspect=0.3,
        )  # fmt: skip

    def _histories(self, run: Run, test: Test) -> tuple[Panel, ...]:
        motion = self.shown(run, test)
        stick, frame = sticks.shaken(run, test, motion), shaken(run, test, motion)
        return tuple(
            _compared(
                ("stick", stick.time, sticks.corner(stick, "displacement", i, "left")),
                ("frame", frame.time, _corner(frame, "displacement", i)),
                f"Structure {i + 1}, {self.ahead(test)}",
            )
            for i in range(2)
        )

    def _spectra(self, run: Run, test: Test) -> tuple[Panel, ...]:
        """Return PSV and PSA of the left corner of each second floor."""
        motion = self.shown(run, test)
        stick, frame = sticks.shaken(run, test, motion), shaken(run, test, motion)
        dt = float(frame.time[1] - frame.time[0])
        panels = []
        for i in range(2):
            moved = (sticks.corner(stick, "acceleration", i, "left"), _corner(frame, "acceleration", i))
            found = response_spectrum([Motion(one, dt=dt) for one in moved], PERIODS, 0.05)
            for name, unit, of in (("PSV", "m/s", "psv"), ("PSA", r"m/s$^2$", "psa")):
                curves = tuple(
                    Curve(np.log10(found.periods), getattr(found, of)[k], model, series=k)
                    for k, model in enumerate(MODELS)
                )
                legend = "upper left" if (i, name) == (0, "PSV") else ""
                label = r"$\log_{10}$ period [s]"
                panels.append(Panel(label, f"{name} [{unit}]", curves, f"Structure {i + 1}", legend=legend))
        return tuple(panels)


def _largest(result: Simulation, dof: str) -> float:
    return float(result.extremes[result.dofs.index(dof), 0])


def _corner(result: Simulation, of: str, i: int) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = getattr(result, of)[:, result.dofs.index(f"{i + 1} left x")]
    return found


def _compared(
    one: tuple[str, npt.NDArray[np.float64], npt.NDArray[np.float64]],
    other: tuple[str, npt.NDArray[np.float64], npt.NDArray[np.float64]], title: str,
) -> Panel:  # fmt: skip
    """Return a panel with the displacements of two models."""
    curves = tuple(Curve(time, 1e3 * moved, name, series=k) for k, (name, time, moved) in enumerate((one, other)))
    most = max(float(np.abs(curve.y).max()) for curve in curves)
    return Panel(
        "Time $t$ [s]", "Displacement $u$ [mm]", curves, title, xlim=(0.0, SHOWN), ylim=(-1.1 * most, 1.6 * most),
        legend="upper right",
    )  # fmt: skip
