"""From nodes and members to matrices: numbering, rigid diaphragms, condensation, mechanisms.

Every node has six displacements. Supports hold some of them, a plane frame has three only, and those of a diaphragm's
nodes in its plane follow from the diaphragm's own three. What is left is independent,

    u_nodes = T u,    K = Tᵀ K_nodes T,    M = Tᵀ M_nodes T + masses of diaphragms.

Of these, some may carry no mass: they follow from the others (`structures.condensation`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from carom.errors import InputError
from carom.structures.condensation import Condensed, condensed
from carom.structures.frame.members import (
    WAYS,
    Diaphragm,
    Link,
    Member,
    Spring,
    following,
    member_axes,
    member_mass,
    member_stiffness,
    slab_shares,
)
from carom.structures.matrices import Array, Integers

__all__ = ["Assembled", "Placed", "assembled", "condensed_frame", "in_plane", "refuse_mechanisms", "solved"]

MECHANISM = 1e-12
"""Share of a typical stiffness, below which a displacement pattern counts as held by nothing."""
NUDGE = 1e-15
"""Share of a typical stiffness that is added before a mechanism is sought."""
SEARCHES = 4
"""Inverse iterations for the softest displacement pattern."""
PLANES = {"xz": ("ux", "uz", "ry"), "xy": ("ux", "uy", "rz"), "yz": ("uy", "uz", "rx")}
"""What nodes of a plane frame can do."""


class Placed(NamedTuple):
    """A member in its place."""

    length: float
    axes: Array
    """Local axes as rows, shape (3, 3)."""
    at: Integers
    """Where the displacements of its nodes stand, shape (12,)."""
    follow: Array
    """Local displacements of its ends from those of its nodes, shape (12, 12), releases included."""
    to_ends: Array
    """The same without releases."""
    stiffness: Array
    """K in local axes, geometric stiffness included, nothing let go; shape (12, 12)."""


class Assembled(NamedTuple):
    """A frame as matrices, N nodes and n independent degrees of freedom."""

    names: tuple[str, ...]
    """Of the independent degrees of freedom."""
    expand: sparse.csr_array
    """T, shape (6N, n)."""
    nodes_stiffness: sparse.csr_array
    """K over all displacements of nodes, for reactions; shape (6N, 6N)."""
    stiffness: sparse.csr_array
    mass: sparse.csr_array
    influence: Array
    """ι, shape (n, 3)."""
    placed: dict[str, Placed]


def in_plane(plane: str | None) -> tuple[str, ...]:
    """Return what nodes can do."""
    return WAYS if plane is None else PLANES[plane]


def assembled(
    nodes: Mapping[str, Array], members: Sequence[Member], held: Mapping[str, frozenset[str]],
    masses: Mapping[str, Array], springs: Sequence[Spring], diaphragms: Sequence[Diaphragm], links: Sequence[Link], *,
    plane: str | None, lumped: bool, rotary: bool, tensions: Mapping[str, float],
) -> Assembled:  # fmt: skip
    """Put a frame together; `tensions` are the axial forces that stiffen members across their axes [N]."""
    where = {name: 6 * i for i, name in enumerate(nodes)}
    size = 6 * len(nodes)
    names, expand, own_mass, influence = _independent(nodes, held, diaphragms, links, plane)
    placed = {member.name: _placed(member, nodes, where, tensions.get(member.name, 0.0)) for member in members}
    stiffness, mass = _Gathered(size), _Gathered(size)
    for member in members:
        spot = placed[member.name]
        own = member_mass(member, spot.length, lumped, rotary)
        stiffness.add(spot.at, spot.follow.T @ spot.stiffness @ spot.follow)
        mass.add(spot.at, spot.follow.T @ own @ spot.follow)
    for spring in springs:
        at = [where[node] + WAYS.index(spring.way) for node in (spring.node, spring.to) if node is not None]
        signs = np.array([1.0, -1.0])[: len(at)]
        stiffness.add(np.array(at), spring.stiffness * np.outer(signs, signs))
    for node, values in masses.items():
        mass.add(where[node] + np.arange(6), np.diag(values))
    for node, share in slab_shares(diaphragms).items():
        mass.add(np.array([where[node] + 2]), np.array([[share]]))
    k, m = stiffness.matrix(), mass.matrix()
    reduced = sparse.csr_array(expand.T @ k @ expand)
    whole = sparse.csr_array(expand.T @ m @ expand + sparse.diags_array(own_mass))
    return Assembled(names, expand, k, reduced, whole, influence, placed)


class _Gathered:
    """A sparse matrix, made of small full ones."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._rows: list[Integers] = []
        self._columns: list[Integers] = []
        self._values: list[Array] = []

    def add(self, at: Integers, matrix: Array) -> None:
        self._rows.append(np.repeat(at, at.size))
        self._columns.append(np.tile(at, at.size))
        self._values.append(matrix.ravel())

    def matrix(self) -> sparse.csr_array:
        if not self._rows:
            return sparse.csr_array((self._size, self._size))
        rows, columns, values = (np.concatenate(part) for part in (self._rows, self._columns, self._values))
        return sparse.csr_array(sparse.coo_array((values, (rows, columns)), shape=(self._size, self._size)))


