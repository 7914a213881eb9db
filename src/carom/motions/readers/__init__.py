"""Files to motions: the format is recognised from the content, or forced by name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from carom import units
from carom.errors import InputError, refusal
from carom.motions.motion import Motion, MotionSet
from carom.motions.quantities import acceleration_factor
from carom.motions.readers.base import READERS, Reader, reader
from carom.motions.readers.document import Asked, Document, decode, load, warn
from carom.motions.readers.networks.channels import chosen

__all__ = [
    "READERS", "Asked", "Document", "Reader", "UnrecognisedError", "cut_alike", "read_bytes", "read_motion",
    "read_motions", "read_set", "read_with_format", "reader",
]  # fmt: skip


class UnrecognisedError(InputError):
    """A file in no format that is known."""


SHOWN = 3
"""Lines of a file of unknown format that a message shows."""


def read_motion(
    path: str | Path,
    *,
    format: str | None = None,
    dt: object = None,
    unit: str | None = None,
    column: int | None = None,
    component: str | None = None,
    scale: object = None,
    partial: bool = False,
) -> Motion:
    """Read a ground motion from a file, packed by gzip or not.

    Parameters
    ----------
    path
        The file.
    format
        Name of the format; by default it is recognised from the content. `carom.motions.formats()` lists
        them.
    dt
        Time step [s]; needed where the file does not say it. Where it says another, the given one is taken,
        with a warning and a note in ``processing``. Unevenly sampled records are put on it.
    unit
        Unit of the acceleration (g, m/s2, cm/s2, gal, …); needed where the file does not say it, and likewise
        taken over what it says.
    column
        Which column holds the acceleration, counted from 1, where a table has several beside the time.
    component
        Which component, where a file holds several: by its label ("090", "UP", "NS"), or "H1", "H2" and "V" for the
        first and second horizontal and the vertical one.
    scale
        Factor from the file's numbers, such as counts, to its unit.
    partial
        Accept a record that is shorter or longer than its header claims, as far as it goes.

    Examples
    --------
    >>> carom.read_motion("RSN6_IMPVALL.I_I-ELC180.AT2")           # doctest: +SKIP
    <Motion 'RSN6_IMPVALL.I_I-ELC180': 5372 samples at 0.01 s, PGA 0.2808 g>
    >>> carom.read_motion("tabasFN.txt", dt=0.02, unit="g")        # doctest: +SKIP
    <Motion 'tabasFN': 2500 samples at 0.02 s, PGA 0.8999 g>
    """
    reading, asked = _reader(format), _asked(dt, unit, column, partial, component, scale)
    document = load(path)
    return _one(document, reading, asked)


def read_motions(path: str | Path, *, component: str | None = None, **how: object) -> tuple[Motion, ...]:
    """Read all components of acceleration in a file, in their order there; options as for `read_motion`.

    With `component` that one alone.
    """
    return read_with_format(path, component=component, **how)[1]


def read_with_format(
    path: str | Path, *, component: str | None = None, **how: object
) -> tuple[str, tuple[Motion, ...]]:
    """Return the name of a file's format, and its components; see `read_motions`."""
    reading, asked = _reader(how.pop("format", None)), _given(component=component, **how)
    document = load(path)
    reading = _recognised(document) if reading is None else reading
    if component is not None:
        return reading.name, (_one(document, reading, asked),)
    return reading.name, tuple(_all(document, reading, asked))


def read_set(paths: str | Path | Iterable[str | Path], **how: object) -> MotionSet:
    """Read the two or three components of one station from one file or several; options as for `read_motion`.

    Components that were recorded longer than others are cut to the shortest.
    """
    files = [paths] if isinstance(paths, str | Path) else list(paths)
    found = [motion for path in files for motion in read_motions(path, **how)]  # type: ignore[arg-type]
    if not 2 <= len(found) <= 3:
        told = ", ".join(motion.component or motion.name for motion in found[:6]) or "none"
        raise InputError(f"`paths` of read_set must hold two or three components. Got {len(found)}: {told}.")
    return MotionSet(tuple(cut_alike(found)))


def cut_alike(motions: list[Motion]) -> list[Motion]:
    """Return the motions with the samples of the shortest."""
    count = min(motion.npts for motion in motions)
    step = f"cut to {count} samples, those of the shortest component"
    return [motion if motion.npts == count else motion.after(step, motion.acceleration[:count]) for motion in motions]


def read_bytes(content: bytes, name: str = "record", **options: object) -> Motion:
    """Read a ground motion from the content of a file; options as for `read_motion`."""
    reading, asked = _reader(options.pop("format", None)), _given(**options)
    return _one(decode(Path(name), content), reading, asked)


def _reader(format: object) -> Reader | None:
    return None if format is None else READERS.get(format)


def _given(**options: object) -> Asked:
    usual = {"dt": None, "unit": None, "column": None, "partial": False, "component": None, "scale": None}
    if unknown := set(options) - set(usual):
        raise InputError(f"A reader has no option {', '.join(sorted(unknown))}. It has format, {', '.join(usual)}.")
    return _asked(**{**usual, **options})  # type: ignore[arg-type]


def _asked(
    dt: object, unit: str | None, column: int | None, partial: bool, component: str | None, scale: object
) -> Asked:
    owner = "read_motion"
    if dt is not None:
        dt = units.number(dt, "s", name="dt", owner=owner, within=units.POSITIVE)
    if unit is not None:
        acceleration_factor(unit, owner)
    if column is not None and (not isinstance(column, int) or column < 1):
        raise refusal("column", owner, "must be a whole number, the first column being 1", column)
    if component is not None and not isinstance(component, str):
        raise refusal("component", owner, 'must be a name, such as "090" or "UP"', component)
    if scale is not None:
        scale = units.number(scale, "", name="scale", owner=owner, within=units.POSITIVE)
    return Asked(dt, unit, column, bool(partial), component, scale)


def _one(document: Document, reading: Reader | None, asked: Asked) -> Motion:
    reading = _recognised(document) if reading is None else reading
    _refuse_kind(document, reading)
    return document.checked(chosen(reading.read_all(document, asked), asked.component, document.owner))


def _all(document: Document, reading: Reader, asked: Asked) -> Iterable[Motion]:
    _refuse_kind(document, reading)
    found = reading.read_all(document, asked)
    for motion in found:
        if len(found) > 1 and motion.pga == 0.0:
            warn(f"{document.owner}: component {motion.component} is zero everywhere, and is left out.")
        else:
            yield document.checked(motion)


def _recognised(document: Document) -> Reader:
    scored = [(candidate.recognises(document), candidate) for candidate in READERS]
    score, best = max(scored, key=lambda pair: pair[0])
    if score > 0:
        return best
    if document.content:
        raise UnrecognisedError(
            f"{document.owner} is not a text file, nor MiniSEED, SAC or gzip. If it is packed (zip) or a spreadsheet, "
            "unpack or export it as text first."
        )
    first = [repr(line.strip()[:60]) for line in document.lines if line.strip()][:SHOWN]
    raise UnrecognisedError(
        f"The format of {document.owner} is not recognised. It begins with {', '.join(first)}. "
        f"Known: {', '.join(READERS.names())}. Force one with format=..., or export the record as text."
    )


def _refuse_kind(document: Document, reading: Reader) -> None:
    """Refuse a file that is not text to a reader of text."""
    if document.content and not reading.recognises(document):
        raise InputError(f"{document.owner} is not a text file, and {reading.name} is read from text.")
