"""Where a run writes what happened: columns of the impacts table, of the energy ledger and of the run's own row."""

import math

from carom.kernels.endings import (
    BEGAN_APART,
    BEGAN_INSIDE,
    ENERGY_CREATED,
    LEDGER_OPEN,
    MOMENTUM_LOST,
    NO_FAULT,
    TOO_DEEP,
)
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import stored_energy
from carom.kernels.rows import (
    CLOSED,
    IMPULSE,
    NOISE,
    OPEN,
    PEAK_FORCE,
    PEAK_OVERLAP,
    RELEASED,
    SCALE,
    SPEED,
    START,
    STATUS,
    STORED_AT_START,
    TOP_RATE,
    TOUCH_RATE,
    WORK,
)
from carom.kernels.types import Matrix, Vector

INSIDE = 1e-3  # overlap a contact may begin with, as part of that at which its spring would stop the impact
CREATED = 1e-6  # energy that rounding and tolerance may make an impact give, as part of the energy there was
TOO_MUCH = 1.01  # energy over the energy there was, that a spring cannot hold
UNANSWERED = 1e-4  # difference between two ways to the last rate of an impact, as part of its typical speed, or
UNANSWERED_STEPS = 10.0  # times the tolerance of a step, where that is more
OFF_BALANCE = 100.0  # residual of the ledger over the energy there was, in units of the tolerance, that is a fault

# columns of the impacts table
CONTACT = 0  # its number
BEGAN = 1  # time of the touch [s]
DURATION = 2  # [s]
APPROACH = 3  # rate at touch [m/s]
SEPARATION = 4  # speed at which bodies part [m/s]; not a number where the run ended first
TABLE_PEAK_FORCE = 5  # [N]
TABLE_PEAK_OVERLAP = 6  # [m]
TABLE_IMPULSE = 7  # [N·s]
ENERGY_LOST = 8  # [J]
PARTED = 9  # 1; 0 where the run ended first
TABLE_GUARDED = 10  # 1 where the guard on v0 changed the damping
IMPACT_SIZE = 11

# the run's row: the energy ledger first [J]
INPUT = 0  # work of the loads on the modes
KINETIC = 1
STRAIN = 2
DAMPING = 3  # what damping of the modes took
CONTACT_WORK = 4  # work of the modes on contacts: what these hold more than at the start, and what their damping took
LEDGER_SIZE = 5
# counters and extremes
STEPS = 5  # steps in contact, and events
REJECTED = 6  # steps in contact that were tried in vain
IMPACTS = 7
LARGEST_FORCE = 8  # [N]
TOTAL_IMPULSE = 9  # [N·s]
# what a user should know of them
GUARDED = 10  # impacts whose damping the guard on v0 changed
LASTING = 11  # contacts that were closed when the run ended; they count as impacts
LEAST_LOST = 12  # the smallest energy that an impact took [J]
DEEPEST = 13  # the largest overlap of an impact, in units of that at which its spring alone would have stopped it
UNHELD = 14  # the largest overlap of bodies pressed together again after their contact's force had ended [m]
REACHED = 15  # when the run ended [s]
FAULT = 16  # what was found wrong, in which contact, when [s] and how much
FAULT_CONTACT = 17
FAULT_TIME = 18
FAULT_SIZE = 19
ACCOUNT_SIZE = 20
# settings
TOLERANCE = 20
LIMIT = 21  # steps, tried ones and touches included
MAY_CREATE = 22  # 1: laws are a user's functions, which may give more energy than they take
SETTINGS_END = 23
# what steps in contact share
QUICKEST = 23  # frequency of the quickest mode that does not count as quick (`rows.QUICK`) [rad/s]
QUICK_MODES = 24  # how many modes count as quick
STEP = 25  # the length of the next step in contact [s]
LONGEST = 26  # and the most it may be for power series to keep the tolerance [s]
JUMPED = 27  # 1: forces may have jumped since peaks were last looked at
RAPID = 28  # frequency of the quickest mode of all, quick ones included [rad/s]
AT_FIRST = 29  # energy of the modes at the start [J]
PRESSED = 30  # energy in contacts that are closed at the start [J]
SUPPLY = 31  # the most energy there has been, dissipated or not [J]
LEAST_CONTACT = 32  # where LEAST_LOST was, and when [s]
LEAST_TIME = 33
PRESCRIBED = 34  # modes whose motion is given, and has no share in the energy
WRITTEN = 35  # samples of the histories that are written
UNHELD_CONTACT = 36  # where UNHELD was, and when [s]
UNHELD_TIME = 37
FREE_TERMS = 38  # terms of the power series of the step under way where modes lie side by side
ROOM_AT = 39  # where in the scratch closed contacts are solved for together (`contact.node_forces`)
CROWDED = 40  # 1: closed contacts had to be solved for together since one last touched
PAIRS_WANTED = 41  # rows that a table of pairs of contacts would have to have, where it has fewer (`NEEDS_ROOM`)
# lengths of graded explicit steps up to which what they leave out of free vibrations does not count [s]
EVEN_SQUARED = 42  # where T(s) = s²
EVEN_FOURTH = 43  # where T(s) = s⁴
LETS_FLY = 44  # 1: dashpots between modes alone do not keep a run in contact
RUN_SIZE = 45

