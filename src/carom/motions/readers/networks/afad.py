"""AFAD and NSMN: Turkey's national strong-motion network, three components side by side, in gal."""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.readers.base import reader
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.keyed import count_of, counted, joined, keys_of, positive, table_of
from carom.motions.readers.networks.volumes import first_lines

_SIGN = re.compile(r"(?i)\A\s*STRONG[\s-]+GROUND[\s-]+MOTION RECORDS? OF T")
_NAMES = re.compile(r"^\s*([NEUSWDV]-?[NEUSWD]?)\s+([NEUSWDV]-?[NEUSWD]?)\s+([NEUSWDV]-?[NEUSWD]?)\s*$", re.IGNORECASE)


@reader("afad", aliases=("nsmn", "turkey"), about="AFAD and NSMN ASCII (Turkey), three components per file")
class Afad(ChannelReader):
    """The format of the Turkish network."""

    def recognises(self, document: Document) -> int:
        """Its first words."""
        return 95 if _SIGN.search(first_lines(document, 3)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the components by their names above the columns."""
        named = [(at, found) for at, line in enumerate(document.lines[:40]) if (found := _NAMES.match(line[:200]))]
        if not named:
            raise InputError(f"{document.owner} must name its three columns: N-S, E-W and U-D.")
        at, names = named[-1]
        said = keys_of(document, at)
        table, _ = table_of(document, at + 1, 3)
        count, notes = counted(document, len(table), count_of(said.get("number of data", "")), asked)
        step = positive(said.get("sampling interval (sec)", ""))
        unit = "gal" if any("(gal)" in key for key in said) else None
        station = joined(said, "station id", "place")
        event = joined(said, "earthquake date", "earthquake magnitude")
        return [
            Channel(column, step, component_label(name.replace("-", "")), unit, station, event, 0.0, notes)
            for name, column in zip(names.groups(), table[:count].T, strict=True)
        ]
