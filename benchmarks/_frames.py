"""Concrete frames in space, by their matrices: columns and beams of Euler and Bernoulli, masses lumped at the nodes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import carom

Array = npt.NDArray[np.float64]

YOUNG = 30e9  # [N/m²]
SHEAR = 12.5e9  # [N/m²]
DENSITY = 2500.0  # [kg/m³]
BEAM = (0.3, 0.6)  # breadth and depth [m]
BAY = 6.0  # distance of columns [m]
STOREY = 3.2  # height of a storey [m]
SLAB_LOAD = 500.0  # of every floor, its own weight apart from beams included [kg/m²]
WAYS = ("ux", "uy", "uz", "rx", "ry", "rz")


def member_stiffness(length: float, breadth: float, depth: float) -> Array:
    """Return the stiffness of a member in its own axes, (12, 12): x along it, z along its depth."""
    area, about_y, about_z = breadth * depth, breadth * depth**3 / 12.0, depth * breadth**3 / 12.0
    torsion = 0.2 * min(breadth, depth) ** 3 * max(breadth, depth)  # [m⁴], roughly
    found = np.zeros((12, 12))
    for i, k in ((0, YOUNG * area / length), (3, SHEAR * torsion / length)):
        found[np.ix_([i, i + 6], [i, i + 6])] += k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    for shift, turn, inertia, sign in ((1, 5, about_z, 1.0), (2, 4, about_y, -1.0)):
        a, b, c = 6.0 * length * sign, 4.0 * length**2, 2.0 * length**2
        bending = np.array([[12.0, a, -12.0, a], [a, b, -a, c], [-12.0, -a, 12.0, -a], [a, c, -a, b]])
        at = [shift, turn, shift + 6, turn + 6]
        found[np.ix_(at, at)] += YOUNG * inertia / length**3 * bending
    return found


def axes_of(along: Array) -> Array:
    """Return the axes of a member as rows: along it, across, and along its depth, which is upright or along x."""
    depth = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    across = np.cross(depth, along)
    return np.array([along, across, depth])


def frame(storeys: int, wide: int, deep: int, column: float, name: str, outputs: list[str]) -> carom.Structure:
    """Return a frame of `wide` by `deep` square columns (side `column` [m]), six degrees of freedom at each joint.

    Those of the joint i-th along x and j-th along y on floor s are called ``"ijs ux"`` and so on.
    """
    joints = [(i, j, s) for s in range(storeys + 1) for j in range(deep) for i in range(wide)]
    place = {joint: 6 * n for n, joint in enumerate(joints)}
    stiffness, mass = np.zeros((6 * len(joints), 6 * len(joints))), np.zeros(6 * len(joints))

    def add(one: tuple[int, int, int], other: tuple[int, int, int], section: tuple[float, float]) -> None:
        way = (np.array(other) - np.array(one)) * (BAY, BAY, STOREY)
        length = float(np.linalg.norm(way))
        turned = np.kron(np.eye(4), axes_of(way / length))
        at = np.r_[place[one] : place[one] + 6, place[other] : place[other] + 6]
        stiffness[np.ix_(at, at)] += turned.T @ member_stiffness(length, *section) @ turned
        half = 0.5 * DENSITY * section[0] * section[1] * length
        for n in (place[one], place[other]):
            mass[n : n + 3] += half
            mass[n + 3 : n + 6] += half * length**2 / 12.0

    slab = SLAB_LOAD * BAY**2 * (wide - 1) * (deep - 1) / (wide * deep)
    for i, j, s in joints[wide * deep :]:
        add((i, j, s - 1), (i, j, s), (column, column))
        if i > 0:
            add((i - 1, j, s), (i, j, s), BEAM)
        if j > 0:
            add((i, j - 1, s), (i, j, s), BEAM)
        n = place[i, j, s]
        mass[n : n + 3] += slab
        mass[n + 3 : n + 6] += slab * 0.3  # of the slab about its joint, radius of gyration 0.55 m
    free = slice(6 * wide * deep, None)
    dofs = [f"{i}{j}{s} {way}" for i, j, s in joints[wide * deep :] for way in WAYS]
    return carom.Structure(
        mass[free], stiffness[free, free], damping_ratio=0.05, dofs=dofs, outputs=outputs, name=name,
        influence=np.array([1.0 if dof.endswith("ux") else 0.0 for dof in dofs]),
    )  # fmt: skip


def side_by_side(motion: carom.Motion, gap: float) -> carom.Problem:
    """Return frames of five and four storeys, 648 degrees of freedom, that may meet at 16 joints along x.

    Results keep 36 rows: the joints that may meet, and two of each roof.
    """
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    both = [frame(5, 3, 4, 0.45, "a", ["005 ux", "005 uy"]), frame(4, 3, 4, 0.6, "b", ["204 ux", "204 uy"])]
    contacts = [
        carom.Contact(("a", f"2{j}{s} ux"), ("b", f"0{j}{s} ux"), gap=gap, law=law)
        for s in range(1, 5)
        for j in range(4)
    ]
    return carom.Problem(both, contacts, motion=motion)
