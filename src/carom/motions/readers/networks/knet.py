"""K-NET and KiK-net ASCII: Japan, one component per file, counts with a scale factor.

KiK-net has a sensor in a borehole (Dir. 1 to 3) and one at the surface (4 to 6). The mean of the counts is removed, as
for the header's largest acceleration.
"""

from __future__ import annotations

import re

import numpy as np

from carom.errors import InputError
from carom.motions.readers._numbers import NUMBER, numbers_in, value_of
from carom.motions.readers.base import reader
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document
from carom.motions.readers.networks.channels import Channel, ChannelReader
from carom.motions.readers.networks.volumes import first_lines

_SIGN = re.compile(r"(?m)^Sampling Freq\(Hz\)|^Scale Factor\s+\d")
_SCALE = re.compile(rf"({NUMBER})\s*\(gal\)\s*/\s*({NUMBER})", re.IGNORECASE)
DIRECTIONS = {
    "n-s": "NS", "e-w": "EW", "u-d": "UD", "1": "NS", "2": "EW", "3": "UD", "4": "NS", "5": "EW", "6": "UD",
}  # fmt: skip
HEADER = 17
"""Lines of header."""


@reader("k-net", aliases=("knet", "kik-net", "kiknet", "nied"), about="K-NET and KiK-net ASCII (Japan)")
class KNet(ChannelReader):
    """The format of NIED's networks."""

    def recognises(self, document: Document) -> int:
        """The names of its fields."""
        return 95 if _SIGN.search(first_lines(document)) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the one component."""
        said = {}
        end = next((k for k, line in enumerate(document.lines[:40]) if line.lower().startswith("memo")), HEADER - 1)
        for line in document.lines[: end + 1]:
            said[line[:18].strip().casefold().rstrip(".")] = line[18:LONGEST_HEADER_LINE].strip()
        factor, unit = _factor(document, said.get("scale factor", ""), asked)
        rows, stop = numbers_in(document.lines, end + 1, document.owner)
        counts = np.array([value for row in rows for value in row])
        rate, length = _number(said.get("sampling freq(hz)", "")), _number(said.get("duration time(s)", ""))
        notes: tuple[str, ...] = ()
        if rate and length and counts.size != round(rate * length):
            if not asked.partial:
                raise InputError(
                    f"{document.owner} must hold {rate * length:.0f} samples, {length:g} s at {rate:g} Hz. Got "
                    f"{counts.size}, up to line {stop}. Take it from its source again, or pass "
                    "partial=True (--partial)."
                )
            notes = (f"{counts.size} samples taken, the file says {rate * length:.0f}",)
        document.ignore_after(stop)
        if counts.size < 2:
            raise InputError(f"{document.owner} must hold at least two samples. Got {counts.size}.")
        direction = said.get("dir", "").casefold()
        depth = " borehole" if direction in ("1", "2", "3") else " surface" if direction in ("4", "5", "6") else ""
        station = said.get("station code", "") + depth
        event = f"{said.get('origin time', '')} M{said.get('mag', '')}".strip()
        note = f"counts multiplied by {factor:.7g} {unit}, their mean removed"
        return [
            Channel(
                factor * (counts - counts.mean()), 1.0 / rate if rate else None, DIRECTIONS.get(direction, direction),
                unit, station, event, 0.0, (note, *notes),
            )
        ]  # fmt: skip


def _factor(document: Document, said: str, asked: Asked) -> tuple[float, str | None]:
    """Return what a count is in gal."""
    found = _SCALE.search(said)
    if found is None:
        if asked.scale is not None and asked.unit is not None:
            return 1.0, None
        raise InputError(
            f"{document.owner} must give a scale factor, such as 7845(gal)/8223790. Got {said[:40]!r}. Pass "
            'scale= and unit="gal", what a count is worth (on the command line: --scale, --unit).'
        )
    top, bottom = value_of(found[1]), value_of(found[2])
    if not (0.0 < top < 1e12 and 0.0 < bottom < 1e18):
        raise InputError(f"Scale factor of {document.owner} must be positive. Got {said[:40]!r}.")
    return top / bottom, "gal"


def _number(text: str) -> float:
    """Return the number that a field begins with; zero: there is none."""
    found = re.match(NUMBER, text)
    value = value_of(found.group()) if found else 0.0
    return value if 0.0 < value < 1e9 else 0.0
