"""A node and a face of a contact in space, as they stand at the start: foot, gap, normal, and what both sides read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.contact import Contact, Place
from carom.errors import refusal
from carom.kernels.space import rows
from carom.kernels.space.faces import see_face
from carom.problem.relations import Read, SidesRead
from carom.structures.points import Location
from carom.structures.solids.outline import face_fault
from carom.structures.solids.solid import CENTRE, Solid

if TYPE_CHECKING:
    from carom.problem.flat import Array
    from carom.problem.problem import Problem

__all__ = ["FaceRead", "spatial"]

INSIDE = 1e-9
"""A node starts inside a body where it lies deeper than this share of the size of the face."""


def spatial(problem: Problem) -> bool:
    """Whether a problem has bodies in space, or contacts against faces."""
    return any(structure.spatial for structure in problem.structures) or any(
        contact.face is not None for contact in problem.pairs
    )


class FaceRead:
    """A contact against a face, at rest."""

    def __init__(self, problem: Problem, contact: Contact) -> None:
        """Look at a contact's two sides; refuse what no node can be seen from."""
        self.problem, self.contact = problem, contact
        self.sides = problem.index(contact.a.structure), problem.index(contact.b.structure)
        self.node = self._point(contact.a, "a")
        structure = problem.structures[self.sides[1]]
        if isinstance(contact.face, str):
            if not isinstance(structure, Solid):
                raise refusal(
                    "face", "Contact", f"must be three or four points of {structure.owner}", contact.face,
                    "Only rigid bodies, girders and fixed bodies have faces with names.",
                )  # fmt: skip
            self.corner_names: tuple[Any, ...] = structure.side(contact.face)
        else:
            self.corner_names = contact.face
        self.corner_names = (*self.corner_names, self.corner_names[-1])[:4]
        self.corners = tuple(self._point(Place(contact.b.structure, name), "face") for name in self.corner_names)
        places = np.array([corner.position for corner in self.corners])
        fault = face_fault(places)
        if fault is not None:
            raise refusal("face", f"Contact with {structure.owner}", *fault)

    def _point(self, place: Place, side: str) -> Location:
        structure = self.problem.structure(place.structure)
        at = CENTRE if place.at is None and isinstance(structure, Solid) else place.at
        found = structure.location(at)
        if found is None or found.position is None:
            raise refusal(
                side, "Contact against a face", f"must be points of {structure.owner} with coordinates", place.at
            )
        return found

    @cached_property
    def radius(self) -> float:
        """Of the sphere around the node [m]."""
        structure = self.problem.structures[self.sides[0]]
        at = CENTRE if self.contact.a.at is None else self.contact.a.at
        if not isinstance(structure, Solid) or not isinstance(at, str):
            return 0.0
        return structure.sphere_radius.get(at, 0.0)

    @cached_property
    def view(self) -> Array:
        """How the node sees the face (`kernels.space.faces`)."""
        seen = np.zeros(rows.VIEW_SIZE)
        a, b, c, d = (np.array(one.position) for one in self.corners)
        see_face(np.array(self.node.position), a, b, c, d, seen)
        return seen

    @property
    def normal(self) -> Array:
        """Outwards, shape (3,)."""
        return self.view[rows.NORMAL : rows.NORMAL + 3]

    @property
    def gap(self) -> float:
        """Of the node, or its sphere, before the face [m]."""
        return float(self.view[rows.GAP]) - self.radius

    @property
    def size(self) -> float:
        """Length of the outline of the face [m]."""
        return float(self.view[rows.ROUND])

    def read(self, direction: Array) -> SidesRead:
        """Return what both sides read along a direction, at the foot of the node."""
        weights = self.view[rows.WEIGHT : rows.WEIGHT + 4]
        behind = np.einsum("c,cij->ij", weights, np.array([corner.rows for corner in self.corners]))
        return (
            Read(self.sides[0], direction @ self.node.rows, direction),
            Read(self.sides[1], direction @ behind, direction),
        )

    def read_normal(self) -> SidesRead:
        """Return what both sides read across the face, from the node into it."""
        return self.read(-self.normal)

    def read_tangent(self, which: int) -> SidesRead:
        """Return what both sides read along one of the two tangents."""
        first = (rows.TANGENT, rows.TANGENT_2)[which]
        return self.read(self.view[first : first + 3].copy())

    @cached_property
    def begins_past(self) -> bool:
        """Whether the node starts behind the plane of the face, and outside the body: in front of another face."""
        if self.gap >= 0.0:
            return False
        structure = self.problem.structures[self.sides[1]]
        if not isinstance(structure, Solid):
            return False
        where = np.array(self.node.position)
        others = [name for name in structure.sides if name != self.contact.face]
        return any(_height(where, structure.corners(name)) > -INSIDE * self.size for name in others)

    @property
    def inside(self) -> bool:
        """Whether the node starts inside the body, behind the face and within its ends."""
        behind = self.gap < -INSIDE * self.size and self.view[rows.MARGIN] + self.contact.overhang >= 0.0
        return bool(behind) and not self.begins_past


def _height(point: Array, corners: Array) -> float:
    """Return how far a point stands before the plane of a face [m]."""
    normal = np.cross(corners[2] - corners[0], corners[3] - corners[1])
    return float((point - corners.mean(axis=0)) @ normal / np.linalg.norm(normal))
