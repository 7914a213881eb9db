"""The layout that networks took over from Caltech's volumes of the 1970s, of uncorrected and corrected records.

A channel is some lines of text (13 in volume 1, 25 in volume 2), 100 whole numbers in seven lines, 50 or 100 real
numbers, and the data: pairs of time and acceleration that the text announces, or blocks that each open with a title
(``2000 POINTS OF ACCEL DATA EQUALLY SPACED AT .020 SEC. (UNITS: CM/SEC/SEC)``). ``/&`` ends a channel.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass

from carom.errors import InputError
from carom.motions.motion import Array
from carom.motions.readers._numbers import NUMBER, value_of
from carom.motions.readers.columns.times import even_pairs
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.fixed import block_of, skip_numbers, width_in

__all__ = ["Head", "VolumeReader", "first_lines"]

WHOLE_LINES = 7
"""Lines of whole numbers in a header."""
LONGEST_TEXT = 60
"""Lines of text above them are not sought further than this."""
REALS = 14
"""Most lines of real numbers."""

_WHOLES = re.compile(r"(?:[ \d-]{4}\d){4,16}")
_TITLE = re.compile(r"^\s*(\d{1,18})\s+(?:points of (?:\S+ )?(?P<what>acc|vel|dis)|accelerogram points)", re.IGNORECASE)
_SPACED = re.compile(rf"equally[\s-]+spaced\s+at\s+({NUMBER})\s*sec", re.IGNORECASE)
_RATE = re.compile(rf"at\s+({NUMBER})\s*(?:pts|samples)\s*/\s*sec", re.IGNORECASE)
_UNIT = re.compile(r"\b(?:in units(?: of)?|in|units:)\s*\(?(cm/sec/sec|cm/sec2|cm/s2|g/10|g)\b", re.IGNORECASE)
_COUNT = re.compile(r"no\.? of points\s*=\s*(\d{1,18})", re.IGNORECASE)
_LENGTH = re.compile(rf"(?:duration|record length)\s*=\s*({NUMBER})", re.IGNORECASE)
_PAIR_UNIT = re.compile(r"units\b.*\bsec\w*\s+and\s+(g/10|g\b|cm/sec/sec)", re.IGNORECASE)
_CHANNEL = re.compile(r"\bchan(?:nel)?\s+\w+\s*:\s*(.*?)(?:\s{2,}|\(|$)", re.IGNORECASE)
_COMPONENT = re.compile(r"^comp\s+(\S.*?)(?:\s{2,}|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Head:
    """The text of one channel, and where its numbers begin."""

    text: list[str]
    wholes: int
    """Line of the first whole numbers."""

    def find(self, pattern: re.Pattern[str]) -> str | None:
        """Return the first group of the first line in which a pattern is found."""
        return next((found[1] for line in self.text if (found := pattern.search(line))), None)


def first_lines(document: Document, count: int = 20) -> str:
    """Return the text of the first lines, for recognition."""
    return "\n".join(line[:LONGEST_HEADER_LINE] for line in document.lines[:count])


class VolumeReader(ChannelReader):
    """A format of this layout."""

    width: int = 10
    """Columns of a number in blocks with a title, where the title does not say it."""
    paired: bool = True
    """Whether data without a title are pairs of time and acceleration."""
    pair_width: int = 7

    @abstractmethod
    def origin(self, head: Head) -> tuple[str, str]:
        """Return event and station."""

    def label(self, head: Head) -> str:
        """Return the label of a channel."""
        return component_label(head.find(_CHANNEL) or head.find(_COMPONENT) or "")

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read channel after channel."""
        found: list[Channel] = []
        place = _next_text(document, 0)
        while place < len(document.lines):
            head = _head(document, place)
            if head is None:
                if not found:
                    raise InputError(
                        f"{document.owner} must have a line of whole numbers within {LONGEST_TEXT} lines of line "
                        f"{place + 1}, where a channel begins. The header is damaged; take the file from its "
                        "source again."
                    )
                document.ignore_after(place)
                break
            channel, place = self.channel(document, head, asked)
            found += [] if channel is None else [channel]
            place = _next_text(document, place)
        return found

    def channel(self, document: Document, head: Head, asked: Asked) -> tuple[Channel | None, int]:
        """Return one channel and the line after it."""
        title = _title_line(document, head.wholes + WHOLE_LINES)
        if title is None:
            return self._untitled(document, head, asked)
        channel = None
        while title is not None:
            line = document.lines[title]
            found = _TITLE.match(line)
            assert found is not None
            if (found["what"] or "acc").lower() == "acc" and channel is None:
                width = width_in(line, self.width)
                values, stop, notes = block_of(document, title + 1, int(found[1]), width, asked)
                channel = self._labelled(head, values, _step_in(line), _unit_in(line), notes)
            else:
                stop = skip_numbers(document, title + 1)
            stop = _over_blanks(document, stop)
            title = stop if stop < len(document.lines) and _TITLE.match(document.lines[stop]) else None
        return channel, stop

    def _untitled(self, document: Document, head: Head, asked: Asked) -> tuple[Channel, int]:
        said = head.find(_COUNT)
        if said is None:
            raise InputError(
                f"{document.owner} must say the number of points above line {head.wholes + 1}: NO. OF POINTS = 4000. "
                "The header is damaged; take the file from its source again."
            )
        count, unit, first = int(said), head.find(_PAIR_UNIT), head.wholes + 2 * WHOLE_LINES
        if not self.paired:
            values, stop, notes = block_of(document, first, count, width_in("", self.width), asked)
            length = value_of(head.find(_LENGTH) or "0")
            return self._labelled(head, values, float(f"{length / count:.6g}") if count else None, unit, notes), stop
        values, stop, notes = block_of(
            document, first, 2 * count, self.pair_width, asked, what="times and accelerations"
        )
        values, step, notes = even_pairs(document, values, notes, asked)
        return self._labelled(head, values, step, unit, notes), stop

    def _labelled(
        self,
        head: Head,
        values: Array,
        step: float | None,
        unit: str | None,
        notes: tuple[str, ...],
        start: float = 0.0,
    ) -> Channel:
        event, station = self.origin(head)
        return Channel(values, step, self.label(head), unit, station, event, start, notes)


