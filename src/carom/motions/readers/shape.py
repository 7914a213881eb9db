"""A glance at the lines of numbers: how many columns, and is the first a time?"""

from __future__ import annotations

from itertools import pairwise

from carom.motions.readers._numbers import row
from carom.motions.readers.document import Document

__all__ = ["count_and_step", "looks_like_a_table", "sampled_widths"]

GLANCE = 40


def count_and_step(lead: list[float]) -> bool:
    """Tell whether two numbers may be the number of samples and the time step."""
    return len(lead) == 2 and lead[0].is_integer() and lead[0] >= 2.0 and 0.0 < lead[1] < 1.0


def sampled_widths(document: Document) -> set[int]:
    """Return how many numbers the first lines hold, a ``count dt`` line and the last line aside."""
    rows = _first_rows(document)
    return {len(values) for values in (rows[:-1] if len(rows) > 1 else rows)}


def looks_like_a_table(document: Document) -> bool:
    """Tell whether lines of two or more numbers open with a time that grows to the end."""
    rows = _first_rows(document)
    widths = {len(values) for values in rows}
    if len(rows) < 2 or len(widths) != 1 or min(widths) < 2:
        return False
    times = [values[0] for values in rows]
    times += [values[0] for values in _later_rows(document) if len(values) in widths]
    return all(b > a for a, b in pairwise(times))


def _first_rows(document: Document) -> list[list[float]]:
    rows = _rows(document.lines[document.body : document.body + GLANCE])
    if len(rows) > 2 and count_and_step(rows[0]) and (len(rows[1]) != 2 or rows[1][0] < rows[0][0]):
        return rows[1:]
    return rows


def _later_rows(document: Document) -> list[list[float]]:
    """Return some rows from the rest of the file, evenly spread."""
    first, end = document.body + GLANCE, len(document.lines)
    return _rows(document.lines[first : end : max(1, (end - first) // 100)])


def _rows(lines: list[str]) -> list[list[float]]:
    rows = []
    for line in lines:
        if line.strip():
            values = row(line)
            if not values:
                break
            rows.append(values)
    return rows
