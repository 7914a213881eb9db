"""langlade2021 Table 5, Figures 13, 14 and A.1 to A.3: the single-storey frames on the shaking table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

from carom.cases._langlade2021 import GAP, RESTITUTIONS, STEPPED, floor_spectra, rigid, structures
from carom.cases.base import Case, Run, register_case
from carom.cases.langlade2021_fig9 import spectra_panels
from carom.contact import Contact, Place
from carom.errors import CaromError
from carom.motions import Motion, Spectrum, read_motion, suite
from carom.problem import Problem
from carom.results import Curve, FigureData, Panel, Row, Simulation, Width
from carom.units import standard_gravity


class Test(NamedTuple):
    """A row of Table 5."""

    motion: str
    pga: float  # g
    damping: tuple[float, float]
    numerical: int
    experimental: int


TESTS = (
    Test("Cadarache", 0.25, (0.006, 0.005), 9, 12),
    Test("Cadarache", 0.30, (0.006, 0.005), 8, 14),
    Test("El Centro", 0.40, (0.005, 0.005), 1, 3),
    Test("El Centro", 0.45, (0.005, 0.005), 4, 5),
    Test("Northridge", 0.30, (0.004, 0.004), 2, 2),
    Test("Northridge", 0.35, (0.004, 0.004), 3, 3),
    Test("Kobe", 0.40, (0.006, 0.005), 2, 2),
)
BEST = 0.6
FOLDER = "CAROM_RECORDS"
"""The environment variable that names a folder of AT2 files."""
HEADERS = {"El Centro": ("EL CENTRO", "1940"), "Northridge": ("NORTHRIDGE",), "Kobe": ("KOBE",)}
"""Words in the first lines of a record's file."""
STAND_INS = {"Cadarache": 28, "El Centro": 9, "Northridge": 18, "Kobe": 20}
"""Members of the built-in suite of thirty that stand for motions not at hand, chosen for about as many impacts."""

APPENDIX = {"A.1": (1, 3), "A.2": (2, 6), "A.3": (4, 5)}
"""Figures of the appendix: which tests they show."""
SHOWN = 20.0  # s, ours
UNPUBLISHED = "the shaking table's motion is not published"


@lru_cache(maxsize=8)
def motion_of(name: str, folder: str) -> Motion:
    """Return the record of that name from the folder, or the built-in motion that stands for it."""
    words = HEADERS.get(name)
    if words and folder:
        for file in sorted(Path(folder).rglob("*")):
            if file.suffix.upper() == ".AT2":
                head = file.open(errors="replace").read(400).upper()
                if all(word in head for word in words):
                    try:
                        return read_motion(file)
                    except CaromError:  # not an acceleration, or damaged: another will do
                        continue
    return suite("thirty")[STAND_INS[name]]


@lru_cache(maxsize=64)
def shaken(run: Run, test: Test, restitution: float, folder: str) -> Simulation:
    """Return the two frames under the motion, scaled to the printed PGA, by the paper's method."""
    motion = motion_of(test.motion, folder).scaled(pga=test.pga * standard_gravity)
    between = Contact(Place("1"), Place("2"), gap=GAP, law=rigid(restitution))
    problem = Problem(structures(test.damping), (between,), motion=motion)
    result: Simulation = run(problem, **STEPPED)
    return result