def _next_text(document: Document, place: int) -> int:
    """Return the next line that is neither blank nor the mark of an end."""
    while place < len(document.lines):
        line = document.lines[place].strip("\x1a \t\f")
        if line and not line.startswith("/&"):
            break
        place += 1
    return place


def _over_blanks(document: Document, place: int) -> int:
    while place < len(document.lines) and not document.lines[place].strip():
        place += 1
    return place


def _head(document: Document, place: int) -> Head | None:
    """Return the header that begins at a line; None: there is none."""
    lines = [line[:LONGEST_HEADER_LINE] for line in document.lines[place : place + LONGEST_TEXT]]
    for at, line in enumerate(lines):
        if at >= 3 and _WHOLES.fullmatch(line.rstrip()) and "." not in line:
            return Head(lines[:at], place + at)
    return None


def _title_line(document: Document, place: int) -> int | None:
    """Return the line of a block's title below a header, if there is one."""
    for at in range(place, min(place + REALS + 3, len(document.lines))):
        if _TITLE.match(document.lines[at][:LONGEST_HEADER_LINE]):
            return at
    return None


def _step_in(title: str) -> float | None:
    if found := _SPACED.search(title):
        return value_of(found[1])
    if (found := _RATE.search(title)) and value_of(found[1]) > 0.0:
        return 1.0 / value_of(found[1])
    return None


def _unit_in(title: str) -> str | None:
    found = _UNIT.search(title)
    return found[1].lower() if found else None
