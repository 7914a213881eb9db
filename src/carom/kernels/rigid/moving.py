"""Rows of contacts and joints that change with position: nodes and edges of bodies that turn in the plane.

A scene is what `carom.problem.scenes.scene` says. `place` writes, for the displacements of the modes as they are, what
these do to overlaps and slips, and a gap such that overlap = reach·q − gap holds as everywhere; contacts with constant
rows are left as they are. With n the outward normal of an edge a → b on its right hand, t along it, s where on it the
node k is, ξ = s ℓ and φ̇ the rate at which it turns,

    g = n·(k − a),   ġ = n·(v_k − v_a) + φ̇ ξ,   slip = t·(v_k − (1 − s) v_a − s v_b),   φ̇ = −n·(v_b − v_a)/ℓ

and `bias` is what their derivatives have beside the accelerations of the modes. Only the node's side of an edge counts,
and only between its ends: a node that came in past an end is no contact until it is in front again.
"""

import math
from typing import NamedTuple

from carom.kernels.joints import DEFORMATION, PACE, TENSION, Springs, follow_all
from carom.kernels.rigid.rows import GAP, LENGTH, MASS, OVERLAP, RESTING, STATUS, Q, V
from carom.kernels.rigid.tables import System
from carom.kernels.types import Codes, Matrix, Vector

# a row of `Scene.bodies`
COSINE = 0
SINE = 1
BODY_SIZE = 2

# a row of `Scene.anchors`: place, velocity, what of its acceleration is not the modes', arm from the centre of its body
X = 0
Y = 1
VX = 2
VY = 3
AX = 4
AY = 5
ARM_X = 6
ARM_Y = 7
TURN = 8
SPIN = 9
ANCHOR_SIZE = 10

# a row of `Scene.edges`, for each contact
PAST = 0  # 1: the node is behind the face, in past one of its ends
BEYOND = 1  # how far beyond the ends it is [m]; negative between them
RAW = 2  # overlap, wherever along the edge [m]
ALONG = 3  # where on the edge it is, 0 at a to 1 at b
EDGE_SIZE = 4


class Scene(NamedTuple):
    """Bodies, anchors, faces and joints as in `carom.problem.scenes.scene.FlatScene`, and room for their state."""

    node: Codes
    face: Codes
    """(C, 2): the anchors of each edge."""
    clearance: Vector
    radius: Vector
    """Of balls around nodes, in space [m]; 0: a point."""
    body_modes: Codes
    body_scale: Matrix
    body_pose: Matrix
    """x, y and angle; in space x, y, z and the quaternion as it was last written (`space`)."""
    anchor_body: Codes
    anchor_point: Matrix
    anchor_rows: Matrix
    """(3 A, N): displacements x and y and the rotation of each anchor."""
    joint_anchors: Codes
    joint_body: Codes
    joint_axes: Matrix
    joint_rest: Vector
    joint_of: Codes
    """The joint of each row. Behind those of joints stand rows that only read: gauges."""
    springs: Springs
    """The joints, their rules and memory."""
    pull: Matrix
    """Deformation, rate, force and tangents of each row (`carom.kernels.joints`)."""
    sprung: Matrix
    """What each mode does to the deformations of the joints, (P, N)."""
    bodies: Matrix
    anchors: Matrix
    edges: Matrix
    gauges: Matrix
    """Limits of each gauge, its least and its largest reading so far, and when it first left its limits [s]."""
    samples: Matrix
    """What is written down of each contact, a row for each sample."""
    readings: Matrix
    """And of each row of joints and gauges: deformation and force."""
    poses: Matrix
    """In space, where bodies are and how they are turned, a row for each sample."""
    views: Matrix
    """In space, where nodes stand over their faces, and the axes of these, likewise."""
    bias: Vector
    """What motion alone adds to the accelerations of overlaps and slips: rows that change with position [m/s²]."""
    pulls: Vector
    """Scratch: what joints do to the modes."""


