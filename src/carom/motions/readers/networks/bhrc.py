"""BHRC V1: the Iranian network of the Road, Housing and Urban Development Research Center, even samples in g/10."""

from __future__ import annotations

import re

from carom.motions.readers.base import reader
from carom.motions.readers.document import Document
from carom.motions.readers.networks.volumes import Head, VolumeReader, first_lines

_TITLE = re.compile(r"\A\s*\*\s*VOL1DS FILE", re.IGNORECASE)
_COMPONENT = re.compile(r"^COMP\s+([LVT])\s?\d*\s*$", re.IGNORECASE)
_AZIMUTHS = re.compile(r"Azimuth\s+L\s*(\d+)\s+T\s*(\d+)", re.IGNORECASE)
_STATION = re.compile(r"^(.*?)\s+Station\b", re.IGNORECASE)
_ORIGIN = re.compile(r"^(Origin Time\s*:.*)$", re.IGNORECASE)


@reader("bhrc", aliases=("bhrc-v1", "iran", "ismn"), about="BHRC V1 (Iran), several channels per file")
class Bhrc(VolumeReader):
    """BHRC's uncorrected accelerograms."""

    width = 13
    paired = False

    def recognises(self, document: Document) -> int:
        """The first words are BHRC's."""
        return 90 if _TITLE.match(first_lines(document, 1)) else 0

    def origin(self, head: Head) -> tuple[str, str]:
        """Both are in lines of their own."""
        return " ".join((head.find(_ORIGIN) or "").split()), (head.find(_STATION) or "").strip()

    def label(self, head: Head) -> str:
        """Longitudinal, vertical and transverse; the azimuths of two of them are in a line for all."""
        letter = (head.find(_COMPONENT) or "").upper()
        azimuths = next((found for line in head.text if (found := _AZIMUTHS.search(line))), None)
        if letter == "V":
            return "UP"
        return letter if azimuths is None or not letter else f"{int(azimuths['LT'.index(letter) + 1]):03d}"
