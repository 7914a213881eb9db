"""What a run of a scene writes down at samples, and how it watches its energy."""

from carom.kernels.joints import DEFORMATION, TENSION
from carom.kernels.ledger import CONTACT_WORK, KINETIC, STRAIN, WRITTEN
from carom.kernels.ledger import DAMPING as DAMPED
from carom.kernels.ledger import INPUT as GIVEN
from carom.kernels.rows import CLOSED, RELEASED, STATUS
from carom.kernels.scene import clock
from carom.kernels.scene.contact_forces import approach, press
from carom.kernels.scene.kinematics import move_every
from carom.kernels.scene.links import stretch
from carom.kernels.scene.rows import (
    ALONG,
    CONTACT_POWERS,
    DAMPING,
    FORCE,
    FRICTION,
    FRICTION_2,
    FRICTION_POWER,
    INPUT,
    JOINTS,
    L_CONTACT,
    L_DAMPING,
    L_FRICTION,
    L_INPUT,
    L_JOINTS,
    L_KINETIC,
    L_STRAIN,
    MASS,
    NORMAL_POWER,
    OPEN_STATE,
    OVERLAP,
    PAST,
    PAST_STATE,
    SCENE_POWERS,
    SHARE,
    SLIDING,
    SLIP,
    SLIP_2,
    SQUARE,
)
from carom.kernels.scene.step import NOW
from carom.kernels.scene.tables import Motion, Plan, Writing
from carom.kernels.types import Vector

# what is written of a contact
W_GAP = 0
W_FORCE = 1
W_FRICTION = 2  # both tangents
W_SLIP = 4  # both tangents
W_STATE = 6
W_ALONG = 7
W_READ = 8  # 1: it has been read; 0: it slept
CONTACT_COLUMNS = 9
# of a link
W_DEFORMATION = 0
W_TENSION = 1
LINK_COLUMNS = 2


def write_sample(sample: int, plan: Plan, motion: Motion, writing: Writing) -> None:
    """Write where everything is at a sample; contacts and links have been read there, but for those that are open."""
    if sample >= writing.q.shape[0]:
        return
    past = motion.clock[clock.PAST]
    q, v = motion.now[0], motion.now[1]
    for k in range(motion.load.size):
        g = plan.support[k]
        writing.q[sample, k], writing.v[sample, k] = q[k], v[k]
        ground = plan.modes[SHARE, k] * (motion.ground[0, g] + past * motion.ground[1, g])
        writing.own[sample, k] = motion.now[2, k] + ground
    move_read(q, v, motion.give[NOW], plan, motion)
    for c in range(motion.contacts.shape[0]):
        if motion.wake[c] >= 0.0 and leaves_far():
            continue
        row, at = motion.contacts[c], CONTACT_COLUMNS * c
        line = writing.contacts[sample]
        approach(c, q, v, plan, motion)
        line[at + W_GAP], line[at + W_ALONG] = -row[OVERLAP], row[ALONG]
        line[at + W_READ] = 1.0
        line[at + W_SLIP], line[at + W_SLIP + 1] = row[SLIP], row[SLIP_2]
        if row[STATUS] == CLOSED:
            press(c, motion.give[NOW], plan, row)
            line[at + W_FORCE], line[at + W_STATE] = row[FORCE], row[SLIDING]
            line[at + W_FRICTION], line[at + W_FRICTION + 1] = row[FRICTION], row[FRICTION_2]
        else:
            line[at + W_FORCE], line[at + W_FRICTION], line[at + W_FRICTION + 1] = 0.0, 0.0, 0.0
            line[at + W_STATE] = PAST_STATE if row[STATUS] == PAST or row[STATUS] == RELEASED else OPEN_STATE
        if writing.views.shape[1] > 0:
            write_view(c, motion, row[STATUS] == CLOSED, writing.views[sample])
    for i in range(writing.turns.shape[1]):
        writing.turns[sample, i] = motion.give[NOW, 2 * motion.contacts.shape[0] + i]
    joints = plan.links.shape[0] - plan.limits.shape[0]
    for link in range(plan.links.shape[0]):
        stretch(link, q, v, plan, motion)
        writing.links[sample, LINK_COLUMNS * link + W_DEFORMATION] = motion.pull[DEFORMATION, link]
        writing.links[sample, LINK_COLUMNS * link + W_TENSION] = motion.pull[TENSION, link] if link < joints else 0.0
    balance(plan, motion)
    line, run = writing.ledger[sample], motion.run
    line[L_INPUT], line[L_KINETIC], line[L_STRAIN], line[L_DAMPING] = run[GIVEN], run[KINETIC], run[STRAIN], run[DAMPED]
    line[L_CONTACT], line[L_FRICTION], line[L_JOINTS] = contact_works(motion)
    run[WRITTEN] = sample + 1.0


def leaves_far() -> bool:
    """Return whether contacts that sleep are left to be read when somebody asks for their gaps: in space they are."""
    return False


def move_read(q: Vector, v: Vector, give: Vector, plan: Plan, motion: Motion) -> None:
    """Move what is read at a sample: here all bodies and anchors."""
    move_every(q, v, give, plan, motion)


def write_view(_c: int, _motion: Motion, _closed: bool, _line: Vector) -> None:
    """Write where a contact is in space, and its force: nothing in the plane."""


def contact_works(motion: Motion) -> tuple[float, float, float]:
    """Return the work of the modes on contacts across them and along them, and on joints [J]."""
    normal, friction = 0.0, 0.0
    for c in range(motion.contacts.shape[0]):
        first = SCENE_POWERS + CONTACT_POWERS * c
        normal += motion.sums[first + NORMAL_POWER]
        friction += motion.sums[first + FRICTION_POWER]
    return normal, friction, motion.sums[JOINTS]


def balance(plan: Plan, motion: Motion) -> None:
    """Enter where the energy is now into the account of the run."""
    kinetic, strain = 0.0, 0.0
    for k in range(motion.load.size):
        if plan.modes[MASS, k] != 0.0:
            kinetic += 0.5 * motion.now[1, k] * motion.now[1, k]
            strain += 0.5 * plan.modes[SQUARE, k] * motion.now[0, k] * motion.now[0, k]
    normal, friction, joints = contact_works(motion)
    run = motion.run
    run[KINETIC], run[STRAIN], run[GIVEN], run[DAMPED] = kinetic, strain, motion.sums[INPUT], motion.sums[DAMPING]
    run[CONTACT_WORK] = normal + friction + joints
