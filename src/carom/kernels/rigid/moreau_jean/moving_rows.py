"""Rows of contacts and joints that change with position, in a step of Moreau and Jean: at its start, middle and end."""

from carom.kernels.joints import TENSION, follow_all, remember
from carom.kernels.rigid.impact_record import gauge
from carom.kernels.rigid.moving import Scene, mind_ends, place, pull_joints, read_gauges, stretch_joints, take_turns
from carom.kernels.rigid.rows import HYSTERETIC, LOAD, Q, V
from carom.kernels.rigid.tables import Linearised, System
from carom.kernels.types import Matrix


def look_around(now: float, system: System, scene: Scene) -> None:
    """Write the rows of contacts that change with position, where the modes are; note who is past an end of a face.

    Joints remember where the step ended.
    """
    if scene.anchor_body.size + scene.body_modes.shape[0] > 0:
        take_turns(system, scene)
        place(system, scene)
        mind_ends(system, scene)
        place(system, scene)
        stretch_joints(system, scene)
        follow_all(scene.springs, scene.pull)
        remember(scene.springs)
        read_gauges(now, scene)


def look_ahead(h: float, theta: float, system: System, scene: Scene, linear: Linearised) -> None:
    """Write the rows as they will be in the middle of the step, with what follows from them, and pull at the joints.

    Impulses work along these: a step then turns bodies to second order, and its energies add up.
    """
    modes = system.modes
    count = modes.shape[0]
    if scene.anchor_body.size == 0:
        return
    for k in range(count):
        modes[k, Q] += theta * h * modes[k, V]
    place(system, scene)
    gauge(system)
    for k in range(count):
        scene.pulls[k] = 0.0
    pull_joints(system, scene, scene.pulls)
    for k in range(count):
        modes[k, LOAD] += h * scene.pulls[k]
        modes[k, Q] -= theta * h * modes[k, V]
    for k in range(count):
        for c in range(system.push.shape[0]):
            linear.answer[k, c] = 0.0
            if linear.inverse.shape[0] == count and count > 1:
                for j in range(count):
                    linear.answer[k, c] += linear.inverse[k, j] * system.push[c, j]
            else:
                linear.answer[k, c] = linear.inverse[0, k] * system.push[c, k]
    for a in range(system.reach.shape[0]):
        for c in range(system.push.shape[0]):
            total = 0.0
            for k in range(count):
                total += system.reach[a, k] * linear.answer[k, c]
            linear.w[a, c] = total


def look_back(h: float, system: System, scene: Scene, trail_v: Matrix) -> None:
    """Enter the work of joints over the step."""
    if scene.joint_rest.size > scene.gauges.shape[0]:
        for p in range(scene.joint_rest.size - scene.gauges.shape[0]):
            rate = 0.0
            for k in range(system.modes.shape[0]):
                rate += 0.5 * scene.sprung[p, k] * (trail_v[k, 0] + system.modes[k, V])
            system.energy[HYSTERETIC] += h * scene.pull[TENSION, p] * rate
