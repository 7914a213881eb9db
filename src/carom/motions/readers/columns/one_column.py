"""One value a line, no times: the time step is given, or stands in a line above the numbers."""

from __future__ import annotations

from carom.errors import InputError, refusal
from carom.motions.motion import Motion
from carom.motions.readers.base import Reader, reader
from carom.motions.readers.columns.plain import block, finish
from carom.motions.readers.columns.shape import sampled_widths
from carom.motions.readers.document import Asked, Document


@reader("one-column", aliases=("column", "text"), about="one value a line; dt given or in the header")
class OneColumn(Reader):
    """A column of acceleration."""

    def recognises(self, document: Document) -> int:
        """All sampled lines hold one number."""
        return 50 if sampled_widths(document) == {1} else 0

    def read(self, document: Document, asked: Asked) -> Motion:
        """Read the column."""
        if asked.column not in (None, 1):
            raise refusal("column", document.owner, "must be 1, the only one", asked.column)
        found = block(document, asked)
        for place, row in enumerate(found.rows):
            if len(row) != 1:
                raise InputError(
                    f"Row {place + 1} of the numbers in {document.owner} must hold one value. "
                    f'Got {len(row)}. For several values a line pass format="opensees".'
                )
        return finish(document, found.flat, found, asked)
