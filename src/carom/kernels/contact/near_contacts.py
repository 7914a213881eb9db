"""Many contacts between few structures: steps in contact look at those that are closed or may close in the sample.

A contact is left out of a sample's steps where a bound proves that it stays open,

    max(δ at both ends, without contact forces) + rise + Σ_d |answer_cd| · ∫|F_d| dt < 0,

in which |answer_cd| bounds how far a unit impulse at contact d moves the overlap of contact c within a sample. The
first two terms, with their sign changed, are the slack of the contact. Closed contacts use it up step by step
(`use_slack`). Contacts whose slack would not last are taken in before the step, which is then solved anew.

Contacts that are taken in stand in tables of their own, in the order in which they are given (`Near`).
"""

from collections.abc import Callable
from typing import Any

from carom.kernels.contact import left_out
from carom.kernels.contact.collocation import LONG, NODES, SPEEDS
from carom.kernels.event.flight import mode_after
from carom.kernels.event.floor_sums import PUSHED, floor_columns_at
from carom.kernels.event.mode_columns import ANSWERS, LONG_ANGLE, SPARE, column_at, fill_pair, four_sums, one_sum
from carom.kernels.ledger import PAIRS_WANTED, QUICKEST
from carom.kernels.modal.extremes import bulge
from carom.kernels.rows import (
    ANSWER,
    AT_NODES,
    CLOSED,
    EFFECTIVE_MASS,
    FORCE,
    GAP,
    LEVER,
    LOAD,
    MOMENT,
    OMEGA,
    OPEN,
    OVERLAPS,
    QUICK,
    QUICK_CUBE,
    RECENT_SPEED,
    SHAPE,
    SIGMA,
    SLOPE,
    SPEED,
    SQUARE,
    STATUS,
    TAYLOR,
    TWICE,
    WIDEST,
    Q,
    V,
)
from carom.kernels.tables import Near, Tables
from carom.kernels.types import Matrix, Vector

REBOUND = 3.0  # speed that an impact takes from its bodies, as multiple of the one typical of it, at most about
CARE = 1.5  # factor on ∫|F| dt: nodes of steps tell it but roughly where a force changes its sign
SERIES_LACK = 1e-6  # what long series may lack of an answer, as share of that of the masses alone
FILLED = OVERLAPS  # column of a stored pair: 1 where its answer has been worked out


def leaves_out(near: Near) -> bool:
    """Return whether steps leave out contacts."""
    return bool(near.used.size > 0)


def write_overlaps(column: int, into: int, tables: Tables, near: Near) -> None:
    """Write reach·q − gap of all contacts into their column `into`; `column` of the modes holds q."""
    modes, contacts, small = tables.modes, tables.contacts, tables.small
    at, many = column_at(SPARE, modes.shape[0]), modes.shape[0]
    values = small[at : at + many]
    for k in range(many):
        values[k] = modes[k, column]
    for c in range(contacts.shape[0]):
        contacts[c, into] = one_sum(near.reach[c], values) - contacts[c, GAP]


def find_slack(t: float, dt: float, tables: Tables, near: Near) -> None:
    """Find the slack of all contacts from time `t` of a sample to its end, and choose those to be looked at."""
    modes, contacts, small = tables.modes, tables.contacts, tables.small
    many, count, left = modes.shape[0], contacts.shape[0], dt - t
    at = column_at(SPARE, many)
    now, later = small[at : at + many], small[at + many : at + 2 * many]
    rise = 0.0
    for k in range(many):
        row = modes[k]
        load, slope = row[LOAD] + row[SLOPE] * t, row[SLOPE]
        w = load - row[TWICE] * row[V] - row[SQUARE] * row[Q]
        jerk = slope - row[TWICE] * w - row[SQUARE] * row[V]
        up, _ = bulge(w, jerk, row[OMEGA], row[SIGMA], left)
        rise += row[WIDEST] * up
        now[k] = row[Q]
        later[k], _ = mode_after(row, row[Q], row[V], load, slope, left)
    for c in range(count):
        near.used[c], near.slack[c], near.chosen[c] = 0.0, 0.0, 1
        if contacts[c, STATUS] == OPEN:
            ends = max(one_sum(near.reach[c], now), one_sum(near.reach[c], later))
            near.slack[c] = contacts[c, GAP] - ends - rise
    for d in range(count):
        row = contacts[d]
        if row[STATUS] == CLOSED:
            speed = min(row[SPEED], REBOUND * row[RECENT_SPEED])
            push(d, REBOUND * row[EFFECTIVE_MASS] * speed + abs(row[FORCE]) * left, dt, tables, near)
    for c in range(count):
        if near.slack[c] > near.used[c]:
            near.chosen[c] = 0
        near.used[c] = 0.0


def push(d: int, impulse: float, dt: float, tables: Tables, near: Near) -> None:
    """Let contact `d` use up slack by an impulse ∫|F| dt [N·s] in a sample of length `dt`."""
    answers = near.answers[d]
    if answers[d] == 0.0:
        bound_answers(d, dt, tables, near)
    for c in range(answers.size):
        near.used[c] += impulse * answers[c]


