"""Which problems are worked on island by island, and the room that takes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carom.kernels import ledger, rows
from carom.kernels.event.islands import DISTANCE, LEFT_GRIP, NUMBERS, REACHES, RIGHT_GRIP
from carom.kernels.laws import power_law
from carom.kernels.tables import Islands, Tables
from carom.problem import FlatProblem

__all__ = ["islands_of", "no_islands"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MANY = 12
"""Structures from which on they are worked on apart from each other: with fewer, most of them take part in a step."""


def no_islands() -> Islands:
    """Return islands without structures: all of a problem is worked on together."""
    nobody = np.zeros(0, dtype=np.int64)
    return _with_room(nobody, nobody, nobody, nobody, np.zeros((0, REACHES)), 0, 0)


def islands_of(flat: FlatProblem, tables: Tables) -> Islands:
    """Return the structures of a problem as islands, or none where that does not apply.

    It applies to many small structures that only contacts tie together, none to more than one other: neither motions
    that are given to several of them, nor dashpots between modes.
    """
    count = len(flat.structure_names)
    contacts, modes, floors = flat.gap.size, flat.omega.size, flat.outputs.shape[0]
    alone = not tables.side_by_side and bool((flat.modal_mass > 0.0).all()) and bool((flat.sigma >= 0.0).all())
    if count < MANY or not alone or not (flat.laws[:, power_law.STIFFNESS] > 0.0).all():
        return no_islands()
    touched = np.zeros((contacts, count), dtype=bool)
    contact, mode = np.nonzero(flat.reach)
    touched[contact, flat.mode_structure[mode]] = True
    if touched.sum(axis=1).max(initial=0) > 2 or not touched.any(axis=1).all():
        return no_islands()
    every = np.arange(count + 1)
    first_mode, first_floor = flat.mode_structure.searchsorted(every), flat.output_structure.searchsorted(every)
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
        active=_whole(contacts), members=_whole(contacts), place=_whole(count), links=links,
        numbers=np.zeros((count, NUMBERS)), nearest=np.zeros(contacts), account=np.zeros(2 * ledger.RUN_SIZE),
        modes=np.zeros(modes * rows.MODE_SIZE), contacts=np.zeros(contacts * rows.contact_size(modes)),
        floors=np.zeros(floors * rows.floor_size(modes, contacts)),
    )  # fmt: skip


def _whole(size: int) -> Integers:
    """Return a row of whole numbers."""
    return np.zeros(size, dtype=np.int64)
