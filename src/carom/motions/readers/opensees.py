"""Several values a line in reading order, no times: what OpenSees' ``-filePath`` takes, or an AT2 body."""

from __future__ import annotations

from carom.motions.motion import Motion
from carom.motions.readers.base import Reader, reader
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.plain import block, finish
from carom.motions.readers.shape import looks_like_a_table, sampled_widths


@reader("opensees", aliases=("multi-value", "rows"), about="several values a line, no times; dt given")
class OpenSees(Reader):
    """Lines of several values."""

    def recognises(self, document: Document) -> int:
        """Lines of numbers whose first column is not a time."""
        widths = sampled_widths(document)
        return 40 if widths and widths != {1} and not looks_like_a_table(document) else 0

    def read(self, document: Document, asked: Asked) -> Motion:
        """Read the values line after line."""
        found = block(document, asked)
        return finish(document, found.flat, found, asked)