def _placed(member: Member, nodes: Mapping[str, Array], where: Mapping[str, int], tension: float) -> Placed:
    ends, arms = [], member.offsets or ((0.0, 0.0, 0.0),) * 2
    reach = np.zeros((12, 12))  # displacements of the ends in global axes, from those of the nodes
    for side, (node, arm) in enumerate(zip((member.start, member.end), arms, strict=True)):
        ends.append(nodes[node] + arm)
        part = slice(6 * side, 6 * side + 6)
        reach[part, part] = rigid_arm(arm)
    length, axes = member_axes(member, *ends)
    k = member_stiffness(member, length, tension)
    at = np.concatenate([where[node] + np.arange(6) for node in (member.start, member.end)])
    to_ends = np.kron(np.eye(4), axes) @ reach
    return Placed(length, axes, at, following(k, member.free_ends()) @ to_ends, to_ends, k)


def _independent(
    nodes: Mapping[str, Array], held: Mapping[str, frozenset[str]], diaphragms: Sequence[Diaphragm],
    links: Sequence[Link], plane: str | None,
) -> tuple[tuple[str, ...], sparse.csr_array, Array, Array]:  # fmt: skip
    """Return names of the independent degrees of freedom, T, what diaphragms weigh there, and ι."""
    able = in_plane(plane)
    flat = tuple(way for way in ("ux", "uy", "rz") if way in able)  # what a diaphragm does
    in_slab = {node for slab in diaphragms for node in slab.nodes}
    follows = {link.node: link.to for link in links}
    names: list[tuple[str, str]] = []
    own: list[float] = []
    shares: dict[tuple[str, str], dict[int, float]] = {}  # of a displacement of a node: by column of T
    for node in nodes:
        for way in able:
            if node not in follows and way not in held.get(node, frozenset()) and not (node in in_slab and way in flat):
                shares[node, way] = {len(names): 1.0}
                names.append((node, way))
                own.append(0.0)
    for slab in diaphragms:
        first, centre = len(names), centre_of(slab, nodes)
        for way in flat:
            names.append((slab.name, way))
            own.append(slab.inertia or 0.0 if way == "rz" else slab.mass)
        for node in slab.nodes:
            arm = np.array([*(nodes[node][:2] - centre), 0.0])
            for way, parts in _carried(arm).items():
                if way in flat:
                    shares[node, way] = {first + flat.index(its): share for its, share in parts if its in flat}
    for link in links:
        master = link.to
        while master in follows:  # an arm on an arm
            master = follows[master]
        for way, parts in _carried(nodes[link.node] - nodes[master]).items():
            gathered: dict[int, float] = {}
            for its, share in parts:
                for column, value in shares.get((master, its), {}).items():
                    gathered[column] = gathered.get(column, 0.0) + share * value
            shares[link.node, way] = gathered
    where = {name: 6 * i for i, name in enumerate(nodes)}
    entries = [
        (where[node] + WAYS.index(way), column, value)
        for (node, way), parts in shares.items()
        for column, value in parts.items()
    ]
    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    expand = sparse.csr_array(sparse.coo_array((values, (rows, columns)), shape=(6 * len(nodes), len(names))))
    toward = [np.eye(3)[WAYS.index(way)] if way.startswith("u") else np.zeros(3) for _, way in names]
    told = tuple(f"{name} {way}" for name, way in names)
    return told, expand, np.array(own), np.array(toward).reshape(-1, 3)


