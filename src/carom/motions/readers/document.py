"""A text file as readers see it: decoded lines, and what is asked beside them."""

from __future__ import annotations

import re
import sys
import warnings
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from carom import units
from carom.errors import CaromWarning, InputError
from carom.given_files import read_given
from carom.motions.motion import Motion
from carom.motions.quantities import acceleration_factor, unit_in
from carom.motions.readers._numbers import NUMBER, is_numeric, value_of

__all__ = ["Asked", "Document", "decode", "load", "warn"]

LARGEST_FILE = 40_000_000
"""Files above this size [bytes] are refused; the longest record of a strong-motion network has 10 MB."""
LONGEST_HEADER_LINE = 400
"""Header lines are looked at only so far [characters]."""
LONGEST_LINE = 4_000_000
"""Longer lines are refused [characters]: a whole record in one line has less."""
LARGEST_PGA = 10.0
"""Peaks above this [g] are refused: the largest ever recorded on the ground is about 4 g."""

MOST_LINES = 3_000_000
"""More lines are refused: a column of eight hours at 100 samples a second has less."""
GZIP = b"\x1f\x8b"
"""How a gzip file begins."""
SHORTEST_STEP = 1e-6
"""Time steps below this [s] are refused: no instrument samples the ground so often."""

_NEGATIVE_COUNT = re.compile(r"\bNPTS\s*[=:]?\s*-", re.IGNORECASE)
_STEP = re.compile(
    rf"(?:\bdt\b|\bdelta\s*t\b|\btime\s*(?:step|increment|interval)|\bsampling[\s_]*(?:interval|period)(?:_s)?|"
    rf"\bequal\s+spacing\s+of)\s*(?:\(s(?:ec)?\)|is|of|[=:])*\s*({NUMBER})\s*(ms\b|msec)?",
    re.IGNORECASE,
)
_COMMA = re.compile(r"\s*[+-]?\d+(?:,\d+)?(?:[eE][+-]?\d+)?(?:\s*[;\t]\s*[+-]?\d+(?:,\d+)?(?:[eE][+-]?\d+)?)+\s*")

_FRACTION = re.compile(r"(?<![\d,])[+-]?\d+,0\d+")
"""A decimal comma for sure: no whole number of a second column is written with a nought before it."""


@dataclass(frozen=True)
class Asked:
    """What the caller says about the file, over what the file says itself."""

    dt: float | None = None
    """Time step [s]."""
    unit: str | None = None
    """Unit of the acceleration."""
    column: int | None = None
    """Which column holds the acceleration, the first being 1."""
    partial: bool = False
    """Whether a truncated or overlong record is taken as far as it goes."""
    component: str | None = None
    """Which of several components, by its name in the file."""
    scale: float | None = None
    """Factor from the numbers of the file, such as counts, to its unit."""


@dataclass(frozen=True)
class Document:
    """The decoded lines of one file."""

    path: Path
    lines: list[str]
    """None in a file that is not text."""
    content: bytes = b""
    """The bytes of a file that is not text."""

    @property
    def owner(self) -> str:
        """The file as named in messages."""
        return self.path.name

    @cached_property
    def body(self) -> int:
        """Index of the first line from which two lines hold nothing but numbers."""
        filled = [place for place, line in enumerate(self.lines[:200]) if line.strip()]
        numeric = [is_numeric(self.lines[place]) for place in filled]
        for k, place in enumerate(filled):
            if all(numeric[k : k + 2]):
                return place
        return len(self.lines)

    @cached_property
    def header(self) -> str:
        """The text above the numbers."""
        return "\n".join(line[:LONGEST_HEADER_LINE] for line in self.lines[: self.body])

    @cached_property
    def said_step(self) -> float | None:
        """The time step [s] that the header names, if it does."""
        said = _STEP.search(self.header)
        return value_of(said[1]) * (0.001 if said[2] else 1.0) if said else None

    def step(self, asked: Asked, found: float | None = None) -> tuple[float, tuple[str, ...]]:
        """Return the time step [s], asked for or found, and a note where the two differ."""
        found = self.said_step if found is None else found
        if asked.dt is not None:
            differs = found is not None and abs(found - asked.dt) > 1e-9 * asked.dt
            return asked.dt, self._differing("dt", f"{asked.dt:g} s", f"{found or 0.0:g} s") if differs else ()
        if found is None:
            raise InputError(
                f"`dt` of {self.owner} must be known, and the file does not say it. "
                "Pass the time step in seconds: dt=0.01 (on the command line: --dt 0.01)."
            )
        return units.number(found, "s", name="dt", owner=self.owner, within=units.POSITIVE), ()

    def unit(self, asked: Asked, found: str | None = None) -> tuple[float, tuple[str, ...]]:
        """Return the factor from the file's numbers to m/s², and notes.

        The unit asked for comes before that which a reader has found or the header names; with a note where they
        differ.
        """
        factor, notes = self._unit(asked, unit_in(self.header) if found is None else found)
        if asked.scale is None:
            return factor, notes
        return factor * asked.scale, (*notes, f"numbers of the file multiplied by {asked.scale:.7g}")

    def _unit(self, asked: Asked, found: str | None) -> tuple[float, tuple[str, ...]]:
        if asked.unit is not None:
            factor = acceleration_factor(asked.unit, self.owner)
            differs = found is not None and acceleration_factor(found, self.owner) != factor
            return factor, self._differing("unit", asked.unit, found) if differs else ()
        if found is None:
            raise InputError(
                f"`unit` of {self.owner} must be known, and the file does not say it. "
                'Pass the unit of acceleration: unit="g" or unit="m/s2" (on the command line: --unit g).'
            )
        return acceleration_factor(found, self.owner), ()

    def _differing(self, what: str, given: str, said: str | None) -> tuple[str, ...]:
        """Warn that the caller overrides the file, and return the note for the record."""
        text = f"{what} of {given} given, the file says {said}"
        warn(f"{self.owner}: {text}; the given one is taken.")
        return (text,)

    def ignore_after(self, stop: int) -> None:
        """Warn of text after the last number."""
        rest = [line.strip() for line in self.lines[stop:] if line.strip("\x1a \t\r\f\0")]
        if rest:
            warn(
                f"{self.owner}: {len(rest)} lines after the last number are ignored, the first being {rest[0][:60]!r}."
            )

    def checked(self, motion: Motion) -> Motion:
        """Return the motion, or refuse one that cannot be a ground motion."""
        if _NEGATIVE_COUNT.search(self.header):
            raise InputError(f"{self.owner} must have a positive number of points. Its header says NPTS below zero.")
        if motion.dt < SHORTEST_STEP:
            raise InputError(
                f"Time step of {self.owner} must be at least {SHORTEST_STEP:g} s. Got {motion.dt:g} s. "
                "Pass the right one: dt=0.01 (on the command line: --dt 0.01)."
            )
        peak = motion.pga / units.standard_gravity
        if peak == 0.0:
            raise InputError(f"{self.owner} must hold a motion. All {motion.npts} samples are zero.")
        if peak > LARGEST_PGA:
            raise InputError(
                f"PGA of {self.owner} must not exceed {LARGEST_PGA:g} g. Got {peak:.4g} g. "
                'Is the unit right? Pass it: unit="cm/s2" (on the command line: --unit cm/s2).'
            )
        return motion


