"""PEER AT2: four lines of header, then the acceleration, usually five values a line.

The header was written in several ways over the years::

    NPTS=  4000, DT= .01000 SEC                 PEER (2000) and elCentro.AT2 of OpenSees
    4000    0.0100    NPTS, DT                  NGA (2005)
    NPTS=   5372, DT=   .0100 SEC,              NGA-West2 (2013)

The line before names quantity and unit; velocity (VT2) and displacement (DT2) companions are refused.
"""

from __future__ import annotations

import math
import re

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Motion
from carom.motions.readers._numbers import NUMBER, numbers_in, value_of
from carom.motions.readers.base import Reader, reader
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document

_LATER = re.compile(rf"NPTS\s*[=:]?\s*([+-]?\d{{1,30}})(?!\d).*?\bDT\s*[=:]?\s*({NUMBER})", re.IGNORECASE)
_FIRST = re.compile(rf"^\s*([+-]?\d{{1,30}})\s*,?\s+({NUMBER})\s*,?\s*NPTS\s*,\s*DT", re.IGNORECASE)
_QUANTITY = re.compile(r"\b(ACCELERATION|VELOCITY|DISPLACEMENT)\s+TIME\s+(?:SERIES|HISTORY)", re.IGNORECASE)
_AGENCY = re.compile(r"\s*\([^()]*\)\s*$")
_CLOCK = re.compile(r"\d{1,2}:?\d{2}(:\d{2})?")
_DATE = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")
HEADER_LINES = 12


@reader("peer-at2", aliases=("at2", "peer", "nga"), about="PEER AT2, old, NGA and NGA-West2 headers")
class PeerAt2(Reader):
    """PEER AT2 in all its headers."""

    def recognises(self, document: Document) -> int:
        """Look for NPTS and DT in the first lines, or for PEER's own words."""
        head = _head(document)
        if any(_LATER.search(line) or _FIRST.search(line) for line in head):
            return 95
        return 60 if any("STRONG MOTION DATABASE" in line.upper() for line in head) else 0

    def read(self, document: Document, asked: Asked) -> Motion:
        """Read header, then exactly the number of values it claims."""
        place, count, step = _count_and_step(document)
        header = _head(document)[:place]
        _refuse_companions(document, header)
        dt, notes = document.step(asked, step)
        factor, more = document.unit(asked)
        rows, stop = numbers_in(document.lines, place + 1, document.owner)
        values = np.array([value for row in rows for value in row])
        values, counted = _counted(values, count, document, asked, len(rows[-1]) if rows else 0)
        document.ignore_after(stop)
        event, station, component = _origin(header) if place >= 2 else ("", "", "")
        return Motion(
            values * factor,
            dt,
            component=component,
            event=event,
            station=station,
            source=document.path.name,
            processing=notes + more + counted,
        )


def _head(document: Document) -> list[str]:
    return [line[:LONGEST_HEADER_LINE] for line in document.lines[:HEADER_LINES]]


def _count_and_step(document: Document) -> tuple[int, int, float]:
    for place, line in enumerate(_head(document)):
        if found := _LATER.search(line) or _FIRST.search(line):
            count, step = int(found[1]), value_of(found[2])
            if count < 2 or not step > 0.0 or not math.isfinite(step):
                raise InputError(
                    f"Line {place + 1} of {document.owner} must give a count and a time step. "
                    f"Got {line.strip()[:60]!r}."
                )
            return place, count, step
    raise InputError(
        f"{document.owner} must say its number of points and time step in the first lines, such as "
        '"NPTS= 4000, DT= .01 SEC". For numbers without a header pass format="opensees" and dt=...'
    )


def _refuse_companions(document: Document, header: list[str]) -> None:
    said = next((found[1].lower() for line in header if (found := _QUANTITY.search(line))), None)
    suffix = {".vt2": "velocity", ".dt2": "displacement"}.get(document.path.suffix.lower())
    what = said or suffix
    if what in ("velocity", "displacement"):
        raise InputError(
            f"{document.owner} holds {what}, not acceleration. Read the AT2 file of the same record instead; "
            "velocity and displacement follow from it."
        )


def _counted(
    values: np.ndarray, count: int, document: Document, asked: Asked, last_row: int
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return exactly `count` values, or say that there are more or fewer."""
    if values.size == count:
        return values, ()
    surplus = values[count:]
    if surplus.size and surplus.size < last_row and not surplus.any():
        return values[:count], ()  # the last line filled up with zeros
    if not asked.partial or min(values.size, count) < 2:
        what = "truncated: it holds only" if values.size < count else "at odds with its header: it holds"
        raise InputError(
            f"{document.owner} is {what} {values.size} values, NPTS says {count}. "
            "Take it from its source again, or pass partial=True (--partial) to use what is there."
        )
    return values[:count], (f"{min(values.size, count)} values taken, the file says {count}",)


def _origin(header: list[str]) -> tuple[str, str, str]:
    """Return event, station and component from ``EVENT DATE TIME, STATION, COMPONENT (AGENCY)`` in the second line.

    Where neither PEER's own words stand above it nor a date in it, both lines are somebody's words on the record: then
    the first of them stands for the event.
    """
    line = header[1]
    if "DATABASE" not in header[0].upper() and not _DATE.search(line):
        return header[0].strip() or line.strip(), "", ""
    parts = [part.strip() for part in _AGENCY.sub("", line).split(",")]
    parts = [part for part in parts if (part and not _CLOCK.fullmatch(part)) or part in parts[-1:]]
    if len(parts) < 3:
        return ", ".join(parts), "", ""
    return ", ".join(parts[:-2]), parts[-2], parts[-1]
