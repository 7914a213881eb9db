"""Rows of contacts in space: nodes and balls against planar faces of bodies that turn by any angle.

What `moving` does in the plane, with the same records: each function here takes the place of one there
(`integrate.schemes.event_scene`). A body has six modes: displacements of its centre of mass along the axes of the
world, and turning about its own principal axes. Velocities of the latter are those of rotation, Ω √I; displacements are
the rotation vector since the body's quaternion was last written (`take_turns`, at the end of every step), so that

    R = R₀ exp(θ),      θ̇ = Ω + ½ θ×Ω + c θ×(θ×Ω),      I Ω̇ = I Ω × Ω + moments

and explicit steps keep their order (Munthe-Kaas). With n the outward normal of a face that turns with ω, f a point of
it, the ball's radius r around node k (none: a point), and c = k − r n the point of contact,

    g = n·(k − f) − r,      u = v_k − ω_k×r n − v_f − ω×(c − f),      ġ = n·u,      slips t₁·u, t₂·u

and what u changes by beside the accelerations of the modes is `bias`. A face of a body is rigid; one between points of
structures follows its four corners, which share what strikes it (`shares`).
"""

import math
from collections.abc import Callable
from typing import Any

from carom.kernels.rigid import moreau_jean, moving, scenes
from carom.kernels.rigid.moving import ALONG, BEYOND, PAST, RAW, Scene
from carom.kernels.rigid.plain_contact import rewired
from carom.kernels.rigid.rows import FORCE, GAP, LENGTH, MASS, OVERLAP, RESTING, STATUS, V_NEW, Q, V
from carom.kernels.rigid.tables import System
from carom.kernels.types import Matrix, Vector

# a row of `Scene.bodies`
ROTATION = 0  # nine numbers, row by row
SPIN = 9  # in the world
BODY_SIZE = 12

# a row of `Scene.anchors`
PLACE = 0
SPEED = 3
BIAS = 6  # of its acceleration what is not the modes'
ARM = 9  # from the centre of its body
TURNS = 12  # angular velocity
ANCHOR_SIZE = 15

# a row of `Scene.edges`, behind those of `moving`
ACROSS = 4
STRUCK = 5  # the point of contact in the world
NORMAL = 8
EDGE_SIZE = 11

POSE_SIZE = 7

ROWS = 6
"""Of an anchor: displacements and rotations."""
SMALL_ANGLE = 1e-4
"""Angles [rad] below which series take the place of quotients."""

Triple = tuple[float, float, float]


def cross(a: Triple, b: Triple) -> Triple:
    """Return a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Triple, b: Triple) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a: Triple, share: float, b: Triple) -> Triple:
    """Return a + share·b."""
    return a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]


def unit(a: Triple) -> Triple:
    """Return a at length 1."""
    size = math.sqrt(dot(a, a))
    return a[0] / size, a[1] / size, a[2] / size


def three(row: Vector, first: int) -> Triple:
    """Return three numbers of a row."""
    return row[first], row[first + 1], row[first + 2]


def turned(body: Vector, a: Triple) -> Triple:
    """Return a vector of the body's axes in the world."""
    return (
        body[0] * a[0] + body[1] * a[1] + body[2] * a[2],
        body[3] * a[0] + body[4] * a[1] + body[5] * a[2],
        body[6] * a[0] + body[7] * a[1] + body[8] * a[2],
    )


def turned_back(body: Vector, a: Triple) -> Triple:
    """Return a vector of the world in the body's axes."""
    return (
        body[0] * a[0] + body[3] * a[1] + body[6] * a[2],
        body[1] * a[0] + body[4] * a[1] + body[7] * a[2],
        body[2] * a[0] + body[5] * a[1] + body[8] * a[2],
    )


def quaternion_after(pose: Vector, turn: Triple) -> tuple[float, float, float, float]:
    """Return the quaternion of a body, w first, after a further rotation by a vector in its own axes."""
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    angle = math.sqrt(dot(turn, turn))
    part = math.sin(0.5 * angle) / angle if angle > SMALL_ANGLE else 0.5 - angle * angle / 48.0
    c, a, b, d = math.cos(0.5 * angle), part * turn[0], part * turn[1], part * turn[2]
    w, x, y, z = (
        w * c - x * a - y * b - z * d,
        w * a + x * c + y * d - z * b,
        w * b - x * d + y * c + z * a,
        w * d + x * b - y * a + z * c,
    )
    size = math.sqrt(w * w + x * x + y * y + z * z)
    return w / size, x / size, y / size, z / size


