"""Rows of contacts in space: nodes and spheres against plane faces of what turns by any angle.

What `moving` does in the plane, with the same records: each function here takes the place of one there. A body has six
modes (`kernels.space.bodies`): displacements of its centre of mass, and its spins about its own principal axes. Of the
latter displacements are the rotation vector since the body's quaternion was last written (`take_turns`, at the end of
every step), so that

    R = R₀ exp(θ),      θ̇ = Ω + ½ θ×Ω + c θ×(θ×Ω),      I Ω̇ = I Ω × Ω + moments

and explicit steps keep their order (Munthe-Kaas). With n the outward normal of a face that turns with ω, f a point of
it, ρ the radius of the sphere around node k (none: a point), and s = k − ρ n the point that strikes,

    g = n·(k − f) − ρ,      u = v_k − ω_k×ρ n − v_f − ω×(s − f),      ġ = n·u,      slips t₁·u, t₂·u

and what u changes by beside the accelerations of the modes is `bias`. A face of a body is rigid; one between points of
structures moves with its four corners, which share what strikes it (`kernels.space.faces`).
"""

import math
from collections.abc import Callable
from typing import Any

from carom.kernels.joints import DEFORMATION, PACE
from carom.kernels.rigid import moving
from carom.kernels.rigid.events import scenes
from carom.kernels.rigid.moreau_jean import steps
from carom.kernels.rigid.moreau_jean.plain_contact import rewired
from carom.kernels.rigid.moving import ALONG, BEYOND, PAST, RAW, Scene
from carom.kernels.rigid.rows import FORCE, GAP, LENGTH, LOAD, MASS, RESTING, STATUS, V_NEW, Q, V
from carom.kernels.rigid.tables import System
from carom.kernels.space.faces import see_face
from carom.kernels.space.orientation import rotate_into, to_body, to_world
from carom.kernels.space.rows import (
    ANCHOR_ROWS,
    ANCHOR_SIZE,
    ARM,
    BODY_SIZE,
    FOOT,
    LEAN,
    LEAN_2,
    MARGIN,
    NORMAL,
    POSE,
    ROTATION,
    SCALES,
    SPIN,
    TANGENT,
    TANGENT_2,
    TURNED,
    VIEW_SIZE,
    VX,
    WEIGHT,
    X,
)
from carom.kernels.space.rows import (
    GAP as BEFORE,
)
from carom.kernels.types import Matrix, Vector

# a row of `Scene.bodies`, behind what `kernels.space.rows` says
QUATERNION = BODY_SIZE
TORQUE = BODY_SIZE + 4  # what it did to its own turning in the last pass of a step
TWISTED_SIZE = BODY_SIZE + 7
# of `Scene.anchors`
BIAS = ANCHOR_SIZE  # of its acceleration what is not the modes'
MOVES = ANCHOR_SIZE + 3  # 1: modes move it beside its body
PLACED_SIZE = ANCHOR_SIZE + 4
# of `Scene.edges`, behind those of `moving`: how the node sees its face, and how far that counts past its ends
VIEW = moving.EDGE_SIZE
OVERHANG = VIEW + VIEW_SIZE
FACE_SIZE = OVERHANG + 1
# of `Scene.poses`, for each body: place and quaternion
POSE_SIZE = 7
# of `Scene.views`, for each contact: foot, normal and both tangents
SEEN_SIZE = 12

STEADY = 1e-12
"""What bodies do to their own turning in a step is found when it changes by less than this part of their speed."""
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


def three(row: Vector, first: int) -> Triple:
    """Return three numbers of a row."""
    return row[first], row[first + 1], row[first + 2]


# bodies and anchors ----------------------------------------------------------------------------------------


def rotation_of(b: int, modes: Matrix, scene: Scene) -> Triple:
    """Return the rotation vector of a body since its quaternion was written, in its own axes."""
    return own_three(b, Q, modes, scene)


def own_three(b: int, column: int, modes: Matrix, scene: Scene) -> Triple:
    """Return what a column of the modes says of a body's turning, about its own axes."""
    i, j, k, scale = scene.body_modes[b, 3], scene.body_modes[b, 4], scene.body_modes[b, 5], scene.body_scale[b]
    return (
        scale[SCALES + 3] * modes[i, column] if i >= 0 else 0.0,
        scale[SCALES + 4] * modes[j, column] if j >= 0 else 0.0,
        scale[SCALES + 5] * modes[k, column] if k >= 0 else 0.0,
    )


