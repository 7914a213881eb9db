"""Ground motion as tables of a scenario state it: read, built in or made, cut, scaled, and sampled for histories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from carom.errors import InputError, refusal
from carom.motions import get, names, read_motion
from carom.motions.motion import Motion
from carom.motions.synthetic import harmonic, mavroeidis_2003, sweep
from carom.scenario.analysis import Analysis
from carom.scenario.faults import Fault, FieldError
from carom.scenario.method import longest_step
from carom.scenario.motions.made import generated, lacking, matched
from carom.scenario.motions.motion_parts import ComponentPart, MotionPart
from carom.scenario.needs import SAMPLING

__all__ = ["AXES", "ground_of", "grounds_under", "long_run", "motion_faults", "refined", "refined_alike", "under"]

AXES = ("x", "y", "z")
"""Directions of a motion."""
SOURCES = ("record", "harmonic", "sweep", "generated", "pulse")
"""Where a motion may come from."""
SHARED = ("start", "end", "factor")
"""Fields of a motion that all of its components share."""
READING = ("format", "dt", "unit", "column", "scale", "partial")
"""How a file is read."""
CYCLE = 100
"""Samples in a cycle of a sine: the straight lines between them take 0.03 % of its amplitude."""
LONGEST_STEP = 0.01
"""Largest time between its samples [s]."""
LONG = 10.0
"""A run that lasts so many times as long as its motion and a minute is unlikely to be meant."""


def ground_of(part: MotionPart, folder: Path) -> dict[str, Motion]:
    """Return the motions of the ground by direction; one without components is along x."""
    components = part.components
    if not components:
        return {"x": motion_of(part, folder)}
    shared = {key: getattr(part, key) for key in SHARED if getattr(part, key) is not None}
    found = {}
    for axis, component in components.items():
        try:
            motion = motion_of(component, folder)
            if {"start", "end"} & shared.keys():
                motion = motion.trimmed(shared.get("start"), shared.get("end"))
            found[axis] = motion.scaled(factor=part.factor) if part.factor is not None else motion
        except InputError as error:
            raise FieldError(axis, error, ComponentPart.model_fields) from None
    return found


def motion_of(part: ComponentPart, folder: Path) -> Motion:
    """Return the motion along one direction: read, built in or made, cut, then scaled."""
    motion = _record(part, part.record, folder) if part.record is not None else _made(part)
    if part.start is not None or part.end is not None:
        motion = motion.trimmed(part.start, part.end)
    if part.match is not None:
        motion = matched(motion, part.match, folder)
    scaling = {key: getattr(part, key) for key in ("factor", "pga", "sa", "period") if getattr(part, key) is not None}
    return motion.scaled(**scaling) if scaling else motion


def under(axis: str, structure: str) -> str:
    """Return what the motion under one structure alone is called among all."""
    return f"{axis} under {structure}"


def grounds_under(structures: Mapping[str, Any], motions: Mapping[str, Motion]) -> Any:
    """Return the motion as `carom.Problem` takes it: one for all, or where they differ that of each structure."""
    common = {axis: motion for axis, motion in motions.items() if axis in AXES}
    shaken: Any = common["x"] if set(common) == {"x"} else common or None
    own = [name for name, table in structures.items() if "motion" in table]
    delays = {name: table["delay"] for name, table in structures.items() if "delay" in table}
    if not motions or not (own or delays):
        return shaken
    found: dict[str, Any] = {}
    for name in structures:
        mine = {axis: motions[under(axis, name)] for axis in AXES if under(axis, name) in motions}
        found[name] = mine if name in own else shaken
        if delays and found[name] is not None:
            found[name] = (found[name], delays.get(name, 0.0))
    return found


def motion_faults(part: MotionPart, field: str) -> list[Fault]:
    """Return what is wrong with where motions come from: each from a record, a sine or a sweep."""
    components = part.components
    if not components:
        return _source_faults(part, field)
    found = [fault for axis, one in components.items() for fault in _source_faults(one, f"{field}.{axis}")]
    for key in ComponentPart.model_fields:
        value = getattr(part, key)
        if key not in SHARED and value not in (None, False):
            way_out = f"Write it under [{field}.{next(iter(components))}]."
            found.append(Fault(f"{field}.{key}", "must belong to a component where there are some", value, way_out))
    return found


def _source_faults(part: ComponentPart, field: str) -> list[Fault]:
    """Return what is wrong with where a component comes from."""
    sources = [name for name in SOURCES if getattr(part, name) is not None]
    if not sources:
        way_out = 'Write record = "default", for example, or harmonic = {frequency = "2 Hz", amplitude = "0.3 g"}.'
        others = f"{', '.join(f'`{name}`' for name in SOURCES[1:-1])} or `{SOURCES[-1]}`"
        return [Fault(f"{field}.record", f"must be given, or {others} in its place", way_out=way_out)]
    if len(sources) > 1:
        known = f"{', '.join(f'`{name}`' for name in SOURCES[:-1])} and `{SOURCES[-1]}`"
        return [Fault(field, f"takes one of {known}, not {' and '.join(sources)}")]
    if part.generated is not None and (missing := lacking(part.generated)):
        return [Fault(f"{field}.generated.{missing.field}", missing.rule, way_out=missing.way_out)]
    scaled = next((key for key in ("pga", "sa") if part.match is not None and getattr(part, key) is not None), None)
    if scaled is not None:
        way_out = "Leave one of them out, or multiply by `factor`."
        value = getattr(part, scaled)
        return [Fault(f"{field}.{scaled}", "must not scale what is matched to a spectrum", value, way_out)]
    return []


def _record(part: ComponentPart, record: str, folder: Path) -> Motion:
    path = folder / record
    if _is_file(path):
        return read_motion(path, component=part.component, **{key: getattr(part, key) for key in READING})
    looks_like_path = Path(record).suffix or "/" in record or "\\" in record
    if looks_like_path or record not in _known_motions():
        raise refusal(
            "record", "the motion", f"must be a file in {folder.resolve()} or a built-in motion", record,
            f"Built in: {', '.join(names())}.",
        )  # fmt: skip
    _only_for_files(part, READING, "A built-in motion knows it.")
    return get(record, **({"component": part.component} if part.component is not None else {}))


def _made(part: ComponentPart) -> Motion:
    """Return a sine or a sweep, by default 100 samples in its shortest cycle, 10 ms apart at most; noise or a pulse."""
    _only_for_files(part, ("component", *(key for key in READING if key != "dt")), "What is made knows it.")
    step = {} if part.dt is None else {"dt": part.dt}
    if part.generated is not None:
        return generated(part.generated, **step)
    if part.pulse is not None:
        given = part.pulse.model_dump()
        return mavroeidis_2003(**{**given, "phase": math.degrees(given["phase"])}, **step)
    if part.harmonic is not None:
        sine = part.harmonic
        dt = part.dt or min(LONGEST_STEP, 1.0 / (CYCLE * sine.frequency))
        return harmonic(sine.frequency, sine.amplitude, duration=sine.duration, dt=dt, phase=sine.phase)
    assert part.sweep is not None  # held by `motion_faults`
    rising = part.sweep
    dt = part.dt or min(LONGEST_STEP, 1.0 / (CYCLE * max(rising.first, rising.last)))
    return sweep(rising.first, rising.last, rising.amplitude, duration=rising.duration, dt=dt, kind=rising.spacing)


def _only_for_files(part: ComponentPart, keys: Iterable[str], way_out: str) -> None:
    for key in keys:
        if value := getattr(part, key):
            raise refusal(key, "the motion", "is for files", value, way_out)


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _known_motions() -> set[str]:
    from carom.motions.builtin import MOTIONS

    return {spelling for name in MOTIONS.names() for spelling in (name, *MOTIONS.aliases(name))}


def long_run(analysis: Analysis, ground: Mapping[str, Motion]) -> tuple[str, ...]:
    """Return, in a sentence, that a run is to last far beyond its motion: most of it would be rest."""
    lasting = max((motion.duration for motion in ground.values()), default=None)
    if lasting is None or analysis.duration is None or analysis.duration <= LONG * (lasting + 60.0):
        return ()
    return (
        f"Unlikely: duration of the run is {analysis.duration:g} s; its motion lasts {lasting:.4g} s. "
        "A plain number is taken in s.",
    )


def refined(motion: Motion, analysis: Analysis) -> Motion:
    """Return the motion with samples close enough for histories: the same straight lines."""
    parts = math.ceil(motion.dt / longest_step(analysis, SAMPLING) - 1e-9)
    return motion.resampled(motion.dt / parts) if parts > 1 else motion


def refined_alike(ground: Mapping[str, Motion], analysis: Analysis) -> dict[str, Motion]:
    """Return components with samples close enough for histories, on one step where their steps are multiples."""
    if not ground:
        return {}
    finest = min(motion.dt for motion in ground.values())
    step = finest / max(math.ceil(finest / longest_step(analysis, SAMPLING) - 1e-9), 1)
    found = {}
    for axis, motion in ground.items():
        parts = round(motion.dt / step)
        alike = abs(motion.dt / step - parts) < 1e-9 * parts
        fine = motion.resampled(motion.dt / parts) if parts > 1 else motion
        found[axis] = fine if alike else refined(motion, analysis)
    return found
