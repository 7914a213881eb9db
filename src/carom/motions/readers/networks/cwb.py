"""CWB: Taiwan's Central Weather Administration, time and three components side by side, in gal."""

from __future__ import annotations

import re

import numpy as np

from carom.motions.quantities import unit_in
from carom.motions.readers.base import reader
from carom.motions.readers.columns.times import even_step, refuse_disorder, resampled
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader, component_label
from carom.motions.readers.networks.keyed import joined, keys_of, positive, table_of
from carom.motions.readers.networks.volumes import first_lines

_SIGN = re.compile(r"(?m)\A\s*#\s*Earthquake Information|^#\s*DataSequence\s*:\s*Time")
_SEQUENCE = re.compile(r"\b([A-Z])\s*\(\s*([+-])\s*\)")


@reader("cwb", aliases=("cwa", "taiwan"), about="CWB ASCII (Taiwan), three components per file")
class Cwb(ChannelReader):
    """The format of the Central Weather Bureau."""

    def recognises(self, document: Document) -> int:
        """Its own words behind a hash."""
        return 95 if _SIGN.search(first_lines(document, 30)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the components in the order that the file tells."""
        first = max((at + 1 for at, line in enumerate(document.lines[:60]) if line.lstrip().startswith("#")), default=0)
        said = keys_of(document, first)
        sequence = _SEQUENCE.findall(said.get("datasequence", "")) or [("U", "+"), ("N", "+"), ("E", "+")]
        table, _ = table_of(document, first, 1 + len(sequence))
        time = table[:, 0]
        refuse_disorder(document, time)
        rate = positive(said.get("samplerate(hz)", ""))
        step = even_step(time, np.full(time.size, 1e-3), None if rate is None else 1.0 / rate)
        unit = unit_in(f"units: {said.get('amplitudeunit', '')}")
        station = joined(said, "stationcode", "stationname")
        event = said.get("origin time(gmt+08)", "")
        found = []
        for (letter, sign), samples in zip(sequence, table[:, 1:].T, strict=True):
            values, even = samples, step
            notes: tuple[str, ...] = ()
            if even is None:
                values, even, notes = resampled(document, time, samples, asked)
            if sign == "-":
                values, notes = -values, (*notes, "turned round: the file has it positive the other way")
            label = component_label(letter)
            found.append(Channel(values, even, label, unit, station, event, float(time[0]), notes))
        return found
