"""What stands fixed on the ground in space: floors, walls, abutments with seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from carom.errors import refusal
from carom.structures.damping import Viscous
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location, direction_of
from carom.structures.solids.outline import Sides, take_faces, take_points
from carom.structures.solids.rotations import orientation_of
from carom.structures.solids.solid import CENTRE, Solid
from carom.units import POSITIVE, array

__all__ = ["FixedBody"]


@dataclass(frozen=True, eq=False, repr=False)
class FixedBody(Solid):
    """A body that rides on its ground and gives way to nothing: faces that others strike, points that strike others.

    Examples
    --------
    >>> import carom
    >>> floor = carom.FixedBody.plate((0, 0, 0), normal="z", size="20 m", name="floor")
    >>> floor.corners("face").round(3)[0]
    array([-10., -10.,   0.])
    """

    marks: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    """What `points` says, as it was taken."""
    faces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names to the names of three or four points, counter-clockwise seen from outside."""
    position: Any = (0.0, 0.0, 0.0)
    """Where the origin of its points stands in the world [m]."""
    orientation: Any = None
    """A rotation vector [rad], or a quaternion (w, x, y, z); None: its own axes are those of the world."""
    name: str = ""
    massive: ClassVar[bool] = False  # type: ignore[misc]

    def __init__(
        self,
        *,
        points: Mapping[str, Any] | None = None,
        faces: Mapping[str, Any] | None = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = None,
        marks: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        """Take a fixed body; `points` maps names to x, y, z along its own axes from `position` [m]."""
        put = object.__setattr__
        put(self, "name", name)
        self._take_name()
        owner = self.owner
        given = {} if points is None and marks is None else points or marks
        put(self, "marks", take_points(given, owner, (CENTRE,)))
        put(self, "faces", take_faces({} if faces is None else faces, self.marks, owner))
        where = array(position, "m", name="position", owner=owner)
        if where.shape != (3,):
            raise refusal("position", owner, "must be three numbers along x, y and z", position)
        put(self, "position", tuple(where.tolist()))
        put(self, "orientation", orientation_of(orientation, "orientation", owner))

    @classmethod
    def plate(cls, centre: Any, *, normal: Any = "z", size: Any = "100 m", name: str = "floor") -> Self:
        """Return a square face around a point: a floor by default, a wall with a horizontal normal.

        Its one face is called ``"face"``. `size` is the side of the square, or two numbers: of a floor along x and y,
        of a wall along it and upwards.
        """
        owner = f"FixedBody.plate {name!r}"
        n = direction_of(normal, owner)
        sides = array(size, "m", name="size", owner=owner, within=POSITIVE)
        if sides.shape not in ((), (2,)):
            raise refusal("size", owner, "must be one number or two", size)
        first, second = np.broadcast_to(0.5 * sides, 2).tolist()
        up = np.array([0.0, 0.0, 1.0]) if abs(n[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
        along = np.cross(up, n)
        along /= np.linalg.norm(along)
        across = np.cross(n, along)
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        points = {
            f"corner {i}": tuple((s * first * along + t * second * across).tolist())
            for i, (s, t) in enumerate(corners, start=1)
        }
        return cls(points=points, faces={"face": list(points)}, position=centre, name=name)

    @property
    def sides(self) -> Sides:
        """All faces by name."""
        return self.faces

    @property
    def dof_names(self) -> tuple[str, ...]:
        """None: it moves with the ground."""
        return ()

    @property
    def mass_matrix(self) -> Array:
        """Of no degrees of freedom."""
        return frozen(np.zeros((0, 0)))

    @property
    def stiffness_matrix(self) -> Array:
        """Of no degrees of freedom."""
        return frozen(np.zeros((0, 0)))

    def _located(self, where: object) -> Location:
        x, y, z = self.world(where).tolist()
        return Location((x, y, z), frozen(np.zeros((3, 0))))

    def _damping(self) -> Viscous:
        return Viscous(np.zeros((0, 0)))

    def _eigen(self) -> tuple[Array, Array]:
        return np.zeros(0), np.zeros((0, 0))

    def _reduced(self, damping: Array) -> Array:
        return damping

    def replace(self, **changes: Any) -> Any:
        """Return a copy with some parameters changed."""
        kept = {name: getattr(self, name) for name in ("marks", "faces", "position", "orientation", "name")}
        return type(self)(**kept | changes)

    def __repr__(self) -> str:
        return f"<FixedBody '{self.name}': {len(self.sides)} faces>"
