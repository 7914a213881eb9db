"""GeoNet V1A and V2A: New Zealand, three components in a file, in mm/s².

A component has 16 lines of text, ten lines of numbers, and the acceleration in columns of eight; V2A has velocity and
displacement after it, which are passed over.
"""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.readers._numbers import NUMBER, value_of
from carom.motions.readers.base import reader
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.fixed import block_of
from carom.motions.readers.networks.volumes import first_lines

_TITLE = re.compile(r"^\s*(?:un)?corrected accelerogram .*(?:GNS Science|GeoNet)", re.IGNORECASE)
_COUNT = re.compile(r"number of points\s+(\d{1,18})", re.IGNORECASE)
_STEP = re.compile(rf"at\s+(?:intervals of\s+)?({NUMBER})\s*s(?:ec)?\b(?:\s+intervals)?", re.IGNORECASE)
_COMPONENT = re.compile(r"^component\s+(\S+)", re.IGNORECASE)
TEXT, NUMBERS, WIDTH = 16, 10, 8
"""Lines of text, lines of numbers below them, columns of a sample."""


@reader("geonet", aliases=("v1a", "v2a", "gns"), about="GeoNet V1A and V2A (New Zealand), three components per file")
class GeoNet(ChannelReader):
    """GeoNet's volumes 1 and 2."""

    def recognises(self, document: Document) -> int:
        """The first line names the network."""
        return 95 if _TITLE.match(first_lines(document, 1)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the acceleration of each component."""
        starts = [place for place, line in enumerate(document.lines) if _TITLE.match(line[:LONGEST_HEADER_LINE])]
        if not starts:
            raise InputError(f"{document.owner} must begin with 'Corrected accelerogram' and the name of the network.")
        return [_channel(document, place, asked) for place in starts]


def _channel(document: Document, place: int, asked: Asked) -> Channel:
    text = [line[:LONGEST_HEADER_LINE] for line in document.lines[place : place + TEXT]]
    count = next((found[1] for line in text if (found := _COUNT.search(line))), None)
    step = next((found[1] for line in text if "interval" in line.lower() and (found := _STEP.search(line))), None)
    if count is None:
        raise InputError(
            f"{document.owner} must say 'Number of points' in the {TEXT} lines from line {place + 1} on. The header is "
            "damaged; take the file from its source again."
        )
    first = place + TEXT + NUMBERS
    values, _, notes = block_of(document, first, int(count), WIDTH, asked, last=False)
    label = next((found[1] for line in text if (found := _COMPONENT.match(line))), "")
    station = text[2].strip() if len(text) > 2 else ""
    event = " ".join(part.strip() for part in text[6:8])
    return Channel(
        values, None if step is None else value_of(step), component_label(label), "mm/s2", station, event, 0.0, notes
    )  # fmt: skip