def rotation_of(b: int, modes: Matrix, scene: Scene) -> Triple:
    """Return the rotation vector of a body since its quaternion was written, in its own axes."""
    scale, which = scene.body_scale[b], scene.body_modes[b]
    return scale[3] * modes[which[3], Q], scale[4] * modes[which[4], Q], scale[5] * modes[which[5], Q]


def spin_of(b: int, column: int, modes: Matrix, scene: Scene) -> Triple:
    """Return the angular velocity of a body in its own axes, for velocities of the modes in a column."""
    scale, which = scene.body_scale[b], scene.body_modes[b]
    return scale[3] * modes[which[3], column], scale[4] * modes[which[4], column], scale[5] * modes[which[5], column]


def place_body(b: int, modes: Matrix, scene: Scene) -> None:
    """Write how a body is turned and how it turns."""
    into = scene.bodies[b]
    w, x, y, z = quaternion_after(scene.body_pose[b], rotation_of(b, modes, scene))
    into[0], into[1], into[2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    into[3], into[4], into[5] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    into[6], into[7], into[8] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)
    spin = turned(into, spin_of(b, V, modes, scene))
    into[SPIN], into[SPIN + 1], into[SPIN + 2] = spin


def place_anchor(a: int, modes: Matrix, scene: Scene) -> None:
    """Write where an anchor is and how it moves."""
    row, b, point = scene.anchors[a], scene.anchor_body[a], scene.anchor_point[a]
    for i in range(ANCHOR_SIZE):
        row[i] = 0.0
    for k in range(modes.shape[0]):
        for i in range(3):
            row[PLACE + i] += scene.anchor_rows[ROWS * a + i, k] * modes[k, Q]
            row[SPEED + i] += scene.anchor_rows[ROWS * a + i, k] * modes[k, V]
            row[TURNS + i] += scene.anchor_rows[ROWS * a + 3 + i, k] * modes[k, V]
    if b < 0:
        for i in range(3):
            row[PLACE + i] += point[i]
        return
    body, pose, scale, which = scene.bodies[b], scene.body_pose[b], scene.body_scale[b], scene.body_modes[b]
    arm, spin = turned(body, three(point, 0)), three(body, SPIN)
    speed = cross(spin, arm)
    away = cross(spin, speed)
    for i in range(3):
        row[PLACE + i] += pose[i] + scale[i] * modes[which[i], Q] + arm[i]
        row[SPEED + i] += scale[i] * modes[which[i], V] + speed[i]
        row[BIAS + i], row[ARM + i] = away[i], arm[i]
        row[TURNS + i] += spin[i]


def add_row(a: int, along: Triple, moment: Triple, scene: Scene, into: Vector) -> None:
    """Add to a row over the modes what an anchor moves along a direction, and turns about another."""
    rows = scene.anchor_rows
    for k in range(into.size):
        for i in range(3):
            into[k] += along[i] * rows[ROWS * a + i, k] + moment[i] * rows[ROWS * a + 3 + i, k]
    b = scene.anchor_body[a]
    if b >= 0:
        body, scale, which = scene.bodies[b], scene.body_scale[b], scene.body_modes[b]
        about = turned_back(body, add(cross(three(scene.anchors[a], ARM), along), 1.0, moment))
        for i in range(3):
            into[which[i]] += along[i] * scale[i]
            into[which[3 + i]] += about[i] * scale[3 + i]


def place(system: System, scene: Scene) -> None:
    """Move anchors to where the modes are, and write the rows of contacts that change with position."""
    for b in range(scene.body_modes.shape[0]):
        place_body(b, system.modes, scene)
    for a in range(scene.anchor_body.size):
        place_anchor(a, system.modes, scene)
    for c in range(scene.node.size):
        if scene.node[c] >= 0:
            place_contact(c, system, scene)