# a row of `Scene.gauges`
LOW = 0
HIGH = 1
LEAST = 2
MOST = 3
LEFT_AT = 4
GAUGE_SIZE = 5

# what is written of a contact
W_STATE = 0
W_FRICTION = 1  # means since the last sample, along both tangents [N]
W_SLIP = 3
W_ALONG = 5
W_GAP = 6
W_COLUMNS = 7


def place(system: System, scene: Scene) -> None:
    """Move anchors to where the modes are, and write the rows of contacts that change with position."""
    if scene.anchor_body.size == 0:
        return
    for b in range(scene.body_modes.shape[0]):
        k = scene.body_modes[b, 2]
        turn = scene.body_pose[b, 2] + scene.body_scale[b, 2] * system.modes[k, Q]
        scene.bodies[b, COSINE], scene.bodies[b, SINE] = math.cos(turn), math.sin(turn)
    for a in range(scene.anchor_body.size):
        place_anchor(a, system.modes, scene)
    for c in range(scene.node.size):
        if scene.node[c] >= 0:
            place_contact(c, system, scene)


def place_anchor(a: int, modes: Matrix, scene: Scene) -> None:
    """Write where an anchor is and how it moves."""
    row, b = scene.anchors[a], scene.anchor_body[a]
    px, py = scene.anchor_point[a, 0], scene.anchor_point[a, 1]
    for i in range(ANCHOR_SIZE):
        row[i] = 0.0
    for k in range(modes.shape[0]):
        q, v = modes[k, Q], modes[k, V]
        row[X] += scene.anchor_rows[3 * a, k] * q
        row[VX] += scene.anchor_rows[3 * a, k] * v
        row[Y] += scene.anchor_rows[3 * a + 1, k] * q
        row[VY] += scene.anchor_rows[3 * a + 1, k] * v
        row[TURN] += scene.anchor_rows[3 * a + 2, k] * q
        row[SPIN] += scene.anchor_rows[3 * a + 2, k] * v
    if b < 0:
        row[X] += px
        row[Y] += py
        return
    c, s = scene.bodies[b, COSINE], scene.bodies[b, SINE]
    rx, ry = c * px - s * py, s * px + c * py
    kx, ky, kt = scene.body_modes[b, 0], scene.body_modes[b, 1], scene.body_modes[b, 2]
    spin = scene.body_scale[b, 2] * modes[kt, V]
    row[ARM_X], row[ARM_Y] = rx, ry
    row[X] += scene.body_pose[b, 0] + scene.body_scale[b, 0] * modes[kx, Q] + rx
    row[Y] += scene.body_pose[b, 1] + scene.body_scale[b, 1] * modes[ky, Q] + ry
    row[VX] += scene.body_scale[b, 0] * modes[kx, V] - spin * ry
    row[VY] += scene.body_scale[b, 1] * modes[ky, V] + spin * rx
    row[AX], row[AY] = -spin * spin * rx, -spin * spin * ry
    row[TURN] += scene.body_pose[b, 2] + scene.body_scale[b, 2] * modes[kt, Q]
    row[SPIN] += spin


def add_row(a: int, ex: float, ey: float, turn: float, scene: Scene, into: Vector) -> None:
    """Add to a row over the modes what an anchor moves along a direction, and `turn` times its rotation."""
    for k in range(into.size):
        into[k] += ex * scene.anchor_rows[3 * a, k] + ey * scene.anchor_rows[3 * a + 1, k]
        into[k] += turn * scene.anchor_rows[3 * a + 2, k]
    b = scene.anchor_body[a]
    if b >= 0:
        rx, ry = scene.anchors[a, ARM_X], scene.anchors[a, ARM_Y]
        into[scene.body_modes[b, 0]] += ex * scene.body_scale[b, 0]
        into[scene.body_modes[b, 1]] += ey * scene.body_scale[b, 1]
        into[scene.body_modes[b, 2]] += (rx * ey - ry * ex + turn) * scene.body_scale[b, 2]


