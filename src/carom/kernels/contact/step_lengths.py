"""How long the next step in contact is: what each contact would like, and what the error of the last one allows."""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.events import AT_ONCE, NO_CONTACT, NOTHING, PART, SHORTEST
from carom.kernels.laws.power_law import overlap_scale
from carom.kernels.ledger import LONGEST, REJECTED, STEP, STEPS, TOLERANCE
from carom.kernels.rows import (
    BEND,
    CLOSED,
    DEPTH,
    EFFECTIVE_MASS,
    LAST_STRIDE,
    NOISE,
    PACE,
    PARTING_KIND,
    PEAK_OVERLAP,
    REACHABLE_SPEED,
    RECENT_SPEED,
    SCALE,
    SPEED,
    STATUS,
    STRIDE,
    TOUCH_KIND,
)
from carom.kernels.types import Matrix, Vector

SAFETY = 0.85  # factor on the length that the error of the last step would allow
GROWTH = 3.0  # largest ratio of the length of a step to that of the one before
ORDER = 1.0 / 6.0  # one over the power of its length with which the error of a step falls, at least
GATHERED = 2.0  # rate over the typical speed of an impact, above which the impact takes that rate for its speed


def rescale(speed: float, row: Vector) -> None:
    """Take another speed as typical of an impact."""
    row[SPEED], row[RECENT_SPEED], row[REACHABLE_SPEED] = speed, speed, speed
    row[SCALE] = overlap_scale(row, row[EFFECTIVE_MASS], speed)


def choose(remaining: float, contacts: Matrix, run: Vector) -> tuple[int, float, int]:
    """Return kind and length of the next step, and the contact at whose parting, δ = 0, it is to end, if any."""
    kind = PLAIN
    h = min(run[STEP], run[LONGEST])
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and row[PEAK_OVERLAP] == 0.0:
            kind = max(kind, int(row[TOUCH_KIND]))
            h = min(h, row[STRIDE] * row[SCALE] / row[SPEED])
    if kind == PLAIN:
        nearest = remaining
        parting = NO_CONTACT
        for c in range(contacts.shape[0]):
            row = contacts[c]
            if row[STATUS] == CLOSED and row[PACE] < 0.0:
                way = row[DEPTH] + row[NOISE]
                inside = row[PACE] * row[PACE] - 2.0 * way * row[BEND]
                if inside >= 0.0 and 2.0 * way <= nearest * (math.sqrt(inside) - row[PACE]):
                    nearest = 2.0 * way / (math.sqrt(inside) - row[PACE])
                    parting = c
        if parting != NO_CONTACT:
            row = contacts[parting]
            reach = min(row[LAST_STRIDE] * row[SCALE] / row[SPEED], run[LONGEST] / 1.2)
            if nearest <= 1.2 * reach:
                return int(row[PARTING_KIND]), nearest, parting
            h = min(h, max(0.5 * nearest, nearest - reach))  # leave as much as one step can end
    if remaining < min(1.3 * h, run[LONGEST]):
        h = remaining
    elif remaining < 2.0 * h:
        h = 0.5 * remaining
    return kind, h, NO_CONTACT


def refuse(length: float, error: float, aim: int, contacts: Matrix, run: Vector) -> None:
    """Shorten the next step of its kind after one that failed or missed the tolerance."""
    run[REJECTED] += 1.0
    shrink = 0.9 if error == AT_ONCE else 0.3
    if error > 0.0:
        shrink = min(max(0.2, SAFETY * (run[TOLERANCE] / error) ** ORDER), 0.7)
    if aim != NO_CONTACT and contacts[aim, LAST_STRIDE] > SHORTEST:
        contacts[aim, LAST_STRIDE] *= shrink
        return
    if length > 0.0:
        run[STEP] = min(run[STEP], length)
    run[STEP] *= shrink
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and row[PEAK_OVERLAP] == 0.0:
            row[STRIDE] = run[STEP] * row[SPEED] / row[SCALE]


def halve(length: float, aim: int, contacts: Matrix, run: Vector) -> None:
    """Try a step again at half its length."""
    run[REJECTED] += 1.0
    run[STEP] = 0.5 * length
    if aim != NO_CONTACT:
        contacts[aim, LAST_STRIDE] *= 0.5
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and row[PEAK_OVERLAP] == 0.0:
            row[STRIDE] = run[STEP] * row[SPEED] / row[SCALE]


def grow(
    kind: int, length: float, error: float, last: bool, event: int, whom: int, contacts: Matrix, run: Vector
) -> None:
    """Choose the length of the next step of its kind after a good one.

    A step that had to end somewhere says little of the next.
    """
    run[STEPS] += 1.0
    factor = min(GROWTH, SAFETY * (run[TOLERANCE] / error) ** ORDER) if error > 0.0 else GROWTH
    if event == PART:
        row = contacts[whom]
        row[LAST_STRIDE] = max(row[LAST_STRIDE], factor * length * row[SPEED] / row[SCALE])
    if last or event != NOTHING:
        run[STEP] = max(run[STEP], length * factor)
        return
    run[STEP] = length * factor
    if kind != PLAIN:
        run[STEP] *= 2.0  # a graded step spends half its nodes on its first quarter
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and row[PEAK_OVERLAP] == 0.0:
            row[STRIDE] = length * factor * row[SPEED] / row[SCALE]
