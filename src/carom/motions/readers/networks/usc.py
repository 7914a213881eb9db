"""USC volumes 1 and 2: the Los Angeles network of the University of Southern California.

Volume 1 has pairs of time and acceleration, volume 2 even samples with velocity and displacement after them.
"""

from __future__ import annotations

import re

from carom.motions.readers.base import reader
from carom.motions.readers.document import Document
from carom.motions.readers.networks.volumes import Head, VolumeReader, first_lines

_TITLE = re.compile(r"\A(?:\s*CORRECTED[^\n]*\n)?\s*FILE\s+\S+\s+OF\s+UNCORRECTED\s+ACCELEROGRAM", re.IGNORECASE)
_CARD = re.compile(r"\s+\d{1,3}\s*$")
"""Lines of text end in the number of their characters."""


@reader("usc", aliases=("usc-v1",), about="USC volumes 1 and 2, one channel per file")
class Usc(VolumeReader):
    """USC's accelerograms."""

    def recognises(self, document: Document) -> int:
        """The first words are USC's."""
        return 90 if _TITLE.match(first_lines(document, 2)) else 0

    def origin(self, head: Head) -> tuple[str, str]:
        """The event is on the second line, the station's address after its number."""
        text = [_CARD.sub("", line) for line in head.text]
        title = next((place for place, line in enumerate(text) if "OF UNCORRECTED" in line.upper()), 0)
        event = text[title + 1].strip() if len(text) > title + 1 else ""
        at = next((place for place, line in enumerate(text[:-1]) if line.upper().startswith("STATION")), None)
        return event, "" if at is None else text[at + 1].strip()
