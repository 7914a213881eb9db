"""Motions to files: AT2, CSV, OpenSees text.

A file appears whole or not at all, and none is replaced unasked.
"""

from __future__ import annotations

from pathlib import Path

from carom.errors import InputError
from carom.motions.motion import Motion
from carom.motions.writers.base import WRITERS, Writer, writer
from carom.whole_files import reason_of, write_whole

__all__ = ["WRITERS", "Writer", "write_motion", "writer"]


def write_motion(
    motion: Motion,
    path: object,
    *,
    format: str | None = None,
    unit: str | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a motion to a file and return its path.

    Parameters
    ----------
    motion
        The motion.
    path
        The file; its suffix chooses the format unless `format` does.
    format
        ``"peer-at2"`` (.at2; in g, seven digits), ``"csv"`` (.csv; time and acceleration with a header that
        keeps event, station, component and processing, all digits) or ``"opensees"`` (.txt, .dat, .acc, .th;
        bare numbers, all digits).
    unit
        Unit to write; by default m/s2, and g in AT2.
    overwrite
        Whether an existing file may be replaced.
    """
    if not isinstance(path, str | Path):
        raise InputError(f"A motion is written to a path. Got {path!r:.80}.")
    place = Path(path)
    chosen = WRITERS.get(format) if format is not None else _by_suffix(place)
    text = chosen.text(motion, unit)
    _save(place, text, overwrite)
    return place


def _by_suffix(path: Path) -> Writer:
    for candidate in WRITERS:
        if path.suffix.lower() in candidate.suffixes:
            return candidate
    known = ", ".join(sorted(suffix for one in WRITERS for suffix in one.suffixes))
    raise InputError(
        f"The format of {path.name} cannot be told from its suffix. Use one of {known}, or pass format=... "
        f"({', '.join(WRITERS.names())})."
    )


def _save(path: Path, text: str, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists. Pass overwrite=True (--overwrite) to replace it.")
    try:
        write_whole(path, text, replace=overwrite)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {reason_of(error)}.") from None