NO_LOSS = 1e300  # [J]: of no impact so far


def put_settings(tolerance: float, limit: float, run: Vector) -> None:
    """Write the settings of a run whose laws are those of the catalogue."""
    run[TOLERANCE], run[LIMIT], run[MAY_CREATE] = tolerance, limit, 0.0


def begin_account(run: Vector) -> None:
    """Begin the account of a run; its settings stay."""
    for i in range(RUN_SIZE):
        if i < ACCOUNT_SIZE or i >= SETTINGS_END:
            run[i] = 0.0
    run[LEAST_LOST] = NO_LOSS


def report_fault(fault: float, contact: int, now: float, size: float, run: Vector) -> None:
    """Note what was found wrong, unless something was before."""
    if run[FAULT] == NO_FAULT:
        run[FAULT], run[FAULT_CONTACT], run[FAULT_TIME], run[FAULT_SIZE] = fault, contact, now, size


def watch_touch(contact: int, overlap: float, now: float, row: Vector, run: Vector) -> None:
    """Look at the overlap with which a contact has just begun: all but noise is a touch that was missed, or is none."""
    if abs(overlap) > INSIDE * row[SCALE] + row[NOISE]:
        report_fault(BEGAN_INSIDE if overlap > 0.0 else BEGAN_APART, contact, now, overlap, run)


def note_released(contact: int, overlap: float, now: float, row: Vector, run: Vector) -> None:
    """Note an overlap that nothing holds: that of a contact pressed deeper again after its force had ended."""
    if row[STATUS] == RELEASED and overlap > max(TOO_MUCH * row[PEAK_OVERLAP] + row[NOISE], run[UNHELD]):
        run[UNHELD], run[UNHELD_CONTACT], run[UNHELD_TIME] = overlap, contact, now


def was_guarded(row: Vector) -> bool:
    """Return whether the guard on v0 has changed the damping of an impact."""
    scaled = row[power_law.RATE_POWER] != 0.0 and row[power_law.DAMPING] != 0.0
    return bool(scaled and row[power_law.PUBLISHED_RATE] == 0.0 and row[TOP_RATE] > 2.0 * row[TOUCH_RATE])


def watch_momentum(contact: int, rate: float, expected: float, now: float, row: Vector, run: Vector) -> None:
    """Compare the `rate` with which a contact ends by its modes with the one `expected` from the contact forces.

    The one is the sum of modes that were pushed one by one, the other follows from impulses by the answers of all modes
    together: they differ where an impulse has not reached the modes.
    """
    allowed = max(UNANSWERED, UNANSWERED_STEPS * run[TOLERANCE])
    if not abs(rate - expected) <= allowed * max(row[SPEED], abs(rate)):
        report_fault(MOMENTUM_LOST, contact, now, rate - expected, run)


def note_supply(run: Vector) -> None:
    """Raise the most energy that there has been by what there is now, all that was dissipated included."""
    run[SUPPLY] = max(run[SUPPLY], run[AT_FIRST] + run[PRESSED] + run[INPUT])


def watch_impact(contact: int, now: float, row: Vector, run: Vector) -> None:
    """Look at an impact that has ended: the energy of its deepest overlap cannot be from nowhere."""
    note_supply(run)
    if run[MAY_CREATE] != 0.0:
        return
    held = stored_energy(row, row[PEAK_OVERLAP], math.sqrt(row[PEAK_OVERLAP]))
    if held > TOO_MUCH * run[SUPPLY]:
        report_fault(TOO_DEEP, contact, now, row[PEAK_OVERLAP], run)


