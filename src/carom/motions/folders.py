"""Folders of records: which files are taken, which components and motions of them, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from carom import units
from carom.errors import InputError, refusal
from carom.given_files import is_file
from carom.motions.motion import Motion
from carom.motions.quantities import acceleration
from carom.motions.readers import READERS, UnrecognisedError, read_with_format
from carom.motions.readers.document import warn
from carom.motions.readers.networks.channels import is_vertical

__all__ = ["ALL", "HORIZONTAL", "MotionFilter", "files_of", "motions_in"]

MOST_FILES = 20_000
"""Files of a folder: more are not meant."""
ALL, HORIZONTAL, VERTICAL = "all", "horizontal", "vertical"
"""Groups of components."""
OTHERS = {
    ".md", ".rst", ".toml", ".json", ".yaml", ".yml", ".xml", ".html", ".htm", ".pdf", ".png", ".jpg", ".jpeg", ".svg",
    ".gif", ".zip", ".tar", ".7z", ".nc", ".h5", ".parquet", ".xlsx", ".xls", ".docx", ".doc", ".py", ".ipynb", ".tcl",
    ".m", ".mat", ".log", ".bib", ".tex", ".npz", ".npy",
}  # fmt: skip
"""Endings of files that are no records."""
SHOWN = 3
"""Files left out that a warning names."""


@dataclass(frozen=True)
class MotionFilter:
    """Which motions are taken of those that files hold."""

    formats: tuple[str, ...] = ()
    """Names of formats; none: all."""
    component: str | None = None
    """A label such as "090", "H1", "horizontal", "vertical" or "all". Without one the horizontal components of files
    with several, and whatever the others hold."""
    pga: tuple[float, float] | None = None
    """Least and largest peak [m/s²]."""
    duration: tuple[float, float] | None = None
    """Shortest and longest record [s]."""

    @classmethod
    def of(
        cls, *, formats: Sequence[str] = (), component: str | None = None, pga: object = None, duration: object = None
    ) -> MotionFilter:
        """Take a filter from a user: pairs of numbers, or strings with units, for `pga` and `duration`."""
        owner = "the filter of motions"
        return cls(
            tuple(READERS.name_of(name) for name in formats), component,
            _ends("pga", pga, lambda value: acceleration(value, name="pga", owner=owner, within=units.NONNEGATIVE)),
            _ends("duration", duration, lambda value: units.number(
                value, "s", name="duration", owner=owner, within=units.NONNEGATIVE
            )),
        )  # fmt: skip

    def takes(self, motion: Any) -> bool:
        """Tell whether a motion, or components together, is as strong and as long as asked for."""
        return all(
            ends is None or ends[0] <= value <= ends[1]
            for ends, value in ((self.pga, motion.pga), (self.duration, motion.duration))
        )

    def read(self, path: Path, **how: object) -> tuple[Motion, ...]:
        """Return the motions of a file that are taken; options as for `carom.read_motion`."""
        group = self.component in (None, ALL, HORIZONTAL, VERTICAL)
        form, found = read_with_format(path, component=None if group else self.component, **how)
        if self.formats and form not in self.formats:
            return ()
        if self.component in (HORIZONTAL, VERTICAL) or (self.component is None and len(found) > 1):
            wanted = self.component == VERTICAL
            found = tuple(motion for motion in found if is_vertical(motion.component) == wanted)
        return tuple(motion for motion in found if self.takes(motion))


def files_of(folder: Path) -> list[Path]:
    """Return the files in a folder and below it that may be records, in the order of their names."""
    may = (
        path for path in folder.rglob("*")
        if path.suffix.lower() not in OTHERS and not path.name.startswith(".") and is_file(path)
    )  # fmt: skip
    found = list(islice(may, MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise refusal("folder", "motions", f"must hold at most {MOST_FILES} files", str(folder))
    return sorted(found)


def motions_in(folder: Path, taken: MotionFilter, **how: Any) -> Iterator[Motion]:
    """Read the records of a folder; what cannot be read, and what the filter does not take, is told in one warning."""
    left, count, other = [], 0, 0
    for path in files_of(folder):
        try:
            found = taken.read(path, **how)
        except UnrecognisedError:
            other += 1
            continue
        except InputError as error:
            left.append(str(error))
            continue
        count += not found
        yield from found
    told = []
    if left:
        more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
        told.append(f"{len(left)} files cannot be read ({' '.join(left[:SHOWN])[:600]}{more})")
    if count:
        told.append(f"{count} hold no motion that is asked for")
    if other:
        told.append(f"{other} are in no known format")
    if left or count:
        warn(f"{folder.name}: {'; '.join(told)}; they are left out.")


def _ends(name: str, given: object, take: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise refusal(name, "the filter of motions", "must be the least and the largest value", given)
    low, high = (take(value) for value in given)
    if not low <= high:
        raise refusal(name, "the filter of motions", "must have the least value first", given)
    return float(low), float(high)
