"""Whether decks left their seats: how far each end moved along and across, how far it turned, and when it fell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from carom.results.space.deck_plan import DeckPlan
from carom.results.space.scene_record import SceneRecord

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import xarray as xr

__all__ = ["seat_table", "unseating_of"]

CORNERS = ("first corner", "second corner")


def unseating_of(record: SceneRecord, plan: DeckPlan, time: npt.NDArray[np.float64]) -> xr.Dataset:
    """Return what became of every seat of a run.

    Over seat: `seat_length`; `along`, the farthest that a corner of the end moved off the seat, square to the end at
    rest; `across`, the farthest along it to either side; `rotation`, the largest to either side; `seat_left`, what was
    left of the length at the worst; `unseated`, `when` and `corner`: the first that left, NaN and nothing where none
    did. Extremes are those between samples. `along_history` and `across_history` (time, seat, corner) and
    `rotation_history` (time, seat) are at samples.
    """
    import numpy as np
    import xarray as xr

    seats = plan.seats
    rows = seat_table(record, plan)
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]} if rows else {}
    units = {"seat_length": "m", "along": "m", "across": "m", "rotation": "rad", "seat_left": "m", "when": "s"}
    variables: dict[str, Any] = {
        name: ("seat", values, {"units": units[name]} if name in units else {}) for name, values in columns.items()
    }
    first = np.array([seat.gauge for seat in seats], dtype=np.int64)
    for word, offset in (("along_history", 0), ("across_history", 2)):
        both = np.stack([record.gauge[:, first + offset + k] for k in (0, 1)], axis=2)
        variables[word] = (("time", "seat", "corner_of_end"), both, {"units": "m"})
    variables["rotation_history"] = (("time", "seat"), record.gauge[:, first + 4], {"units": "rad"})
    coordinates = {"seat": [seat.name for seat in seats], "time": time, "corner_of_end": list(CORNERS)}
    return xr.Dataset(variables, coords=coordinates)


def seat_table(record: SceneRecord, plan: DeckPlan) -> list[dict[str, Any]]:
    """Return one row for each seat, as `unseating_of` describes them."""
    found = []
    for seat in plan.seats:
        extremes = record.gauge_extremes[seat.gauge : seat.gauge + 5].tolist()
        left = record.gauge_left[seat.gauge : seat.gauge + 4].tolist()
        along = max(extremes[0][1], extremes[1][1])
        times = [(at, k % 2) for k, at in enumerate(left) if not math.isnan(at)]
        when, corner = min(times, default=(math.nan, -1))
        found.append({
            "seat_length": seat.length,
            "along": along,
            "across": max(abs(value) for pair in extremes[2:4] for value in pair),
            "rotation": max(abs(value) for value in extremes[4]),
            "seat_left": seat.length - along,
            "unseated": bool(times),
            "when": when,
            "corner": seat.corners[corner] if times else "",
        })  # fmt: skip
    return found
