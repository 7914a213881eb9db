"""Accelerations of all modes at a state, with what every contact and joint takes."""

from carom.kernels.joints import Springs
from carom.kernels.rows import CLOSED, STATUS
from carom.kernels.scene.contact_forces import approach, press, push_apart
from carom.kernels.scene.kinematics import load_modes, move_all, read, spread, turn_bodies
from carom.kernels.scene.links import pull_joints
from carom.kernels.scene.rows import (
    CLOSING,
    CONTACT_POWERS,
    DAMPING,
    DASHPOT_ROW,
    FORCE,
    FRICTION,
    FRICTION_2,
    FRICTION_POWER,
    GIVE,
    GIVE_2,
    INPUT,
    JOINTS,
    MASS,
    NEAR,
    NORMAL_POWER,
    PULL,
    PUSH,
    SCENE_POWERS,
    SHARE,
    SLIP,
    SLIP_2,
    SQUARE,
    STEADY,
    TWICE,
)
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Matrix, Vector


def accelerate(
    past: float, every: bool, state: Matrix, give: Vector, plan: Plan, motion: Motion, springs: Springs,
    gives: Vector, powers: Vector,
) -> None:  # fmt: skip
    """Write q̈ into the last row of a state q, q̇ at the time `past` of the sample, dξ/dt and all powers.

    Contacts that are open and gauges are read where `every` one is wanted.
    """
    q, v, w, load = state[0], state[1], state[2], motion.load
    move_all(q, v, give, plan, motion)
    for k in range(load.size):
        load[k] = 0.0
    powers[DAMPING] = 0.0
    for r in range(plan.dashpots.size):
        row = plan.offsets[DASHPOT_ROW] + r
        rate = read(row, plan, v)
        spread(row, -plan.dashpots[r] * rate, plan, load)
        powers[DAMPING] += plan.dashpots[r] * rate * rate
    for i in range(motion.listed[NEAR]):
        c = motion.near[i]
        row, first = motion.contacts[c], SCENE_POWERS + CONTACT_POWERS * c
        if row[STATUS] != CLOSED:
            if every:
                approach(c, q, v, plan, motion)
            gives[2 * c], gives[2 * c + 1] = 0.0, 0.0
            for k in range(CONTACT_POWERS):
                powers[first + k] = 0.0
            continue
        approach(c, q, v, plan, motion)
        press(c, give, plan, row)
        push_apart(c, plan, motion)
        gives[2 * c], gives[2 * c + 1] = row[GIVE], row[GIVE_2]
        powers[first + NORMAL_POWER] = row[FORCE] * row[CLOSING]
        powers[first + FRICTION_POWER] = row[FRICTION] * row[SLIP] + row[FRICTION_2] * row[SLIP_2]
        powers[first + PUSH], powers[first + PULL], powers[first + PULL + 1] = (
            row[FORCE],
            row[FRICTION],
            row[FRICTION_2],
        )
    powers[JOINTS] = pull_joints(every, q, v, plan, motion, springs)
    load_modes(v, plan, motion)
    turn_bodies(give, v, plan, motion, gives)
    given = plan.modes
    powers[INPUT] = 0.0
    for k in range(load.size):
        g = plan.support[k]
        ground = given[SHARE, k] * (motion.ground[0, g] + past * motion.ground[1, g])
        if given[MASS, k] == 0.0:  # its motion is given: whoever gives it does the work of what acts on it
            powers[INPUT] -= load[k] * v[k]
            w[k] = -ground
            continue
        loss = given[TWICE, k] * v[k]
        drive = given[STEADY, k] - ground
        powers[INPUT] += drive * v[k]
        powers[DAMPING] += loss * v[k]
        w[k] = drive - given[SQUARE, k] * q[k] - loss + load[k]
