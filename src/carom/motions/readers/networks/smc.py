"""USGS SMC: one component, 11 lines of text, 48 whole numbers, 50 real numbers, comments, the samples in cm/s².

Text and numbers by the USGS Open-File Report 92-296-A: 16th whole number the lines of comment, 17th the samples, 13th
and 14th the angles of the sensor from the vertical and from north; second real number the samples a second.
"""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.readers.base import reader
from carom.motions.readers.columns.times import even_pairs
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader
from carom.motions.readers.networks.fixed import block_of
from carom.motions.readers.networks.volumes import first_lines

_TITLE = re.compile(r"\A\s*([0-9]) (?:UNCORRECTED|CORRECTED|RESPONSE|FOURIER|VELOCITY|DISPLACEMENT)[^\n]*\n\s*\*")
_STATION = re.compile(r"station\s*=\s*(.*?)\s*component\s*=", re.IGNORECASE)
TEXT, WHOLES, REALS = 11, 48, 50
WHOLE_WIDTH, REAL_WIDTH, WIDTH = 10, 15, 10
FROM_VERTICAL, AZIMUTH, COMMENTS, COUNT, RATE = 12, 13, 15, 16, 1
"""Places in the headers, from 0."""
KINDS = {"0": "an unknown quantity", "3": "velocity", "4": "displacement", "5": "a spectrum", "6": "a spectrum"}


@reader("smc", aliases=("usgs-smc",), about="USGS SMC, one component per file")
class Smc(ChannelReader):
    """The format of the National Strong Motion Program."""

    def recognises(self, document: Document) -> int:
        """A number and the kind of data, with a star below."""
        return 95 if _TITLE.match(first_lines(document, 3)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the one component."""
        title = _TITLE.match(first_lines(document, 3))
        if title is None:
            raise InputError(f"Line 1 of {document.owner} must be a title of SMC, such as '2 CORRECTED ACCELEROGRAM'.")
        if title[1] not in "12":
            raise InputError(
                f"{document.owner} holds {KINDS.get(title[1], 'a spectrum')}, not acceleration. Read the file of the "
                "accelerogram instead."
            )
        lines = document.lines
        wholes, at, _ = block_of(document, TEXT, WHOLES, WHOLE_WIDTH, asked, what="whole numbers", last=False)
        reals, at, _ = block_of(document, at, REALS, REAL_WIDTH, asked, what="real numbers", last=False)
        if wholes.size < WHOLES or reals.size < REALS:
            raise InputError(f"{document.owner} must have {WHOLES} whole and {REALS} real numbers in its header.")
        while at < len(lines) and lines[at].startswith("|"):
            at += 1
        values, stop, notes = block_of(document, at, _count(document, float(wholes[COUNT])), WIDTH, asked, last=False)
        document.ignore_after(stop)
        rate = float(reals[RATE])
        step = 1.0 / rate if 0.0 < rate < 1e6 else None
        if step is None and title[1] == "1":  # digitised film: times and accelerations by turns
            values, step, notes = even_pairs(document, values, notes, asked)
        station = next((found[1] for line in lines[:TEXT] if (found := _STATION.search(line))), "")
        label = "UP" if wholes[FROM_VERTICAL] in (0.0, 180.0) else f"{wholes[AZIMUTH] % 1000.0:03.0f}"
        return [Channel(values, step, label, "cm/s2", station, lines[3].strip()[:80], 0.0, notes)]


def _count(document: Document, said: float) -> int:
    if not said >= 2.0:
        raise InputError(f"{document.owner} must say the number of samples in its 17th whole number. Got {said:g}.")
    return int(said)
