"""Moreau-Jean time stepping: impulses instead of forces, one step of langlade2021's Table 2 after the other.

    M(q̇⁺ − q̇) + Δt P(q_θ, q̇_θ) − G + pushᵀ p = 0,      0 ≤ p ⊥ ġ⁺ + e ġ ≥ 0 for contacts predicted to close

In modal coordinates M = I. P = C q̇ + Ω² q + Bᵀr: joints inside a structure add r (`carom.kernels.joints`),
and Newton's iteration of the paper then takes a few passes; on linear structures it ends after the first, and J, W are
the same in every step. Gaps are g = gap − reach·q, so that H of the paper is −reach; rows of tangents stand behind
those of normals. Misprints of the paper are followed as corrected in its own text: (10) with q, Table 2 (iii) with +G,
(17) without W_αα p_α in the sum, the update q̇ + J⁻¹R̂.
"""

from carom.kernels.endings import (
    FINISHED,
    NO_FAULT,
    NO_SOLUTION,
    NOT_COMPLEMENTARY,
    NOT_FINITE,
    SOLVED,
    UNTRUSTED,
)
from carom.kernels.joints import (
    DEFORMATION,
    PACE,
    TENSION,
    Springs,
    follow_all,
    give_back,
    remember,
    soften,
)
from carom.kernels.rigid.impact_record import gauge, write_sample
from carom.kernels.rigid.impulses.impulses import (
    IMPULSE,
    NEWTON,
    grouped,
    strike,
    strike_rough,
)
from carom.kernels.rigid.moreau_jean.contacts import account, gather, note, overlapping, predicted, respond, unforeseen
from carom.kernels.rigid.moreau_jean.free_steps import SHAKEN, STRETCH, free_steps, raise_peaks, settle, shake
from carom.kernels.rigid.moreau_jean.moving_rows import look_ahead, look_around, look_back
from carom.kernels.rigid.moving import Scene, spin_through, write_scene
from carom.kernels.rigid.rows import (
    DRAG,
    FAULT,
    FORCE,
    GAMMA,
    HYPOTHESIS,
    HYSTERETIC,
    LAST,
    LOAD,
    METHOD,
    PARTICIPATION,
    PASSES,
    PROJECTION,
    PUSH,
    QUICKEST,
    RATE,
    REACHED,
    SLIP,
    SQUARE,
    STEADY,
    THETA,
    TWICE,
    V_NEW,
    Q,
    V,
)
from carom.kernels.rigid.tables import Floors, Histories, Inside, Linearised, Solver, System, Trail
from carom.kernels.types import Codes, Matrix, Vector

MOST_PASSES = 60
CONVERGED = 1e-13
"""Newton's iteration ends when velocities change by less than this part of the largest so far."""


def load(h: float, support: Codes, modes: Matrix, scratch: Matrix) -> None:
    """Write G, the impulse of the loads over the step, and let the iteration begin from the velocity before it."""
    for k in range(modes.shape[0]):
        row = modes[k]
        row[LOAD] = h * (row[STEADY] - row[PARTICIPATION] * scratch[SHAKEN + support[k], 0])
        row[V_NEW] = row[V]


def residual(
    h: float, theta: float, damping: Matrix, sprung: Matrix, springs: Springs, pull: Matrix, modes: Matrix
) -> bool:
    """Write R = G − M(q̇⁺ − q̇) − Δt P at the middle of the step, (4) to (8); return whether a tangent changed."""
    count = modes.shape[0]
    for k in range(count):
        row = modes[k]
        middle = (1.0 - theta) * row[V] + theta * row[V_NEW]
        drag = row[TWICE] * middle
        if damping.shape[0] > 0:
            drag = 0.0
            for j in range(count):
                drag += damping[k, j] * ((1.0 - theta) * modes[j, V] + theta * modes[j, V_NEW])
        row[FORCE] = row[LOAD] - (row[V_NEW] - row[V]) - h * (drag + row[SQUARE] * (row[Q] + theta * h * middle))
    for p in range(sprung.shape[0]):
        drift, rate = 0.0, 0.0
        for k in range(count):
            middle = (1.0 - theta) * modes[k, V] + theta * modes[k, V_NEW]
            drift += sprung[p, k] * (modes[k, Q] + theta * h * middle)
            rate += sprung[p, k] * middle
        pull[DEFORMATION, p], pull[PACE, p] = drift, rate
    changed = follow_all(springs, pull)
    for p in range(sprung.shape[0]):
        for k in range(count):
            modes[k, FORCE] -= h * sprung[p, k] * pull[TENSION, p]
    return changed


