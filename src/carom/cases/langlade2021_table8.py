"""langlade2021 Tables 6 to 8, Figures 15, 16, A.4 and A.5: the two-storey frames on the shaking table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import ClassVar

import numpy as np

from carom.cases._langlade2021 import PERIODS, STEPPED
from carom.cases._langlade2021_two_storey import (
    CONTACTS,
    CORNERS,
    MEASURED,
    MODES,
    RADIUS,
    Test,
    corner,
    storeys,
    structure,
    two,
)
from carom.cases.base import Case, Run, register_case, stated
from carom.cases.langlade2021_table5 import OURS, UNPUBLISHED, records_of, title_of
from carom.motions import Motion, response_spectrum, suite
from carom.results import Curve, FigureData, Panel, Row, Simulation, Width

TESTS = (
    Test("Cadarache", 0.45, (0.050, 0.055), 3, 3),
    Test("El Centro", 0.30, (0.050, 0.055), 3, 3),
    Test("Northridge", 0.20, (0.055, 0.060), 1, 1),
    Test("Kobe", 0.20, (0.045, 0.050), 3, 3),
    Test("Kobe", 0.25, (0.050, 0.055), 3, 4),
)
MODEL = ((2.10, 5.60, 6.11, 17.5, 8.60, 24.4), (3.69, 10.4, 8.20, 25.2, 10.2, 28.0))  # Hz, Table 7, the paper's model
FUNDAMENTAL = (0.48, 0.27)  # s, section 4.4
SECOND = 0.17  # s, section 4.4: second bending mode of Structure 1
LAST_DIGIT = 0.005  # s
LARGEST = 20.0  # g, section 5: Structure 2 in Figure 16
SINGLE_STOREY = (2.11e6, 5.31e6)  # N/m, Table 3
APPENDIX = {"A.4": (0, 2), "A.5": (1, 3)}
"""Figures of the appendix: which tests they show."""

# ours
OTHER_RADII = (1.0, 1.5)  # m
SHOWN = 20.0  # s

NO_FRAME = (
    "what the paper's frame of fibres takes is not stated: plan and thickness of the slabs, edge beams, orientation of "
    "the columns, cables, base plates"
)
CUT = "1/5.60 Hz is 0.179 s: the paper seems to have cut the digits, not rounded them"
STICK = "not in the paper: of the stick that is fitted to its measured frequencies"


@lru_cache(maxsize=512)
def shaken(run: Run, test: Test, motion: Motion, radius: float = RADIUS) -> Simulation:
    """Return the sticks under the motion by the paper's method."""
    result: Simulation = run(two(test, motion, radius), **STEPPED)
    return result


def count(result: Simulation, side: str) -> float:
    """Return the number of impacts at a corner of the second floor."""
    return float(np.count_nonzero(result.table["contact"] == CONTACTS.index((2, side))))


