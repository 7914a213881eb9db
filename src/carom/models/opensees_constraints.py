"""The constraints of an OpenSees domain, from what the domain prints: supports, and nodes that follow others.

OpenSees prints the matrix of a constraint to six digits. Each is one of two kinds that are known exactly: the same
displacement (`equalDOF`), or that of a rigid body (`rigidLink`, `rigidDiaphragm`), whose numbers are differences of
coordinates. What agrees with neither to the printed digits is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from carom.errors import InputError
from carom.models.opensees_domain import OpenSeesDomain
from carom.structures.matrices import Array

__all__ = ["Constraints", "constraints_of", "ways_of"]

PRINTED = 5.1e-6
"""Largest relative error of a number printed to six digits, that of 1.000005, and a little more."""
WAYS = {(1, 1): "x", (2, 1): "x", (2, 2): "xy", (2, 3): "xyr", (3, 1): "x", (3, 3): "xyz", (3, 6): "xyzabc"}
"""By dimensions and degrees of freedom of a node: what they are; r, a, b, c are rotations."""

_SINGLE = re.compile(r"^(ImposedMotionSP|SP_Constraint): -?\d+\s+Node: (\d+) DOF: (\d+)(?: ref value: (\S+))?", re.M)
_COUNT = re.compile(r"^(\w+_Constraints): numConstraints: (\d+)", re.M)
_SEVERAL = re.compile(
    r"^MP_Constraint: -?\d+\s+Node Constrained: (\d+) node Retained: (\d+)\s+constrained dof: ([\d ]*)\s*"
    r"retained dof: ([\d ]*)\s*constraint matrix:\s*\n((?:[-+\d.e ]+\n)*)",
    re.M,
)


class Constraints(NamedTuple):
    """What holds a domain."""

    held: list[int]
    """Equations that do not move."""
    followed: list[tuple[list[int], list[int], Array]]
    """Equations that follow, those they follow, and the matrix: u = matrix @ u of the followed."""
    moved: list[str]
    """Supports of which something is said that is left out: prescribed displacements and motions."""


def ways_of(domain: OpenSeesDomain, tag: int) -> str:
    """Return what the degrees of freedom of a node are, a letter each."""
    count = len(domain.equations[tag])
    ways = WAYS.get((domain.dimensions, count))
    if ways is None:
        raise InputError(
            f"Node {tag} of the OpenSees model has {count} degrees of freedom in {domain.dimensions} dimensions: what "
            "they are is not known. Displacements and rotations are imported, no pressures or temperatures."
        )
    return ways


def constraints_of(domain: OpenSeesDomain) -> Constraints:
    """Return all constraints; refuse a kind that is not known."""
    text = domain.text
    counts = dict.fromkeys(("SP_Constraints", "Pressure_Constraints", "MP_Constraints"), 0)
    counts |= {kind: int(count) for kind, count in _COUNT.findall(text)}
    several = _SEVERAL.findall(text)
    if len(several) != counts["MP_Constraints"]:
        unknown = counts["MP_Constraints"] - len(several)
        raise InputError(
            f"{unknown} of {counts['MP_Constraints']} multi-point constraints of the OpenSees model are of a kind that "
            "is not known. Known are equalDOF, rigidLink and rigidDiaphragm: write it with one of these."
        )
    others = {kind: count for kind, count in counts.items() if kind not in ("SP_Constraints", "MP_Constraints")}
    for kind, count in others.items():
        if count:
            raise InputError(f"The OpenSees model has {count} {kind.replace('_', ' ').lower()}, which are not known.")
    held, moved = [], []
    for kind, node, dof, value in _SINGLE.findall(text):
        way = int(dof) - (kind == "SP_Constraint")  # of the other kind they are printed from 0
        held.append(domain.equations[int(node)][way])
        if kind == "ImposedMotionSP" or float(value or 0.0) != 0.0:
            moved.append(f"node {node} dof {way + 1}")
    return Constraints(held, [_followed(domain, *match) for match in several], moved)


def _followed(
    domain: OpenSeesDomain, follower: str, leader: str, rows: str, columns: str, numbers: str
) -> tuple[list[int], list[int], Array]:
    """Return a constraint with the exact numbers of its kind."""
    a, b = int(follower), int(leader)
    at, to = ([int(dof) - 1 for dof in dofs.split()] for dofs in (rows, columns))
    printed = np.array([[float(x) for x in line.split()] for line in numbers.splitlines() if line.strip()])
    rigid = _rigid(domain, a, b)[np.ix_(at, to)]
    for exact in (rigid, np.eye(len(at), len(to))):
        if exact.shape == printed.shape and np.all(np.abs(exact - printed) <= PRINTED * np.abs(exact)):
            return [domain.equations[a][dof] for dof in at], [domain.equations[b][dof] for dof in to], exact
    raise InputError(
        f"The constraint of node {a} to node {b} of the OpenSees model is of a kind that is not known: it is neither "
        "an equal displacement nor that of a rigid body. Write it with equalDOF, rigidLink or rigidDiaphragm."
    )


def _rigid(domain: OpenSeesDomain, follower: int, leader: int) -> Array:
    """Return how a node moves that is fixed to another, by the degrees of freedom of both."""
    arm = np.zeros(3)
    arm[: domain.dimensions] = np.subtract(domain.coordinates[follower], domain.coordinates[leader])
    x, y, z = arm
    whole = np.eye(6)
    whole[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]  # ω × arm
    order = {"x": 0, "y": 1, "z": 2, "a": 3, "b": 4, "c": 5, "r": 5}
    ways = [[order[way] for way in ways_of(domain, tag)] for tag in (follower, leader)]
    found: Array = whole[np.ix_(*ways)] + 0.0
    return found