def count_impact(contact: int, now: float, row: Vector, run: Vector) -> None:
    """Add an impact to the account; what a contact held at the start is no energy that it makes."""
    run[IMPACTS] += 1.0
    run[TOTAL_IMPULSE] += row[IMPULSE]
    run[LARGEST_FORCE] = max(run[LARGEST_FORCE], row[PEAK_FORCE])
    lost = row[WORK] + row[STORED_AT_START]
    if lost < run[LEAST_LOST]:
        run[LEAST_LOST], run[LEAST_CONTACT], run[LEAST_TIME] = lost, contact, now
    run[DEEPEST] = max(run[DEEPEST], row[PEAK_OVERLAP] / row[SCALE])
    if was_guarded(row):
        run[GUARDED] += 1.0


def write_line(
    line: int, contact: int, parted: float, now: float, rate: float, row: Vector, impacts: Matrix
) -> None:  # fmt: skip
    """Write an impact into a line of the impacts table, while there is room."""
    if line < impacts.shape[0]:
        impacts[line, CONTACT] = contact
        impacts[line, BEGAN] = row[START]
        impacts[line, DURATION] = now - row[START]
        impacts[line, APPROACH] = row[TOUCH_RATE]
        impacts[line, SEPARATION] = -rate
        impacts[line, TABLE_PEAK_FORCE] = row[PEAK_FORCE]
        impacts[line, TABLE_PEAK_OVERLAP] = row[PEAK_OVERLAP]
        impacts[line, TABLE_IMPULSE] = row[IMPULSE]
        impacts[line, ENERGY_LOST] = row[WORK]
        impacts[line, PARTED] = parted
        impacts[line, TABLE_GUARDED] = 1.0 if was_guarded(row) else 0.0


def write_impact(
    contact: int, parted: float, now: float, rate: float, row: Vector, impacts: Matrix, run: Vector
) -> None:
    """Enter an impact in the account, and in the impacts table."""
    line = int(run[IMPACTS])
    count_impact(contact, now, row, run)
    write_line(line, contact, parted, now, rate, row, impacts)


def name_contacts(line: int, fault: float, least: float, members: Vector, impacts: Matrix, run: Vector) -> None:
    """Give contacts in the account, and in the impacts table from `line` on, the numbers that they have among all.

    They had been counted among `members`; `fault` and `least` are FAULT and LEAST_LOST from before that.
    """
    for i in range(line, min(int(run[IMPACTS]), impacts.shape[0])):
        impacts[i, CONTACT] = members[int(impacts[i, CONTACT])]
    if run[FAULT] != fault:
        run[FAULT_CONTACT] = members[int(run[FAULT_CONTACT])]
    if run[LEAST_LOST] != least:
        run[LEAST_CONTACT] = members[int(run[LEAST_CONTACT])]


def end_contact(
    contact: int, released: bool, now: float, rate: float, row: Vector, impacts: Matrix, run: Vector
) -> None:
    """End the record of an impact; a contact `released` with an overlap closes again only after that has gone."""
    write_impact(contact, 1.0, now, rate, row, impacts, run)
    watch_impact(contact, now, row, run)
    row[STORED_AT_START] = 0.0
    row[STATUS] = RELEASED if released else OPEN


def end_run(now: float, contacts: Matrix, impacts: Matrix, run: Vector) -> None:
    """Note when the run ended, and enter the contacts that are closed then; a dashpot between modes is no contact."""
    run[REACHED] = now
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and row[power_law.STIFFNESS] > 0.0:
            run[LASTING] += 1.0
            write_impact(c, 0.0, now, math.nan, row, impacts, run)


def created_energy(run: Vector) -> bool:
    """Return whether an impact gave more than it took, beyond what rounding and tolerance may make it give."""
    return bool(run[LEAST_LOST] < -max(CREATED, run[TOLERANCE]) * run[SUPPLY] and run[MAY_CREATE] == 0.0)


def watch_balance(now: float, run: Vector) -> None:
    """Look at the energies at the end of a run: those of its impacts, and the ledger."""
    note_supply(run)
    if created_energy(run):
        report_fault(ENERGY_CREATED, int(run[LEAST_CONTACT]), run[LEAST_TIME], -run[LEAST_LOST], run)
    spent = run[KINETIC] + run[STRAIN] + run[DAMPING] + run[CONTACT_WORK]
    residual = abs(run[AT_FIRST] + run[INPUT] - spent)
    if residual > OFF_BALANCE * run[TOLERANCE] * run[SUPPLY]:
        report_fault(LEDGER_OPEN, -1, now, residual, run)


def write_balance(kinetic: float, strain: float, spent: float, run: Vector, line: Vector) -> None:
    """Enter where the energy is at a sample; `spent` is what damping has taken [J]."""
    line[INPUT], line[CONTACT_WORK] = run[INPUT], run[CONTACT_WORK]
    line[KINETIC], line[STRAIN], line[DAMPING] = kinetic, strain, spent