def warn(message: str) -> None:
    """Warn, pointing at the caller's line outside of carom."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("carom."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, CaromWarning, stacklevel=level)


def load(path: object) -> Document:
    """Read and decode a text file, or say plainly why it cannot be one."""
    if not isinstance(path, str | Path):
        raise InputError(f"A motion is read from a path. Got {path!r:.80}.")
    place = Path(path)
    try:
        content = read_given(place, most=LARGEST_FILE, what="record")
    except IsADirectoryError:
        raise InputError(f"{place} is a folder. Name a file in it.") from None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"There is no file {place}.") from None
    return decode(place, content)


def decode(path: Path, content: bytes) -> Document:
    """Turn the bytes of a file into lines: UTF-8, UTF-16 with its mark, or Latin-1; any line ends; gzip unpacked."""
    if content.startswith(GZIP):
        path, content = _without_gz(path), _unpacked(path, content)
    if not content.strip():
        raise InputError(f"{path.name} is empty.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", errors="replace")
    else:
        head = content[:4096].rstrip(b"\0\x1a")
        odd = sum(byte < 9 or 13 < byte < 26 or 27 < byte < 32 for byte in head)
        if odd > 0.02 * len(head):
            return Document(path, [], content)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
    if not text.strip():
        raise InputError(f"{path.name} is empty.")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ").split("\n")
    if len(lines) > MOST_LINES:
        raise InputError(f"{path.name} must have at most {MOST_LINES} lines. Got {len(lines)}. Cut the record.")
    for place, line in enumerate(lines):
        if len(line) > LONGEST_LINE:
            raise InputError(
                f"Line {place + 1} of {path.name} must have at most {LONGEST_LINE} characters. Got {len(line)}. "
                "Break the record into lines."
            )
    document = Document(path, _decimal_points(lines))
    _refuse_commas(document)
    return document


def _without_gz(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in (".gz", ".gzip") else path


def _unpacked(path: Path, content: bytes) -> bytes:
    """Return what is packed in a gzip file, or refuse more than a record may have."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        found = unpacker.decompress(content, LARGEST_FILE + 1)
    except zlib.error:
        raise InputError(f"{path.name} is a damaged gzip file. Take it from its source again.") from None
    if len(found) > LARGEST_FILE:
        raise InputError(
            f"{path.name} unpacks to more than {LARGEST_FILE // 10**6} MB, the most that a record may have."
        )
    if not unpacker.eof:
        raise InputError(f"{path.name} is a truncated gzip file. Take it from its source again.")
    return found


def _decimal_points(lines: list[str]) -> list[str]:
    """Turn decimal commas into points where semicolons or tabs separate the columns."""
    sample = [line for line in lines[:400] if line.strip()][-200:]
    if sum("," in line and _has_comma(line) for line in sample) < 0.5 * len(sample):
        return lines
    return [line.replace(",", ".") if _has_comma(line) else line for line in lines]


def _refuse_commas(document: Document) -> None:
    """Refuse decimal commas that nothing tells from commas between columns."""
    body = [(place, line) for place, line in enumerate(document.lines[document.body :], document.body) if line.strip()]
    body = [(place, line) for place, line in body[:400] if is_numeric(line)]
    if any("." in line for _, line in body):
        return
    for place, line in body:
        if found := _FRACTION.search(line):
            whole, fraction = found.group().split(",")
            raise InputError(
                f"Line {place + 1} of {document.owner} must be written without decimal commas: {found.group()!r} may "
                f"mean {whole}.{fraction}, or two columns, {whole} and {int(fraction)}. Write decimal points; or put "
                "semicolons between the columns, then commas are taken as decimal."
            )


def _has_comma(line: str) -> bool:
    return len(line) <= LONGEST_HEADER_LINE and _COMMA.fullmatch(line) is not None
