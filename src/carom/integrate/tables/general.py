"""A flat problem laid out as the engine's rows: one per mode, per contact and per degree of freedom."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from carom.kernels import ledger, rows
from carom.kernels.contact import node_forces
from carom.kernels.event import clear_flight, floor_sums
from carom.kernels.laws import power_law
from carom.kernels.tables import Histories, Tables
from carom.problem import FlatProblem, StackedPart

__all__ = [
    "answers", "copy_of", "lay_modes", "no_histories", "room_for_pairs", "tables_of", "works_side_by_side",
]  # fmt: skip

Array = npt.NDArray[np.float64]

ROUNDED = 1e-14
"""Of the terms of a sum: a force that moves one floor of a building is not to be felt by all by rounding."""


LINE = 8
"""Numbers in a line of cache."""


class Given(NamedTuple):
    """Tables with their given columns filled in, and how the scratch is laid out."""

    modes: Array
    contacts: Array
    floors: Array
    side_by_side: bool
    """Whether the modes of buildings are worked on side by side (`Tables.side_by_side`)."""
    scratch: int
    """The length of the scratch."""


_given: WeakKeyDictionary[FlatProblem, dict[bool, Given]] = WeakKeyDictionary()
"""What problems give to their tables, for as long as these live."""


def room_for_pairs(count: int) -> Array:
    """Return a table of so many pairs."""
    return np.zeros((count, rows.PAIR_SIZE))


def copy_of(tables: Tables) -> Tables:
    """Return tables of their own for another run."""
    small = scratch(tables.small.size)
    small[:] = tables.small
    return tables._replace(
        modes=tables.modes.copy(), contacts=tables.contacts.copy(), pairs=tables.pairs.copy(),
        floors=tables.floors.copy(), small=small, run=tables.run.copy(),
    )  # fmt: skip


def scratch(size: int) -> Array:
    """Return zeros that begin where a line of the processor's cache does: sums side by side read whole lines."""
    room = np.zeros(size + LINE)
    first = -(room.ctypes.data // room.itemsize) % LINE
    return room[first : first + size]


def tables_of(flat: FlatProblem, *, by_structure: bool = False, pairs: int | None = None) -> Tables:
    """Return the tables of a problem with given columns filled in; its run's settings are left to whoever runs it.

    There are so many rows of `pairs`, by default one for each pair of contacts.

    Degrees of freedom are in the order of the outputs, or `by_structure` (`FlatProblem.output_order`): rows of one
    structure next to each other are summed side by side.
    """
    known = _given.setdefault(flat, {})
    if (given := known.get(by_structure)) is None:
        given = known[by_structure] = _given_of(flat, flat.output_order if by_structure else None)
    return Tables(
        given.modes.copy(), given.contacts.copy(), room_for_pairs(len(given.contacts) ** 2 if pairs is None else pairs),
        given.floors.copy(), scratch(given.scratch),
        np.zeros(ledger.RUN_SIZE), given.side_by_side,
    )  # fmt: skip


def works_side_by_side(flat: FlatProblem) -> bool:
    """Return whether a structure of a problem has so many modes that kernels work on them side by side."""
    own = flat.mode_structure[flat.mode_structure >= 0]
    first, last = (own.searchsorted(flat.output_structure, side=side) for side in ("left", "right"))
    return floor_sums.gains_side_by_side(int((last - first).max(initial=0)))


def _given_of(flat: FlatProblem, order: npt.NDArray[np.int64] | None) -> Given:
    """Lay out what a problem gives to its tables, its outputs in this order.

    Here it is decided how the kernels treat many modes: side by side where a structure has enough of them, so that a
    processor adds several numbers at once; otherwise one by one, which saves copying them.
    """
    modes, contacts, dofs = flat.omega.size, flat.gap.size, flat.outputs.shape[0]
    outputs, output_structure = flat.outputs, flat.output_structure
    if order is not None:
        outputs, output_structure = outputs[order], output_structure[order]
    mode = np.zeros((modes, rows.MODE_SIZE))
    lay_modes(flat, flat.drives.share, flat.modal_mass, mode)
    contact = np.zeros((contacts, rows.contact_size(modes)))
    contact[:, : power_law.SIZE] = flat.laws
    contact[:, rows.GAP] = flat.gap
    contact[:, rows.EFFECTIVE_MASS] = flat.effective_mass
    contact[:, rows.LEVER :: 2] = flat.reach
    contact[:, rows.LEVER + 1 :: 2] = flat.push
    floor = np.zeros((dofs, rows.floor_size(modes, contacts)))
    own = flat.mode_structure[flat.mode_structure >= 0]  # structure by structure, grounds behind them
    floor[:, rows.FIRST] = own.searchsorted(output_structure, side="left")
    floor[:, rows.LAST] = own.searchsorted(output_structure, side="right")
    buildings = modes >= floor_sums.FEW
    most = int((floor[:, rows.LAST] - floor[:, rows.FIRST]).max(initial=0.0)) if buildings else modes
    floor[:, rows.SHAPE : rows.SHAPE + modes] = outputs
    floor[:, rows.SHAPE + modes :] = answers(outputs, flat.push, modes)
    side_by_side = floor_sums.gains_side_by_side(most)
    size = clear_flight.scratch_size(modes, contacts, side_by_side, floor)
    room = node_forces.room_together(min(contacts, node_forces.MOST_TOGETHER))
    return Given(mode, contact, floor, side_by_side, size + room)


def lay_modes(given: FlatProblem | StackedPart, participation: Array, mass: Array | float, into: Array) -> None:
    """Fill in what is given of modes, the last axis of `into`; of many structures where it has an axis more."""
    for column, values in (
        (rows.OMEGA, given.omega),
        (rows.SIGMA, given.sigma),
        (rows.PARTICIPATION, participation),
        (rows.STEADY, given.load),
        (rows.MASS, mass),
        (rows.Q, given.q0),
        (rows.V, given.v0),
    ):
        into[..., column] = values


def answers(outputs: Array, push: Array, modes: int) -> Array:
    """Return what a force at each contact does to the acceleration of each output, in a problem of that many modes."""
    across = push.swapaxes(-1, -2)
    found: Array = outputs @ across
    if modes >= floor_sums.FEW:
        found[np.abs(found) <= ROUNDED * (np.abs(outputs) @ np.abs(across))] = 0.0
    return found


def no_histories() -> Histories:
    """Return histories without rows, for runs of which only the account is wanted."""
    nothing = np.empty((0, 1))
    return Histories(nothing, nothing, nothing, nothing, nothing)
