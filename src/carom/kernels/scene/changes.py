"""What an event changes: contacts begin and end, turn, stick and slide."""

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.impact_record import close
from carom.kernels.laws.power_law import stored_energy
from carom.kernels.ledger import IMPACT_SIZE, IMPACTS, PRESSED, end_contact, watch_touch
from carom.kernels.rows import (
    DIRECTION,
    IMPULSE,
    NOISE,
    OPEN,
    RELEASED,
    SCALE,
    SPEED,
    STATUS,
    STORED_AT_START,
    STRIDE,
    TOUCH_KIND,
    WORK,
)
from carom.kernels.scene import clock
from carom.kernels.scene.contact_forces import held, press
from carom.kernels.scene.events import LEAVE, PART, RELEASE, SLIP_BEGINS, SLIP_ENDS, TOUCH, TURN, edge_reached
from carom.kernels.scene.rows import (
    AT_START,
    CLOSING,
    FORCE,
    FRICTION_IMPULSE,
    FRICTION_IMPULSE_2,
    FRICTION_WORK,
    NEAR,
    NORMAL_WORK,
    OVERLAP,
    PAST,
    SLIDES,
    SLIDING,
    SMOOTH,
    STATIC,
    STICKS,
    TANGENT_STIFFNESS,
    TRIAL_FRICTION,
)
from carom.kernels.scene.step import NOW, RATE_NOW
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Matrix

FRICTION_COLUMN = IMPACT_SIZE  # of the impacts table: the impulse of friction [N·s]
TABLE_SIZE = IMPACT_SIZE + 1


def change(event: int, c: int, pull: float, now: float, plan: Plan, motion: Motion, impacts: Matrix) -> None:
    """Change a contact as an event asks for, at a moment at which its row has been read."""
    row = motion.contacts[c]
    if event == TOUCH:
        if edge_reached(row):
            begin(c, pull, now, plan, motion)
            watch_touch(c, row[OVERLAP], now, row, motion.run)
        else:
            row[STATUS] = PAST
    elif PART <= event <= RELEASE:
        end(c, now, motion, impacts)
    elif event == LEAVE:
        end(c, now, motion, impacts)
        row[STATUS] = PAST
    elif event == TURN:
        row[DIRECTION] = -row[DIRECTION]
    elif event == SLIP_BEGINS:
        row[SLIDING] = SLIDES
    elif event == SLIP_ENDS:
        row[SLIDING] = STICKS


def begin(c: int, pull: float, now: float, plan: Plan, motion: Motion) -> None:
    """Begin a contact; it sticks where the cone holds what friction there is at once."""
    row = motion.contacts[c]
    close(row, row[CLOSING], pull, now)
    for i in range(2 * c, 2 * c + 2):
        motion.give[NOW, i], motion.give[RATE_NOW, i] = 0.0, 0.0
    row[NORMAL_WORK], row[FRICTION_WORK], row[FRICTION_IMPULSE], row[FRICTION_IMPULSE_2] = 0.0, 0.0, 0.0, 0.0
    row[SLIDING] = SMOOTH
    if plan.friction[c, TANGENT_STIFFNESS] > 0.0:
        row[SLIDING] = STICKS
        press(c, motion.give[NOW], plan, row)
        if row[TRIAL_FRICTION] > held(c, plan.friction[c, STATIC], row[FORCE], plan, row):
            row[SLIDING] = SLIDES
    motion.clock[clock.KIND] = row[TOUCH_KIND]
    motion.clock[clock.STEP] = min(motion.clock[clock.STEP], row[STRIDE] * row[SCALE] / row[SPEED])


def begin_closed(c: int, plan: Plan, motion: Motion) -> None:
    """Begin a contact that is closed at the start, with what its spring holds."""
    row = motion.contacts[c]
    begin(c, 0.0, 0.0, plan, motion)
    row[SCALE] = max(row[SCALE], row[OVERLAP])
    depth = row[OVERLAP]
    row[STORED_AT_START] = stored_energy(row, depth, depth**0.5)
    motion.run[PRESSED] += row[STORED_AT_START]
    motion.clock[clock.KIND] = PLAIN
    row[DIRECTION] = 1.0 if row[CLOSING] >= 0.0 else -1.0


def end(c: int, now: float, motion: Motion, impacts: Matrix) -> None:
    """End a contact; one with an overlap closes again only after that has gone."""
    row = motion.contacts[c]
    line = int(motion.run[IMPACTS])
    if line < impacts.shape[0]:
        impacts[line, FRICTION_COLUMN] = friction_impulse(row[FRICTION_IMPULSE], row[FRICTION_IMPULSE_2])
    end_contact(c, row[OVERLAP] > row[NOISE], now, row[CLOSING], row, impacts, motion.run)


def friction_impulse(first: float, second: float) -> float:
    """Return the impulse of friction along a tangent, or the size of one in a plane."""
    return first if second == 0.0 else (first * first + second * second) ** 0.5


def reopen(motion: Motion) -> None:
    """Open contacts again whose overlap has gone after it had no force."""
    for n in range(motion.listed[NEAR]):
        row = motion.contacts[motion.near[n]]
        if (row[STATUS] == PAST or row[STATUS] == RELEASED) and row[AT_START] < 0.0:
            row[STATUS] = OPEN


def gather(c: int, normal: float, friction: float, motion: Motion) -> None:
    """Add the work of a step to a contact's own."""
    row = motion.contacts[c]
    row[NORMAL_WORK] += normal
    row[FRICTION_WORK] += friction
    row[WORK] = row[NORMAL_WORK] + row[FRICTION_WORK]


def push_on(c: int, push: float, first: float, second: float, motion: Motion) -> None:
    """Add the impulses of a step to a contact's own."""
    row = motion.contacts[c]
    row[IMPULSE] += push
    row[FRICTION_IMPULSE] += first
    row[FRICTION_IMPULSE_2] += second
