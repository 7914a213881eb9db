"""Which problems are worked on island by island, and the room that takes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carom.kernels import ledger, rows
from carom.kernels.event.islands import NUMBERS
from carom.kernels.laws import power_law
from carom.kernels.tables import Islands, Tables
from carom.problem import FlatProblem

__all__ = ["islands_of", "no_islands"]

Integers = npt.NDArray[np.int64]

MANY = 12
"""Structures from which on they are worked on apart from each other: with fewer, most of them take part in a step."""


def no_islands() -> Islands:
    """Return islands without structures: all of a problem is worked on together."""
    nobody = np.zeros(0, dtype=np.int64)
    return _with_room(nobody, nobody, nobody, nobody, 0, 0, 0)


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
    for c, k in zip(*np.nonzero(flat.reach), strict=True):
        touched[c, flat.mode_structure[k]] = True
    if touched.sum(axis=1).max(initial=0) > 2 or not touched.any(axis=1).all():
        return no_islands()
    left = touched.argmax(axis=1)
    right = count - 1 - touched[:, ::-1].argmax(axis=1)
    every = np.arange(count + 1)
    first_mode, first_floor = flat.mode_structure.searchsorted(every), flat.output_structure.searchsorted(every)
    return _with_room(first_mode, first_floor, left, right, count, modes, floors)


def _with_room(
    first_mode: Integers, first_floor: Integers, left: Integers, right: Integers, count: int, modes: int, floors: int
) -> Islands:
    """Return `count` structures as islands, with room to work on them all at once."""
    contacts = left.size
    return Islands(
        first_mode=first_mode, first_floor=first_floor, left=left, right=right,
        root=_whole(count), next_structure=_whole(count), next_contact=_whole(contacts), head=_whole(2 * count),
        active=_whole(contacts), members=_whole(contacts), place=_whole(count), numbers=np.zeros((count, NUMBERS)),
        nearest=np.zeros(contacts), account=np.zeros(2 * ledger.RUN_SIZE), modes=np.zeros(modes * rows.MODE_SIZE),
        contacts=np.zeros(contacts * rows.contact_size(modes)),
        floors=np.zeros(floors * rows.floor_size(modes, contacts)),
    )  # fmt: skip


def _whole(size: int) -> Integers:
    """Return a row of whole numbers."""
    return np.zeros(size, dtype=np.int64)
