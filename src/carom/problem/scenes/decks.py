"""Decks, abutments, bearings and seats as the arrays of a scene: bodies, anchors, faces, joints, gauges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from carom.contact import Bearing, Contact, Place, Seat
from carom.errors import InputError, refusal
from carom.joints import SlidingBearing
from carom.problem.labels import distinct_labels
from carom.problem.scenes.deck_weights import GROUND, is_ground, normal_forces, refuse_unsupported
from carom.problem.scenes.joint_arrays import gauge_arrays, joint_arrays
from carom.problem.scenes.scene import ANCHOR_ROWS, Array, FlatScene, nothing
from carom.structures.base import Modes
from carom.structures.bridges.deck import Deck
from carom.structures.bridges.pier import Pier
from carom.structures.points import direction_of

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["GAUGES", "SeatGauges", "Stand", "bearing_label", "planar", "scene_of_decks", "seat_label"]

INSIDE = 1e-9
"""A node starts inside a body where it lies deeper than this share of the body's size."""
GAUGES = ("along", "along", "across", "across", "rotation")
"""What is read of every seat, in this order: at both corners of the end, then of the deck."""


class Stand(NamedTuple):
    """What the arrays of a problem know of its structures: modes, their columns, and what stands on what."""

    modes: Sequence[Modes]
    columns: Sequence[slice]
    under: Sequence[int]
    """Which support each structure stands on."""
    crossing: npt.NDArray[np.int_]
    """The pairs (support, component) of which there are modes of ground displacement, behind all others."""
    total: int
    """How many modes there are in all."""


class SeatGauges(NamedTuple):
    """Where the gauges of a seat stand among those of a scene: the first; they follow as `GAUGES` says."""

    seat: Seat
    first: int


class _Outlined(Protocol):
    @property
    def outlined(self) -> Array: ...

    def edge(self, which: object) -> tuple[int, int]: ...


def planar(problem: Problem) -> bool:
    """Whether a problem has decks, bearings, seats or contacts against edges."""
    return bool(
        any(structure.turning for structure in problem.structures)
        or problem.ties
        or problem.seats
        or any(contact.edge is not None for contact in problem.pairs)
    )


def scene_of_decks(problem: Problem, scene: FlatScene | None, stand: Stand, q0: Array) -> FlatScene | None:
    """Return the scene with all that decks have; refuse what cannot be."""
    if not planar(problem):
        return scene
    refuse_unsupported(problem)
    made = _Maker(problem, stand)
    found = replace(
        nothing(len(problem.pairs), stand.total) if scene is None else scene,
        **made.contacts(),
        **made.bearings(),
        **made.gauges(),
    )
    found = replace(found, **made.bodies(), **made.anchors())
    if not problem.allow_overlap:
        _refuse_inside(problem, found, q0)
    return found


def bearing_label(problem: Problem, bearing: Bearing) -> str:
    """Return the name of a bearing, or of the places that it joins."""
    if bearing.name:
        return bearing.name
    deck, b = problem.structure(bearing.a.structure), bearing.b
    below = b.structure if is_ground(problem, b) else problem.structure(b.structure).name
    return f"{deck.name} {deck.place_name(bearing.a.at)} | {below}"


def seat_label(problem: Problem, seat: Seat) -> str:
    """Return the name of a seat, or of the end that it is for."""
    return seat.name or f"{problem.structure(seat.end.structure).name} {seat.end.at}"


