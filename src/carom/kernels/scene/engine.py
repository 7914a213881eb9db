"""A scene from its first sample to its last: steps of order five that end on samples and on events."""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.impact_record import open_book
from carom.kernels.endings import FINISHED, NO_FAULT, NOT_FINITE, STEP_LIMIT, UNDERFLOW, UNTRUSTED
from carom.kernels.joints import Springs, remember
from carom.kernels.ledger import (
    AT_FIRST,
    FAULT,
    IMPACTS,
    KINETIC,
    LIMIT,
    REJECTED,
    STEPS,
    STRAIN,
    TOLERANCE,
    begin_account,
    end_run,
    note_released,
    note_supply,
    watch_balance,
)
from carom.kernels.ledger import INPUT as GIVEN
from carom.kernels.rows import CLOSED, NOISE, STATUS
from carom.kernels.scene import clock
from carom.kernels.scene.accelerations import accelerate
from carom.kernels.scene.changes import FRICTION_COLUMN, begin_closed, change, friction_impulse, gather, push_on, reopen
from carom.kernels.scene.contact_forces import approach
from carom.kernels.scene.events import NOTHING, at_end, edge_reached, first_event, slope_at_end
from carom.kernels.scene.kinematics import move_all
from carom.kernels.scene.nearness import begin_near, go_far
from carom.kernels.scene.peaks import begin_links, begin_outputs, watch_contacts, watch_links, watch_outputs
from carom.kernels.scene.rows import (
    AT_END,
    AT_START,
    CLOSING,
    CONTACT_POWERS,
    END_DISTANCE,
    FORCE,
    FRICTION_IMPULSE,
    FRICTION_IMPULSE_2,
    FRICTION_POWER,
    INPUT,
    NEAR,
    NORMAL_POWER,
    OVERLAP,
    PAST,
    PRINTED,
    PULL,
    PUSH,
    SCENE_POWERS,
    SLIDES,
    SLIDING,
    STATIC,
    STICKS,
    TANGENT_STIFFNESS,
)
from carom.kernels.scene.step import NOW, RATE_NOW, add_up, attempt, end_to_now, power_of, speeds_to_size
from carom.kernels.scene.tables import Motion, Plan, Writing
from carom.kernels.scene.writing import balance, write_sample
from carom.kernels.tables import Shaking

SHARE = 0.1  # of the tolerance of a run that a step may miss: joints with kinks add up what steps miss
FINEST = 1e-13  # no step is asked to miss less: it would be rounding
SAFETY = 0.9
GROWTH = 5.0
LEAST = 1e-13  # of a sample: steps that short do not move time
SHARPER = 4  # times that a step is taken anew to end on its event
EARLIER = 4  # times that an event may turn out to come before the one that was looked for
SHARP = 1e-13  # change of its length, as share of it, that ends this
AWAKE = 2.0  # steps like the last one for which it pays to let a contact sleep
MOST_IDLE = 200.0  # events without a step between them


def play(plan: Plan, motion: Motion, springs: Springs, shaking: Shaking, writing: Writing) -> int:
    """Run a scene; return how it ended."""
    run = motion.run
    begin_account(run)
    samples = shaking.ground.shape[1]
    set_ground(0, shaking, motion)
    begin_contacts(plan, motion)
    refresh(plan, motion, springs)
    begin_outputs(plan, motion)
    begin_links(plan, motion)
    balance(plan, motion)
    run[AT_FIRST] = run[KINETIC] + run[STRAIN]
    write_sample(0, plan, motion, writing)
    code = FINISHED
    for i in range(1, samples):
        set_ground(i - 1, shaking, motion)
        code = through_sample(plan, motion, springs, shaking, writing)
        if code != FINISHED:
            break
        motion.clock[clock.PAST] = shaking.dt
        write_sample(i, plan, motion, writing)
        motion.clock[clock.SAMPLE], motion.clock[clock.PAST] = i * shaking.dt, 0.0
    now = motion.clock[clock.SAMPLE] + motion.clock[clock.PAST]
    first = int(run[IMPACTS])
    end_run(now, motion.contacts, writing.impacts, run)
    for c in range(motion.contacts.shape[0]):
        if motion.contacts[c, STATUS] == CLOSED:
            if first < writing.impacts.shape[0]:
                row = motion.contacts[c]
                writing.impacts[first, FRICTION_COLUMN] = friction_impulse(
                    row[FRICTION_IMPULSE], row[FRICTION_IMPULSE_2]
                )
            first += 1
    balance(plan, motion)
    if code == FINISHED:
        watch_balance(now, run)
        if run[FAULT] != NO_FAULT:
            code = UNTRUSTED
    return code


