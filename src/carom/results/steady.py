"""What a run under a sine settles to: one impact in so many cycles, and how fast."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from carom.results.contacts import ContactName, contact_number

if TYPE_CHECKING:
    from carom.results.simulation import Simulation

__all__ = ["SteadyState", "steady_state"]

EQUAL = 0.01
"""Speeds within 1 % of each other, and intervals within 1 % of a cycle, count as one steady state."""


class SteadyState(NamedTuple):
    """What is left when the start is forgotten."""

    cycles: int
    """Cycles per impact; 0 where there are no impacts, −1 where no such pattern repeats."""
    velocity: float
    """Relative velocity at impact, mean over the last cycles [m/s]; 0 without impacts."""


def steady_state(
    run: Simulation, frequency: float, *, cycles: int = 10, most: int = 2, contact: ContactName | None = None
) -> SteadyState:
    """Read the impacts of the last cycles of a run under a sine.

    Parameters
    ----------
    run
        It ends in its steady state.
    frequency
        Of the sine [Hz].
    cycles
        How many of the last cycles are read.
    most
        The longest pattern looked for: one impact in so many cycles.
    contact
        Label of the contact, or its number from 0; by default the impacts of all are read together.
    """
    import numpy as np

    table = run.table
    mine = np.ones(table["start"].size, dtype=bool)
    if contact is not None:
        mine = table["contact"] == contact_number(run.contacts, contact, owner="steady_state")
    when = frequency * (table["start"][mine] - run.time[0])
    last = when > frequency * (run.time[-1] - run.time[0]) - cycles
    speeds = table["approach_velocity"][mine][last]
    if speeds.size == 0:
        return SteadyState(0, 0.0)
    mean = float(speeds.mean())
    for n in range(1, most + 1):
        regular = np.all(np.abs(np.diff(when[last]) - n) < EQUAL)
        if abs(speeds.size - cycles / n) < 1.0 and regular and np.ptp(speeds) < EQUAL * mean:
            return SteadyState(n, mean)
    return SteadyState(-1, mean)
