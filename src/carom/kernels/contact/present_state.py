"""The present state of contacts: forces, how these change, the accelerations under them; and a touch entered in it."""

import math

from carom.kernels.contact.collocation import END
from carom.kernels.contact.impact_record import chi_of, close, closed_ones, slopes_of
from carom.kernels.contact.step_lengths import rescale
from carom.kernels.event.flight import noise_of, overlap_of, rate_of
from carom.kernels.laws.power_law import STIFFNESS, force, stored_energy
from carom.kernels.ledger import CROWDED, STEP, watch_touch
from carom.kernels.rows import (
    AT_END,
    BEND,
    CHANGE,
    CLIMB,
    CLOSED,
    DEPTH,
    DIRECTION,
    EFFECTIVE_MASS,
    FOLLOWS_ABOVE,
    FORCE,
    HELD,
    LEVER,
    LOAD,
    NOISE,
    OMEGA,
    OVERLAP,
    OWN,
    PACE,
    PEAK_FORCE,
    PEAK_OVERLAP,
    RATE,
    RATTLE_FORCE,
    REACHABLE_SPEED,
    RECENT_SPEED,
    SCALE,
    SLOPE,
    SPEED,
    SQUARE,
    STATUS,
    STEADY,
    TOUCH_RATE,
    TWICE,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector

SURELY = 1e-6  # rate as part of the impact's speed, above which it is no rounding
NEARLY_OPEN = 0.1  # force as part of the largest since touch, below which a contact is about to part
STANDING = 0.25  # speed as part of that of the impact, below which a contact only rattles about what it holds


def settle(t: float, modes: Matrix, contacts: Matrix) -> None:
    """Write the forces of the present state, how fast they change, and the accelerations under them."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            row[DEPTH] = max(overlap_of(row, modes, Q), 0.0)
            row[PACE] = rate_of(row, modes, V)
            if row[DIRECTION] * row[PACE] < -SURELY * row[SPEED]:
                row[DIRECTION] = -row[DIRECTION]
            row[FORCE] = force(row, chi_of(row, row[PACE]), row[DEPTH], math.sqrt(row[DEPTH]), row[PACE])
    accelerate(t, FORCE, modes, contacts)
    foresee(modes, contacts)


def carry_on(modes: Matrix, contacts: Matrix) -> None:
    """Do what `settle` does, after a step at whose end nothing happened: only how forces change is still unknown."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            row[DEPTH] = max(row[OVERLAP + END], 0.0)
            row[PACE] = row[RATE + END]
            row[FORCE] = row[AT_END]
    foresee(modes, contacts)


def foresee(modes: Matrix, contacts: Matrix) -> None:
    """Write how overlaps and forces of the present state change."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            row[BEND] = rate_of(row, modes, W)
            by_overlap, by_rate = slopes_of(
                row, chi_of(row, row[PACE]), row[DEPTH], math.sqrt(row[DEPTH]), row[PACE]
            )  # fmt: skip
            climb = by_overlap * row[PACE] + by_rate * row[BEND]
            row[RATTLE_FORCE] = math.inf
            parts = row[FORCE] < NEARLY_OPEN * row[PEAK_FORCE]  # and how it parts decides what comes
            rattles = row[RECENT_SPEED] < STANDING * row[SPEED] and row[RECENT_SPEED] < row[FOLLOWS_ABOVE]
            if row[PEAK_OVERLAP] > 0.0 and (parts or rattles):
                row[RATTLE_FORCE] = row[RECENT_SPEED] * (
                    math.sqrt(max(by_overlap, 0.0) * row[EFFECTIVE_MASS]) + by_rate
                )
            row[CLIMB] = climb if math.isfinite(climb) else 1.0  # a δ^{1/4} law rises infinitely fast at touch


def accelerate(t: float, forces: int, modes: Matrix, contacts: Matrix) -> None:
    """Complete the present state: q̈ under loads and contact forces, which column `forces` holds, and what follows."""
    first, after = closed_ones(contacts)
    for k in range(modes.shape[0]):
        row = modes[k]
        row[OWN] = row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V]
        w = row[LOAD] + row[SLOPE] * t - row[TWICE] * row[V] - row[SQUARE] * row[Q]
        for c in range(first, after):
            if contacts[c, STATUS] == CLOSED:
                w -= contacts[c, LEVER + 2 * k + 1] * contacts[c, forces]
        row[W] = w
        row[CHANGE] = -row[SQUARE] * row[V] - row[TWICE] * w


def touch(contact: int, now: float, span: float, least: float, row: Vector, modes: Matrix, run: Vector) -> None:
    """Enter a touch in the row of its contact, and report a fault where bodies overlap more than a touch explains."""
    enter_touch(now, span, least, row, modes, run)
    overlap = overlap_of(row, modes, Q)
    watch_touch(contact, overlap, now, row, run)
    if overlap > 0.0:
        row[HELD] = stored_energy(row, overlap, math.sqrt(overlap))


def enter_touch(now: float, span: float, least: float, row: Vector, modes: Matrix, run: Vector) -> None:
    """Enter a touch in the row of its contact.

    The pull that gives a touch without speed its scale includes how loads change within `span` [s]; the scale is at
    least that of a speed of `least` [m/s]. A rate that would move the overlap by less than rounding within `span`
    counts as zero, since χ/v0 would make a force of it.
    """
    row[NOISE] = noise_of(row, modes)
    pull = abs(rate_of(row, modes, W)) + abs(rate_of(row, modes, SLOPE)) * span
    rate = rate_of(row, modes, V)
    close(row, rate if rate * span > row[NOISE] else 0.0, pull, now)
    if row[SPEED] < least:
        rescale(least, row)
    if row[STIFFNESS] > 0.0:
        row[REACHABLE_SPEED] = min(row[SPEED], max(row[TOUCH_RATE], gathered(span, row, modes), least))
        row[RECENT_SPEED] = row[REACHABLE_SPEED]
    run[STEP], run[CROWDED] = min(run[STEP], row[SCALE] / row[SPEED]), 0.0


def gathered(span: float, row: Vector, modes: Matrix) -> float:
    """Return the most speed that the present pull gives the bodies of a contact [m/s]: a stiff mode soon turns back."""
    speed = 0.0
    for k in range(modes.shape[0]):
        if row[LEVER + 2 * k] != 0.0:
            if modes[k, OMEGA] == 0.0:
                return math.inf
            pull = abs(modes[k, W]) + abs(modes[k, SLOPE]) * span
            speed += abs(row[LEVER + 2 * k]) * pull / modes[k, OMEGA]
    return speed
