"""Several values a line in reading order, no times: what OpenSees' ``-filePath`` takes, or an AT2 body."""

from __future__ import annotations

import numpy as np

from carom.errors import refusal
from carom.motions.motion import Motion
from carom.motions.readers.base import Reader, reader
from carom.motions.readers.columns.plain import block, finish
from carom.motions.readers.columns.shape import looks_like_a_table, sampled_widths
from carom.motions.readers.document import Asked, Document


@reader("opensees", aliases=("multi-value", "rows"), about="several values a line, no times; dt given")
class OpenSees(Reader):
    """Lines of several values."""

    def recognises(self, document: Document) -> int:
        """Lines of numbers whose first column is not a time."""
        widths = sampled_widths(document)
        return 40 if widths and widths != {1} and not looks_like_a_table(document) else 0

    def read(self, document: Document, asked: Asked) -> Motion:
        """Read the values line after line; with a column asked for, that one of components side by side."""
        found = block(document, asked, table=asked.column is not None)
        if asked.column is None:
            return finish(document, found.flat, found, asked)
        widths = {len(row) for row in found.rows}
        if len(widths) != 1 or asked.column > max(widths):
            rule = f"must be at most {min(widths)}, the number of values in its shortest line"
            raise refusal(
                "column", document.owner, rule, asked.column, "Without it all values are read line after line."
            )
        return finish(document, np.array([row[asked.column - 1] for row in found.rows]), found, asked)
