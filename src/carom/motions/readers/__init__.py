"""Files to motions: the format is recognised from the content, or forced by name."""

from __future__ import annotations

from pathlib import Path

from carom import units
from carom.errors import InputError, refusal
from carom.motions.motion import Motion
from carom.motions.quantities import acceleration_factor
from carom.motions.readers.base import READERS, Reader, reader
from carom.motions.readers.document import Asked, Document, decode, load
from carom.motions.readers.foreign import refuse_foreign

__all__ = ["READERS", "Asked", "Document", "Reader", "read_bytes", "read_motion", "reader"]


def read_motion(
    path: str | Path,
    *,
    format: str | None = None,
    dt: object = None,
    unit: str | None = None,
    column: int | None = None,
    partial: bool = False,
) -> Motion:
    """Read a ground motion from a file.

    Parameters
    ----------
    path
        The file.
    format
        Name of the format; by default it is recognised from the content. `carom.motions.formats()` lists
        them.
    dt
        Time step [s]; needed where the file does not say it. Where it says another, the given one is taken,
        with a warning and a note in ``processing``.
    unit
        Unit of the acceleration (g, m/s2, cm/s2, gal, …); needed where the file does not say it, and likewise
        taken over what it says.
    column
        Which column holds the acceleration, counted from 1, where a table has several beside the time.
    partial
        Accept a record that is shorter or longer than its header claims, as far as it goes.

    Examples
    --------
    >>> carom.read_motion("RSN6_IMPVALL.I_I-ELC180.AT2")           # doctest: +SKIP
    <Motion 'RSN6_IMPVALL.I_I-ELC180': 5372 samples at 0.01 s, PGA 0.2808 g>
    >>> carom.read_motion("tabasFN.txt", dt=0.02, unit="g")        # doctest: +SKIP
    <Motion 'tabasFN': 2500 samples at 0.02 s, PGA 0.8999 g>
    """
    chosen = None if format is None else READERS.get(format)
    asked = _asked(dt, unit, column, partial)
    return _read(load(path), chosen, asked)


def read_bytes(content: bytes, name: str = "record", **options: object) -> Motion:
    """Read a ground motion from the content of a file; options as for `read_motion`."""
    chosen = READERS.get(form) if (form := options.pop("format", None)) is not None else None
    asked = _asked(**{"dt": None, "unit": None, "column": None, "partial": False, **options})  # type: ignore[arg-type]
    return _read(decode(Path(name), content), chosen, asked)


def _asked(dt: object, unit: str | None, column: int | None, partial: bool) -> Asked:
    owner = "read_motion"
    if dt is not None:
        dt = units.number(dt, "s", name="dt", owner=owner, within=units.POSITIVE)
    if unit is not None:
        acceleration_factor(unit, owner)
    if column is not None and (not isinstance(column, int) or column < 1):
        raise refusal("column", owner, "must be a whole number, the first column being 1", column)
    return Asked(dt, unit, column, bool(partial))


def _read(document: Document, chosen: Reader | None, asked: Asked) -> Motion:
    if chosen is None:
        refuse_foreign(document)
        scored = [(candidate.recognises(document), candidate) for candidate in READERS]
        score, chosen = max(scored, key=lambda pair: pair[0])
        if score == 0:
            raise InputError(
                f"The format of {document.owner} is not recognised. "
                f"Known: {', '.join(READERS.names())}. Force one with format=..., "
                "or export the record as text."
            )
    return document.checked(chosen.read(document, asked))