def after_turn(pose: Vector, turn: Triple) -> tuple[float, float, float, float]:
    """Return the quaternion of a body, w first, after a further rotation by a vector in its own axes."""
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    angle = math.sqrt(dot(turn, turn))
    part = math.sin(0.5 * angle) / angle if angle > SMALL_ANGLE else 0.5 - angle * angle / 48.0
    c, p, q, r = math.cos(0.5 * angle), part * turn[0], part * turn[1], part * turn[2]
    w, x, y, z = (
        w * c - x * p - y * q - z * r,
        w * p + x * c + y * r - z * q,
        w * q - x * r + y * c + z * p,
        w * r + x * q - y * p + z * c,
    )
    size = math.sqrt(w * w + x * x + y * y + z * z)
    return w / size, x / size, y / size, z / size


def place_body(b: int, modes: Matrix, scene: Scene) -> None:
    """Write where a body is, how it is turned and how it moves."""
    body, shape = scene.bodies[b], scene.body_scale[b]
    for i in range(3):
        k = scene.body_modes[b, i]
        body[X + i], body[VX + i] = shape[POSE + i], 0.0
        if k >= 0:
            body[X + i] += shape[SCALES + i] * modes[k, Q]
            body[VX + i] = shape[SCALES + i] * modes[k, V]
    w, x, y, z = after_turn(scene.body_pose[b], rotation_of(b, modes, scene))
    body[QUATERNION], body[QUATERNION + 1], body[QUATERNION + 2], body[QUATERNION + 3] = w, x, y, z
    rotate_into(body[QUATERNION : QUATERNION + 4], body[ROTATION : ROTATION + 9])
    p, q, r = own_three(b, V, modes, scene)
    body[SPIN], body[SPIN + 1], body[SPIN + 2] = to_world(body[ROTATION : ROTATION + 9], p, q, r)


def place_anchor(a: int, modes: Matrix, scene: Scene) -> None:
    """Write where an anchor is and how it moves."""
    row, b, point = scene.anchors[a], scene.anchor_body[a], scene.anchor_point[a]
    for i in range(MOVES):
        row[i] = 0.0
    if row[MOVES] > 0.0:
        for i in range(3):
            along, about = scene.anchor_rows[ANCHOR_ROWS * a + i], scene.anchor_rows[ANCHOR_ROWS * a + 3 + i]
            for k in range(modes.shape[0]):
                row[X + i] += along[k] * modes[k, Q]
                row[VX + i] += along[k] * modes[k, V]
                row[TURNED + i] += about[k] * modes[k, Q]
                row[SPIN + i] += about[k] * modes[k, V]
    if b < 0:
        for i in range(3):
            row[X + i] += point[i]
        return
    body = scene.bodies[b]
    arm, spin = to_world(body[ROTATION : ROTATION + 9], point[0], point[1], point[2]), three(body, SPIN)
    speed = cross(spin, arm)
    inwards = cross(spin, speed)
    for i in range(3):
        row[X + i] += body[X + i] + arm[i]
        row[VX + i] += body[VX + i] + speed[i]
        row[SPIN + i] += spin[i]
        row[BIAS + i], row[ARM + i] = inwards[i], arm[i]


def add_row(a: int, along: Triple, moment: Triple, scene: Scene, into: Vector) -> None:
    """Add to a row over the modes what an anchor moves along one vector, and turns about another."""
    if scene.anchors[a, MOVES] > 0.0:
        for i in range(3):
            moves, turns = scene.anchor_rows[ANCHOR_ROWS * a + i], scene.anchor_rows[ANCHOR_ROWS * a + 3 + i]
            for k in range(into.size):
                into[k] += along[i] * moves[k] + moment[i] * turns[k]
    b = scene.anchor_body[a]
    if b >= 0:
        about = add(cross(three(scene.anchors[a], ARM), along), 1.0, moment)
        add_turn(b, about, scene, into)
        for i in range(3):
            if scene.body_modes[b, i] >= 0:
                into[scene.body_modes[b, i]] += along[i] * scene.body_scale[b, SCALES + i]