def set_ground(sample: int, shaking: Shaking, motion: Motion) -> None:
    """Enter the acceleration of the ground in the sample that begins here."""
    last = shaking.ground.shape[1] - 1
    for g in range(shaking.ground.shape[0]):
        here = shaking.scale * shaking.ground[g, sample]
        there = shaking.scale * shaking.ground[g, min(sample + 1, last)]
        motion.ground[0, g], motion.ground[1, g] = here, (there - here) / shaking.dt


def begin_contacts(plan: Plan, motion: Motion) -> None:
    """Read all contacts at the start; those that overlap then are closed, or their node is past an end of the edge."""
    begin_near(plan, motion)
    move_all(motion.now[0], motion.now[1], motion.give[NOW], plan, motion)
    for c in range(motion.contacts.shape[0]):
        row = motion.contacts[c]
        begins_past = row[STATUS] == PAST
        open_book(row)
        approach(c, motion.now[0], motion.now[1], plan, motion)
        if begins_past:
            row[STATUS] = PAST
        elif row[OVERLAP] > row[NOISE]:
            if edge_reached(row):
                begin_closed(c, plan, motion)
            else:
                row[STATUS] = PAST


def refresh(plan: Plan, motion: Motion, springs: Springs) -> None:
    """Work out accelerations anew where states have changed; contacts read where they are."""
    past = motion.clock[clock.PAST]
    accelerate(past, True, motion.now, motion.give[NOW], plan, motion, springs, motion.give[RATE_NOW], motion.powers[0])
    for n in range(motion.listed[NEAR]):
        row = motion.contacts[motion.near[n]]
        row[AT_START], row[AT_START + 1], row[AT_START + 2] = row[OVERLAP], row[CLOSING], row[FORCE]


def through_sample(plan: Plan, motion: Motion, springs: Springs, shaking: Shaking, writing: Writing) -> int:
    """Go to the end of the sample."""
    time, run = motion.clock, motion.run
    while True:
        left = shaking.dt - time[clock.PAST]
        if left <= LEAST * shaking.dt:
            return FINISHED
        if time[clock.CHECK_STEP] > 0.0:
            check_printed(plan, motion, springs)
            left = min(left, max(time[clock.CHECK] - time[clock.SAMPLE] - time[clock.PAST], LEAST * shaking.dt))
        if closed_contacts(motion) > 0:
            run[STEPS] += 1.0
            if run[STEPS] > run[LIMIT]:
                return STEP_LIMIT
        h = min(time[clock.STEP], left)
        if h > 0.6 * left and h < left:
            h = 0.5 * left if h < 0.9 * left else left
        kind = int(time[clock.KIND])
        error = attempt(h, kind, plan, motion, springs) / max(SHARE * run[TOLERANCE], FINEST)
        if not error <= 1.0:
            run[REJECTED] += 1.0
            shorter = 0.1 if math.isnan(error) else max(SAFETY * error**-0.2, 0.1)
            time[clock.STEP], time[clock.KIND] = h * shorter, kind
            if time[clock.STEP] < LEAST * shaking.dt * 1e-3:
                return NOT_FINITE if math.isnan(error) else UNDERFLOW
            continue
        event, contact, share = first_event(plan, motion)
        if event == NOTHING:
            longer = h * min(GROWTH, SAFETY * max(error, 1e-5) ** -0.2)
            time[clock.STEP] = longer if h >= time[clock.STEP] else max(longer, time[clock.STEP])
            make_good(plan, motion, springs)
            continue
        time[clock.EVENTS] += 1.0
        time[clock.IDLE] += 1.0
        if time[clock.IDLE] > MOST_IDLE:
            return UNDERFLOW
        time[clock.STEP] = h
        length = share * h
        if length > LEAST * shaking.dt:
            for _ in range(EARLIER):  # in the step that ends there something else may turn out to come before
                length = end_on(event, contact, length, h, kind, plan, motion, springs)
                other, another, share = first_event(plan, motion)
                if (
                    other == NOTHING
                    or another == contact
                    or share > 1.0 - SHARP
                    or share * length <= LEAST * shaking.dt
                ):
                    break
                event, contact, length = other, another, share * length
            make_good(plan, motion, springs)
        move_to_event(contact, plan, motion)
        row = motion.contacts[contact]
        pull = abs(row[AT_END + 1] - row[AT_START + 1]) / h
        now = time[clock.SAMPLE] + time[clock.PAST]
        change(event, contact, pull, now, plan, motion, writing.impacts)
        refresh(plan, motion, springs)
        begin_outputs(plan, motion)


