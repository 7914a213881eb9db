"""The motions of a study: names, files, folders, globs and suites, and the factors they are scaled by."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.given_files import is_file, is_folder
from carom.motions import get, names, scale_to_target, select, suite
from carom.motions.folders import MOST_FILES, MotionFilter, motions_in
from carom.motions.motion import Motion
from carom.motions.targets import target
from carom.problem import distinct_labels
from carom.scenario.motions.components import Components
from carom.scenario.motions.made import generated, lacking, matched
from carom.scenario.motions.motion_parts import MatchPart
from carom.scenario.studies.model import ComponentsPart, MotionsPart, RangePart, TargetPart

__all__ = ["MotionList", "as_stated", "motions_of", "names_motions", "records_of", "spread"]

AXES = ("x", "y", "z")
DAMPING = 0.05
"""Damping ratio of the spectral acceleration that is noted."""

Array = npt.NDArray[np.float64]
Ground: TypeAlias = Motion | Components


class MotionList:
    """Motions, their names, and the factors of each: shape (motions, factors)."""

    def __init__(self, motions: tuple[Ground, ...], factors: Array, period: float | None = None) -> None:
        self.motions, self.factors, self.period = motions, factors, period
        self.names = distinct_labels(motion.name for motion in motions)
        self.pga = np.array([motion.pga for motion in motions])
        """Of each motion unscaled [m/s²]."""
        self.sa = None if period is None else spectral(motions, period)
        """Spectral acceleration of each motion unscaled [m/s²], where a period was given."""


def motions_of(part: MotionsPart, folder: Path) -> MotionList:
    """Return the motions that a table states; paths are relative to `folder`."""
    taken = MotionFilter() if part.filter is None else MotionFilter.of(**part.filter.model_dump())
    found: list[Ground] = [
        *(motion for motion in (suite(part.suite) if part.suite is not None else ()) if taken.takes(motion)),
        *(motion for motion in _generated(part) if taken.takes(motion)),
        *records_of(part.records, folder, taken=taken, dt=part.dt, unit=part.unit),
        *(motion for one in part.components for motion in _components_of(one, part, folder, taken)),
    ]
    if not found:
        tail = " `filter` leaves none." if part.records or part.suite or part.components or part.generated else ""
        raise InputError(f'motions must name some: records = ["default"] or suite = "thirty".{tail}')
    if part.target is not None:
        found = _aimed(found, part.target, folder)
    return MotionList(tuple(found), _factors(part, tuple(found)), part.period)


def names_motions(part: MotionsPart) -> bool:
    """Return whether a table names motions of its own, beside the factors of any."""
    return bool(part.records or part.components or part.suite is not None or part.generated is not None)


def as_stated(motion: Ground, part: MotionsPart | None) -> MotionList:
    """Return the motion of a scenario as the only one, by the factors of a table that names none."""
    for key in ("filter", "target"):
        if part is not None and getattr(part, key) is not None:
            raise InputError(f"`{key}` of motions must belong to motions that are named there. Leave it out.")
    factors = np.ones((1, 1)) if part is None else _factors(part, (motion,))
    return MotionList((motion,), factors, None if part is None else part.period)


def _generated(part: MotionsPart) -> Iterator[Motion]:
    """Make the motions of a generated suite, of one seed after the other."""
    if part.generated is None:
        return
    if missing := lacking(part.generated):
        raise InputError(f"`{missing.field}` of `generated` of motions {missing.rule}. {missing.way_out}")
    step = {} if part.dt is None else {"dt": part.dt}
    for seed in range(part.generated.seed, part.generated.seed + part.generated.count):
        yield generated(part.generated.model_copy(update={"seed": seed}), **step)


def _aimed(motions: list[Ground], part: TargetPart, folder: Path) -> list[Ground]:
    """Return the motions scaled to a target, those selected by it where so many are asked for; matched where asked."""
    if part.match and any(isinstance(motion, Components) for motion in motions):
        raise refusal(
            "match", "motions.target", "is for motions along x", True,
            "Match the components beforehand, `carom motion match`, or leave them scaled.",
        )  # fmt: skip
    aim, pool = target(part.spectrum, folder), cast("list[Motion]", motions)  # components take part as `level` says
    if part.select is not None:
        found = list(select(pool, aim, part.periods, part.select, limits=part.limits).motions)
    else:
        found = list(scale_to_target(pool, aim, part.periods, limits=part.limits).motions)
    if part.match:
        found = [matched(motion, MatchPart(spectrum=part.spectrum, periods=part.periods), folder) for motion in found]
    return list(found)


def _components_of(one: ComponentsPart, part: MotionsPart, folder: Path, taken: MotionFilter) -> Iterator[Components]:
    """Read motions along the directions that a table names, one file or built-in motion each; none if left out."""
    named = {axis: name for axis in AXES if (name := getattr(one, axis)) is not None}
    if not named:
        raise refusal("components", "motions", "must name a motion along x, y or z", {}, 'Write {x = "east.AT2"}.')
    formats = MotionFilter(taken.formats)  # peak and duration are of all components together
    found = {
        axis: list(records_of([name], folder, taken=formats, dt=part.dt, unit=part.unit))
        for axis, name in named.items()
    }
    for axis, motions in found.items():
        if len(motions) > 1:
            raise refusal("components", "motions", f"must name one motion along {axis}", named[axis])
    if all(found.values()):
        together = Components({axis: motions[0] for axis, motions in found.items()})
        if taken.takes(together):
            yield together


def spread(part: RangePart, take: Callable[[Any], float] = float) -> Array:
    """Return the values of a range; `take` brings its ends to SI."""
    start, stop = take(part.start), take(part.stop)
    if part.spacing == "log":
        if not (start > 0.0 and stop > 0.0):
            raise refusal("range", "a range by equal ratios", "must have positive ends", (part.start, part.stop))
        return np.geomspace(start, stop, part.count)
    return np.linspace(start, stop, part.count)


def spectral(motions: tuple[Ground, ...], period: float) -> Array:
    """Return the spectral accelerations at a period [m/s²], damping 5 %."""
    return np.array([motion.sa(period, DAMPING) for motion in motions])


def _factors(part: MotionsPart, motions: tuple[Ground, ...]) -> Array:
    given = [name for name in ("scales", "pga", "sa") if getattr(part, name) is not None]
    if len(given) > 1:
        raise InputError(f"motions takes one of `scales`, `pga` and `sa`. Got {' and '.join(given)}. Leave one out.")
    if part.pga is not None:
        levels: Array = np.array(part.pga)[None] / np.array([motion.pga for motion in motions])[:, None]
        return levels
    if part.sa is not None:
        if part.period is None:
            raise InputError('motions needs `period` beside `sa`. Write period = "0.5 s", for example.')
        wanted: Array = np.array(part.sa)[None] / spectral(motions, part.period)[:, None]
        return wanted
    scales = part.scales
    row = np.ones(1) if scales is None else spread(scales) if isinstance(scales, RangePart) else np.array(scales)
    if not (row > 0.0).all():
        raise refusal("scales", "motions", "must be positive", float(row.min()))
    return np.tile(row, (len(motions), 1))


def records_of(
    records: Iterable[str],
    folder: Path,
    *,
    taken: MotionFilter | None = None,
    dt: float | None = None,
    unit: str | None = None,
) -> Iterator[Motion]:
    """Read files, folders and globs relative to `folder`, or take built-in motions, in the order of their names.

    Of files with several components the horizontal ones, unless the filter says otherwise. Of a folder what cannot be
    read is left out with a warning; a file that is named, or matches, must be sound.
    """
    taken = MotionFilter() if taken is None else taken
    for record in records:
        place = folder / record
        if is_file(place):
            yield from taken.read(place, dt=dt, unit=unit)
        elif any(sign in record for sign in "*?["):
            matched = _some(path for path in _matches(str(place), record) if is_file(path))
            if not matched:
                raise refusal("records", "motions", f"must match files in {folder.resolve()}", record)
            for path in matched:
                yield from taken.read(path, dt=dt, unit=unit)
        elif is_folder(place):
            inside = list(motions_in(place, taken, dt=dt, unit=unit))
            if not inside:
                raise refusal("records", "motions", "must be a folder with motions in it that are asked for", record)
            yield from inside
        elif Path(record).suffix or "/" in record:
            rule = f"must be in {folder.resolve()}"
            raise refusal("records", "motions", rule, record, f"Built in: {', '.join(names())}.")
        else:
            motion = _built_in(record)
            yield from (motion,) if taken.takes(motion) else ()


def _matches(pattern: str, record: str) -> Iterator[Path]:
    try:
        yield from map(Path, glob.iglob(pattern, recursive=True))  # noqa: PTH207
    except (ValueError, OSError, re.error):  # a NUL, a name too long
        raise refusal("records", "motions", "must be the name of a file, or a pattern for names", record) from None


def _some(paths: Iterator[Path]) -> list[Path]:
    """Return files in the order of their names; refuse a whole disk."""
    found = list(islice(paths, MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise refusal("records", "motions", f"must name at most {MOST_FILES} files", str(found[0].parent))
    return sorted(found)


def _built_in(name: str) -> Motion:
    for motion in suite("thirty"):
        if motion.name == name:
            return motion
    return get(name)
