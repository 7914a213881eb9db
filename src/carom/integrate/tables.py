"""A flat problem laid out as the engine's rows: one per mode, per contact and per degree of freedom."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from carom.kernels import ledger, rows
from carom.kernels.event import clear_flight as soaring
from carom.kernels.event import floor_sums
from carom.kernels.laws import power_law
from carom.problem import FlatProblem

__all__ = ["Tables", "empty_history", "tables_of"]

Array = npt.NDArray[np.float64]

ROUNDED = 1e-14
"""Of the terms of a sum: a force that moves one floor of a building is not to be felt by all by rounding."""


LINE = 8
"""Numbers in a line of cache."""


class Given(NamedTuple):
    """Tables with their given columns filled in, and the length of the scratch."""

    modes: Array
    contacts: Array
    floors: Array
    scratch: int


_given: WeakKeyDictionary[FlatProblem, Given] = WeakKeyDictionary()
"""What problems give to their tables, for as long as these live."""


class Tables(NamedTuple):
    """What `carom.kernels.event.engine.pound` works on, in its order."""

    modes: Array
    contacts: Array
    pairs: Array
    floors: Array
    small: Array

    def copy(self) -> Tables:
        """Return tables of their own for another run."""
        small = scratch(self.small.size)
        small[:] = self.small
        return Tables(self.modes.copy(), self.contacts.copy(), self.pairs.copy(), self.floors.copy(), small)


def scratch(size: int) -> Array:
    """Return zeros that begin where a line of the processor's cache does: sums side by side read whole lines."""
    room = np.zeros(size + LINE)
    first = -(room.ctypes.data // room.itemsize) % LINE
    return room[first : first + size]


def tables_of(flat: FlatProblem) -> Tables:
    """Return the tables of a problem, given columns filled in."""
    given = _given.get(flat)
    if given is None:
        given = _given[flat] = _given_of(flat)
    pairs = np.zeros((len(given.contacts) ** 2, rows.PAIR_SIZE))
    return Tables(given.modes.copy(), given.contacts.copy(), pairs, given.floors.copy(), scratch(given.scratch))


def _given_of(flat: FlatProblem) -> Given:
    """Lay out what a problem gives to its tables."""
    modes, contacts, dofs = flat.omega.size, flat.gap.size, flat.outputs.shape[0]
    mode = np.zeros((modes, rows.MODE_SIZE))
    for column, values in (
        (rows.OMEGA, flat.omega),
        (rows.SIGMA, flat.sigma),
        (rows.PARTICIPATION, flat.line_participation),
        (rows.STEADY, flat.load),
        (rows.MASS, flat.modal_mass),
        (rows.Q, flat.q0),
        (rows.V, flat.v0),
    ):
        mode[:, column] = values
    contact = np.zeros((contacts, rows.contact_size(modes)))
    contact[:, : power_law.SIZE] = flat.laws
    contact[:, rows.GAP] = flat.gap
    contact[:, rows.EFFECTIVE_MASS] = flat.effective_mass
    contact[:, rows.LEVER :: 2] = flat.reach
    contact[:, rows.LEVER + 1 :: 2] = flat.push
    floor = np.zeros((dofs, rows.floor_size(modes, contacts)))
    own = flat.mode_structure[flat.mode_structure >= 0]  # structure by structure, grounds behind them
    floor[:, rows.FIRST] = own.searchsorted(flat.output_structure, side="left")
    floor[:, rows.LAST] = own.searchsorted(flat.output_structure, side="right")
    buildings = modes >= floor_sums.FEW
    most = int((floor[:, rows.LAST] - floor[:, rows.FIRST]).max(initial=0.0)) if buildings else modes
    floor[:, rows.SHAPE : rows.SHAPE + modes] = flat.outputs
    answers = flat.outputs @ flat.push.T
    if buildings:
        answers[np.abs(answers) <= ROUNDED * (np.abs(flat.outputs) @ np.abs(flat.push.T))] = 0.0
    floor[:, rows.SHAPE + modes :] = answers
    return Given(mode, contact, floor, soaring.scratch_size(modes, contacts, most, floor))


def empty_history(modes: int, contacts: int) -> tuple[Array, Array, Array, Array, Array]:
    """Return histories, ledger and impacts table without rows, for runs of which only the account is wanted."""
    return (
        np.zeros((0, modes)),
        np.zeros((0, modes)),
        np.zeros((0, contacts)),
        np.zeros((0, ledger.LEDGER_SIZE)),
        np.zeros((0, ledger.IMPACT_SIZE)),
    )