def add_turn(b: int, about: Triple, scene: Scene, into: Vector) -> None:
    """Add to a row what a body turns about a vector of the world."""
    own = to_body(scene.bodies[b, ROTATION : ROTATION + 9], about[0], about[1], about[2])
    for i in range(3):
        if scene.body_modes[b, 3 + i] >= 0:
            into[scene.body_modes[b, 3 + i]] += own[i] * scene.body_scale[b, SCALES + 3 + i]


def place(system: System, scene: Scene) -> None:
    """Move anchors to where the modes are, and write the rows of contacts that change with position."""
    for b in range(scene.body_modes.shape[0]):
        place_body(b, system.modes, scene)
    for a in range(scene.anchor_body.size):
        place_anchor(a, system.modes, scene)
    for c in range(scene.node.size):
        if scene.node[c] >= 0:
            place_contact(c, system, scene)


# contacts --------------------------------------------------------------------------------------------------


def place_contact(c: int, system: System, scene: Scene) -> None:
    """Write the three rows of a node against a face, its gap, and what its accelerations have beside the modes'."""
    modes, reach, push, edge = system.modes, system.reach, system.push, scene.edges[c]
    many, k, radius, face = scene.node.size, scene.node[c], scene.radius[c], scene.face[c]
    view = edge[VIEW : VIEW + VIEW_SIZE]
    node, base = scene.anchors[k], scene.anchors[face[0]]
    see_face(node, base, scene.anchors[face[1]], scene.anchors[face[2]], scene.anchors[face[3]], view)
    normal, centre, origin = three(view, NORMAL), three(node, X), three(base, X)
    inward = (-radius * normal[0], -radius * normal[1], -radius * normal[2])
    lever = add(add(centre, 1.0, inward), -1.0, origin)
    distance = view[BEFORE] - radius + scene.clearance[c]
    edge[RAW], edge[BEYOND], edge[ALONG] = -distance, -view[MARGIN] - edge[OVERHANG], share_along(c, scene)
    size = radius
    for i in range(3):
        size += abs(centre[i]) + abs(origin[i])
    system.contacts[c, LENGTH] = max(system.contacts[c, LENGTH], size)  # by which rounding is judged
    spin, turns = three(node, SPIN), three(base, SPIN)
    swing = cross(turns, inward)
    between = add(three(node, VX), -1.0, three(base, VX))
    leaves = add(add(between, 1.0, cross(spin, inward)), -1.0, cross(turns, lever))  # u
    free = add(add(three(node, BIAS), -1.0, three(base, BIAS)), 1.0, cross(spin, swing))
    free = add(free, -1.0, cross(turns, add(add(between, 1.0, swing), 1.0, leaves)))
    for t in range(3):
        row, first, sign = t * many + c, NORMAL if t == 0 else TANGENT if t == 1 else TANGENT_2, -1.0 if t == 0 else 1.0
        way = (sign * view[first], sign * view[first + 1], sign * view[first + 2])
        for i in range(modes.shape[0]):
            reach[row, i] = 0.0
        add_row(k, way, cross(inward, way), scene, reach[row])
        add_face(c, (-way[0], -way[1], -way[2]), lever, distance - scene.clearance[c], scene, reach[row])
        for i in range(modes.shape[0]):
            push[row, i] = modes[i, MASS] * reach[row, i]
        scene.bias[row] = dot(way, free)
    overlap = -distance
    if system.contacts[c, STATUS] != RESTING and (edge[PAST] == 1.0 or edge[BEYOND] > 0.0):
        overlap = -(abs(distance) + max(edge[BEYOND], 0.0))
    system.contacts[c, GAP] = -overlap
    for i in range(modes.shape[0]):
        system.contacts[c, GAP] += reach[c, i] * modes[i, Q]


