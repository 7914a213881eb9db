"""What a cut-off leaves out, found by trial.

How far modes answer a contact like a static spring depends on how long it lasts: one over twice the duration of an
impact, the contact's frequency, tells where the search begins. It does not tell where it ends, for in a frame the
places in contact swing long after the bodies at them would have parted: cut-offs that keep the forces to 1e-3 lay
between a quarter and three and a half times that frequency. So the problem itself is run, as far as its first impacts,
with all modes and with fewer. What is found is no bound: it is the error of these forces, for this motion and these
gaps.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.integrate.simulate import simulate
from carom.laws.base import CompliantLaw, FunctionLaw
from carom.problem import Problem, Reduction, read_normal, separate_mobilities
from carom.results import Simulation

if TYPE_CHECKING:
    from carom.integrate.modes.reduction import Bases

__all__ = ["Trial", "duration_of_impact"]

Array = npt.NDArray[np.float64]

LIKELY_SPEED = 0.5
"""Speed of an impact, before one is known [m/s]; the duration of most hardly depends on it."""
LOWEST = 0.25
"""Cut-off at which the search begins, in contact frequencies."""
RUNG = 1.12
"""Ratio of the numbers of modes of neighbouring cut-offs that are tried."""
ALL_OF_IT = 1e-9
"""Share of a frequency by which a cut-off lies above it, so that modes of equal frequency are kept together."""
STRIDE = 3
"""Rungs between those tried first."""
BEYOND = 1.5
"""Cut-off of what is compared with, in cut-offs, where a structure is so large that not all modes are found."""
SHARE_OF_RTOL = 1e-3
"""Tolerance of the trial's runs, in tolerances of forces."""
FINEST = 1e-9
"""Tolerance of the trial's runs at least."""
PILOT = 1e-4
"""Tolerance of the run that tells when impacts happen."""
GRAZING = 1e-2
"""Share of the largest force: forces below count relative to this share, not to themselves."""
LONGER = 1.05
"""Factor by which trials last longer than a quick run asks for, and again where they ended too soon."""
RELEASED = 10.0
"""How long a trial without a motion lasts at most [s]."""
SAMPLES = 1000
"""Samples of such a trial: no answer depends on them."""
USUAL_FREQUENCY = 30.0
"""Frequency of contacts whose laws do not tell one [Hz]."""
UNTRIED = 3.5
"""Cut-off where nothing meets in the trial, in contact frequencies: as high as any trial asked for."""
RUNG_APART, RUNGS_APART = 1.1, 80
"""Ratio of neighbouring cut-offs of structures of which not all modes are known, and how many there are."""


class Seen(NamedTuple):
    """What a run gave as far as the trial went."""

    hardness: Mapping[tuple[int, int], float]
    """How hard each impact was, by contact and by which of its impacts it was; in the order in which they began."""
    extremes: Array
    """Peaks of displacement, velocity and acceleration, a row for each output that moves."""

    def error(self, other: Seen, count: int) -> float:
        """Return the largest error of the other's first impacts, relative to these; 1 and more where one is missing."""
        first = dict(islice(self.hardness.items(), count))
        least = GRAZING * max(first.values(), default=0.0)
        errors = (abs(other.hardness.get(one, 0.0) - hard) / max(hard, least) for one, hard in first.items())
        return max(errors, default=0.0)

    def peak_errors(self, other: Seen) -> dict[str, float]:
        """Return the largest errors of the other's peaks, relative to the largest of their kind."""
        if other.extremes.shape != self.extremes.shape or not self.extremes.size:
            return {}
        largest = self.extremes.max(axis=0)
        errors = np.abs(other.extremes - self.extremes).max(axis=0) / np.where(largest > 0.0, largest, 1.0)
        return dict(zip(("displacement", "velocity", "acceleration"), errors.tolist(), strict=True))


def seen(run: Simulation, measure: str, moving: npt.NDArray[np.bool_]) -> Seen:
    """Return what a run gave; nothing where it failed. `moving` are the outputs that are no forces."""
    met: Counter[int] = Counter()
    hardness: dict[tuple[int, int], float] = {}
    if run.outcome.failed:
        return Seen(hardness, np.zeros((0, 3)))
    for contact, value in zip(run.table["contact"].astype(int).tolist(), run.table[measure], strict=True):
        hardness[contact, met[contact]] = float(value)
        met[contact] += 1
    return Seen(hardness, run.extremes[moving])


