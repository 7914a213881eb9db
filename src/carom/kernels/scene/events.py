"""What may happen within a step, which of it happens first, and when.

Every event is the root of a function that is positive once it has happened. It is looked for between the ends of a step
where the function is positive at the end; touches are searched for all through the step (`scene.touches`), slips
also in the middle.
"""

from carom.kernels.laws import power_law
from carom.kernels.rows import CLOSED, DIRECTION, OPEN, STATUS
from carom.kernels.scene.contact_forces import held
from carom.kernels.scene.rows import (
    ALONG,
    AT_END,
    CLOSING,
    END_TRIAL,
    FORCE,
    KINETIC,
    LENGTH,
    NEAR,
    OVERLAP,
    PRINTED,
    SLIDES,
    SLIDING,
    STATIC,
    STICKS,
    TRIAL_FRICTION,
)
from carom.kernels.scene.step import look_at
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.scene.touches import first_touch
from carom.kernels.types import Vector

NOTHING = 0
TOUCH = 1  # δ = 0, coming nearer
PART = 2  # δ = 0, going apart
RELEASE = 3  # F = 0 of a law without tension
TURN = 4  # δ̇ = 0 of a law with a kink there
SLIP_BEGINS = 5  # the friction reaches what holds
SLIP_ENDS = 6  # the slider's velocity vanishes
LEAVE = 7  # the node passes an end of the edge
EVENTS = 8

ROUNDS = 60  # of looking for a root, at most
FIRST_LOOK = 1e-3
"""Share of a bracket at which a function is looked at whose value at the very start is rounding."""
AT_CONE = 1e-10
"""Friction this near to what the cone holds, as share of it, is there."""
CLOSE = 1e-14  # brackets shorter than this share of the step are a root


def measure(event: int, c: int, plan: Plan, motion: Motion) -> float:
    """Return the function of an event from what the contact's row has been read to be."""
    row = motion.contacts[c]
    if event == TOUCH:
        return row[OVERLAP]
    if event == PART:
        return -row[OVERLAP]
    if event == RELEASE:
        return -row[FORCE]
    if event == TURN:
        return -row[DIRECTION] * row[CLOSING]
    if event == SLIP_BEGINS:
        return row[TRIAL_FRICTION] - held(c, plan.friction[c, STATIC], row[FORCE], plan, row)
    if event == SLIP_ENDS:
        return held(c, plan.friction[c, KINETIC], row[FORCE], plan, row) - row[TRIAL_FRICTION]
    return max(-row[ALONG], row[ALONG] - 1.0)


def possible(event: int, c: int, plan: Plan, row: Vector) -> bool:
    """Return whether an event may happen to a contact as it is."""
    if event == TOUCH:
        return bool(row[STATUS] == OPEN)
    if row[STATUS] != CLOSED:
        return False
    if event == RELEASE:
        return bool(row[power_law.TENSION] == 0.0)
    if event == TURN:
        return bool(row[power_law.RESTITUTION_SHARE] != 1.0)
    if event == SLIP_BEGINS:
        return bool(row[SLIDING] == STICKS and plan.friction[c, PRINTED] == 0.0)
    if event == SLIP_ENDS:
        return bool(row[SLIDING] == SLIDES and plan.friction[c, PRINTED] == 0.0)
    if event == LEAVE:
        return plan.places[c, 0] >= 0
    return True


def at_end(event: int, c: int, plan: Plan, row: Vector) -> float:
    """Return the function of an event at the end of the step."""
    if event == TOUCH:
        return row[AT_END]
    if event == PART:
        return -row[AT_END]
    if event == RELEASE:
        return -row[AT_END + 2]
    if event == TURN:
        return -row[DIRECTION] * row[AT_END + 1]
    if event == SLIP_BEGINS:
        return row[END_TRIAL] - held(c, plan.friction[c, STATIC], row[AT_END + 2], plan, row)
    if event == SLIP_ENDS:
        return held(c, plan.friction[c, KINETIC], row[AT_END + 2], plan, row) - row[END_TRIAL]
    return max(-row[AT_END + 3], row[AT_END + 3] - 1.0)


def value_at(event: int, c: int, share: float, plan: Plan, motion: Motion) -> float:
    """Return the function of an event at a share of the step."""
    look_at(c, share, plan, motion)
    return measure(event, c, plan, motion)


def root(event: int, c: int, high: float, plan: Plan, motion: Motion) -> float:
    """Return the share of the step at which a function becomes positive that is so at `high`; 0: at its very start."""
    low = 0.0
    below = value_at(event, c, 0.0, plan, motion)
    if event in (SLIP_BEGINS, SLIP_ENDS) and below > -AT_CONE * motion.contacts[c, TRIAL_FRICTION]:
        # it has just changed: the function begins at zero, and on which side of it is rounding
        low = FIRST_LOOK * high
        below = value_at(event, c, low, plan, motion)
    if below > 0.0:
        return 0.0
    above = value_at(event, c, high, plan, motion)
    if above <= 0.0:  # the quintic differs from the step by rounding
        return high
    side = 0
    for i in range(ROUNDS):
        if high - low <= CLOSE:
            break
        at = 0.5 * (low + high)
        if i % 4 != 3 and below < 0.0:
            at = min(max((low * above - high * below) / (above - below), low), high)
        found = value_at(event, c, at, plan, motion)
        if found > 0.0:
            high, above = at, found
            if side == 1:
                below *= 0.5  # Illinois
            side = 1
        else:
            low, below = at, found
            if side == -1:
                above *= 0.5
            side = -1
    return high


def first_event(plan: Plan, motion: Motion) -> tuple[int, int, float]:
    """Return what happens first in a step, to which contact, and at which share of it."""
    event, contact, when = NOTHING, -1, 2.0
    for n in range(motion.listed[NEAR]):
        c = motion.near[n]
        row = motion.contacts[c]
        for which in range(TOUCH, EVENTS):
            if not possible(which, c, plan, row):
                continue
            high = -1.0
            if which == TOUCH:
                high = first_touch(c, plan, motion)
            elif at_end(which, c, plan, row) > 0.0:
                high = 1.0
            elif which in (SLIP_BEGINS, SLIP_ENDS) and value_at(which, c, 0.5, plan, motion) > 0.0:
                high = 0.5
            if high < 0.0:
                continue
            if high >= when:
                high = when
                if value_at(which, c, high, plan, motion) <= 0.0:
                    continue
            at = root(which, c, high, plan, motion)
            if at < when:
                event, contact, when = which, c, at
    return event, contact, when


def slope_at_end(event: int, c: int, plan: Plan, motion: Motion) -> float:
    """Return how fast the function of an event rises at the end of the step, in shares of the step."""
    near = 1e-3
    return (at_end(event, c, plan, motion.contacts[c]) - value_at(event, c, 1.0 - near, plan, motion)) / near


def edge_reached(row: Vector) -> bool:
    """Return whether a node stands before its edge, not past an end; contacts with constant rows always do."""
    return bool(row[LENGTH] == 0.0 or (row[ALONG] >= 0.0 and row[ALONG] <= 1.0))
