"""A glance at the lines of numbers: how many columns, and is the first a time?"""

from __future__ import annotations

from itertools import pairwise

from carom.motions.readers._numbers import row
from carom.motions.readers.document import Document

__all__ = ["looks_like_a_table", "opens_with_count", "sampled_widths"]

GLANCE = 40


def opens_with_count(rows: list[list[float]]) -> bool:
    """Tell whether the first of these rows may be a number of samples and a time step."""
    if len(rows) < 3 or len(rows[0]) != 2:
        return False
    count, step = rows[0]
    if not (count.is_integer() and count >= 2.0 and 0.0 < step < 1.0):
        return False
    if len(rows[1]) == len(rows[2]) == 2:  # a table: its times must go on by that step
        return abs(rows[2][0] - rows[1][0] - step) < 0.1 * step
    return True


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
    return rows[1:] if opens_with_count(rows) else rows


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