def linearise(
    h: float, theta: float, damping: Matrix, sprung: Matrix, springs: Springs, pull: Matrix, reach: Matrix,
    push: Matrix, modes: Matrix, inverse: Matrix, answer: Matrix, w: Matrix,
) -> None:  # fmt: skip
    """Write J⁻¹, (9), J⁻¹ pushᵀ and W, (20), for the springs' tangents as they are now."""
    count = modes.shape[0]
    for k in range(count):
        for j in range(count):
            inverse[k, j] = theta * h * damping[k, j]
        inverse[k, k] += 1.0 + (theta * h) ** 2 * modes[k, SQUARE]
    soften((theta * h) ** 2, theta * h, sprung, springs, pull, inverse)
    for k in range(count):  # Gauss and Jordan; J is positive definite
        pivot = 1.0 / inverse[k, k]
        inverse[k, k] = 1.0
        for j in range(count):
            inverse[k, j] *= pivot
        for i in range(count):
            if i != k:
                part = inverse[i, k]
                inverse[i, k] = 0.0
                for j in range(count):
                    inverse[i, j] -= part * inverse[k, j]
    for k in range(count):
        for c in range(push.shape[0]):
            total = 0.0
            for j in range(count):
                total += inverse[k, j] * push[c, j]
            answer[k, c] = total
    for a in range(reach.shape[0]):
        for c in range(push.shape[0]):
            total = 0.0
            for k in range(count):
                total += reach[a, k] * answer[k, c]
            w[a, c] = total


def free_velocity(inverse: Matrix, modes: Matrix) -> None:
    """Write q̇⁺ + J⁻¹R, the velocity without impulses; `inverse` is J⁻¹, or its diagonal as one row."""
    count = modes.shape[0]
    for k in range(count):
        if inverse.shape[0] == count and count > 1:
            for j in range(count):
                modes[k, V_NEW] += inverse[k, j] * modes[j, FORCE]
        else:
            modes[k, V_NEW] += inverse[0, k] * modes[k, FORCE]


def converged(turn: int, springs: int, modes: Matrix, run: Vector) -> bool:
    """Return whether Newton's iteration is done, and keep its iterate; linear structures need one pass."""
    change = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        change = max(change, abs(row[V_NEW] - row[LAST]))
        run[QUICKEST] = max(run[QUICKEST], abs(row[V_NEW]))
        row[LAST] = row[V_NEW]
    return springs == 0 or (turn > 0 and change <= CONVERGED * run[QUICKEST])


def move_on(
    h: float, theta: float, sprung: Matrix, springs: Springs, pull: Matrix, modes: Matrix, trail_q: Matrix,
    trail_v: Matrix, energy: Vector,
) -> None:  # fmt: skip
    """Move on by (5) and (7); springs remember where the step ended."""
    for k in range(modes.shape[0]):
        row = modes[k]
        middle = (1.0 - theta) * row[V] + theta * row[V_NEW]
        trail_q[k, 0], trail_v[k, 0] = row[Q], row[V]
        row[Q] += h * middle
        row[V] = row[V_NEW]
        row[V_NEW] = middle  # kept for the account
    for p in range(sprung.shape[0]):
        drift, rate, pace = 0.0, 0.0, 0.0
        for k in range(modes.shape[0]):
            drift += sprung[p, k] * modes[k, Q]
            rate += sprung[p, k] * modes[k, V_NEW]
            pace += sprung[p, k] * modes[k, V]
        energy[HYSTERETIC] += h * pull[TENSION, p] * rate
        pull[DEFORMATION, p], pull[PACE, p] = drift, pace
    follow_all(springs, pull)
    remember(springs)


