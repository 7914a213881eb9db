"""Which problems the explicit engine takes, and its tables: those of `carom.kernels.explicit.rows`."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from carom.integrate.engine import PAIR, SEVERAL, Engine
from carom.integrate.tables.general import lay_modes
from carom.kernels import ledger, rows
from carom.kernels.explicit import rows as columns
from carom.kernels.laws import power_law
from carom.kernels.tables import Tables
from carom.problem import FlatProblem

__all__ = ["MOST_MODES", "engine_for", "explicit_engine", "room_for", "tables_for"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MOST_MODES = 8
"""Modes up to which a processor's core takes the explicit engine mode by mode. More of them, where a structure has
enough to be worked on side by side, it steps so (`explicit.buildings`); a GPU, where nothing is, takes any number."""

_given: WeakKeyDictionary[FlatProblem, Tables] = WeakKeyDictionary()
"""Tables of problems with their given columns filled in, for as long as these live."""
_engines: WeakKeyDictionary[FlatProblem, Engine | None] = WeakKeyDictionary()
"""Which explicit engine takes a problem, for as long as it lives."""


def engine_for(modal_mass: Array, contacts: int, first: Array, last: Array) -> Engine | None:
    """Return the explicit engine for such modes and contacts, None without contacts, where it would save nothing.

    `first` and `last` say which modes move each degree of freedom. A pair is two modes and a contact between them, each
    mode moving a degree of freedom of its own.
    """
    if not contacts:
        return None
    alone = np.array_equal(first, [0.0, 1.0]) and np.array_equal(last, [1.0, 2.0])
    return PAIR if alone and contacts == 1 and np.array_equal(modal_mass, [1.0, 1.0]) else SEVERAL


def room_for(modes: int, contacts: int, floors: int, most: int) -> Tables:
    """Return tables of the right sizes, all zeros; `most` is how many modes move one degree of freedom at most."""
    return Tables(
        modes=np.zeros((modes, columns.mode_size(contacts))),
        contacts=np.zeros((contacts, columns.CONTACT_SIZE)),
        pairs=np.zeros((1, 1)),
        floors=np.zeros((floors, columns.floor_size(most))),
        small=np.zeros(columns.PAIR_STAGES),
        run=np.zeros(ledger.RUN_SIZE),
        side_by_side=False,
    )


def explicit_engine(flat: FlatProblem) -> Engine | None:
    """Return the explicit engine for a problem, None where it has no contacts."""
    if flat not in _engines:
        _engines[flat] = engine_for(flat.modal_mass, flat.gap.size, *moved_by(flat)) if flat.gap.size else None
    return _engines[flat]


def tables_for(flat: FlatProblem) -> Tables:
    """Return the tables of a run of a problem, with given columns filled in."""
    given = _given.get(flat)
    if given is None:
        given = _given[flat] = _laid_out(flat, *moved_by(flat))
    return given._replace(
        modes=given.modes.copy(), contacts=given.contacts.copy(), floors=given.floors.copy(),
        small=given.small.copy(), run=given.run.copy(),
    )  # fmt: skip


def moved_by(flat: FlatProblem) -> tuple[Array, Array]:
    """Return the first mode that moves each output and the one after the last: those of its structure."""
    own = flat.mode_structure[flat.mode_structure >= 0]  # structure by structure, grounds behind them
    first, last = (own.searchsorted(flat.output_structure, side=side) for side in ("left", "right"))
    return first.astype(float), last.astype(float)


def _laid_out(flat: FlatProblem, first: Array, last: Array) -> Tables:
    """Lay out what a problem gives to its tables."""
    modes, contacts, floors = flat.omega.size, flat.gap.size, flat.outputs.shape[0]
    made = room_for(modes, contacts, floors, int((last - first).max(initial=0.0)))
    lay_modes(flat, flat.drives.share, flat.modal_mass, made.modes)
    made.modes[:, columns.REACH : columns.REACH + contacts] = flat.reach.T
    made.contacts[:, : power_law.SIZE] = flat.laws
    made.contacts[:, rows.GAP] = flat.gap
    made.contacts[:, rows.EFFECTIVE_MASS] = flat.effective_mass
    made.floors[:, columns.FIRST_MODE], made.floors[:, columns.LAST_MODE] = first, last
    for d in range(floors):
        own = slice(int(first[d]), int(last[d]))
        made.floors[d, columns.SHAPES : columns.SHAPES + own.stop - own.start] = flat.outputs[d, own]
    return made