def corner(c: int, i: int, scene: Scene) -> Triple:
    """Return where a corner of a contact's face is."""
    return three(scene.anchors[scene.face[c, i]], PLACE)


def frame_of(c: int, scene: Scene) -> tuple[Triple, Triple]:
    """Return the outward normal of a contact's face, and the first tangent, along its first edge."""
    first = corner(c, 0, scene)
    normal = unit(
        cross(add(corner(c, 2, scene), -1.0, first), add(corner(c, 3, scene), -1.0, corner(c, 1, scene)))
    )
    edge = add(corner(c, 1, scene), -1.0, first)
    return normal, unit(add(edge, -dot(edge, normal), normal))


def beyond_edges(c: int, at: Triple, normal: Triple, scene: Scene) -> float:
    """Return how far a point is beyond the edges of a face [m]; negative inside."""
    most = -math.inf
    for i in range(4):
        start, end = corner(c, i, scene), corner(c, (i + 1) % 4, scene)
        edge = add(end, -1.0, start)
        length = math.sqrt(dot(edge, edge))
        if length > 0.0:
            most = max(most, dot(add(at, -1.0, start), cross(edge, normal)) / length)
    return most


def place_contact(c: int, system: System, scene: Scene) -> None:
    """Write the three rows of a node against a face, its gap, and what its accelerations have beside the modes'."""
    modes, reach, push, edge = system.modes, system.reach, system.push, scene.edges[c]
    many, k, f, radius = scene.node.size, scene.node[c], scene.face[c, 0], scene.radius[c]
    node, base = scene.anchors[k], scene.anchors[f]
    normal, along = frame_of(c, scene)
    across = cross(normal, along)
    centre, origin = three(node, PLACE), three(base, PLACE)
    inward = (-radius * normal[0], -radius * normal[1], -radius * normal[2])
    at = add(centre, 1.0, inward)
    lever = add(at, -1.0, origin)
    distance = dot(lever, normal) + scene.clearance[c]
    edge[RAW], edge[BEYOND] = -distance, beyond_edges(c, at, normal, scene)
    edge[ALONG], edge[ACROSS] = dot(lever, along), dot(lever, across)
    size = abs(radius)
    for i in range(3):
        edge[STRUCK + i], edge[NORMAL + i] = at[i], normal[i]
        size += abs(centre[i]) + abs(origin[i])
    system.contacts[c, LENGTH] = max(system.contacts[c, LENGTH], size)  # by which rounding is judged
    spin, turns = three(node, TURNS), three(base, TURNS)
    # the velocity of the point of contact on the node's side as seen from the face, and how both points move along
    drift = add(add(three(node, SPEED), 1.0, cross(spin, inward)), -1.0, add(three(base, SPEED), 1.0, cross(turns, lever)))
    swing = cross(turns, inward)
    moves = add(add(three(node, SPEED), 1.0, swing), -1.0, three(base, SPEED))
    free = add(add(three(node, BIAS), 1.0, cross(spin, swing)), -1.0, three(base, BIAS))
    free = add(free, -1.0, cross(turns, moves))
    free = add(free, -1.0, cross(turns, drift))  # (ω×d)·u = −d·(ω×u)
    for t in range(3):
        row, sign = t * many + c, -1.0 if t == 0 else 1.0
        way = normal if t == 0 else along if t == 1 else across
        way = (sign * way[0], sign * way[1], sign * way[2])
        for i in range(modes.shape[0]):
            reach[row, i] = 0.0
        add_row(k, way, cross(inward, way), scene, reach[row])
        back = (-way[0], -way[1], -way[2])
        add_row(f, back, cross(lever, back), scene, reach[row])
        for i in range(modes.shape[0]):
            push[row, i] = modes[i, MASS] * reach[row, i]
        scene.bias[row] = dot(way, free)
    overlap = -distance
    if system.contacts[c, STATUS] != RESTING and (edge[PAST] == 1.0 or edge[BEYOND] > 0.0):
        overlap = -(abs(distance) + max(edge[BEYOND], 0.0))
    system.contacts[c, GAP] = -overlap
    for i in range(modes.shape[0]):
        system.contacts[c, GAP] += reach[c, i] * modes[i, Q]