def add_face(c: int, way: Triple, lever: Triple, height: float, scene: Scene, into: Vector) -> None:
    """Add to a row what the matter of a face moves along a vector, at a height over the foot of the node.

    `lever` leads there from the first corner.
    """
    face = scene.face[c]
    body = scene.anchor_body[face[0]]
    if body >= 0 and body == scene.anchor_body[face[1]] and body == scene.anchor_body[face[2]]:  # three points: rigid
        add_row(face[0], way, cross(lever, way), scene, into)
        return
    view, still = scene.edges[c, VIEW : VIEW + VIEW_SIZE], (0.0, 0.0, 0.0)
    lean, lean_2 = height * dot(three(view, LEAN), way), height * dot(three(view, LEAN_2), way)
    for i in range(4):
        weight, rise = view[WEIGHT + i], -lean if i == 0 else lean_2 if i == 1 else lean if i == 2 else -lean_2
        along = (weight * way[0] + rise * view[NORMAL], weight * way[1] + rise * view[NORMAL + 1],
                 weight * way[2] + rise * view[NORMAL + 2])  # fmt: skip
        add_row(face[i], along, still, scene, into)


def share_along(c: int, scene: Scene) -> float:
    """Return where along the first edge of its face the foot of a node is, 0 at a to 1 at b."""
    start, end = scene.anchors[scene.face[c, 0]], scene.anchors[scene.face[c, 1]]
    along, square = 0.0, 0.0
    for i in range(3):
        step = end[X + i] - start[X + i]
        along += (scene.edges[c, VIEW + FOOT + i] - start[X + i]) * step
        square += step * step
    return along / square if square > 0.0 else 0.0


# turning ---------------------------------------------------------------------------------------------------


def turn_rates(system: System, scene: Scene, into: Vector) -> None:
    """Write how fast the rotation vectors of bodies grow, θ̇ of Ω, where rates of displacements stand."""
    for b in range(scene.body_modes.shape[0]):
        turn, spin = rotation_of(b, system.modes, scene), own_three(b, V, system.modes, scene)
        square = dot(turn, turn)
        angle = math.sqrt(square)
        if angle > SMALL_ANGLE:
            bend = (1.0 - 0.5 * angle * math.cos(0.5 * angle) / math.sin(0.5 * angle)) / square
        else:
            bend = 1.0 / 12.0 + square / 720.0
        first = cross(turn, spin)
        rates = add(add(spin, 0.5, first), bend, cross(turn, first))
        for i in range(3):
            k = scene.body_modes[b, 3 + i]
            if k >= 0:
                into[k] = rates[i] / scene.body_scale[b, SCALES + 3 + i]


def take_turns(system: System, scene: Scene) -> None:
    """Write the quaternions of bodies anew, so that their rotation vectors begin at zero."""
    for b in range(scene.body_modes.shape[0]):
        pose = scene.body_pose[b]
        pose[3], pose[4], pose[5], pose[6] = after_turn(pose, rotation_of(b, system.modes, scene))
        for i in range(3, 6):
            if scene.body_modes[b, i] >= 0:
                system.modes[scene.body_modes[b, i], Q] = 0.0
    place(system, scene)


def own_torque(b: int, spin: Triple, scene: Scene) -> Triple:
    """Return I Ω × Ω of a body, as accelerations of its modes."""
    p, q, r = scene.body_scale[b, SCALES + 3], scene.body_scale[b, SCALES + 4], scene.body_scale[b, SCALES + 5]
    torque = cross((spin[0] / (p * p), spin[1] / (q * q), spin[2] / (r * r)), spin)
    return torque[0] * p, torque[1] * q, torque[2] * r


def own_torques(system: System, scene: Scene, free: Vector) -> None:
    """Add what bodies do to their own turning."""
    for b in range(scene.body_modes.shape[0]):
        torque = own_torque(b, own_three(b, V, system.modes, scene), scene)
        for i in range(3):
            if scene.body_modes[b, 3 + i] >= 0:
                free[scene.body_modes[b, 3 + i]] += torque[i]