def place_contact(c: int, system: System, scene: Scene) -> None:
    """Write both rows of a node against an edge, its gap, and what its accelerations have beside those of the modes."""
    modes, reach, push, edge = system.modes, system.reach, system.push, scene.edges[c]
    many = scene.node.size
    k, a, b = scene.node[c], scene.face[c, 0], scene.face[c, 1]
    node, start, end = scene.anchors[k], scene.anchors[a], scene.anchors[b]
    tx, ty = end[X] - start[X], end[Y] - start[Y]
    length = math.hypot(tx, ty)
    tx, ty = tx / length, ty / length
    nx, ny = ty, -tx
    dx, dy = node[X] - start[X], node[Y] - start[Y]
    far, distance = tx * dx + ty * dy, nx * dx + ny * dy + scene.clearance[c]
    s = far / length
    edge[RAW], edge[ALONG] = -distance, s
    size = length + abs(node[X]) + abs(node[Y]) + abs(start[X]) + abs(start[Y])
    system.contacts[c, LENGTH] = max(system.contacts[c, LENGTH], size)  # by which rounding is judged
    edge[BEYOND] = max(-far, far - length)
    for i in range(modes.shape[0]):
        reach[c, i] = reach[many + c, i] = 0.0
    add_row(k, -nx, -ny, 0.0, scene, reach[c])
    add_row(a, (1.0 - s) * nx, (1.0 - s) * ny, 0.0, scene, reach[c])
    add_row(b, s * nx, s * ny, 0.0, scene, reach[c])
    add_row(k, tx, ty, 0.0, scene, reach[many + c])
    add_row(a, (s - 1.0) * tx, (s - 1.0) * ty, 0.0, scene, reach[many + c])
    add_row(b, -s * tx, -s * ty, 0.0, scene, reach[many + c])
    overlap = -distance
    if system.contacts[c, STATUS] != RESTING and (edge[PAST] == 1.0 or edge[BEYOND] > 0.0):
        overlap = -(abs(distance) + max(edge[BEYOND], 0.0))
    system.contacts[c, GAP] = -overlap
    for i in range(modes.shape[0]):
        system.contacts[c, GAP] += reach[c, i] * modes[i, Q]
        push[c, i], push[many + c, i] = modes[i, MASS] * reach[c, i], modes[i, MASS] * reach[many + c, i]
    # u: the node seen from a, w: b seen from a; their rates, and accelerations without those of the modes
    ux, uy, wx, wy = node[VX] - start[VX], node[VY] - start[VY], end[VX] - start[VX], end[VY] - start[VY]
    bux, buy, bwx, bwy = node[AX] - start[AX], node[AY] - start[AY], end[AX] - start[AX], end[AY] - start[AY]
    turns, stretches = -(nx * wx + ny * wy) / length, tx * wx + ty * wy
    leaves, slides = nx * ux + ny * uy, tx * ux + ty * uy
    apart = distance - scene.clearance[c]
    opening = nx * bux + ny * buy - s * (nx * bwx + ny * bwy)
    opening += 2.0 * turns * (slides - s * stretches) - turns * turns * apart
    bias = scene.bias
    bias[c] = -opening
    pace = (slides - turns * apart - s * stretches) / length
    bias[many + c] = tx * bux + ty * buy - s * (tx * bwx + ty * bwy)
    bias[many + c] -= turns * (leaves - s * (nx * wx + ny * wy)) + pace * stretches


def mind_ends(system: System, scene: Scene) -> None:
    """Note which nodes are behind their faces beyond an end, and which have come back in front."""
    for c in range(scene.node.size):
        if scene.node[c] >= 0 and system.contacts[c, STATUS] != RESTING:
            edge = scene.edges[c]
            if edge[RAW] <= 0.0:
                edge[PAST] = 0.0
            elif edge[BEYOND] > 0.0:
                edge[PAST] = 1.0


