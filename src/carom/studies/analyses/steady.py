"""Steady impact velocity against the frequency of a sine: mahmoud2008 Figures 6 and 7, after Chau et al. (2003)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.errors import InputError, refusal
from carom.integrate.simulate import simulate
from carom.motions.quantities import acceleration
from carom.motions.synthetic import sine_cycles
from carom.problem import Problem
from carom.results import ContactName, Curve, FigureData, Kind, Outcome, Panel, Table, contact_number, steady_state
from carom.studies.analyses.columns import Array
from carom.studies.section import Section
from carom.units import POSITIVE, array, number, standard_gravity

__all__ = ["SteadyImpacts", "steady_impacts"]

OWNER = "steady_impacts"
FORGOTTEN = 1e-3
"""What is left of a start when a run counts as settled."""


@dataclass(frozen=True, eq=False)
class SteadyImpacts:
    """What a problem settles to at each frequency, from rest."""

    frequency: Array
    """[Hz]."""
    velocity: Array
    """Relative velocity at impact, mean over the last cycles [m/s]; 0 without impacts, NaN where a run failed."""
    pattern: Array
    """Cycles per impact; 0 without impacts, −1 where no such pattern repeats, NaN where a run failed."""
    amplitude: float
    """Of the sine [m/s²]."""
    cycles: int
    """How many were read at the end of each run."""
    contact: str
    """The contact that is hit fastest, or the one that was asked for."""
    fastest: tuple[tuple[str, float, float], ...] = ()
    """Every contact that was read, the fastest first: label, velocity [m/s], frequency [Hz]; both 0 if never hit."""

    def section(self) -> Section:
        """Return velocity over frequency, by pattern."""
        touching = self.velocity > 0.0
        strong = f"{self.amplitude / standard_gravity:.4g} g"
        words = [f"{self.contact}: from rest under a sine of {strong}, the last {self.cycles} cycles."]
        if touching.any():
            top = int(np.nanargmax(self.velocity))
            words.append(f"Fastest impacts: {self.velocity[top]:.4g} m/s at {self.frequency[top]:.4g} Hz.")
            if others := len(self.fastest[1:]):
                words[-1] += f" The other {'contact is' if others == 1 else f'{others} contacts are'} not hit faster."
        else:
            words.append("Nothing touches in the steady state.")
        curves = []
        for series, n in enumerate(int(n) for n in np.unique(self.pattern[touching])):
            mine = self.pattern == n
            label = "no simple pattern" if n < 0 else f"1 impact in {n} cycle{'s' if n > 1 else ''}"
            curves.append(Curve(self.frequency[mine], self.velocity[mine], label, Kind.POINTS, series))
        panel = Panel("Frequency [Hz]", "Impact velocity [m/s]", tuple(curves), legend="upper right" if curves else "")
        picture = FigureData("steady-impacts", "Steady impact velocity over frequency", "", (panel,))
        failed = int(np.isnan(self.velocity).sum())
        cautions = (f"{failed} of {self.velocity.size} runs failed: no point stands for them.",) if failed else ()
        return Section("Steady impacts", tuple(words), (picture,) if curves else (), self._tables(), cautions)

    def _tables(self) -> tuple[Table, ...]:
        if len(self.fastest) < 2:
            return (self.table(),)
        head = ("contact", "fastest impact [m/s]", "at [Hz]")
        rows = tuple((label, speed, f if speed else None) for label, speed, f in self.fastest)
        return Table("steady-contacts", "Every contact, the fastest impacts first", head, rows), self.table()

    def table(self) -> Table:
        """Return a row for each frequency."""
        head = ("frequency [Hz]", "impact velocity [m/s]", "cycles per impact")
        columns = (self.frequency, self.velocity, self.pattern)
        rows = tuple(tuple(None if math.isnan(x) else float(x) for x in row) for row in zip(*columns, strict=True))
        return Table("steady-impacts", "What the runs settle to", head, rows)


def steady_impacts(
    problem: Problem, frequencies: object, amplitude: object, *, cycles: int = 10, most: int = 4,
    contact: ContactName | None = None, settling: object = None, **options: Any,
) -> SteadyImpacts:  # fmt: skip
    """Return the relative velocity at impact in the steady state under amplitude·sin(2πft), frequency by frequency.

    Every run begins at rest; a steady state that needs a push to be reached is not found.

    Parameters
    ----------
    problem
        Its motion is replaced by the sine.
    frequencies
        [Hz].
    amplitude
        Of the ground acceleration [m/s², or "0.3 g"].
    cycles
        How many cycles are read at the end; mahmoud2008 takes ten.
    most
        The longest pattern looked for: one impact in so many cycles.
    contact
        Label of one contact, or its number from 0; by default all are read, and the one that is hit fastest is shown.
    settling
        Time before these cycles [s]; by default until 1/1000 is left of the slowest decay of the structures.
    options
        As for `carom.simulate`.
    """
    hertz = np.atleast_1d(array(frequencies, "Hz", name="frequencies", owner=OWNER, within=POSITIVE))
    size = acceleration(amplitude, name="amplitude", owner=OWNER)
    labels = problem.flat().contact_labels
    named = None if contact is None else contact_number(labels, contact, owner=OWNER)
    asked = range(len(labels)) if named is None else (named,)
    if not asked:
        raise InputError(f"{OWNER} needs a problem with contacts.")
    if cycles < 1 or most < 1:
        raise refusal("cycles", OWNER, "must be at least 1, and so must `most`", (cycles, most))
    wait = _settling(problem) if settling is None else number(settling, "s", name="settling", owner=OWNER)
    found = []
    for f in hertz.tolist():
        motion = sine_cycles(f, size, cycles=math.ceil(wait * f) + cycles)
        run = simulate(problem.replace(motion=motion), fail="return", **options)
        states = [steady_state(run, f, cycles=cycles, most=most, contact=at) for at in asked]
        ended = run.outcome is Outcome.FINISHED
        found.append([(one.velocity, one.cycles) if ended else (math.nan, math.nan) for one in states])
    velocity, pattern = np.array(found, dtype=np.float64).transpose(2, 1, 0)  # by contact and frequency
    speeds = np.nan_to_num(velocity)
    top = speeds.argmax(axis=1)
    order = np.argsort(-speeds.max(axis=1), kind="stable").tolist()
    fastest = tuple((labels[asked[i]], float(speeds[i, top[i]]), float(hertz[top[i]])) for i in order)
    first = order[0]
    return SteadyImpacts(hertz, velocity[first], pattern[first], size, cycles, labels[asked[first]], fastest)


def _settling(problem: Problem) -> float:
    flat = problem.flat()
    decay = flat.sigma[flat.omega > 0.0]
    if not decay.size or decay.min() <= 0.0:
        raise InputError(f"{OWNER} needs structures with damping, or `settling`: without it no start is forgotten.")
    return -math.log(FORGOTTEN) / float(decay.min())