def end_on(
    event: int, contact: int, length: float, longest: float, kind: int, plan: Plan, motion: Motion, springs: Springs
) -> float:
    """Take a step anew so that it ends on its event; return its length."""
    for _ in range(SHARPER):
        attempt(length, kind, plan, motion, springs)
        value = at_end(event, contact, plan, motion.contacts[contact])
        slope = slope_at_end(event, contact, plan, motion)
        if not slope > 0.0:
            break
        better = min(length * (1.0 - value / slope), longest)
        if not better > 0.0 or abs(better - length) <= SHARP * length:
            break
        length = better
    if motion.clock[clock.LENGTH] != length:
        attempt(length, kind, plan, motion, springs)
    return length


def move_to_event(contact: int, plan: Plan, motion: Motion) -> None:
    """Read a contact at the moment of its event."""
    move_all(motion.now[0], motion.now[1], motion.give[NOW], plan, motion)
    approach(contact, motion.now[0], motion.now[1], plan, motion)


def make_good(plan: Plan, motion: Motion, springs: Springs) -> None:
    """Accept the step that `Motion` holds: peaks, sums, memories; the next one begins where it ends."""
    time = motion.clock
    h, kind = time[clock.LENGTH], int(time[clock.KIND])
    watch_contacts(plan, motion)
    watch_outputs(plan, motion)
    remember(springs)
    watch_links(plan, motion)
    for n in range(motion.listed[NEAR]):
        c = motion.near[n]
        if motion.contacts[c, STATUS] == CLOSED:
            first = SCENE_POWERS + CONTACT_POWERS * c
            gather(c, power_of(first + NORMAL_POWER, motion), power_of(first + FRICTION_POWER, motion), motion)
            pull, aside = power_of(first + PULL, motion), power_of(first + PULL + 1, motion)
            push_on(c, power_of(first + PUSH, motion), pull, aside, motion)
    add_up(h, kind, motion)
    end_to_now(motion)
    speeds_to_size(motion)
    time[clock.PAST] += h
    time[clock.KIND] = PLAIN
    time[clock.ALL_STEPS] += 1.0
    time[clock.IDLE] = 0.0
    fall_asleep(plan, motion)
    reopen(motion)
    motion.run[GIVEN] = motion.sums[INPUT]
    note_supply(motion.run)


def fall_asleep(plan: Plan, motion: Motion) -> None:
    """Begin the next step with what contacts read at the end of this one; far ones are not read for a while."""
    time = motion.clock
    path = time[clock.AHEAD] - time[clock.TRAVEL]
    time[clock.TRAVEL] = time[clock.AHEAD]
    now = time[clock.SAMPLE] + time[clock.PAST]
    near = 0
    for n in range(motion.listed[NEAR]):
        c = motion.near[n]
        row = motion.contacts[c]
        for i in range(3):
            row[AT_START + i] = row[AT_END + i]
        if row[STATUS] != CLOSED:
            note_released(c, row[AT_END], now, row, motion.run)
            if plan.places[c, 0] >= 0 and 0.5 * row[END_DISTANCE] > AWAKE * path:
                go_far(c, plan, motion)
                continue
        motion.near[near] = c
        near += 1
    motion.listed[NEAR] = near


def check_printed(plan: Plan, motion: Motion, springs: Springs) -> None:
    """Look at contacts that follow the printed rule of zhu2002, once in each of its steps (7a), (7b)."""
    time = motion.clock
    if time[clock.SAMPLE] + time[clock.PAST] < time[clock.CHECK] - 1e-12 * time[clock.CHECK_STEP]:
        return
    time[clock.CHECK] = time[clock.SAMPLE] + time[clock.PAST] + time[clock.CHECK_STEP]
    changed = False
    for c in range(motion.contacts.shape[0]):
        row, rub = motion.contacts[c], plan.friction[c]
        if row[STATUS] != CLOSED or rub[PRINTED] == 0.0:
            continue
        if row[SLIDING] == SLIDES:  # p has moved to the projection of k: the spring is empty
            motion.give[NOW, 2 * c], motion.give[NOW, 2 * c + 1] = 0.0, 0.0
            row[SLIDING] = STICKS
            changed = True
        else:
            spring = rub[TANGENT_STIFFNESS] * math.hypot(motion.give[NOW, 2 * c], motion.give[NOW, 2 * c + 1])
            if spring >= rub[STATIC] * row[FORCE]:
                row[SLIDING] = SLIDES
                changed = True
    if changed:
        refresh(plan, motion, springs)
        begin_outputs(plan, motion)


def closed_contacts(motion: Motion) -> int:
    """Return how many contacts have a force."""
    count = 0
    for n in range(motion.listed[NEAR]):
        if motion.contacts[motion.near[n], STATUS] == CLOSED:
            count += 1
    return count
