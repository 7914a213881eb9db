"""langlade2021 Table 5, Figures 13, 14 and A.1 to A.3: the single-storey frames on the shaking table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import ClassVar, NamedTuple

from carom.cases.base import Case, Run, register_case, stated
from carom.cases.langlade2021.fig9 import spectra_panels
from carom.cases.langlade2021.shared import GAP, RESTITUTIONS, STEPPED, floor_spectra, rigid, structures
from carom.contact import Contact, Place
from carom.motions import Motion, Spectrum, suite
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
WORDS = {
    "El Centro": (("IMPERIAL VALLEY", "5/19/"), ("EL CENTRO", "1940"), ("ELCENTRO",)),
    "Northridge": (("NORTHRIDGE",),),
    "Kobe": (("KOBE",),),
}
"""What tells a record of that earthquake: all words of one group, in its event, station or file name."""
APPENDIX = {"A.1": (1, 3), "A.2": (2, 6), "A.3": (4, 5)}
"""Figures of the appendix: which tests they show."""
SHOWN = 20.0  # s, ours
UNPUBLISHED = "the shaking table's motion is not published"
OURS = "not in the paper: the motion is ours, not the shaking table's"


def records_of(name: str, motions: Sequence[Motion]) -> list[Motion]:
    """Return those of the motions that are records of that earthquake, in their order."""
    found = []
    for motion in motions:
        told = f"{motion.event} {motion.station} {motion.source}".upper()
        if any(all(word in told for word in group) for group in WORDS.get(name, ())):
            found.append(motion)
    return found


def title_of(motion: Motion) -> str:
    """Return what tells one record from another: file, station and component."""
    told = " ".join(part for part in (motion.station, motion.component) if part)
    return f"{motion.name} ({told})" if told and told != motion.name else motion.name


@lru_cache(maxsize=512)
def shaken(run: Run, test: Test, restitution: float, motion: Motion, *, stepped: bool = True) -> Simulation:
    """Return the two frames under the motion, scaled to the printed PGA, by the paper's method or event by event."""
    between = Contact(Place("1"), Place("2"), gap=GAP, law=rigid(restitution))
    problem = Problem(structures(test.damping), (between,), motion=motion.scaled(pga=test.pga * standard_gravity))
    result: Simulation = run(problem, **(STEPPED if stepped else {}))
    return result


def count(run: Run, test: Test, motion: Motion, *, stepped: bool = True) -> float:
    """Return the number of impacts under the motion, at the best restitution."""
    return float(shaken(run, test, BEST, motion, stepped=stepped).table["start"].size)


