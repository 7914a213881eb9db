"""Who stands where, as data: what a picture or a table needs to know of the structures besides their motion."""

from __future__ import annotations

from dataclasses import dataclass

from carom.results.space.form import Form

__all__ = ["Scene", "Standing", "Touch"]

LEVEL = 1e-3
"""A slab is struck this close to its height [m]."""


@dataclass(frozen=True)
class Standing:
    """One structure as it stands."""

    name: str
    kind: str
    """``shear building``, ``oscillator``, ``wall``, …"""
    dofs: tuple[int, ...]
    """Its degrees of freedom, as positions in the results; floors upwards. None for what does not move."""
    floors: tuple[str, ...]
    """Their names."""
    levels: tuple[float, ...]
    """Heights at which they are drawn [m]; those of the slabs, where known."""
    measured: bool
    """Whether the levels are heights that were given."""
    moving: bool
    """Whether a contact force moves it."""
    yield_drifts: tuple[float, ...] = ()
    """Drift at which each storey yields [m], infinite where it does not; none where all are elastic."""
    form: Form | None = None
    """How it stands in space; None of a scene in which all moves along x."""
    turning: tuple[int, ...] = ()
    """Which of its degrees of freedom are rotations, as positions in the results."""

    @property
    def sliding(self) -> tuple[int, ...]:
        """Its degrees of freedom that are no rotations."""
        return tuple(dof for dof in self.dofs if dof not in self.turning) or self.dofs

    @property
    def top(self) -> int:
        """The degree of freedom that stands for its highest floor: along x, where it has several there."""
        along_x = [dof for dof, name in zip(self.dofs, self.floors, strict=True) if f" {name}".endswith(" ux")]
        return (along_x or self.sliding)[-1]

    def place(self, floor: int) -> str:
        """Return the name of a floor, counted from 0: ``tower, floor 3``; of a single mass its own."""
        return f"{self.name}, {self.floors[floor]}" if len(self.dofs) > 1 else self.name

    @property
    def storeys(self) -> tuple[float, ...]:
        """Height of each storey [m]."""
        return tuple(top - below for top, below in zip(self.levels, (0.0, *self.levels), strict=False))


@dataclass(frozen=True)
class Touch:
    """A contact as it stands: `left` and `right` are positions in the scene."""

    label: str
    left: int
    right: int
    left_level: float
    right_level: float
    gap: float
    """Distance at rest [m]."""
    law: str
    """Title of its law."""
    rigid: bool = False
    """Whether the law is impulsive: no overlap, no duration, an impulse instead of a force."""
    points: tuple[int, int] = (-1, -1)
    """In space: which points of both structures meet."""
    normal: tuple[float, float, float] = (1.0, 0.0, 0.0)
    """Unit vector from the left side to the right one."""


@dataclass(frozen=True)
class Scene:
    """Structures from left to right, and the contacts between them in the order of the results."""

    standings: tuple[Standing, ...]
    touches: tuple[Touch, ...]

    def struck_column(self, touch: Touch) -> tuple[Standing, float] | None:
        """Return whose column a contact strikes, and at which share of its storey's height; None where slabs meet."""
        for place, level in ((touch.left, touch.left_level), (touch.right, touch.right_level)):
            standing = self.standings[place]
            if not standing.measured or not standing.moving:
                continue
            for below, top in zip((0.0, *standing.levels), standing.levels, strict=False):
                if below + LEVEL < level < top - LEVEL:
                    return standing, (level - below) / (top - below)
        return None

    @property
    def in_space(self) -> bool:
        """Whether something of it moves otherwise than along x alone."""
        return any(standing.form is not None for standing in self.standings)

    @property
    def axis(self) -> int:
        """The horizontal direction across which contacts stand most: 0, x, or 1, y."""
        across = [sum(abs(touch.normal[axis]) for touch in self.touches) for axis in (0, 1)]
        return 1 if across[1] > across[0] else 0

    @property
    def shaken(self) -> tuple[Standing, ...]:
        """Those that have floors to speak of."""
        return tuple(standing for standing in self.standings if standing.moving and standing.dofs)
