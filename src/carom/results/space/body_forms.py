"""Bodies in space as they stand at the start, as data: what pictures need besides histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["BodyForm"]

Point = tuple[float, float, float]


@dataclass(frozen=True)
class BodyForm:
    """A body, a fixed one, or a face of another structure."""

    name: str
    body: int
    """Its place among the bodies of the record; −1: it stands fixed."""
    points: tuple[Point, ...]
    """In the world at the start [m]."""
    faces: tuple[tuple[int, ...], ...]
    """Corners of each face, by place among the points, counter-clockwise seen from outside."""
    nodes: Mapping[int, int] = field(default_factory=dict)
    """Contacts whose node is a point of it: place in the results, and which point."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for files."""
        return {**asdict(self), "nodes": [list(pair) for pair in self.nodes.items()]}

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> BodyForm:
        """Return the body that `as_dict` gave."""
        return cls(
            told["name"], told["body"], tuple((x, y, z) for x, y, z in told["points"]),
            tuple(tuple(corners) for corners in told["faces"]), {int(c): int(p) for c, p in told["nodes"]},
        )  # fmt: skip
