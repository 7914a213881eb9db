"""A rigid body in space: where it is, how it moves, and what forces do to its six modes.

Three modes move the centre of mass along x, y and z of the world; the velocities of the other three are its spins about
its own principal axes, and their displacements mean nothing: where it points is a quaternion. A mode −1 is one that it
does not have: a deck in plan has x, y and the spin about z. Whatever turns with the body stands along its axes.
"""

from carom.kernels.space.orientation import rotate_into, to_body, to_world
from carom.kernels.space.rows import (
    ARM,
    BODY_MODES,
    FX,
    MX,
    POSE,
    ROTATION,
    SCALES,
    SPIN,
    VX,
    X,
)
from carom.kernels.types import Codes, Vector


def stand_body(q: Vector, v: Vector, quaternion: Vector, modes: Codes, shape: Vector, body: Vector) -> None:
    """Write where a body is and how it moves."""
    for i in range(3):
        k = modes[i]
        body[X + i], body[VX + i] = shape[POSE + i], 0.0
        if k >= 0:
            body[X + i] += shape[SCALES + i] * q[k]
            body[VX + i] = shape[SCALES + i] * v[k]
    rotate_into(quaternion, body[ROTATION : ROTATION + 9])
    own = own_spin(0, v, modes, shape), own_spin(1, v, modes, shape), own_spin(2, v, modes, shape)
    spin = to_world(body[ROTATION : ROTATION + 9], own[0], own[1], own[2])
    for i in range(3):
        body[SPIN + i] = spin[i]


def own_spin(axis: int, v: Vector, modes: Codes, shape: Vector) -> float:
    """Return the spin of a body about one of its own axes [rad/s]."""
    k = modes[3 + axis]
    return shape[SCALES + 3 + axis] * v[k] if k >= 0 else 0.0


def carry_anchor(x: float, y: float, z: float, body: Vector, anchor: Vector) -> None:
    """Add to an anchor's motion that of its body, on which it stands at a point of the body's axes."""
    ax, ay, az = to_world(body[ROTATION : ROTATION + 9], x, y, z)
    p, q, r = body[SPIN], body[SPIN + 1], body[SPIN + 2]
    anchor[ARM], anchor[ARM + 1], anchor[ARM + 2] = ax, ay, az
    anchor[X] += body[X] + ax
    anchor[X + 1] += body[X + 1] + ay
    anchor[X + 2] += body[X + 2] + az
    anchor[VX] += body[VX] + q * az - r * ay
    anchor[VX + 1] += body[VX + 1] + r * ax - p * az
    anchor[VX + 2] += body[VX + 2] + p * ay - q * ax
    for i in range(3):
        anchor[SPIN + i] += body[SPIN + i]


def hand_over(anchor: Vector, body: Vector) -> None:
    """Add the force and moment on an anchor to those on its body."""
    fx, fy, fz = anchor[FX], anchor[FX + 1], anchor[FX + 2]
    ax, ay, az = anchor[ARM], anchor[ARM + 1], anchor[ARM + 2]
    for i in range(3):
        body[FX + i] += anchor[FX + i]
    body[MX] += anchor[MX] + ay * fz - az * fy
    body[MX + 1] += anchor[MX + 1] + az * fx - ax * fz
    body[MX + 2] += anchor[MX + 2] + ax * fy - ay * fx


def load_body(v: Vector, modes: Codes, shape: Vector, body: Vector, load: Vector) -> None:
    """Add forces and moments on a body to the loads of its modes, with what its own spin does: −ω × Iω."""
    for i in range(3):
        if modes[i] >= 0:
            load[modes[i]] += shape[SCALES + i] * body[FX + i]
    moment = to_body(body[ROTATION : ROTATION + 9], body[MX], body[MX + 1], body[MX + 2])
    for i in range(3, BODY_MODES):
        k = modes[i]
        if k < 0:
            continue
        after, before = 3 + (i - 2) % 3, 3 + (i - 1) % 3
        gyration = 0.0
        if modes[after] >= 0 and modes[before] >= 0:  # v = √I ω: (I₂ − I₃) ω₂ ω₃
            first, second = shape[SCALES + after], shape[SCALES + before]
            gyration = (second / first - first / second) * v[modes[after]] * v[modes[before]]
        load[k] += shape[SCALES + i] * (moment[i - 3] + gyration)
