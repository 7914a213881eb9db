"""Formats of strong-motion networks that are known by sight but not read yet.

They are full of numbers and would pass for plain columns; each is refused by its name. Whoever writes a
reader for one takes its line out of here.
"""

from __future__ import annotations

import re

from carom.errors import InputError
from carom.motions.readers.document import LONGEST_HEADER_LINE, Document

__all__ = ["refuse_foreign"]

_SIGNS = (
    ("COSMOS", r"Format\s+v\d\d\.\d\d\s+with\s+\d+\s+text\s+lines"),
    ("K-NET or KiK-net", r"(?m)^Sampling Freq\(Hz\)|^Scale Factor\s+\d"),
    ("GeoNet V1A or V2A", r"\A(?:Unc|C)orrected accelerogram .*(?:GNS Science|GeoNet)"),
    ("SMC", r"\A\s*[0-9] (?:UNCORRECTED|CORRECTED|RESPONSE|VELOCITY|DISPLACEMENT)[^\n]*\n\*"),
    ("BHRC V1", r"\A\* VOL\dDS FILE"),
    ("USC V1", r"\AFILE\s+\d+\s+OF UNCORRECTED ACCELEROGRAM DATA"),
    ("CSMIP V1 or V2", r"(?i)\A[^\n]*\b(?:un)?corrected accelerogram(?: data)?\b"),
)


def refuse_foreign(document: Document) -> None:
    """Refuse a document that is plainly in a format without a reader."""
    head = "\n".join(line[:LONGEST_HEADER_LINE] for line in document.lines[:20])
    for name, sign in _SIGNS:
        if re.search(sign, head):
            raise InputError(
                f"{document.owner} looks like a {name} file, a format that is not read yet. "
                "Export the record as two columns, time and acceleration; or force a reader with format=..."
            )
