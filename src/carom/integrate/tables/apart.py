"""Which problems are worked on part by part, and the room that takes: structures apart, or few contacts of many."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.integrate.tables.general import room_for_pairs
from carom.kernels import ledger, rows
from carom.kernels.event.islands import DISTANCE, LEFT_GRIP, NUMBERS, REACHES, RIGHT_GRIP
from carom.kernels.laws import power_law
from carom.kernels.tables import Islands, Near, Tables
from carom.problem import FlatProblem

__all__ = ["Apart", "apart_of", "pairs_at_once"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MANY = 12
"""Structures from which on they are worked on apart from each other: with fewer, most of them take part in a step."""


MANY_CONTACTS = 24
"""Contacts of buildings from which on steps in contact look only at those that may close. From eight on that is no
slower, but such problems take a kernel of their own, which has to be compiled first."""


FEW_PAIRS = 2**17
"""Rows that a table of pairs of contacts has at first, where most contacts are left out: enough for 362 contacts that
close at the same time, of which the memory is touched only as contacts close."""


class Apart(NamedTuple):
    """What is worked on apart; what has no rows is worked on together."""

    islands: Islands
    near: Near


def pairs_at_once(contacts: int, wanted: int) -> int:
    """Return how many rows tables of pairs have, where contacts are left out and a run before `wanted` so many.

    At least twice as many, so that a run begins again a few times at most.
    """
    return min(contacts * contacts, max(FEW_PAIRS, 2 * wanted))


def apart_of(flat: FlatProblem, tables: Tables, pairs: int) -> Apart | None:
    """Return what of a problem is worked on apart; None where everything is worked on together.

    There are so many rows of `pairs` of contacts that are near.

    Neither motions that are given to several structures nor dashpots between modes leave anything apart.
    """
    many = flat.gap.size >= MANY_CONTACTS if tables.side_by_side else len(flat.structure_names) >= MANY
    if not many or not (flat.laws[:, power_law.STIFFNESS] > 0.0).all():
        return None
    if not (flat.modal_mass > 0.0).all() or not (flat.sigma >= 0.0).all():
        return None
    if tables.side_by_side:
        shares = tables.floors[:, rows.SHAPE + flat.omega.size :].copy()
        return Apart(no_islands(), near_room(flat.reach.copy(), shares, pairs))
    islands = islands_of(flat)
    return None if islands is None else Apart(islands, near_room(np.zeros((0, 1)), np.zeros((0, 1)), 0))


def near_room(reach: Array, shares: Array, pairs: int) -> Near:
    """Return contacts of which few are near at a time, with room for so many pairs of them."""
    contacts, modes = reach.shape
    return Near(
        reach=reach, shares=shares, contacts=np.zeros((contacts, rows.contact_size(modes))),
        pairs=room_for_pairs(pairs), answers=np.zeros((contacts, contacts)),
        slack=np.zeros(contacts), used=np.zeros(contacts), chosen=np.zeros(contacts), members=np.zeros(contacts + 1),
        turns=np.zeros(contacts + 1),
    )  # fmt: skip


def no_islands() -> Islands:
    """Return islands without structures: all of a problem is worked on together."""
    nobody = np.zeros(0, dtype=np.int64)
    return _with_room(nobody, nobody, nobody, nobody, np.zeros((0, REACHES)), 0, 0)


def islands_of(flat: FlatProblem) -> Islands | None:
    """Return the structures of a problem as islands, or None where contacts tie more than two."""
    count = len(flat.structure_names)
    contacts, modes, floors = flat.gap.size, flat.omega.size, flat.outputs.shape[0]
    touched = np.zeros((contacts, count), dtype=bool)
    contact, mode = np.nonzero(flat.reach)
    touched[contact, flat.mode_structure[mode]] = True
    if touched.sum(axis=1).max(initial=0) > 2 or not touched.any(axis=1).all():
        return None
    every = np.arange(count + 1)
    first_mode, first_floor = (
        flat.mode_structure.searchsorted(every),
        np.sort(flat.output_structure).searchsorted(every),
    )
    left = touched.argmax(axis=1)
    right = count - 1 - touched[:, ::-1].argmax(axis=1)
    widest = int(np.diff(first_mode).max())
    links = np.zeros((contacts, REACHES + 2 * widest))
    links[:, DISTANCE] = flat.gap
    for sides, grip, first in ((left, LEFT_GRIP, REACHES), (right, RIGHT_GRIP, REACHES + widest)):
        for c in np.flatnonzero(sides != left) if first > REACHES else range(contacts):
            reach = flat.reach[c, first_mode[sides[c]] : first_mode[sides[c] + 1]]
            links[c, first : first + reach.size] = reach
            links[c, grip] = np.sqrt(reach @ reach)
    return _with_room(first_mode, first_floor, left, right, links, modes, floors)


def _with_room(
    first_mode: Integers, first_floor: Integers, left: Integers, right: Integers, links: Array, modes: int, floors: int
) -> Islands:
    """Return structures as islands, with room to work on them all at once."""
    count, contacts = max(first_mode.size - 1, 0), left.size
    return Islands(
        first_mode=first_mode, first_floor=first_floor, left=left, right=right,
        root=_whole(count), next_structure=_whole(count), next_contact=_whole(contacts), head=_whole(2 * count),
        active=_whole(contacts), members=np.zeros(contacts), place=_whole(count), links=links,
        numbers=np.zeros((count, NUMBERS)), nearest=np.zeros(contacts), account=np.zeros(ledger.RUN_SIZE),
        modes=np.zeros(modes * rows.MODE_SIZE), contacts=np.zeros(contacts * rows.contact_size(modes)),
        floors=np.zeros(floors * rows.floor_size(modes, contacts)),
    )  # fmt: skip


def _whole(size: int) -> Integers:
    """Return a row of whole numbers."""
    return np.zeros(size, dtype=np.int64)
