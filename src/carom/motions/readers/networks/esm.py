"""ESM and ITACA ASCII (DYNA): Europe and Italy, and AFAD's newer files; one component, one value a line."""

from __future__ import annotations

import re

import numpy as np

from carom.errors import InputError
from carom.motions.quantities import unit_in
from carom.motions.readers._numbers import numbers_in
from carom.motions.readers.base import reader
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.keyed import count_of, counted, joined, keys_of, positive
from carom.motions.readers.networks.volumes import first_lines

_SIGN = re.compile(r"(?m)\A\s*EVENT_NAME\s*:|^(?:SAMPLING_INTERVAL_S|NDATA)\s*:")
_KEY = re.compile(r"^\s*[A-Z0-9_/^]+\s*:")


@reader("esm", aliases=("itaca", "dyna", "asc"), about="ESM, ITACA and AFAD's ASCII (DYNA), one component per file")
class Esm(ChannelReader):
    """The format of the Engineering Strong Motion database."""

    def recognises(self, document: Document) -> int:
        """The names of its fields."""
        return 95 if _SIGN.search(first_lines(document, 40)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the one component."""
        first = _after_keys(document)
        said = keys_of(document, first)
        kind = said.get("data_type", "ACCELERATION").casefold()
        if not kind.startswith("acceleration") or "spectr" in kind or "response" in kind:
            raise InputError(
                f"{document.owner} holds {kind}, not acceleration. Read the file of the same record that has ACC in "
                "its name instead."
            )
        rows, stop = numbers_in(document.lines, first, document.owner)
        values = np.array([value for row in rows for value in row])
        count, notes = counted(document, values.size, count_of(said.get("ndata", "")), asked)
        document.ignore_after(stop)
        station = joined(said, "network", "station_code", "station_name")
        event = joined(said, "event_name", "event_date_yyyymmdd")
        unit = unit_in(f"units: {said['units']}") if said.get("units") else None
        stream = said.get("stream", "")
        step, label = (
            positive(said.get("sampling_interval_s", "")),
            component_label(stream[2:] if len(stream) == 3 else stream),
        )
        return [Channel(values[:count], step, label, unit, station, event, 0.0, notes)]


def _after_keys(document: Document) -> int:
    """Return the line after the last field of the header."""
    place = 0
    for at, line in enumerate(document.lines[:200]):
        if _KEY.match(line[:200]):
            place = at + 1
    return place
