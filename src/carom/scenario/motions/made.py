"""Motions that tables of a scenario or a study state to be made: filtered noise, and spectra matched to a target."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from carom.errors import InputError, RunError
from carom.motions import match, rezaeian_2010, rezaeian_2010_parameters
from carom.motions.motion import Motion
from carom.motions.targets import target
from carom.scenario.motions.motion_parts import GeneratedPart, MatchPart

__all__ = ["Missing", "generated", "lacking", "matched"]

EARTHQUAKE = ("magnitude", "distance", "vs30", "fault")
"""Fields that are about an earthquake; the last one may be left out."""
OWN = ("arias", "d5_95", "t_mid", "frequency")
"""Fields without which there is no motion where no earthquake is given."""


class Missing(NamedTuple):
    """What a table of generated motions lacks, or has in vain."""

    field: str
    rule: str
    way_out: str


def lacking(part: GeneratedPart) -> Missing | None:
    """Return what is missing for a motion: the rest of an earthquake, or one of the parameters themselves."""
    quake = [key for key in EARTHQUAKE if getattr(part, key) is not None]
    for key in EARTHQUAKE[:3] if quake else ():
        if key not in quake:
            way_out = "Write magnitude, distance (kilometres) and vs30."
            return Missing(key, "must be given beside the rest of an earthquake", way_out)
    if part.scatter and not quake:
        return Missing("scatter", "is for the parameters of an earthquake", "Leave it out.")
    for key in () if quake else OWN:
        if getattr(part, key) is None:
            way_out = "Write arias, d5_95, t_mid and frequency, or magnitude, distance and vs30."
            return Missing(key, "must be given where no earthquake is", way_out)
    return None


def generated(part: GeneratedPart, **step: float) -> Motion:
    """Return filtered noise of the earthquake, and of the parameters given in place of its own."""
    given = part.model_dump(exclude_none=True, include={*EARTHQUAKE, *OWN, "slope", "damping"})
    quake = {key: given.pop(key) for key in EARTHQUAKE if key in given}
    known = rezaeian_2010_parameters(**quake, seed=part.seed if part.scatter else None) if quake else {}
    return rezaeian_2010(part.seed, **{**known, **given}, **step)


def matched(motion: Motion, part: MatchPart, folder: Path) -> Motion:
    """Return the motion matched to a target; a failure is a fault of the file, which may ask for another."""
    try:
        return match(motion, target(part.spectrum, folder), part.periods).motion
    except RunError as error:
        raise InputError(str(error)) from None