def turn_rates(system: System, scene: Scene, into: Vector) -> None:
    """Write how fast the rotation vectors of bodies grow, θ̇ of Ω, where displacements' rates stand."""
    for b in range(scene.body_modes.shape[0]):
        turn, spin = rotation_of(b, system.modes, scene), spin_of(b, V, system.modes, scene)
        square = dot(turn, turn)
        angle = math.sqrt(square)
        if angle > SMALL_ANGLE:
            bend = (1.0 - 0.5 * angle * math.cos(0.5 * angle) / math.sin(0.5 * angle)) / square
        else:
            bend = 1.0 / 12.0 + square / 720.0
        first = cross(turn, spin)
        rates = add(add(spin, 0.5, first), bend, cross(turn, first))
        for i in range(3):
            into[scene.body_modes[b, 3 + i]] = rates[i] / scene.body_scale[b, 3 + i]


def take_turns(system: System, scene: Scene) -> None:
    """Write the quaternions of bodies anew, so that their rotation vectors begin at zero."""
    for b in range(scene.body_modes.shape[0]):
        pose = scene.body_pose[b]
        pose[3], pose[4], pose[5], pose[6] = quaternion_after(pose, rotation_of(b, system.modes, scene))
        for i in range(3, 6):
            system.modes[scene.body_modes[b, i], Q] = 0.0
    place(system, scene)


def own_torque(b: int, spin: Triple, scene: Scene) -> Triple:
    """Return I Ω × Ω of a body, as accelerations of its modes."""
    scale = scene.body_scale[b]
    torque = cross((spin[0] / scale[3] ** 2, spin[1] / scale[4] ** 2, spin[2] / scale[5] ** 2), spin)
    return torque[0] * scale[3], torque[1] * scale[4], torque[2] * scale[5]


def spin_through(h: float, theta: float, system: System, scene: Scene) -> None:
    """Add to the residual of a step what bodies do to their own turning, at its middle: it takes no energy."""
    for b in range(scene.body_modes.shape[0]):
        before, after = spin_of(b, V, system.modes, scene), spin_of(b, V_NEW, system.modes, scene)
        middle = (
            (1.0 - theta) * before[0] + theta * after[0],
            (1.0 - theta) * before[1] + theta * after[1],
            (1.0 - theta) * before[2] + theta * after[2],
        )
        torque = own_torque(b, middle, scene)
        for i in range(3):
            system.modes[scene.body_modes[b, 3 + i], FORCE] += h * torque[i]


def own_torques(system: System, scene: Scene, free: Vector) -> None:
    """Add what bodies do to their own turning."""
    for b in range(scene.body_modes.shape[0]):
        torque = own_torque(b, spin_of(b, V, system.modes, scene), scene)
        for i in range(3):
            free[scene.body_modes[b, 3 + i]] += torque[i]


def write_poses(i: int, system: System, scene: Scene) -> None:
    """Write where the centres of mass of bodies are, and their quaternions, w first."""
    for b in range(scene.body_modes.shape[0]):
        into, pose = scene.poses[i, POSE_SIZE * b : POSE_SIZE * (b + 1)], scene.body_pose[b]
        for t in range(3):
            into[t] = pose[t] + scene.body_scale[b, t] * system.modes[scene.body_modes[b, t], Q]
        into[3], into[4], into[5], into[6] = quaternion_after(pose, rotation_of(b, system.modes, scene))


def stretch_joints(system: System, scene: Scene) -> None:
    """Write the rows of all joints between anchors, their deformations and rates."""


SPATIAL: dict[Callable[..., Any], Callable[..., Any]] = {
    moving.place: place,
    moving.stretch_joints: stretch_joints,
    moving.turn_rates: turn_rates,
    moving.take_turns: take_turns,
    moving.write_poses: write_poses,
}
"""What takes the place of what in the plane."""
IN_STEPS = {**SPATIAL, moving.spin_through: spin_through}
"""In steps of Moreau and Jean."""
IN_FLIGHT = {**SPATIAL, moving.own_torques: own_torques}
"""Event by event."""
follow_scene = rewired(scenes.follow_scene, "follow_space")
march = rewired(moreau_jean.march, "march_space")