@register_case
class SingleStorey(Case):
    """Impact counts of Table 5, and ours under motions at hand."""

    name: ClassVar[str] = "langlade2021-table5"
    title: ClassVar[str] = "Single-storey frames under seven ground motions: impacts, displacements, spectra"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.3, Table 5, Figures 13, 14 and A.1 to A.3"
    means: ClassVar[str] = "simulate"
    notes: ClassVar[tuple[str, ...]] = (
        "The shaking table's motions are not published. Records of El Centro, Northridge and Kobe are taken from the "
        f"folder that {FOLDER} names, where it is set; else, and for the artificial Cadarache motion always, built-in "
        "motions that cause about as many impacts stand for them. All are scaled to the printed PGA. Counts are ours, "
        "not the paper's.",
        "Accelerations and spectra are Δv/Δt over samples of the record and depend on it.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the printed counts, then ours."""
        rows = []
        for test in TESTS:
            for who, count in (("numerical", test.numerical), ("experimental", test.experimental)):
                title = f"{test.motion} {test.pga:.2f} g: impacts, {who}"
                rows.append(Row(quantity=title, published=count, computed=None, reason=UNPUBLISHED))
        for test, name, result in self._ours(run):
            title = f"{test.motion} {test.pga:.2f} g: impacts, ours under {name}"
            ours = float(result.table["start"].size)
            rows.append(Row(quantity=title, published=None, computed=ours, reason=UNPUBLISHED))
        return rows

    def _ours(self, run: Run) -> Iterator[tuple[Test, str, Simulation]]:
        folder = os.environ.get(FOLDER, "")
        for test in TESTS:
            yield test, motion_of(test.motion, folder).name, shaken(run, test, BEST, folder)

    def figures(self, run: Run) -> list[FigureData]:
        """Return Figures 13 and 14, the first motion, and A.1 to A.3, two of the others each."""
        folder = os.environ.get(FOLDER, "")
        first, wide = TESTS[0], Width.DOUBLE
        histories = (
            _history(run, first, folder, "displacement", "upper right"),
            _history(run, first, folder, "acceleration", ""),
        )
        found = [
            FigureData(
                f"{self.name}-fig13", self.title, "after langlade2021 Fig. 13", histories, width=wide, aspect=0.3
            ),
            FigureData(
                f"{self.name}-fig14", "Spectra of the slabs, 5 %", "after langlade2021 Fig. 14",
                spectra_panels(_spectra(run, first, folder)), columns=2, width=wide, aspect=0.55,
            ),
        ]  # fmt: skip
        for name, which in APPENDIX.items():
            columns = [
                (
                    _history(run, test, folder, "displacement", "upper right"),
                    *spectra_panels(_spectra(run, test, folder)),
                )
                for test in (TESTS[i] for i in which)
            ]
            tests = " and ".join(f"{TESTS[i].motion} {TESTS[i].pga:.2f} g" for i in which)
            panels = tuple(panel for row in zip(*columns, strict=True) for panel in row)
            found.append(
                FigureData(
                    f"{self.name}-fig{name.replace('.', '').lower()}", f"{tests}: displacements, spectra of the slabs",
                    f"after langlade2021 Fig. {name}", panels, columns=2, width=wide, aspect=0.5,
                )
            )  # fmt: skip
        return found


def _spectra(run: Run, test: Test, folder: str) -> dict[float, Spectrum]:
    """Return the spectra of both slabs for three restitutions."""
    return {e: floor_spectra(shaken(run, test, e, folder)) for e in RESTITUTIONS}


def _history(run: Run, test: Test, folder: str, of: str, legend: str) -> Panel:
    """Return the history of both slabs at the best restitution."""
    result = shaken(run, test, BEST, folder)
    factor, name = (1e3, "Displacement $u$ [mm]") if of == "displacement" else (1.0, r"$\Delta v/\Delta t$ [m/s$^2$]")
    curves = tuple(
        Curve(result.time, factor * getattr(result, of)[:, i], f"Structure {i + 1}", series=i) for i in range(2)
    )
    stand_in = motion_of(test.motion, folder).name.startswith("thirty")
    title = f"{'stand-in for ' if stand_in else ''}{test.motion}, {test.pga:.2f} g, $e$ = {BEST}"
    most = factor * float(abs(getattr(result, of)).max())
    room = (-1.1 * most, (1.6 if legend else 1.1) * most)  # the legend stands above the curves
    return Panel("Time $t$ [s]", name, curves, title, xlim=(0.0, SHOWN), ylim=room, legend=legend)
