"""Which of x, y and z the components of a `MotionSet` move along.

Names decide where all of them say an axis: ``x``, ``y``, ``z``; ``E`` or ``EW``, ``N`` or ``NS``, ``U``, ``UP`` or
``UD``: x is east then, y north, z up. Otherwise a component that is called vertical (``UP``, ``V``, ``Z``, …) moves
along z, and the others, which have azimuths or nothing for a name, along x and y in their order; without a vertical
one, three in their order along x, y and z.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from carom.errors import refusal

if TYPE_CHECKING:
    from carom.motions.motion import Motion

__all__ = ["axes_of"]

NAMED: Mapping[str, int] = MappingProxyType({
    "x": 0, "e": 0, "ew": 0, "we": 0, "east": 0, "y": 1, "n": 1, "ns": 1, "sn": 1, "north": 1,
    "z": 2, "u": 2, "up": 2, "ud": 2, "v": 2, "ver": 2, "vert": 2, "vertical": 2,
})  # fmt: skip
"""What components are called, and the axes that this says."""
UPSIDE_DOWN = ("w", "west", "s", "south", "d", "dn", "down", "dwn")
"""Names that say the other way along an axis."""
VERTICAL = 2


def axes_of(components: Sequence[Motion]) -> tuple[Motion | None, Motion | None, Motion | None]:
    """Return the motions along x, y and z; refuse names that leave it open."""
    told = [motion.component for motion in components]
    words = [name.casefold().replace("-", "").replace("_", "").strip() for name in told]
    for name, word in zip(told, words, strict=True):
        if word in UPSIDE_DOWN:
            raise refusal(
                "component", "MotionSet", "must be called by the axis it is positive along: E, N, up", name,
                "Turn it round: motion.scaled(factor=-1).replace(component=…).",
            )  # fmt: skip
    axes = [NAMED.get(word, -1) for word in words]
    if -1 in axes:
        if any(axis in (0, 1) for axis in axes) or axes.count(VERTICAL) > 1:
            raise _open(told)
        free = iter((0, 1, 2))
        axes = [VERTICAL if axis == VERTICAL else next(free) for axis in axes]
    if len(set(axes)) < len(axes):
        raise _open(told)
    found: list[Motion | None] = [None, None, None]
    for axis, motion in zip(axes, components, strict=True):
        found[axis] = motion
    return found[0], found[1], found[2]


def _open(told: Sequence[str]) -> Exception:
    return refusal(
        "component", "MotionSet", "must say of all components which axis they move along, or of none", told,
        'Rename them by motion.replace(component="x"), or give the problem {"x": …, "y": …, "z": …}.',
    )  # fmt: skip