def stretch_joints(system: System, scene: Scene) -> None:
    """Write the rows of all joints between anchors, their deformations and rates."""
    modes, pull = system.modes, scene.pull
    for p in range(scene.joint_rest.size):
        j = scene.joint_of[p]
        row, body = scene.sprung[p], scene.joint_body[j]
        a, b = scene.joint_anchors[j, 0], scene.joint_anchors[j, 1]
        ex, ey, turn = scene.joint_axes[p, 0], scene.joint_axes[p, 1], scene.joint_axes[p, 3]
        if body >= 0:
            c, s = scene.bodies[body, COSINE], scene.bodies[body, SINE]
            ex, ey = c * ex - s * ey, s * ex + c * ey
        for k in range(modes.shape[0]):
            row[k] = 0.0
        add_row(a, ex, ey, turn, scene, row)
        add_row(b, -ex, -ey, -turn, scene, row)
        dx, dy = scene.anchors[a, X] - scene.anchors[b, X], scene.anchors[a, Y] - scene.anchors[b, Y]
        if body >= 0:  # the direction turns with it
            row[scene.body_modes[body, 2]] += (ex * dy - ey * dx) * scene.body_scale[body, 2]
        turned = scene.anchors[a, TURN] - scene.anchors[b, TURN]
        pull[DEFORMATION, p] = ex * dx + ey * dy + turn * turned - scene.joint_rest[p]
        pull[PACE, p] = 0.0
        for k in range(modes.shape[0]):
            pull[PACE, p] += row[k] * modes[k, V]


def turn_rates(_system: System, _scene: Scene, _into: Vector) -> None:
    """Stand where rates of rotation are told from velocities: in the plane they are the same."""


def take_turns(_system: System, _scene: Scene) -> None:
    """Stand where quaternions are written anew."""


def own_torques(_system: System, _scene: Scene, _free: Vector) -> None:
    """Stand where bodies that turn change their own turning, which they do in space alone."""


def spin_through(_h: float, _theta: float, _turn: int, _system: System, _scene: Scene) -> bool:
    """Stand where they do so in a step of Moreau and Jean."""
    return False


def write_poses(_i: int, _system: System, _scene: Scene) -> None:
    """Stand where positions and quaternions are written down."""


def pull_joints(system: System, scene: Scene, free: Vector) -> float:
    """Take from the accelerations of the modes what joints pull; return the power that goes into them [W]."""
    own_torques(system, scene, free)
    if scene.joint_rest.size == 0:
        return 0.0
    stretch_joints(system, scene)
    follow_all(scene.springs, scene.pull)
    power = 0.0
    for p in range(scene.joint_rest.size - scene.gauges.shape[0]):
        force = scene.pull[TENSION, p]
        power += force * scene.pull[PACE, p]
        for k in range(free.size):
            free[k] -= force * system.modes[k, MASS] * scene.sprung[p, k]
    return power


def read_gauges(now: float, scene: Scene) -> None:
    """Raise the extremes of gauges, and note when they leave their limits; at the end of a step."""
    for g in range(scene.gauges.shape[0]):
        row, read = scene.gauges[g], scene.pull[DEFORMATION, scene.joint_rest.size - scene.gauges.shape[0] + g]
        row[LEAST], row[MOST] = min(row[LEAST], read), max(row[MOST], read)
        if math.isnan(row[LEFT_AT]) and not row[LOW] <= read <= row[HIGH]:
            row[LEFT_AT] = now


def write_scene(i: int, system: System, scene: Scene) -> None:
    """Write where contacts, joints and gauges are at sample `i`; what contacts do is written by whoever knows."""
    for c in range(system.contacts.shape[0]):
        moves = scene.node.size > 0 and scene.node[c] >= 0
        scene.samples[i, W_COLUMNS * c + W_ALONG] = scene.edges[c, ALONG] if moves else math.nan
        scene.samples[i, W_COLUMNS * c + W_GAP] = -scene.edges[c, RAW] if moves else -system.contacts[c, OVERLAP]
    for p in range(scene.joint_rest.size):
        scene.readings[i, 2 * p], scene.readings[i, 2 * p + 1] = scene.pull[DEFORMATION, p], scene.pull[TENSION, p]
    write_poses(i, system, scene)
