"""Columns of a study that tell what became of the seats of decks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from carom.errors import InputError
from carom.problem import Problem
from carom.problem.labels import distinct_labels
from carom.problem.scenes.decks import GAUGES, seat_label

__all__ = ["SEATS", "SeatColumns"]

Array = npt.NDArray[np.float64]

SEATS = {"off_seat": "m", "along_end": "m", "seat_rotation": "rad", "seat_used": "", "unseated": ""}
"""Columns by the word before the seat's name, and their units; the last two are of all seats together."""


class SeatColumns:
    """The seats of a problem, as columns."""

    def __init__(self, problem: Problem) -> None:
        if not problem.seats:
            raise InputError(
                'The output "unseating" needs seats. Write a table [[seats]] with deck, end, on and length.'
            )
        self._lengths = np.array([seat.length for seat in problem.seats])
        self._names = distinct_labels(seat_label(problem, seat) for seat in problem.seats)

    @property
    def units(self) -> dict[str, str]:
        """The columns and their units, in order."""
        each = [word for word, unit in SEATS.items() if unit]
        found = {f"{word}.{name}": SEATS[word] for word in each for name in self._names}
        return {**found, "seat_used": "", "unseated": ""}

    def columns(self, values: Array, lengths: Sequence[float] | None = None) -> dict[str, Array]:
        """Return the columns of runs from their gauges: least, largest, and when each left, shape (run, gauge, 3).

        `lengths` of the seats [m], where they are not those of the problem.
        """
        gauges = values.reshape(values.shape[0], -1, len(GAUGES), 3)
        off: Array = gauges[:, :, 0:2, 1].max(axis=2)
        along: Array = np.abs(gauges[:, :, 2:4, :2]).max(axis=(2, 3))
        turned: Array = np.abs(gauges[:, :, 4, :2]).max(axis=2)
        found: dict[str, Array] = {}
        for word, each in (("off_seat", off), ("along_end", along), ("seat_rotation", turned)):
            found |= {f"{word}.{name}": each[:, k] for k, name in enumerate(self._names)}
        used: Array = off / (self._lengths if lengths is None else np.array(lengths))
        found["seat_used"] = np.max(used, axis=1)
        left: Array = np.asarray(np.isfinite(gauges[:, :, :4, 2]).any(axis=(1, 2)), dtype=np.float64)
        found["unseated"] = left
        return found