def bound_answers(d: int, dt: float, tables: Tables, near: Near) -> None:
    """Bound how far a unit impulse at contact `d` moves every overlap within a sample of length `dt` [m/(N·s)].

    A mode moves by min(τ, 1/ω) at most. Slow modes together move overlaps by Σ |aₚ| dtᵖ, which is far less where a
    wave has yet to come: their long series aₚ tell.
    """
    modes, contacts, small = tables.modes, tables.contacts, tables.small
    many, row = modes.shape[0], contacts[d]
    by_series = tables.run[QUICKEST] * dt <= LONG_ANGLE
    at = column_at(SPARE, many)
    weights = small[at : at + many]
    for c in range(contacts.shape[0]):
        total, mass = 0.0, 0.0
        for k in range(many):
            weights[k] = near.reach[c, k] * row[LEVER + 2 * k + 1]
            size = abs(weights[k])
            mass += size
            if not by_series or modes[k, QUICK] != 0.0:
                total += size * (dt if modes[k, OMEGA] * dt <= 1.0 else 1.0 / modes[k, OMEGA])
        if by_series:
            power, smaller = 1.0, 0.0
            for p in range(0, LONG, 4):
                a0, a1, a2, a3 = four_sums(weights, 0, ANSWERS + p, many, small)
                smaller = power * (abs(a0) + dt * (abs(a1) + dt * (abs(a2) + dt * abs(a3))))
                total += smaller
                power *= dt * dt * dt * dt
            total += SERIES_LACK * mass * dt
        near.answers[d, c] = total


def use_slack(kind: int, h: float, dt: float, part: Tables, tables: Tables, near: Near) -> bool:
    """Let the forces of a solved step use up slack; return whether that of some contact would not last.

    Such contacts are chosen from now on.
    """
    for j in range(part.contacts.shape[0]):
        row = part.contacts[j]
        if row[STATUS] == CLOSED:
            total = 0.0
            for i in range(NODES):
                total += SPEEDS[kind, i] * abs(row[AT_NODES + i])
            push(int(near.members[j]), CARE * h * total, dt, tables, near)
    short = False
    for c in range(near.used.size):
        if near.chosen[c] == 0 and not near.used[c] < near.slack[c]:
            near.chosen[c] = 1
            short = True
    return short


def gather_near(tables: Tables, near: Near) -> int:
    """Copy the contacts that are chosen into tables of their own; return how many there are, −1: no room for them."""
    count, chosen, changed = tables.contacts.shape[0], 0, False
    wanted = rows_wanted(near)
    if wanted > tables.pairs.shape[0]:
        tables.run[PAIRS_WANTED] = wanted
        return -1
    for c in range(count):
        if near.chosen[c] == 1:
            changed = changed or near.members[chosen] != c
            near.members[chosen] = c
            copy_record(tables.contacts[c], near.contacts[chosen])
            chosen += 1
    changed = changed or near.members[count] != chosen
    near.members[count] = chosen
    if not changed:
        return chosen
    many = tables.modes.shape[0]
    for i in range(chosen):
        c = int(near.members[i])
        for j in range(LEVER, tables.contacts.shape[1]):
            near.contacts[i, j] = tables.contacts[c, j]
        for j in range(i + 1):
            d = int(near.members[j])
            at = stored_at(near.turns[c], near.turns[d])
            if tables.pairs[at, FILLED] == 0.0:
                fill_pair(many, tables.contacts[c], tables.contacts[d], tables.pairs[at], tables.small)
                tables.pairs[at, FILLED] = 1.0
            for p in range(LONG):
                near.pairs[i * chosen + j, ANSWER + p] = tables.pairs[at, ANSWER + p]
    base = floor_columns_at(many) + PUSHED * tables.floors.shape[0]
    for d in range(tables.floors.shape[0]):
        pushed = 0.0
        for i in range(chosen):
            share = near.shares[d, int(near.members[i])]
            tables.floors[d, SHAPE + many + i] = share
            if share != 0.0:
                pushed = 1.0
        tables.small[base + d] = pushed
    return chosen


def rows_wanted(near: Near) -> int:
    """Return how many rows of pairs the chosen contacts take, those that are kept included; note which are new."""
    count, chosen = near.chosen.size, 0
    for c in range(count):
        if near.chosen[c] == 1:
            chosen += 1
            if near.turns[c] == 0.0:
                near.turns[count] += 1.0
                near.turns[c] = near.turns[count]
    return max(chosen * chosen, stored_at(near.turns[count], near.turns[count]) + 1)


def stored_at(turn: float, other: float) -> int:
    """Return where the pair of two contacts is kept, from when in turn they were first chosen.

    Pairs of the first ones come first, so that the table holds as many rows as it needs.
    """
    last, first = int(max(turn, other)) - 1, int(min(turn, other)) - 1
    return last * (last + 1) // 2 + first


def copy_record(given: Vector, row: Vector) -> None:
    """Copy the record of a contact, and what a run has worked out for it beforehand."""
    for j in range(TAYLOR):
        row[j] = given[j]
    for j in range(QUICK_CUBE, MOMENT):
        row[j] = given[j]


def put_back_near(contacts: Matrix, near: Near) -> None:
    """Copy the records of contacts that were chosen back into the table of all."""
    for i in range(int(near.members[contacts.shape[0]])):
        copy_record(near.contacts[i], contacts[int(near.members[i])])


LEAVING_OUT: dict[Callable[..., Any], Callable[..., Any]] = {
    left_out.leaves_out: leaves_out,
    left_out.write_overlaps: write_overlaps,
    left_out.find_slack: find_slack,
    left_out.gather_near: gather_near,
    left_out.put_back_near: put_back_near,
    left_out.use_slack: use_slack,
}
"""Kernels that hold a place in those of all problems, and what comes there with many contacts."""