@dataclass
class _Maker:
    """Collects anchors while contacts, joints and gauges ask for them."""

    problem: Problem
    stand: Stand

    def __post_init__(self) -> None:
        self._decks = [i for i, structure in enumerate(self.problem.structures) if structure.turning]
        self._anchors: dict[tuple[Any, ...], int] = {}
        self._body: list[int] = []
        self._points: list[tuple[float, float, float]] = []
        self._rows: list[Array] = []
        self._labels: list[str] = []

    # what a scene holds --------------------------------------------------------------------------------

    def bodies(self) -> dict[str, Any]:
        decks = [cast(Deck, self.problem.structures[i]) for i in self._decks]
        modes = [np.arange(self.stand.columns[i].start, self.stand.columns[i].stop) for i in self._decks]
        scale = [np.diag(self.stand.modes[i].shapes) for i in self._decks]
        return {
            "body_modes": np.array(modes, dtype=np.int64).reshape(-1, 3),
            "body_scale": np.array(scale).reshape(-1, 3),
            "body_pose": np.array([[*deck.world("centre"), 0.0] for deck in decks]).reshape(-1, 3),
            "body_structure": np.array(self._decks, dtype=np.int64),
        }

    def anchors(self) -> dict[str, Any]:
        return {
            "anchor_body": np.array(self._body, dtype=np.int64),
            "anchor_point": np.array(self._points).reshape(-1, 3),
            "anchor_rows": np.array(self._rows).reshape(-1, ANCHOR_ROWS, self.stand.total),
            "anchor_labels": tuple(self._labels),
        }

    def contacts(self) -> dict[str, Any]:
        """Return nodes, faces and clearances of contacts against edges."""
        count = len(self.problem.pairs)
        node, face, clearance = np.full(count, -1), np.full((count, 4), -1), np.zeros(count)
        for c, contact in enumerate(self.problem.pairs):
            if contact.edge is None:
                continue
            node[c] = self._place(contact.a, None, "contact")
            start, end = _edge_of(self.problem, contact)
            which = self.problem.index(contact.b.structure)
            face[c, :2] = self._fixed(which, start), self._fixed(which, end)
            along = (end - start) / np.hypot(*(end - start))
            before = (np.array(self._standing(node[c])) - start) @ np.array([along[1], -along[0]])
            clearance[c] = contact.gap - before
        return {"node": node, "face": face, "clearance": clearance}

    def bearings(self) -> dict[str, Any]:
        """Return the joints of all bearings, one for each rule."""
        ties = self.problem.ties
        loads = normal_forces(self.problem)
        labels = distinct_labels(bearing_label(self.problem, bearing) for bearing in ties)
        names, numbers, rows, anchors, bodies, axes, rest, told = [], [], [], [], [], [], [], []
        for bearing, label, load in zip(ties, labels, loads, strict=True):
            a, b, first = self._tied(bearing)
            body = self._body[a] if bearing.turning else -1
            second = np.array([-first[1], first[0]])
            for rule in bearing.rules:
                under = rule.bearing(load) if isinstance(rule, SlidingBearing) and rule.normal is None else rule
                names.append(rule.name)
                numbers.append(under.numbers())
                rows.append(rule.dimension)
                anchors.append((a, b))
                bodies.append(body)
                told.append(label if len(bearing.rules) == 1 else f"{label}: {rule.name}")
                between = np.array(self._standing(a)) - np.array(self._standing(b))
                for direction in (first, second)[: rule.dimension]:
                    axes.append((*direction, 0.0, 0.0))
                    rest.append(float(direction @ between))
        return joint_arrays(names, numbers, rows, anchors, bodies, axes, rest, told)

    def gauges(self) -> dict[str, Any]:
        """Return what is read of seats: how far each corner of the end has left, along and across, and the rotation."""
        anchors, bodies, axes, rest, limits, labels = [], [], [], [], [], []
        for seat in self.problem.seats:
            deck = _deck_of(self.problem, seat.end, "Seat")
            corners = [deck.corner_names[i] for i in deck.edge(seat.end.at)]
            start, end = (deck.world(corner) for corner in corners)
            along = (end - start) / np.hypot(*(end - start))
            inward = np.array([-along[1], along[0]])
            name = seat_label(self.problem, seat)
            across = math.inf if seat.across is None else seat.across
            both = [self._pair(Place(seat.end.structure, corner), seat.on, "Seat") for corner in corners]
            read = (inward, (-math.inf, seat.length), "along"), (along, (-across, across), "across")
            for direction, limit, word in read:
                for corner, (a, b) in zip(corners, both, strict=True):
                    between = np.array(self._standing(a)) - np.array(self._standing(b))
                    anchors.append((a, b))
                    axes.append((*direction, 0.0, 0.0))
                    rest.append(float(direction @ between))
                    limits.append(limit)
                    labels.append(f"{name}: {corner} {word}")
                    bodies.append(self._body[b])
            anchors.append(self._pair(Place(seat.end.structure, "centre"), seat.on, "Seat"))
            axes.append((0.0, 0.0, 0.0, 1.0))
            rest.append(0.0)
            limits.append((-math.inf, math.inf))
            labels.append(f"{name}: rotation")
            bodies.append(-1)
        return gauge_arrays(anchors, bodies, axes, rest, limits, labels)

    # anchors -------------------------------------------------------------------------------------------

    def _tied(self, bearing: Bearing) -> tuple[int, int, Array]:
        """Return the anchors of a bearing and its first direction in the world at rest."""
        a, b = self._pair(bearing.a, bearing.b, "Bearing")
        if bearing.along is None:
            deck = self.problem.structure(bearing.a.structure)
            if not isinstance(deck, Deck):
                raise refusal("along", "Bearing", "must be given where its first side is no deck", deck.name)
            return a, b, np.array([math.cos(deck.angle), math.sin(deck.angle)])
        along = direction_of(bearing.along, "Bearing")
        if abs(along[2]) > 0.0:
            raise refusal("along", "Bearing", "must be a direction in the plane", bearing.along)
        if bearing.turning and self._body[a] < 0:
            raise refusal("turning", "Bearing", "must be False where its first side is no deck", bearing.turning)
        return a, b, np.array(along[:2])

    def _pair(self, a: Place, b: Place, owner: str) -> tuple[int, int]:
        """Return the anchors of a place, and of what stands below it: at the same point where it has several."""
        first = self._place(a, None, owner)
        here = self._standing(first)
        if is_ground(self.problem, b):
            support = self.stand.under[self.problem.index(a.structure)]
            return first, self._anchor((GROUND, support, here), -1, (*here, 0.0), self._carried(support), GROUND)
        second = self._place(b, here, owner)
        if first == second:
            raise InputError(f"{owner} joins a place of '{self._labels[first]}' with itself.")
        return first, second

    def _place(self, place: Place, beside: tuple[float, float] | None, owner: str) -> int:
        """Return the anchor of a place; where it says no point, a body has the one beside, others the one they have."""
        i = self.problem.index(place.structure)
        structure = self.problem.structures[i]
        if isinstance(structure, Deck):
            if place.at is None and beside is None:
                raise refusal("place", owner, f"must say where on {structure.owner}", place.structure)
            at = structure.world(place.at) if place.at is not None else np.array(beside)
            return self._fixed(i, at, "" if place.at is None else structure.place_name(place.at))
        location = structure.location(place.at)
        if location is None and structure.rigid:
            location = structure.location(None)
        if location is None:
            raise refusal(
                "place", owner, f"must be a point of {structure.owner}", place.at,
                "Name a point of it with a position, or a floor.",
            )  # fmt: skip
        everywhere = structure.rigid or isinstance(structure, Pier)
        where = beside if location.position is None or (everywhere and place.at is None) else location.position[:2]
        where = location.position[:2] if where is None and location.position is not None else where
        if where is None:
            raise refusal("place", owner, f"must be a point of {structure.owner} whose coordinates are known", place.at)
        rows = self._carried(self.stand.under[i])
        rows[:3, self.stand.columns[i]] += location.rows @ self.stand.modes[i].shapes
        key = (i, repr(place.at), where)
        return self._anchor(key, -1, (*where, 0.0), rows, f"{structure.name} {place.at or ''}".strip())

    def _fixed(self, which: int, at: Array, name: str = "") -> int:
        """Return the anchor fixed to a deck or abutment at a point of the world at rest."""
        structure = self.problem.structures[which]
        rows = self._carried(self.stand.under[which])
        x, y = float(at[0]), float(at[1])
        label = f"{structure.name} {name}".strip()
        if not isinstance(structure, Deck):
            return self._anchor((which, x, y), -1, (x, y, 0.0), rows, label)
        cx, cy = structure.world("centre").tolist()
        return self._anchor((which, x, y), self._decks.index(which), (x - cx, y - cy, 0.0), rows, label)

    def _carried(self, support: int) -> Array:
        """Return what the displacement of a ground adds to an anchor, shape (6, N)."""
        found = np.zeros((ANCHOR_ROWS, self.stand.total))
        own = self.stand.total - len(self.stand.crossing)
        for k, (which, component) in enumerate(self.stand.crossing):
            if which == support:
                found[component, own + k] = 1.0
        return found

    def _anchor(
        self, key: tuple[Any, ...], body: int, point: tuple[float, float, float], rows: Array, label: str
    ) -> int:
        if key not in self._anchors:
            self._anchors[key] = len(self._body)
            self._body.append(body)
            self._points.append(point)
            self._rows.append(rows)
            self._labels.append(label)
        return self._anchors[key]

    def _standing(self, anchor: int) -> tuple[float, float]:
        """Return where an anchor stands in the world at rest."""
        x, y, _ = self._points[anchor]
        if self._body[anchor] >= 0:
            deck = cast(Deck, self.problem.structures[self._decks[self._body[anchor]]])
            cx, cy = deck.world("centre").tolist()
            return x + cx, y + cy
        return x, y


