"""What became of the seats of decks, in a sentence and as a table."""

from __future__ import annotations

import math
from typing import Any

from carom.results import Pounding, Table
from carom.results.space.unseating import seat_table
from carom.units import si

__all__ = ["seats_of", "unseated"]


def unseated(result: Pounding) -> str:
    """Return which ends of decks left their seats, and when, in a sentence; nothing where none did."""
    gone = [(name, row) for name, row in _rows(result) if row["unseated"]]
    if not gone:
        return ""
    said = ", ".join(f"{name} at {row['when']:.2f} s" for name, row in sorted(gone, key=lambda one: one[1]["when"]))
    return f"Unseated: {said}."


def seats_of(result: Pounding) -> Table:
    """Return how far every end moved, how much of its seat was left, and when it fell."""
    rows = tuple(
        (
            name, si(row["seat_length"], "m", 3), si(row["along"], "m", 3), si(row["across"], "m", 3),
            f"{1e3 * row['rotation']:.3g} mrad", si(row["seat_left"], "m", 3),
            f"unseated at {row['when']:.3f} s, corner {row['corner']}" if row["unseated"] else "holds",
        )
        for name, row in _rows(result)
    )  # fmt: skip
    head = ("seat", "length", "off the seat", "along the end", "rotation", "left of it", "outcome")
    return Table("seats", "Seats: largest movements of the ends of decks", head, rows)


def _rows(result: Pounding) -> list[tuple[str, dict[str, Any]]]:
    run = result.run
    if run.deck_plan is None or run.scene_record is None:
        return []
    named = zip(run.deck_plan.seats, seat_table(run.scene_record, run.deck_plan), strict=True)
    return [(seat.name, row) for seat, row in named if not math.isnan(row["along"])]