@register_case
class SingleStorey(Case):
    """Impact counts of Table 5, and ours under motions at hand."""

    name: ClassVar[str] = "langlade2021-table5"
    title: ClassVar[str] = "Single-storey frames under seven ground motions: impacts, displacements, spectra"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.3, Table 5, Figures 13, 14 and A.1 to A.3"
    means: ClassVar[str] = "simulate"
    notes: ClassVar[tuple[str, ...]] = (
        "The shaking table's motions are not published, so the printed counts cannot be computed. Where records of El "
        "Centro 1940, Northridge 1994 and Kobe 1995 are given (--records DIR, or motions=[…]), the frames are run "
        "under every one of them, scaled to the printed PGA; the figures show the first. Else, and for the artificial "
        "Cadarache motion always, all of the built-in thirty stand for them; of those that make the frames pound the "
        "figures show the one with the median number of impacts. Counts are ours, not the paper's. Under records they "
        "stand by the paper's steps of 1 ms and event by event: each impact hangs on those before it, and where there "
        "are many the two need not agree.",
        "The frames have 4363 and 3135 kg (see langlade2021-fig8) and are oscillators, as in the pull-back; the paper "
        "has plane frames with the same parameters.",
        "Accelerations and spectra are Δv/Δt over samples of the record: they grow as the step falls.",
    )

    def __init__(self, motions: Sequence[Motion] | None = None) -> None:
        self.records = {test.motion: records_of(test.motion, motions or ()) for test in TESTS}

    def rows(self, run: Run) -> list[Row]:
        """Return the printed counts, then ours under every motion at hand."""
        rows = []
        for test in TESTS:
            for who, printed in (("numerical", test.numerical), ("experimental", test.experimental)):
                title = f"{test.motion} {test.pga:.2f} g: impacts, {who}"
                rows.append(Row(quantity=title, published=printed, computed=None, reason=UNPUBLISHED))
        rows.append(stated("Cadarache 0.25 g: nine of the first ten impacts come in time", None, UNPUBLISHED))
        ours: dict[str, float] = {}
        for test in TESTS:
            title = f"{test.motion} {test.pga:.2f} g: impacts, ours under"
            for motion in self.records[test.motion]:
                ours.setdefault(f"{title} {title_of(motion)}", count(run, test, motion))
                exact = count(run, test, motion, stepped=False)
                ours.setdefault(f"{title} {title_of(motion)}, event by event", exact)
            if not self.records[test.motion]:
                counts = [count(run, test, motion) for motion in suite("thirty")]
                for what, value in (("least", min(counts)), ("median", median(counts)), ("most", max(counts))):
                    ours[f"{title} the built-in thirty, {what}"] = float(value)
        return [
            *rows,
            *(Row(quantity=title, published=None, computed=found, reason=OURS) for title, found in ours.items()),
        ]

    def shown(self, run: Run, test: Test) -> Motion:
        """Return the motion that the figures show: the first record, or the middle one of those that pound."""
        if self.records[test.motion]:
            return self.records[test.motion][0]
        pounding = [motion for motion in suite("thirty") if count(run, test, motion)]
        return sorted(pounding, key=lambda motion: count(run, test, motion))[len(pounding) // 2]

    def figures(self, run: Run) -> list[FigureData]:
        """Return Figures 13 and 14, the first motion, and A.1 to A.3, two of the others each."""
        first, wide = TESTS[0], Width.DOUBLE
        histories = (
            self._history(run, first, "displacement", "upper right"),
            self._history(run, first, "acceleration", ""),
        )
        found = [
            FigureData(
                f"{self.name}-fig13", self.title, "after langlade2021 Fig. 13", histories, width=wide, aspect=0.3
            ),
            FigureData(
                f"{self.name}-fig14", "Spectra of the slabs, 5 %", "after langlade2021 Fig. 14",
                spectra_panels(self._spectra(run, first)), columns=2, width=wide, aspect=0.55,
            ),
        ]  # fmt: skip
        for name, which in APPENDIX.items():
            columns = [
                (
                    self._history(run, test, "displacement", "upper right"),
                    *spectra_panels(self._spectra(run, test)),
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

    def _spectra(self, run: Run, test: Test) -> dict[float, Spectrum]:
        """Return the spectra of both slabs for three restitutions."""
        return {e: floor_spectra(shaken(run, test, e, self.shown(run, test))) for e in RESTITUTIONS}

    def _history(self, run: Run, test: Test, of: str, legend: str) -> Panel:
        """Return the history of both slabs at the best restitution."""
        result = shaken(run, test, BEST, self.shown(run, test))
        factor, name = 1.0, r"$\Delta v/\Delta t$ [m/s$^2$]"
        if of == "displacement":
            factor, name = 1e3, "Displacement $u$ [mm]"
        curves = tuple(
            Curve(result.time, factor * getattr(result, of)[:, i], f"Structure {i + 1}", series=i) for i in range(2)
        )
        ahead = "" if self.records[test.motion] else "stand-in for "
        title = f"{ahead}{test.motion}, {test.pga:.2f} g, $e$ = {BEST}"
        most = factor * float(abs(getattr(result, of)).max())
        room = (-1.1 * most, (1.6 if legend else 1.1) * most)  # the legend stands above the curves
        return Panel("Time $t$ [s]", name, curves, title, xlim=(0.0, SHOWN), ylim=room, legend=legend)
