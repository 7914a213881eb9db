"""RENADIC V1: the Chilean network of the Universidad de Chile, pairs of time and acceleration in CSMIP's layout."""

from __future__ import annotations

import re

from carom.motions.readers.base import reader
from carom.motions.readers.document import Document
from carom.motions.readers.networks.csmip import Csmip
from carom.motions.readers.networks.volumes import first_lines


@reader("renadic", aliases=("renadic-v1", "chile"), about="RENADIC V1 (Chile), several channels per file")
class Renadic(Csmip):
    """CSMIP's volume 1 as RENADIC writes it."""

    def recognises(self, document: Document) -> int:
        """The network names itself in a header like CSMIP's."""
        return 90 if super().recognises(document) and re.search(r"\bRENADIC\b", first_lines(document)) else 0