def _edge_of(problem: Problem, contact: Contact) -> tuple[Array, Array]:
    """Return both ends of the edge that a contact is against, with its overhang, in the world at rest."""
    structure = problem.structure(contact.b.structure)
    if not hasattr(structure, "outlined"):
        raise refusal("edge", "Contact", "must be of a deck or an abutment", structure.owner)
    outlined = cast(_Outlined, structure)
    i, j = outlined.edge(contact.edge)
    start, end = outlined.outlined[i], outlined.outlined[j]
    past = contact.overhang * (end - start) / np.hypot(*(end - start))
    return start - past, end + past


def _deck_of(problem: Problem, place: Place, owner: str) -> Deck:
    found = problem.structure(place.structure)
    if not isinstance(found, Deck):
        raise refusal("end", owner, "must be an edge of a deck", found.owner)
    return found


def _refuse_inside(problem: Problem, scene: FlatScene, q0: Array) -> None:
    """Refuse nodes that start inside the body whose edge they are to strike."""
    for c in np.flatnonzero(scene.node >= 0):
        node, start, end = (standing(scene, anchor, q0) for anchor in (scene.node[c], *scene.face[c, :2]))
        span = end - start
        length = float(np.hypot(*span))
        along = span / length
        share = float((node - start) @ along) / length
        deep = -float((node - start) @ [along[1], -along[0]]) - scene.clearance[c]
        if 0.0 <= share <= 1.0 and deep > INSIDE * length:
            contact = problem.pairs[c]
            rule = "must not be negative at the start: the corner lies inside the body"
            way_out = "Place the two farther apart, or pass allow_overlap=True."
            raise refusal("gap", f"contact {contact.name!r}", rule, -deep, way_out)


def standing(scene: FlatScene, anchor: int, q: Array) -> Array:
    """Return where an anchor stands in the plane, shape (2,), at modal coordinates q."""
    moved = scene.anchor_rows[anchor, :2] @ q
    x, y, _ = scene.anchor_point[anchor]
    body = scene.anchor_body[anchor]
    if body < 0:
        return np.array([x, y]) + moved
    cx, cy, turned = scene.body_pose[body] + scene.body_scale[body] * q[scene.body_modes[body]]
    c, s = math.cos(turned), math.sin(turned)
    return np.array([cx + c * x - s * y, cy + s * x + c * y]) + moved
