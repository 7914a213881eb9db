"""Bodies in space, faces, bearings and seats as the arrays of a scene."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from carom.contact import Place
from carom.errors import InputError, refusal
from carom.problem.faces import FaceRead, spatial
from carom.problem.labels import distinct_labels
from carom.problem.scenes.deck_weights import GROUND, is_ground
from carom.problem.scenes.decks import Stand, bearing_label, seat_label
from carom.problem.scenes.joint_arrays import gauge_arrays, joint_arrays
from carom.problem.scenes.scene import ANCHOR_ROWS, Array, FlatScene, nothing
from carom.structures.bridges.deck import Deck
from carom.structures.points import direction_of
from carom.structures.solids.rigid_body import MovingSolid
from carom.structures.solids.rotations import quaternion_of_matrix
from carom.structures.solids.solid import CENTRE, Solid

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["scene_in_space", "spatial"]

UP = np.array([0.0, 0.0, 1.0])


def scene_in_space(problem: Problem, scene: FlatScene | None, stand: Stand, faces: list[FaceRead | None]) -> FlatScene:
    """Return the scene with all that bodies in space have; refuse what cannot be."""
    for structure in problem.structures:
        if isinstance(structure, Deck):
            raise refusal(
                "structures", "Problem", "must not have decks in plan beside bodies in space", structure.owner,
                "Write a carom.Girder of the same length and width in its place.",
            )  # fmt: skip
    made = _Maker(problem, stand)
    empty = nothing(len(problem.pairs), stand.total, spatial=True)
    if scene is not None:
        empty = replace(empty, friction=scene.friction, second_slide=scene.second_slide)
    found = replace(empty, **made.contacts(faces), **made.bearings(), **made.gauges())
    return replace(found, **made.bodies(), **made.anchors())


@dataclass
class _Maker:
    """Collects anchors while contacts, joints and gauges ask for them."""

    problem: Problem
    stand: Stand

    def __post_init__(self) -> None:
        structures = self.problem.structures
        self._bodies = [i for i, structure in enumerate(structures) if isinstance(structure, MovingSolid)]
        self._anchors: dict[tuple[Any, ...], int] = {}
        self._body: list[int] = []
        self._points: list[Array] = []
        self._standing: list[Array] = []
        self._rows: list[Array] = []
        self._labels: list[str] = []

    # what a scene holds --------------------------------------------------------------------------------

    def bodies(self) -> dict[str, Any]:
        """Return modes, scales and poses of all bodies."""
        those = [cast(MovingSolid, self.problem.structures[i]) for i in self._bodies]
        modes = [np.arange(self.stand.columns[i].start, self.stand.columns[i].stop) for i in self._bodies]
        scale = [
            np.concatenate([np.full(3, 1.0 / math.sqrt(float(one.mass))), 1.0 / np.sqrt(one.principal[0])])
            for one in those
        ]
        pose = [np.concatenate([one.world(), quaternion_of_matrix(one.principal[1])]) for one in those]
        return {
            "body_modes": np.array(modes, dtype=np.int64).reshape(-1, 6),
            "body_scale": np.array(scale).reshape(-1, 6),
            "body_pose": np.array(pose).reshape(-1, 7),
            "body_structure": np.array(self._bodies, dtype=np.int64),
        }

    def anchors(self) -> dict[str, Any]:
        """Return all anchors that were asked for."""
        return {
            "anchor_body": np.array(self._body, dtype=np.int64),
            "anchor_point": np.array(self._points).reshape(-1, 3),
            "anchor_rows": np.array(self._rows).reshape(-1, ANCHOR_ROWS, self.stand.total),
            "anchor_labels": tuple(self._labels),
        }

    def contacts(self, faces: list[FaceRead | None]) -> dict[str, Any]:
        """Return nodes, faces and what lies between them."""
        count = len(self.problem.pairs)
        node, face, past = np.full(count, -1), np.full((count, 4), -1), np.zeros(count, dtype=np.int64)
        clearance, radius, overhang = np.zeros((3, count))
        for c, (contact, seen) in enumerate(zip(self.problem.pairs, faces, strict=True)):
            if seen is None:
                continue
            node[c] = self._place(contact.a)
            face[c] = [self._place(Place(contact.b.structure, name)) for name in seen.corner_names]
            clearance[c] = contact.gap - seen.gap
            radius[c], overhang[c], past[c] = seen.radius, contact.overhang, seen.begins_past
            if not self.problem.allow_overlap and seen.inside and contact.gap < 0.0:
                raise refusal(
                    "gap", f"contact {contact.name or self._labels[node[c]]!r}",
                    "must not be negative at the start: the node lies inside the body", contact.gap,
                    "Place the two farther apart, or pass allow_overlap=True.",
                )  # fmt: skip
        return {
            "node": node, "face": face, "clearance": clearance, "radius": radius, "overhang": overhang,
            "begins_past": past,
        }  # fmt: skip

    def bearings(self) -> dict[str, Any]:
        """Return the joints of all bearings, one for each rule."""
        ties = self.problem.ties
        labels = distinct_labels(bearing_label(self.problem, bearing) for bearing in ties)
        names, numbers, rows, anchors, bodies, axes, rest, told = [], [], [], [], [], [], [], []
        for bearing, label in zip(ties, labels, strict=True):
            a, b = self._pair(bearing.a, bearing.b, "Bearing")
            along = self._axes_of(bearing)
            body = self._body[a] if bearing.turning else -1
            if bearing.turning and body < 0:
                raise refusal("turning", "Bearing", "must be False where its first side is no body", bearing.turning)
            for rule in bearing.rules:
                if rule.name == "sliding" and getattr(rule, "normal", 0.0) is None:
                    raise refusal(
                        "normal", f"bearing {label!r}", "must be given in space", None,
                        "Say what it carries, or let a point of the girder rest on a face with friction.",
                    )  # fmt: skip
                names.append(rule.name)
                numbers.append(rule.numbers())
                rows.append(rule.dimension)
                anchors.append((a, b))
                bodies.append(body)
                told.append(label if len(bearing.rules) == 1 else f"{label}: {rule.name}")
                between = self._standing[a] - self._standing[b]
                for direction in along[: rule.dimension]:
                    axes.append((*self._own(direction, body), 0.0))
                    rest.append(float(direction @ between))
        return joint_arrays(names, numbers, rows, anchors, bodies, axes, rest, told)

    def gauges(self) -> dict[str, Any]:
        """Return what is read of seats: how far both corners of the end left, along and across, and the rotation."""
        anchors, bodies, axes, rest, limits, labels = [], [], [], [], [], []
        for seat in self.problem.seats:
            girder = self.problem.structure(seat.end.structure)
            if not isinstance(girder, MovingSolid) or not isinstance(seat.end.at, str):
                raise refusal("end", "Seat", "must be a face of a girder or a rigid body in space", girder.owner)
            corners = sorted(set(girder.side(seat.end.at)), key=lambda name: float(girder.world(name)[2]))[:2]
            across = girder.world(corners[1]) - girder.world(corners[0])
            across = across / np.linalg.norm(across)
            middle = 0.5 * (girder.world(corners[0]) + girder.world(corners[1]))
            inward = np.cross(UP, across)
            inward = inward * math.copysign(1.0, float(inward @ (girder.world() - middle))) / np.linalg.norm(inward)
            name, wide = seat_label(self.problem, seat), math.inf if seat.across is None else seat.across
            both = [self._pair(Place(seat.end.structure, corner), seat.on, "Seat") for corner in corners]
            read = (inward, (-math.inf, seat.length), "along"), (across, (-wide, wide), "across")
            for direction, limit, word in read:
                for corner, (a, b) in zip(corners, both, strict=True):
                    anchors.append((a, b))
                    axes.append((*self._own(direction, self._body[b]), 0.0))
                    rest.append(float(direction @ (self._standing[a] - self._standing[b])))
                    limits.append(limit)
                    labels.append(f"{name}: {corner} {word}")
                    bodies.append(self._body[b])
            a, b = self._pair(Place(seat.end.structure, CENTRE), seat.on, "Seat")
            anchors.append((a, b))
            axes.append((0.0, 0.0, 0.0, 1.0))
            rest.append(self._heading(a) - self._heading(b))
            limits.append((-math.inf, math.inf))
            labels.append(f"{name}: rotation")
            bodies.append(-1)
        return gauge_arrays(anchors, bodies, axes, rest, limits, labels)

    # directions ----------------------------------------------------------------------------------------

    def _axes_of(self, bearing: Any) -> tuple[Array, Array, Array]:
        """Return the directions of a bearing in the world at rest: along, a quarter of a turn on, square to both."""
        structure = self.problem.structure(bearing.a.structure)
        if bearing.along is None:
            if not isinstance(structure, Solid):
                raise refusal("along", "Bearing", "must be given where its first side is no body", structure.name)
            first = np.array(structure.axes[:, 0])
        else:
            first = np.array(direction_of(bearing.along, "Bearing"))
        second = np.cross(UP, first)
        if np.linalg.norm(second) < 1e-6:
            second = np.cross(first, np.array([1.0, 0.0, 0.0]))
        second = second / np.linalg.norm(second)
        return first, second, np.cross(first, second)

    def _own(self, direction: Array, body: int) -> Array:
        """Return a direction of the world at rest along the principal axes of a body that it turns with."""
        return direction if body < 0 else self._principal(body).T @ direction

    def _principal(self, body: int) -> Array:
        return cast(MovingSolid, self.problem.structures[self._bodies[body]]).principal[1]

    def _heading(self, anchor: int) -> float:
        """Return the angle in plan of the first principal axis of an anchor's body [rad]."""
        if self._body[anchor] < 0:
            return 0.0
        x, y, _ = self._principal(self._body[anchor])[:, 0].tolist()
        return math.atan2(y, x)

    # anchors -------------------------------------------------------------------------------------------

    def _pair(self, a: Place, b: Place, owner: str) -> tuple[int, int]:
        """Return the anchors of a place, and of what stands below it: at the same point where it says none."""
        first = self._place(a)
        here = self._standing[first]
        if is_ground(self.problem, b):
            support = self.stand.under[self.problem.index(a.structure)]
            key = (GROUND, support, *here.tolist())
            return first, self._anchor(key, -1, here, here, self._carried(support), GROUND)
        structure = self.problem.structure(b.structure)
        if b.at is None and isinstance(structure, Solid):
            local = structure.axes.T @ (here - np.array(structure.position))
            b = b._replace(at=tuple(local.tolist()))
        second = self._place(b)
        if first == second:
            raise InputError(f"{owner} joins a place of '{self._labels[first]}' with itself.")
        return first, second

    def _place(self, place: Place) -> int:
        """Return the anchor of a place."""
        i = self.problem.index(place.structure)
        structure = self.problem.structures[i]
        rows = self._carried(self.stand.under[i])
        key = (i, repr(place.at))
        label = f"{structure.name} {'' if place.at is None else structure.place_name(place.at)}".strip()
        if isinstance(structure, MovingSolid):
            world = structure.world(place.at)
            own = structure.principal[1].T @ structure.axes @ structure.local(place.at)
            return self._anchor(key, self._bodies.index(i), own, world, rows, label)
        location = structure.location(place.at)
        if location is None or location.position is None:
            raise refusal(
                "place", "Problem", f"must be a point of {structure.owner} whose coordinates are known", place.at
            )
        rows[:3, self.stand.columns[i]] += location.rows @ self.stand.modes[i].shapes
        world = np.array(location.position)
        return self._anchor(key, -1, world, world, rows, label)

    def _carried(self, support: int) -> Array:
        """Return what the displacement of a ground adds to an anchor, shape (6, N)."""
        found = np.zeros((ANCHOR_ROWS, self.stand.total))
        own = self.stand.total - len(self.stand.crossing)
        for k, (which, component) in enumerate(self.stand.crossing):
            if which == support:
                found[component, own + k] = 1.0
        return found

    def _anchor(self, key: tuple[Any, ...], body: int, point: Array, world: Array, rows: Array, label: str) -> int:
        if key not in self._anchors:
            self._anchors[key] = len(self._body)
            self._body.append(body)
            self._points.append(np.array(point))
            self._standing.append(np.array(world))
            self._rows.append(rows)
            self._labels.append(label)
        return self._anchors[key]