def rigid_arm(arm: Sequence[float] | Array) -> Array:
    """Return the six displacements at the end of a rigid arm [m] from those at its foot, shape (6, 6)."""
    x, y, z = arm
    found = np.eye(6)
    found[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    return found


def _carried(arm: Array) -> dict[str, list[tuple[str, float]]]:
    """Return what the end of a rigid arm [m] takes of the displacements at its foot, for each of its own."""
    return {
        way: [(its, float(share)) for its, share in zip(WAYS, row, strict=True) if share]
        for way, row in zip(WAYS, rigid_arm(arm), strict=True)
    }


def centre_of(slab: Diaphragm, nodes: Mapping[str, Array]) -> Array:
    """Return x and y of the centre of mass of a diaphragm [m]."""
    if slab.at is not None:
        return np.asarray(slab.at, dtype=float)
    found: Array = np.mean([nodes[node][:2] for node in slab.nodes], axis=0)
    return found


def refuse_mechanisms(of: Assembled, owner: str) -> None:
    """Refuse a frame of which something can move without resistance, and name what moves most."""
    diagonal = of.stiffness.diagonal()
    loose = [of.names[i] for i in np.flatnonzero(diagonal <= MECHANISM * diagonal.max(initial=0.0))]
    if loose:
        raise InputError(
            f"{owner} is a mechanism: nothing resists {_listed(loose)}. Hold it by a support, a member or a spring."
        )
    scale = sparse.diags_array(1.0 / np.sqrt(diagonal))
    plain = sparse.csc_array(scale @ of.stiffness @ scale)
    factors = splu(plain + NUDGE * sparse.eye_array(diagonal.size, format="csc"))
    pattern = np.random.default_rng(0).normal(size=diagonal.size)
    for _ in range(SEARCHES):
        pattern = factors.solve(pattern)
        pattern /= np.linalg.norm(pattern)
    if float(pattern @ (plain @ pattern)) < MECHANISM:
        most = np.argsort(-np.abs(pattern))
        moved = [of.names[i] for i in most if abs(pattern[i]) > 0.5 * abs(pattern[most[0]])]
        raise InputError(
            f"{owner} is a mechanism: it moves without resistance by {_listed(moved)}. Hold it by a support, a member "
            "or a spring, or take a release back."
        )


def solved(of: Assembled, forces: Array) -> Array:
    """Return all displacements of nodes under forces on the independent degrees of freedom, shape (6N,)."""
    found: Array = of.expand @ splu(sparse.csc_array(of.stiffness)).solve(forces)
    return found


def condensed_frame(of: Assembled, owner: str) -> Condensed:
    """Return a frame by the degrees of freedom that carry mass; the others follow from them."""
    if not (of.mass.diagonal() > 0.0).any():
        raise InputError(f"{owner} has no mass. Give a material its density, or masses to nodes or diaphragms.")
    return condensed(of.mass.toarray(), of.stiffness.toarray())


def _listed(names: Sequence[str]) -> str:
    shown = [f"'{name}'" for name in names[:4]]
    return ", ".join(shown) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
