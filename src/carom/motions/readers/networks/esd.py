"""European strong-motion database (ESD, SIMBAD): a header of ``key : value``, then columns that run together."""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.quantities import unit_in
from carom.motions.readers.base import reader
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.fixed import block_of
from carom.motions.readers.networks.keyed import count_of, keys_of, positive
from carom.motions.readers.networks.volumes import first_lines

_SIGN = re.compile(r"(?im)^\s*time increment \(s\)\s*:")
_SERIES = re.compile(r"^\s*(acc?el\w*|veloc\w*|displ\w*)\s+time\s+(?:series|histor\w+)(.*)", re.IGNORECASE)
WIDTH = 14


@reader("esd", aliases=("simbad", "cor.acc"), about="European strong-motion database, one component per file")
class Esd(ChannelReader):
    """The format of ESD and SIMBAD."""

    def recognises(self, document: Document) -> int:
        """The name of its time step."""
        return 90 if _SIGN.search(first_lines(document)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the one component."""
        lines = [line[:LONGEST_HEADER_LINE] for line in document.lines[:40]]
        at = next((place for place, line in enumerate(lines) if _SERIES.match(line)), None)
        if at is None:
            raise InputError(f"{document.owner} must say 'Acceleration time series in m/s/s' above its numbers.")
        series = _SERIES.match(lines[at])
        assert series is not None
        if not series[1].casefold().startswith("acc"):
            raise InputError(f"{document.owner} holds {series[1].lower()}, not acceleration.")
        said = keys_of(document, at)
        count = count_of(said.get("number of data", ""))
        if count is None:
            raise InputError(f"{document.owner} must say its 'Number of Data' above line {at + 1}.")
        values, stop, notes = block_of(document, at + 1, count, WIDTH, asked)
        document.ignore_after(stop)
        return [
            Channel(
                values, positive(said.get("time increment (s)", "")), component_label(said.get("orientation", "")),
                unit_in(f"units: {series[2].replace(' in ', '').strip()}"), said.get("station code / name", ""),
                said.get("event date & time", ""), 0.0, notes,
            )
        ]  # fmt: skip
