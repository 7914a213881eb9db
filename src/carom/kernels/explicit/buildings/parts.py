"""Buildings: they fly as in the general engine, and the explicit engine steps their contacts.

What many modes need in flight is in `event.engine`: samples side by side in tiles, touches and peaks in closed form,
however far a mode turns in a sample. In contact the loop and the state machine are those of `contact`, and a step takes
modes side by side (`step`). `BUILDING_PARTS` lists what the compiler puts in.
"""

import math

from carom.kernels.contact import run as contact_run
from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.event import engine as event_engine
from carom.kernels.event.engine import conclude, march, prepare
from carom.kernels.event.flight import noise_of, overlap_of
from carom.kernels.event.mode_table import TYPICAL_SPEED
from carom.kernels.explicit import contact, flight, peaks, step
from carom.kernels.explicit.buildings import step as building_step
from carom.kernels.explicit.buildings.dashpots import tied
from carom.kernels.explicit.buildings.step import END_FAR, FAR, lay_steps, load_loads, load_state, store_start
from carom.kernels.explicit.contact import in_contact as step_contacts
from carom.kernels.explicit.engine import QUICKER
from carom.kernels.explicit.rows import FOLLOWING, PER_POWER
from carom.kernels.explicit.tableau import longest_turn, note_negligible_graded
from carom.kernels.laws.power_law import EXPONENT, STIFFNESS, overlap_scale
from carom.kernels.ledger import JUMPED, KINETIC, LONGEST, QUICKEST, RAPID, STRAIN, TOLERANCE
from carom.kernels.ledger import end_contact as enter_impact
from carom.kernels.rows import CLOSED, EFFECTIVE_MASS, FOLLOWS_ABOVE, NOISE, PACE, STATUS, STORED_AT_START, Q
from carom.kernels.tables import Histories, Near, Shaking, Tables
from carom.kernels.types import Matrix, Vector


def none_quick(wide: bool) -> float:
    """Return that no mode counts as quick: each is in the explicit steps."""
    return math.inf


def takes_on(quicker: float, tables: Tables) -> bool:
    """Note what explicit steps ask of a run that is prepared; return whether they can take it.

    Left to the general engine are contacts that are closed at the start, those without a spring, and modes more than
    `quicker` times as quick as the slowest contact: they would make the steps short.
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    swift, swiftest, fit = math.inf, 0.0, True
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[PER_POWER] = 1.0 / (row[EXPONENT] + 1.0)
        if row[STIFFNESS] > 0.0:
            rate = TYPICAL_SPEED / overlap_scale(row, row[EFFECTIVE_MASS], TYPICAL_SPEED)
            swift, swiftest = min(swift, rate), max(swiftest, rate)
        fit = fit and (tied(row) or (row[STIFFNESS] > 0.0 and overlap_of(row, modes, Q) <= noise_of(row, modes)))
    run[LONGEST] = longest_turn(run[TOLERANCE]) / run[QUICKEST] if run[QUICKEST] > 0.0 else math.inf
    note_negligible_graded(run[TOLERANCE], run[QUICKEST], run)
    run[RAPID] = max(run[RAPID], swiftest)
    return fit and run[QUICKEST] <= quicker * swift


def pound(tables: Tables, shaking: Shaking, histories: Histories) -> int:
    """Run one problem as `event.engine.pound` does; only runs that end as FINISHED are worth keeping."""
    run = tables.run
    by_series, series_span, tiles = prepare(shaking.dt, False, shaking.support, tables)
    if tiles == 0 or not takes_on(QUICKER, tables):
        return UNUSUAL
    lay_steps(tables)
    none, nothing = tables.contacts[:0], run[:0]
    near = Near(none, none, none, none, none, nothing, nothing, nothing, nothing, nothing)
    status = conclude(march(by_series, series_span, tiles, tables, near, shaking, histories), tables, histories)
    return FINISHED if status == FINISHED and math.isfinite(run[KINETIC] + run[STRAIN]) else UNUSUAL


def in_contact(
    t: float, until: float, begun: float, tables: Tables, whole: Tables, near: Near, impacts: Matrix
) -> tuple[float, int]:
    """Step closed contacts to the time `until` of the sample, or until all are open; return the time and a status."""
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    touched = run[JUMPED] != 0.0
    load_loads(tables)
    if touched:
        run[JUMPED] = 0.0
        load_state(tables)
        for c in range(contacts.shape[0]):
            row = contacts[c]
            row[NOISE], row[FAR], row[END_FAR] = noise_of(row, modes), 0.0, 0.0
            row[FOLLOWING] = 1.0 if row[STATUS] == CLOSED and row[FOLLOWS_ABOVE] <= 0.0 else 0.0
    lines = Histories(impacts, impacts, impacts, impacts, impacts)
    t, _, status = step_contacts(t, until, begun, touched, tables, lines)
    store_start(tables)
    for c in range(contacts.shape[0]):
        contacts[c, STORED_AT_START] = 0.0  # explicit steps keep something else there
    return t, status


def end_contact(c: int, released: bool, now: float, row: Vector, histories: Histories, run: Vector) -> None:
    """End the record of an impact in the account of the general engine."""
    row[STORED_AT_START] = 0.0
    enter_impact(c, released, now, row[PACE], row, histories.impacts, run)


def stay(load: int, modes: Matrix) -> None:
    """Do nothing where `flight.arrive` does: the end of a step is the present already (`step.end_step`)."""


BUILDING_PARTS = (
    (event_engine.pound, pound),
    (event_engine.quick_from, none_quick),
    (contact_run.in_contact, in_contact),
    (contact.end_contact, end_contact),
    (flight.arrive, stay),
    (step.settle, building_step.settle),
    (step.stride, building_step.stride),
    (step.end_step, building_step.end_step),
    (peaks.acceleration_inside, building_step.acceleration_inside),
)
"""What is put in for buildings: a function, and the one that takes its place."""