def march(
    system: System, support: Codes, ground: Matrix, parts: int, h: float, linear: Linearised, inside: Inside,
    storeys: Floors, solver: Solver, trail: Trail, histories: Histories, scene: Scene,
) -> int:  # fmt: skip
    """Run one problem, `parts` steps of length `h` from each sample of `ground` to the next; return how it ended.

    `support` says which row of `ground` shakes a mode. Peaks are followed where a sample has several steps; else
    histories have them.
    """
    modes, contacts, damping, reach, push, still, restitution, energy, run = system
    inverse, answer, w = linear
    sprung, springs, pull = inside
    pressed, struck, work, active, kept, course = solver
    trail_q, trail_v, scratch, before = trail
    history_stored = histories.stored
    theta, ahead = run[THETA], run[GAMMA] * h
    hypothesis, method = int(run[HYPOTHESIS]), int(run[METHOD])
    many = contacts.shape[0]
    tangents = reach.shape[0] // max(many, 1) - 1
    total = (ground.shape[1] - 1) * parts
    moving = scene.anchor_body.size + scene.body_modes.shape[0] > 0
    alone = damping.shape[0] > 0 or run[PROJECTION] != 0.0 or moving  # coupled modes and the like: step by step
    books = 0
    look_around(0.0, system, scene)
    write_sample(0, h, system, histories)
    s, m = 0, 0
    while s < total:
        # (i) which contacts are predicted to close
        look_around(s * h, system, scene)
        gauge(system)
        if moving and s % parts == 0:
            write_scene(s // parts, system, scene)
        run[REACHED] = s * h
        if m > 0 and run[PROJECTION] == 0.0 and not moving:
            unforeseen(m, h, theta, ahead, reach, contacts, trail_q, trail_v, run)
            if run[FAULT] != NO_FAULT:
                return UNTRUSTED
        n = predicted(ahead, reach, modes, contacts, active)
        m = 1 if n + books > 0 or alone else min(STRETCH, total - s)
        shake(s, m, parts, ground, scratch)
        if n + books == 0 and not alone:  # then (ii) to (x) are one line, and n = 0 holds for one step at least
            m = free_steps(m, h, theta, ahead, support, system, trail)
        else:
            load(h, support, modes, scratch)
            look_ahead(h, theta, system, scene, linear)
            for c in range(contacts.shape[0]):
                contacts[c, PUSH], before[0, c] = 0.0, contacts[c, RATE]
                for t in range(tangents):
                    contacts[c, DRAG + t], before[1 + t, c] = 0.0, contacts[c, SLIP + t]
            left, noise, together, turn, done = 0.0, 0.0, 0, 0, False
            while not done and turn < MOST_PASSES:
                # (ii)-(iii) the residual, and the velocity without impulses
                changed = residual(h, theta, damping, sprung, springs, pull, modes)
                spins_on = spin_through(h, theta, turn, system, scene)
                if changed or (turn == 0 and sprung.shape[0] > 0):
                    linearise(h, theta, damping, sprung, springs, pull, reach, push, modes, inverse, answer, w)
                free_velocity(inverse, modes)
                # (iv)-(vi), (x) impulses, and the velocity with them
                first, left, together = 0, 0.0, 0
                while first < n:  # group by group
                    last = grouped(first, n, many, active, w)
                    size, those = last - first, active[first:last]
                    own = gather(size, many, reach, w, restitution, modes, contacts, those, pressed, struck)
                    if tangents > 0:
                        status, share = strike_rough(
                            hypothesis, own, size, tangents, pressed, struck, work, kept, course
                        )
                    else:
                        status, share = strike(hypothesis, method, own, size, pressed, struck, work, kept)
                    if status != SOLVED:
                        return NOT_COMPLEMENTARY
                    respond(size, size * (1 + tangents), answer, modes, contacts, those, struck)
                    noise, left, together, first = max(noise, own), max(left, share), max(together, size), last
                # (vii) until nothing changes
                done = converged(turn, sprung.shape[0], modes, run) and not spins_on
                turn += 1
            run[PASSES] += turn
            if not done:
                return NO_SOLUTION
            note(n, together, left, contacts, active, run)
            # (viii) kinematics
            move_on(h, theta, sprung, springs, pull, modes, trail_q, trail_v, energy)
            look_back(h, system, scene, trail_v)
            if run[PROJECTION] != 0.0:  # the shortest way apart in the metric of the masses; velocities stay
                n = overlapping(reach, still, modes, contacts, active, pressed, struck)
                if n > 0:
                    strike(NEWTON, method, 0.0, n, pressed, struck, work, kept)
                for i in range(n):
                    for k in range(modes.shape[0]):
                        modes[k, Q] -= push[active[i], k] * struck[IMPULSE, i]
            gauge(system)
            books = account(s * h, h, noise, hypothesis == NEWTON, system, trail, histories.impacts)
            for k in range(modes.shape[0]):
                trail_q[k, 1], trail_v[k, 1] = modes[k, Q], modes[k, V]
            if sprung.shape[0] > 0:
                history_stored[(s + parts) // parts, 0] = give_back(springs, pull[DEFORMATION])
        if parts > 1:
            raise_peaks(m, h, storeys, trail)
        if not settle(s, m, parts, h, theta, support, system, trail, histories):
            return NOT_FINITE
        s += m
        run[REACHED] = s * h
        if run[FAULT] != NO_FAULT:
            return UNTRUSTED
    look_around(total * h, system, scene)
    gauge(system)
    if moving:
        write_scene(total // parts, system, scene)
    return FINISHED
