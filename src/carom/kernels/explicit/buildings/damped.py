"""Buildings whose dashpots couple modes: they fly in complex modes, and explicit steps take them through contacts.

Flight is that of `event.complex_flight`. In contact natural modes move, side by side as those of any building, and
dashpots load them (`dashpots`). A step is as short as the quickest complex mode asks for, which tells how fast what
dashpots couple can be. Where that one is more than QUICKER_TIED times as quick as the slowest contact, as with a
dashpot that damps a light floor far beyond what is critical, steps would be short for nothing: `takes_on` leaves the
run to collocation, in which dashpots are contacts.
"""

import math

from carom.kernels.contact import present_state
from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.event.clear_flight import tiles_at
from carom.kernels.event.complex_clear_flight import lay_lines
from carom.kernels.event.complex_flight import march_damped, prepare_flight
from carom.kernels.event.complex_states import carry_peaks
from carom.kernels.event.engine import conclude, pound, prepare
from carom.kernels.event.flight import rate_of
from carom.kernels.explicit.buildings import dashpots
from carom.kernels.explicit.buildings.dashpots import settle_hold
from carom.kernels.explicit.buildings.parts import BUILDING_PARTS, takes_on
from carom.kernels.explicit.buildings.step import lay_steps
from carom.kernels.explicit.engine import QUICKER
from carom.kernels.ledger import KINETIC, QUICKEST, RAPID, STRAIN
from carom.kernels.rows import FORCE, LEVER, LOAD, SLOPE, SQUARE, STATUS, TIED, TWICE, Q, V, W
from carom.kernels.tables import Doubled, Histories, Shaking, Tables
from carom.kernels.types import Matrix

QUICKER_TIED = 100.0
"""Frequency of the quickest complex mode over that of a typical impact, up to which runs are stepped here; natural
modes may be QUICKER times as quick, as without dashpots.

Collocation is as quick from about 20 on for small buildings, earlier for tall ones, but it knows accelerations beside
stiff dashpots less well: at 44 a peak was off by 46 times the tolerance, which explicit steps keep.
"""


def damped_buildings(tables: Tables, flight: Tables, doubled: Doubled, shaking: Shaking, histories: Histories) -> int:
    """Run one problem as `complex_flight.pound_damped` does; only runs that end as FINISHED are worth keeping."""
    contacts, run = tables.contacts, tables.run
    by_series, series_span, flown = prepare_flight(shaking.dt, doubled.support, flight)
    rapid = run[RAPID]
    _, _, tiles = prepare(shaking.dt, False, shaking.support, tables)
    for c in range(flight.contacts.shape[0], contacts.shape[0]):
        contacts[c, STATUS] = TIED
    quicker = QUICKER_TIED  # what dashpots make quick; natural modes have their own limit
    if run[QUICKEST] > 0.0:
        quicker = min(max(QUICKER * rapid / run[QUICKEST], QUICKER), QUICKER_TIED)
    run[QUICKEST], run[RAPID] = max(run[QUICKEST], rapid), max(run[RAPID], rapid)
    if tiles == 0 or not takes_on(quicker, tables):
        return UNUSUAL
    lay_steps(tables)
    lay_lines(flown, tiles_at(flight.modes.shape[0], flight.floors.shape[0]), doubled, flight.small)
    status = march_damped(by_series, series_span, flown, tables, flight, doubled, shaking, histories)
    carry_peaks(doubled, tables, flight, False)
    status = conclude(status, tables, histories)
    return FINISHED if status == FINISHED and math.isfinite(run[KINETIC] + run[STRAIN]) else UNUSUAL


def settle_at_touch(t: float, modes: Matrix, contacts: Matrix) -> None:
    """Write accelerations at the end of a flight, time `t` of the sample, under loads and dashpots: what `touch` asks.

    No contact is closed.
    """
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == TIED:
            settle_hold(rate_of(contacts[c], modes, V), contacts[c])
    for k in range(modes.shape[0]):
        row = modes[k]
        w = row[LOAD] + row[SLOPE] * t - row[TWICE] * row[V] - row[SQUARE] * row[Q]
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == TIED:
                w -= contacts[c, LEVER + 2 * k + 1] * contacts[c, FORCE]
        row[W] = w


DAMPED_PARTS = (
    *((given, put_in) for given, put_in in BUILDING_PARTS if given is not pound),
    (present_state.settle, settle_at_touch),
    (dashpots.tied, dashpots.really_tied),
)
"""What is put in for buildings with dashpots: a function, and the one that takes its place."""