def spin_through(h: float, theta: float, turn: int, system: System, scene: Scene) -> bool:
    """Add to the residual of a step what bodies do to their own turning, at its middle: it takes no energy.

    Returns whether that changed since the last pass.
    """
    modes, changed = system.modes, False
    for b in range(scene.body_modes.shape[0]):
        before, after = own_three(b, V, modes, scene), own_three(b, V_NEW, modes, scene)
        middle = (
            (1.0 - theta) * before[0] + theta * after[0],
            (1.0 - theta) * before[1] + theta * after[1],
            (1.0 - theta) * before[2] + theta * after[2],
        )
        torque, body, size = own_torque(b, middle, scene), scene.bodies[b], 0.0
        for i in range(6):
            k = scene.body_modes[b, i]
            if k >= 0:
                size += abs(modes[k, V]) + abs(modes[k, V_NEW]) + abs(modes[k, LOAD])
        for i in range(3):
            k = scene.body_modes[b, 3 + i]
            if k >= 0:
                impulse = h * torque[i]
                modes[k, FORCE] += impulse
                known = body[TORQUE + i] if turn > 0 else 0.0
                changed = changed or abs(impulse - known) > STEADY * size
                body[TORQUE + i] = impulse
    return changed


# what is read and written ----------------------------------------------------------------------------------


def write_poses(i: int, system: System, scene: Scene) -> None:
    """Write where bodies are, with their quaternions, w first, and how nodes stand over faces."""
    for b in range(scene.body_modes.shape[0]):
        place_body(b, system.modes, scene)
        into, body = scene.poses[i, POSE_SIZE * b : POSE_SIZE * (b + 1)], scene.bodies[b]
        for t in range(3):
            into[t] = body[X + t]
        for t in range(4):
            into[3 + t] = body[QUATERNION + t]
    for c in range(scene.node.size):
        if scene.node[c] >= 0:
            for t in range(3):
                scene.views[i, SEEN_SIZE * c + t] = scene.edges[c, VIEW + FOOT + t]
                for axis in range(3):
                    scene.views[i, SEEN_SIZE * c + 3 * (1 + axis) + t] = scene.edges[c, VIEW + NORMAL + 3 * axis + t]


def heading(a: int, scene: Scene) -> float:
    """Return the angle in plan of the first principal axis of an anchor's body, or the small rotation of its point."""
    body = scene.anchor_body[a]
    if body < 0:
        return scene.anchors[a, TURNED + 2]
    return math.atan2(scene.bodies[body, ROTATION + 3], scene.bodies[body, ROTATION])


def stretch_joints(system: System, scene: Scene) -> None:
    """Write the rows of all joints between anchors, their deformations and rates; rotations in plan are only read."""
    modes, pull = system.modes, scene.pull
    for p in range(scene.joint_rest.size):
        j = scene.joint_of[p]
        row, body, axes = scene.sprung[p], scene.joint_body[j], scene.joint_axes[p]
        a, b = scene.joint_anchors[j, 0], scene.joint_anchors[j, 1]
        along = three(axes, 0)
        if body >= 0:
            along = to_world(scene.bodies[body, ROTATION : ROTATION + 9], along[0], along[1], along[2])
        for k in range(modes.shape[0]):
            row[k] = 0.0
        still, between = (0.0, 0.0, 0.0), add(three(scene.anchors[a], X), -1.0, three(scene.anchors[b], X))
        add_row(a, along, still, scene, row)
        add_row(b, (-along[0], -along[1], -along[2]), still, scene, row)
        if body >= 0:  # the direction turns with it
            add_turn(body, cross(along, between), scene, row)
        pull[DEFORMATION, p] = dot(along, between) - scene.joint_rest[p]
        if axes[3] != 0.0:
            turned = pull[DEFORMATION, p] + axes[3] * (heading(a, scene) - heading(b, scene))
            pull[DEFORMATION, p] = math.atan2(math.sin(turned), math.cos(turned))
        pull[PACE, p] = 0.0
        for k in range(modes.shape[0]):
            pull[PACE, p] += row[k] * modes[k, V]


Parts = tuple[tuple[Callable[..., Any], Callable[..., Any]], ...]
SPATIAL: Parts = (
    (moving.place, place),
    (moving.stretch_joints, stretch_joints),
    (moving.turn_rates, turn_rates),
    (moving.take_turns, take_turns),
    (moving.write_poses, write_poses),
)
"""What takes the place of what in the plane."""
IN_STEPS: Parts = (*SPATIAL, (moving.spin_through, spin_through))
"""In steps of Moreau and Jean."""
IN_FLIGHT: Parts = (*SPATIAL, (moving.own_torques, own_torques))
"""Event by event."""
follow_scene = rewired(scenes.follow_scene, "follow_space")
march = rewired(steps.march, "march_space")