class Trial:
    """Runs of a problem as far as its first impacts, with all modes and with fewer."""

    def __init__(self, bases: Bases, rtol: float, peaks: float | None, impacts: int) -> None:
        self._bases, self._sought = bases, impacts
        self._rtol = max(rtol * SHARE_OF_RTOL, FINEST)
        self._goal, self._peaks = rtol, peaks
        self._judged: dict[float, Reduction] = {}
        self._references: dict[float, Seen] = {}
        forces = any(isinstance(pair.law, CompliantLaw) for pair in bases.whole.pairs)
        self._measure = "peak_force" if forces else "impulse"
        self.speed = LIKELY_SPEED
        self._closed = False
        self._duration = self._until_the_last()

    # the search ----------------------------------------------------------------------------------------

    def search(self) -> Reduction:
        """Return the lowest cut-off whose error, and that of the next one tried, is what was asked for."""
        if not self._sought:
            return self.judged(UNTRIED * (self.contact_frequency or USUAL_FREQUENCY))
        rungs, at = self._rungs()
        before = at
        if self._good(rungs[at]):  # so may be fewer
            while before >= 0 and self._good(rungs[before]):
                at, before = before, before - STRIDE
            before = max(before, -1)
        while at < len(rungs) - 1 and not self._good(rungs[at]):
            before, at = at, min(at + STRIDE, len(rungs) - 1)
        while at - before > 1:
            middle = (at + before) // 2
            before, at = (before, middle) if self._good(rungs[middle]) else (middle, at)
        while at < len(rungs) - 1 and not (self._good(rungs[at]) and self._good(rungs[at + 1])):
            at += 1
        return self.judged(rungs[at])

    def _good(self, cutoff: float) -> bool:
        found = self.judged(cutoff)
        if self._peaks is not None and max(found.peaks.values(), default=math.inf) > self._peaks:
            return False
        return found.estimate is not None and found.estimate <= self._goal

    def _rungs(self) -> tuple[list[float], int]:
        """Return cut-offs to try [Hz], lowest first, and where to begin; the last keeps all modes."""
        lowest = LOWEST * (self.contact_frequency or 0.0)
        if self._bases.whole.large:
            return self._rungs_apart(lowest), 0
        frequencies = self._bases.frequencies
        counts = [1]
        while counts[-1] < frequencies.size:
            counts.append(min(max(math.ceil(RUNG * counts[-1]), counts[-1] + 1), frequencies.size))
        found = np.unique(frequencies[np.array(counts) - 1] * (1.0 + ALL_OF_IT))
        return found.tolist(), min(int(np.searchsorted(found, lowest)), found.size - 1)

    def _rungs_apart(self, lowest: float) -> list[float]:
        """Return cut-offs for structures of which not all modes are known: by frequency."""
        few = [self._bases.whole.structures[i] for i in self._bases.few]
        start = lowest
        for one in few:
            if one.large:
                one.large_matrices.up_to(2.0 * math.pi * (self.contact_frequency or USUAL_FREQUENCY))
                start = max(start, one.large_matrices.first / (2.0 * math.pi))
            else:
                start = max(start, float(one.frequencies[0]))
        return [start * RUNG_APART**i for i in range(1, RUNGS_APART)]

    # its runs ------------------------------------------------------------------------------------------

    def judged(self, cutoff: float) -> Reduction:
        """Return what a cut-off [Hz] leaves out."""
        if cutoff not in self._judged:
            beyond = BEYOND * cutoff if self._bases.whole.large else math.inf
            beside = "all modes" if beyond == math.inf else f"modes up to {beyond:.4g} Hz"
            found = Reduction(cutoff, None, None, 0, "", self.contact_frequency)
            if self._sought:
                whole = self._reference(beyond)
                few = self._seen(self._bases.at(cutoff))
                error = whole.error(few, self._sought) if self._sought else None
                found = found._replace(
                    estimate=error, peaks=whole.peak_errors(few), impacts=self._sought,
                    beside=beside + (", gaps closed" if self._closed else ""),
                )  # fmt: skip
            self._judged[cutoff] = found
        return self._judged[cutoff]

    def _reference(self, cutoff: float) -> Seen:
        """Return the impacts with all modes, or those up to a cut-off; the trial is made longer where it must.

        Raises where that run fails: then nothing can be compared.
        """
        if cutoff not in self._references:
            problem = self._bases.whole if cutoff == math.inf else self._bases.at(cutoff)
            found = self._seen(problem, fail="raise")
            while len(found.hardness) < self._sought and self._duration < self._longest:
                self._duration = min(LONGER * self._duration, self._longest)
                found = self._seen(problem, fail="raise")
            self._sought = min(self._sought, len(found.hardness))
            self._references[cutoff] = found
        return self._references[cutoff]

    def _seen(self, problem: Problem, fail: str = "return") -> Seen:
        moving = np.array([unit in ("m", "rad") for unit in problem.flat().output_units])
        return seen(self._simulated(problem, self._rtol, fail=fail), self._measure, moving)

    def _simulated(self, problem: Problem, rtol: float, fail: str = "return") -> Simulation:
        if self._closed:
            problem = problem.replace(gap=0.0, allow_overlap=True)
        sampling = None if problem.flat().ground.shape[2] else self._longest / SAMPLES
        return simulate(problem, rtol=rtol, duration=self._duration, sampling=sampling, fail=fail)

    # how long ------------------------------------------------------------------------------------------

    def _until_the_last(self) -> float:
        """Return how long the trial is to last [s]: until the last of its impacts has ended, as a quick run has it."""
        self._duration = self._longest
        run = self._simulated(self._pilot, PILOT)
        if not run.outcome.failed and not run.table["start"].size:
            self._closed = True
            run = self._simulated(self._pilot, PILOT)
        if run.outcome.failed:
            return self._longest
        begun = run.table["start"][: self._sought]
        self._sought = begun.size
        if not self._sought:
            return self._longest
        speeds = run.table["approach_velocity"][: self._sought]
        self.speed = float(np.median(speeds[speeds > 0.0])) if (speeds > 0.0).any() else self.speed
        ended = float((begun + run.table["duration"][: self._sought]).max()) - self._pilot.flat().start
        return min(LONGER * ended, self._longest)

    @cached_property
    def _pilot(self) -> Problem:
        """The problem with the first cut-off of all: about the frequency of the quickest contact."""
        wanted = self.contact_frequency or USUAL_FREQUENCY
        if self._bases.whole.large:
            return self._bases.at(max(wanted, self._rungs_apart(0.0)[0]))
        frequencies = self._bases.frequencies
        at = min(int(np.searchsorted(frequencies, wanted)), frequencies.size - 1)
        return self._bases.at(float(frequencies[at]) * (1.0 + ALL_OF_IT))

    @cached_property
    def _longest(self) -> float:
        """How long the problem lasts [s]: its record, or some time after a release."""
        flat = self._pilot.flat()
        return (flat.ground.shape[2] - 1) * flat.dt if flat.ground.shape[2] else RELEASED

    @property
    def contact_frequency(self) -> float | None:
        """One over twice the duration of an impact by springs alone, of the quickest contact [Hz]; None without any."""
        problem = self._bases.whole
        found = []
        for pair in problem.pairs:
            if isinstance(pair.law, CompliantLaw) and not isinstance(pair.law, FunctionLaw):
                mass = pair.mass or 1.0 / sum(separate_mobilities(problem, read_normal(problem, pair)))
                found.append(0.5 / duration_of_impact(pair.law, mass, self.speed))
        return max(found, default=None)


def duration_of_impact(law: CompliantLaw, mass: float, speed: float) -> float:
    """Return how long an impact on the spring of a law lasts [s], without its damping."""
    stiffness, exponent = (float(value) for value in law.power_form(mass)[:2])
    power = exponent + 1.0
    deepest = (0.5 * power * mass * speed**2 / stiffness) ** (1.0 / power)
    share: float = math.sqrt(math.pi) * math.gamma(1.0 + 1.0 / power) / math.gamma(0.5 + 1.0 / power)
    return float(2.0 * share * deepest / speed)