@register_case
class TwoStorey(Case):
    """Impact counts of Table 8 and what of Table 7 can be said, and ours by sticks under motions at hand."""

    name: ClassVar[str] = "langlade2021-table8"
    title: ClassVar[str] = "Two-storey frames under five ground motions: impacts at the corners, displacements, spectra"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.4, Tables 6 to 8, (22), Figures 15, 16, A.4 and A.5"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "printed frequencies; with equal gaps, two shear buildings without rotation"
    notes: ClassVar[tuple[str, ...]] = (
        "Neither the shaking table's motions nor what the paper's frames of fibres take are published: Table 8 and the "
        "model's frequencies of Table 7 cannot be computed. Ours are sticks with x, y and a rotation on each floor, "
        "fitted exactly to the six measured frequencies, with the damping of Table 6 in each mode and half of 9200 "
        "and 7000 kg on each floor. Slabs meet at corners 1.5 m off the axis, by the paper's method (e = 0.6, 1 ms).",
        "Motions as in langlade2021-table5: all records of an earthquake where they are given (--records DIR, or "
        "motions=[…]), else the built-in thirty. Counts are ours, not the paper's, which does not say how it counts "
        "a blow that both corners take: here each corner of the second floor stands for itself. Table 8's gaps were "
        "chosen to fit the measurement.",
        "The radius of gyration is not printed: that of a uniform slab of 3 m by 3 m is taken, 1.22 m, and 1.0 and "
        "1.5 m stand beside. Rotation only matters where the corners' gaps differ. Structure 2's two torsional "
        "frequencies lie closer together (ratio 2.77) than its longitudinal (2.81) and transverse ones (3.07): columns "
        "under floors of one radius of gyration would put them between, so that the torsion of the stick is fitted by "
        "itself.",
        "(22) is read as ΦᵀCΦ. Section 4.4 gives 0.17 s for the second bending mode of Structure 1.",
    )

    def __init__(self, motions: Sequence[Motion] | None = None) -> None:
        self.records = {test.motion: records_of(test.motion, motions or ()) for test in TESTS}

    def rows(self, run: Run) -> list[Row]:
        """Return what is printed, then the sticks, then counts under every motion at hand."""
        return [*self._frequencies(), *self._printed(), *self._sticks(), *self._counts(run), *self._radii(run)]

    def _frequencies(self) -> list[Row]:
        rows = []
        for i, model in enumerate(MODEL):
            for k, (mode, frequency) in enumerate(zip(MODES, model, strict=True)):
                title = f"Structure {i + 1}: frequency of the model, {mode} {k % 2 + 1}"
                rows.append(Row(quantity=title, published=frequency, computed=None, unit="Hz", reason=NO_FRAME))
        periods = [2.0 * np.pi / structure(i).modes().omega for i in range(2)]
        said = [(f"Structure {i + 1}: fundamental period", FUNDAMENTAL[i], periods[i][0]) for i in range(2)]
        said.append(("Structure 1: period of the second bending mode", SECOND, periods[0][1]))
        for title, printed, value in said:
            reason = CUT if printed == SECOND else ""
            rows.append(
                Row(
                    quantity=title,
                    published=printed,
                    computed=float(value),
                    tolerance=LAST_DIGIT,
                    absolute=True,
                    unit="s",
                    reason=reason,
                )
            )
        return rows

    def _printed(self) -> list[Row]:
        rows = []
        for test in TESTS:
            for who, printed in (("numerical", test.numerical), ("experimental", test.experimental)):
                title = f"{test}: impacts, {who}"
                rows.append(Row(quantity=title, published=printed, computed=None, reason=UNPUBLISHED))
        title = "Kobe 0.25 g: largest acceleration of Structure 2 in Figure 16"
        return [
            *rows,
            Row(quantity=title, published=LARGEST, computed=None, unit="g", reason=UNPUBLISHED),
            stated("Kobe 0.25 g: the impact at 11 s is missed by a few millimetres", None, UNPUBLISHED),
        ]

    def _sticks(self) -> list[Row]:
        rows = []
        for i in range(2):
            lower, upper = storeys(0.5 * float(np.trace(structure(i).mass_matrix[:2, :2])), *MEASURED[i][:2])
            for what, value in (
                ("lower storey", lower),
                ("upper storey", upper),
                ("lower storey over Table 3's single storey", lower / SINGLE_STOREY[i]),
            ):
                unit = "" if "over" in what else "N/m"
                title = f"Structure {i + 1}: longitudinal stiffness, {what}"
                rows.append(Row(quantity=title, published=None, computed=value, unit=unit, reason=STICK))
        return rows

    def _counts(self, run: Run) -> list[Row]:
        ours: dict[str, float] = {}
        for test in TESTS:
            for side in CORNERS:
                title = f"{test}: impacts at the {side} corner, ours under"
                for motion in self.records[test.motion]:
                    ours.setdefault(f"{title} {title_of(motion)}", count(shaken(run, test, motion), side))
                if not self.records[test.motion]:
                    counts = [count(shaken(run, test, motion), side) for motion in suite("thirty")]
                    for what, value in (("least", min(counts)), ("median", median(counts)), ("most", max(counts))):
                        ours[f"{title} the built-in thirty, {what}"] = float(value)
        return [Row(quantity=title, published=None, computed=found, reason=OURS) for title, found in ours.items()]

    def _radii(self, run: Run) -> list[Row]:
        """Return what the radius of gyration decides under the motion that Figure 15 shows."""
        test = TESTS[-1]
        motion = self._shown(run, test)
        rows = []
        for radius in (*OTHER_RADII, RADIUS):
            result = shaken(run, test, motion, radius)
            for side in CORNERS:
                title = f"{test}, {title_of(motion)}, radius of gyration {radius:.2f} m: impacts at the {side} corner"
                rows.append(Row(quantity=title, published=None, computed=count(result, side), reason=OURS))
        return rows

    def _shown(self, run: Run, test: Test) -> Motion:
        """Return the motion that the figures show: the first record, or the middle one of those that pound."""
        if self.records[test.motion]:
            return self.records[test.motion][0]
        struck = {motion: count(shaken(run, test, motion), "left") for motion in suite("thirty")}
        pounding = sorted((motion for motion in struck if struck[motion]), key=struck.__getitem__)
        return pounding[len(pounding) // 2]

    def figures(self, run: Run) -> list[FigureData]:
        """Return Figures 15 and 16, Kobe at 0.25 g, and A.4 and A.5, two of the others each."""
        last, wide = TESTS[-1], Width.DOUBLE
        histories = (
            self._history(run, last, "displacement", "upper right"),
            self._history(run, last, "acceleration", ""),
        )
        found = [
            FigureData(
                f"{self.name}-fig15", "Left corners of the second floors", "after langlade2021 Fig. 15", histories,
                width=wide, aspect=0.3,
            ),
            FigureData(
                f"{self.name}-fig16", "Spectra of the second floors' corners, 5 %", "after langlade2021 Fig. 16",
                self._spectra(run, last), columns=2, width=wide, aspect=0.55,
            ),
        ]  # fmt: skip
        for name, which in APPENDIX.items():
            columns = [
                (self._history(run, test, "displacement", "upper right"), *self._spectra(run, test))
                for test in (TESTS[i] for i in which)
            ]
            tests = " and ".join(str(TESTS[i]) for i in which)
            panels = tuple(panel for row in zip(*columns, strict=True) for panel in row)
            found.append(
                FigureData(
                    f"{self.name}-fig{name.replace('.', '').lower()}", f"{tests}: corners of the second floors",
                    f"after langlade2021 Fig. {name}", panels, columns=2, width=wide, aspect=0.5,
                )
            )  # fmt: skip
        return found

    def _history(self, run: Run, test: Test, of: str, legend: str) -> Panel:
        """Return the left corners of both second floors."""
        result = shaken(run, test, self._shown(run, test))
        factor, name = (
            (1e3, "Displacement $u$ [mm]") if of == "displacement" else (1.0, r"$\Delta v/\Delta t$ [m/s$^2$]")
        )
        moved = [factor * corner(result, of, i, "left") for i in range(2)]
        curves = tuple(Curve(result.time, y, f"Structure {i + 1}", series=i) for i, y in enumerate(moved))
        ahead = "" if self.records[test.motion] else "stand-in for "
        most = float(np.abs(moved).max())
        room = (-1.1 * most, (1.6 if legend else 1.1) * most)  # the legend stands above the curves
        title = f"{ahead}{test.motion}, {test.pga:.2f} g"
        return Panel("Time $t$ [s]", name, curves, title, xlim=(0.0, SHOWN), ylim=room, legend=legend)

    def _spectra(self, run: Run, test: Test) -> tuple[Panel, ...]:
        """Return PSV and PSA of both corners of each second floor."""
        result = shaken(run, test, self._shown(run, test))
        dt = float(result.time[1] - result.time[0])
        panels = []
        for i in range(2):
            floors = [Motion(corner(result, "acceleration", i, side), dt=dt) for side in CORNERS]
            found = response_spectrum(floors, PERIODS, 0.05)
            for name, unit, of in (("PSV", "m/s", "psv"), ("PSA", r"m/s$^2$", "psa")):
                curves = tuple(
                    Curve(np.log10(found.periods), getattr(found, of)[k], f"{side} corner", series=k)
                    for k, side in enumerate(CORNERS)
                )
                legend = "upper left" if (i, name) == (0, "PSV") else ""
                title = f"Structure {i + 1}"
                panels.append(Panel(r"$\log_{10}$ period [s]", f"{name} [{unit}]", curves, title, legend=legend))
        return tuple(panels)
