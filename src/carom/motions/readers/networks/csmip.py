"""CSMIP V1 and V2: the California Strong Motion Instrumentation Program, several channels in a file.

V1 holds uncorrected acceleration, as pairs of time and acceleration (film) or evenly sampled (digital); V2 holds
corrected acceleration, velocity and displacement, of which the acceleration is read.
"""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.readers.base import reader
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.networks.channels import Channel
from carom.motions.readers.networks.volumes import Head, VolumeReader, first_lines

_TITLE = re.compile(r"\A\s*(?:un)?corrected accelerogram", re.IGNORECASE)
_SPECTRA = re.compile(r"\A\s*response and fourier", re.IGNORECASE)
_STATION = re.compile(r"station (?:no|id)\.?\s", re.IGNORECASE)


@reader("csmip", aliases=("csmip-v1", "csmip-v2", "cdmg", "dmg"), about="CSMIP V1 and V2, several channels per file")
class Csmip(VolumeReader):
    """CSMIP's volumes 1 and 2."""

    def recognises(self, document: Document) -> int:
        """The first words are CSMIP's."""
        head = first_lines(document, 1)
        return 80 if _TITLE.match(head) or _SPECTRA.match(head) else 0

    def channels(self, document: Document, asked: Asked) -> list[Channel]:
        """Read the channels; volume 3 has spectra only."""
        if _SPECTRA.match(first_lines(document, 1)):
            raise InputError(f"{document.owner} holds spectra (volume 3). Read volume 1 or 2 of the record instead.")
        return super().channels(document, asked)

    def origin(self, head: Head) -> tuple[str, str]:
        """The event is on the line after the titles, the station on that after its number."""
        text = head.text
        event = next((line for line in text if line.strip() and not _TITLE.match(line)), "")
        at = next((place for place, line in enumerate(text[:-1]) if _STATION.match(line)), None)
        station = "" if at is None else text[at + 1]
        return _first_words(event), _first_words(station)


def _first_words(line: str) -> str:
    return re.split(r"\s{3,}", line.strip())[0]
