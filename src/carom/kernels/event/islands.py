"""Many structures in a row: in each sample, those that contacts may tie together are worked on apart from all others.

In a sample most contacts of a long row stay open. Structures that closed contacts tie together, or contacts that may
close, are an island: it is gathered into tables of its own and goes through the sample from event to event, in steps
that its own contacts ask for. Structures in no island fly over the sample at once. Afterwards the rows are put back.

A contact is active, and ties its structures together, unless a bound proves that it stays open,

    max(δ at both ends, without contact forces) + rise + Σ dt·|reach|·|push|·∫|F| dt < 0.

The first two terms are those of `flight`; the last one bounds what forces on its two structures add in the sample,
since a unit impulse moves a mode by no more than the time since then. (Sums of |reach|·|push| over the modes of a
structure are at most √Σreach²·√Σpush², by Cauchy and Schwarz: a GRIP is such a root, and the PUSH of a structure is
Σ GRIP·∫|F| dt over its contacts.) The forces are known only once the islands have
gone through the sample: they are estimated first, and where the bound fails with the true ones, the contact is made
active and the sample is repeated. Nothing is put back before.
"""

import math

from carom.kernels.contact.impact_record import chi_of
from carom.kernels.contact.present_state import accelerate
from carom.kernels.endings import FINISHED, NEEDS_ROOM
from carom.kernels.event.engine import (
    begin_closed,
    conclude,
    from_event_to_event,
    glide_mode,
    prepare,
    shake,
)
from carom.kernels.event.flight import arrive_mode
from carom.kernels.event.flight_peaks import begin_peaks, find_margins, floor_peaks, put_now
from carom.kernels.event.flight_search import inner_peaks
from carom.kernels.event.floor_sums import floor_state
from carom.kernels.event.mode_table import prepare_pairs
from carom.kernels.laws.power_law import force
from carom.kernels.ledger import (
    AT_FIRST,
    DAMPING,
    FAULT,
    IMPACTS,
    INPUT,
    JUMPED,
    LEAST_LOST,
    PAIRS_WANTED,
    REACHED,
    RUN_SIZE,
    STEP,
    WRITTEN,
    name_contacts,
    note_released,
    write_balance,
)
from carom.kernels.modal.energy import modal_energy
from carom.kernels.modal.extremes import bulge
from carom.kernels.rows import (
    CLOSED,
    EFFECTIVE_MASS,
    FIRST,
    FORCE,
    GAP,
    LAST,
    LEVER,
    LOAD,
    MASS,
    MODE_SIZE,
    MOMENT,
    OMEGA,
    OPEN,
    Q_END,
    QUICK_CUBE,
    RECENT_SPEED,
    SHAPE,
    SIGMA,
    SLOPE,
    SOUGHT,
    SQUARE,
    STATUS,
    TAYLOR,
    TOTAL_PUSH,
    TRIAL,
    TWICE,
    V_END,
    Q,
    V,
)
from carom.kernels.tables import Histories, Islands, Near, Shaking, Tables
from carom.kernels.types import Matrix

RISE = TRIAL  # of a mode in a sample of free flight: how far it can leave its chord, at most
NONE = -1  # stands for a structure or contact where there is none

# columns of `Islands.links`
OPEN_STILL = 0  # 1 where the contact is open, else 0
NOW = 1  # reach·q at the start of the sample [m]
LATER = 2  # the same at its end, without contact forces
DISTANCE = 3  # its gap [m]
LEFT_GRIP = 4  # √(Σ reach²) over the modes of its left structure [1/√kg]
RIGHT_GRIP = 5  # the same of the right one; 0 where there is none
REACHES = 6  # reaches of the modes of the left structure, then those of the right one: as many columns for each

# columns of `Islands.numbers`
WORK = 0  # of the loads in a sample of free flight [J]
PUSH = 1  # Σ |push|·∫|F| dt of the contacts on it in a sample [√kg·m/s]
PACE = 2  # the length of the next step in contact, as the last one left it [s]
NUMBERS = 3

REBOUND = 1.5  # speed that an impact takes from its bodies, as multiple of that at touch, about: e is seldom more
CARE = 1.5  # factor on ∫|F| dt: nodes of steps tell it but roughly where a force changes its sign
MOST_TRIES = 20  # how often a sample is repeated before all contacts count as active


def pound_apart(tables: Tables, islands: Islands, shaking: Shaking, histories: Histories) -> int:
    """Run one problem of many structures as `engine.pound` does; return how it ended."""
    by_series, _, _ = prepare(shaking.dt, False, shaking.support, tables)
    status = march_apart(by_series, tables, islands, shaking, histories)
    return conclude(status, tables, histories)


def march_apart(by_series: bool, tables: Tables, islands: Islands, shaking: Shaking, histories: Histories) -> int:
    """Go from sample to sample until the last one, or until the run cannot go on; return how it ended."""
    modes, contacts, run, dt = tables.modes, tables.contacts, tables.run, shaking.dt
    last = shaking.ground.shape[1] - 1
    per_dt = 1.0 / dt
    shake(0, shaking.scale, per_dt, shaking.support, shaking.ground, modes)
    accelerate(0.0, FORCE, modes, contacts)
    begin_closed(dt, modes, contacts, run)
    begin_peaks(0.0, tables)
    find_margins(dt, modes, tables.floors)
    kinetic, strain = modal_energy(modes)
    run[AT_FIRST] = kinetic + strain
    for s in range(islands.root.size):
        islands.numbers[s, PACE] = dt
    for c in range(contacts.shape[0]):
        note_state(c, tables, islands)
    for i in range(last + 1):
        if i < histories.q.shape[0]:
            for k in range(modes.shape[0]):
                histories.q[i, k], histories.v[i, k] = modes[k, Q], modes[k, V]
            for c in range(contacts.shape[0]):
                if islands.links[c, OPEN_STILL] == 0.0 and contacts[c, STATUS] == CLOSED:
                    histories.force[i, c] = force_now(c, tables, islands)
        if i < histories.ledger.shape[0]:
            kinetic, strain = modal_energy(modes)
            write_balance(kinetic, strain, run[DAMPING], run, histories.ledger[i])
        run[WRITTEN] = i + 1.0
        if i < last:
            shake(i, shaking.scale, per_dt, shaking.support, shaking.ground, modes)
            status = through_sample(i * dt, dt, by_series, tables, islands, histories.impacts)
            if status != FINISHED:
                return status
    run[REACHED] = last * dt
    return FINISHED


def force_now(c: int, tables: Tables, islands: Islands) -> float:
    """Return the force of a contact in the present state [N]."""
    row = tables.contacts[c]
    overlap, rate = max(read(c, Q, tables, islands) - row[GAP], 0.0), read(c, V, tables, islands)
    return force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)


def note_state(c: int, tables: Tables, islands: Islands) -> None:
    """Note what the next sample asks of a contact first."""
    islands.links[c, OPEN_STILL] = 1.0 if tables.contacts[c, STATUS] == OPEN else 0.0
    islands.links[c, NOW] = read(c, Q, tables, islands)


def read(c: int, column: int, tables: Tables, islands: Islands) -> float:
    """Return Σ reach·x of a contact, where `column` of the modes holds x: it reads two structures alone."""
    link = islands.links[c]
    left, right, width = islands.left[c], islands.right[c], (link.size - REACHES) // 2
    total = 0.0
    begin = islands.first_mode[left]
    for j in range(islands.first_mode[left + 1] - begin):
        total += link[REACHES + j] * tables.modes[begin + j, column]
    begin = islands.first_mode[right]
    for j in range(islands.first_mode[right + 1] - begin):
        total += link[REACHES + width + j] * tables.modes[begin + j, column]
    return total


def rise_of(c: int, tables: Tables, islands: Islands) -> float:
    """Bound how far an overlap can rise above its chord in a sample of free flight [m], from RISE of its modes."""
    link = islands.links[c]
    left, right, width = islands.left[c], islands.right[c], (link.size - REACHES) // 2
    rise = 0.0
    begin = islands.first_mode[left]
    for j in range(islands.first_mode[left + 1] - begin):
        rise += abs(link[REACHES + j]) * tables.modes[begin + j, RISE]
    begin = islands.first_mode[right]
    for j in range(islands.first_mode[right + 1] - begin):
        rise += abs(link[REACHES + width + j]) * tables.modes[begin + j, RISE]
    return rise


def push_on(c: int, pushed: float, islands: Islands) -> None:
    """Add ∫|F| dt of a contact in a sample to what pushes its structures."""
    islands.numbers[islands.left[c], PUSH] += pushed * islands.links[c, LEFT_GRIP]
    islands.numbers[islands.right[c], PUSH] += pushed * islands.links[c, RIGHT_GRIP]


def may_close(c: int, dt: float, islands: Islands) -> bool:
    """Return whether an open contact may close in the sample, with forces on its structures as PUSH tells of them."""
    pushed = islands.numbers[islands.left[c], PUSH] * islands.links[c, LEFT_GRIP]
    pushed += islands.numbers[islands.right[c], PUSH] * islands.links[c, RIGHT_GRIP]
    return not islands.nearest[c] + dt * pushed < 0.0


def find_active(dt: float, tables: Tables, islands: Islands) -> None:
    """Find the contacts that may close in the sample, or are not open; the columns of the end hold the free flight.

    What they push their structures with is a guess: an impact takes some of the speed at its touch.
    """
    for s in range(islands.root.size):
        islands.numbers[s, PUSH] = 0.0
    for c in range(islands.active.size):
        link = islands.links[c]
        link[LATER] = read(c, Q_END, tables, islands)
        nearest = max(link[NOW], link[LATER]) - link[DISTANCE] + rise_of(c, tables, islands)
        islands.nearest[c] = nearest
        islands.active[c] = 0 if link[OPEN_STILL] == 1.0 and nearest < 0.0 else 1
        if islands.active[c] == 1:
            row = tables.contacts[c]
            speed = max(abs(read(c, V, tables, islands)), abs(read(c, V_END, tables, islands)))
            pushed = REBOUND * row[EFFECTIVE_MASS] * speed
            if row[STATUS] == CLOSED:
                pushed = REBOUND * row[EFFECTIVE_MASS] * min(speed, row[RECENT_SPEED]) + abs(row[FORCE]) * dt
            push_on(c, pushed, islands)
    for c in range(islands.active.size):
        if islands.active[c] == 0 and may_close(c, dt, islands):
            islands.active[c] = 1


def root_of(s: int, islands: Islands) -> int:
    """Return the structure that stands for the island of `s`."""
    while islands.root[s] != s:
        islands.root[s] = islands.root[islands.root[s]]
        s = islands.root[s]
    return s


def tie(islands: Islands) -> None:
    """Tie structures together by active contacts: each island gets a root, a chain of structures and one of contacts.

    A structure in no island is the root of a chain without contacts.
    """
    root, head = islands.root, islands.head
    for s in range(root.size):
        root[s] = s
    for c in range(islands.active.size):
        if islands.active[c] == 1:
            a, b = root_of(islands.left[c], islands), root_of(islands.right[c], islands)
            root[max(a, b)] = min(a, b)
    for s in range(root.size):
        root[s] = root_of(s, islands)
        head[2 * s], head[2 * s + 1] = NONE, NONE
    for s in range(root.size - 1, -1, -1):  # chains begin with the last one put in: they run upwards
        islands.next_structure[s] = head[2 * root[s] + 1]
        head[2 * root[s] + 1] = s
    for c in range(islands.active.size - 1, -1, -1):
        if islands.active[c] == 1:
            at = 2 * root[islands.left[c]]
            islands.next_contact[c] = head[at]
            head[at] = c


def size_of(root: int, islands: Islands) -> tuple[int, int, int]:
    """Return how many modes, contacts and degrees of freedom an island has."""
    many, count, dofs = 0, 0, 0
    s = root
    while s != NONE:
        many += islands.first_mode[s + 1] - islands.first_mode[s]
        dofs += islands.first_floor[s + 1] - islands.first_floor[s]
        s = islands.next_structure[s]
    c = islands.head[2 * root]
    while c != NONE:
        count += 1
        c = islands.next_contact[c]
    return many, count, dofs


def gather(root: int, member: int, part: Tables, tables: Tables, islands: Islands) -> None:
    """Copy what an island works on into tables of its own; its contacts are noted as members from `member` on."""
    many, width = tables.modes.shape[0], part.modes.shape[0]
    k1, d1, s = 0, 0, root
    while s != NONE:
        islands.place[s] = k1
        begin = islands.first_mode[s]
        for k in range(begin, islands.first_mode[s + 1]):
            for j in range(MODE_SIZE):
                part.modes[k1, j] = tables.modes[k, j]
            k1 += 1
        for d in range(islands.first_floor[s], islands.first_floor[s + 1]):
            floor, given = part.floors[d1], tables.floors[d]
            for j in range(SHAPE):
                floor[j] = given[j]
            for j in range(SHAPE, floor.size):
                floor[j] = 0.0
            move = islands.place[s] - begin
            floor[FIRST], floor[LAST] = given[FIRST] + move, given[LAST] + move
            for k in range(int(given[FIRST]), int(given[LAST])):
                floor[SHAPE + move + k] = given[SHAPE + k]
            c1, c = 0, islands.head[2 * root]
            while c != NONE:
                floor[SHAPE + width + c1] = given[SHAPE + many + c]
                c1, c = c1 + 1, islands.next_contact[c]
            d1 += 1
        s = islands.next_structure[s]
    c1, c = 0, islands.head[2 * root]
    while c != NONE:
        row, given = part.contacts[c1], tables.contacts[c]
        for j in range(TAYLOR):
            row[j] = given[j]
        for j in range(QUICK_CUBE, MOMENT):
            row[j] = given[j]
        for j in range(LEVER, row.size):
            row[j] = 0.0
        row[TOTAL_PUSH] = 0.0
        for side in range(2):
            s = islands.left[c] if side == 0 else islands.right[c]
            begin = islands.first_mode[s]
            for j in range(2 * (islands.first_mode[s + 1] - begin)):
                row[LEVER + 2 * islands.place[s] + j] = given[LEVER + 2 * begin + j]
        islands.members[member + c1] = c
        c1, c = c1 + 1, islands.next_contact[c]


def put_back(root: int, member: int, now: float, part: Tables, tables: Tables, islands: Islands) -> None:
    """Copy what an island has become, at time `now` of the run, back into the tables of all."""
    k1, d1, s = 0, 0, root
    while s != NONE:
        for k in range(islands.first_mode[s], islands.first_mode[s + 1]):
            for j in range(MODE_SIZE):
                tables.modes[k, j] = part.modes[k1, j]
            k1 += 1
        for d in range(islands.first_floor[s], islands.first_floor[s + 1]):
            for j in range(FIRST):
                tables.floors[d, j] = part.floors[d1, j]
            d1 += 1
        s = islands.next_structure[s]
    for c1 in range(part.contacts.shape[0]):
        c = int(islands.members[member + c1])
        row = tables.contacts[c]
        for j in range(TAYLOR):
            row[j] = part.contacts[c1, j]
        note_state(c, tables, islands)
        note_released(c, islands.links[c, NOW] - row[GAP], now, row, tables.run)


def go_through(begun: float, dt: float, by_series: bool, part: Tables, impacts: Matrix) -> int:
    """Take an island through a sample that begins at time `begun` of the run; return how that ended."""
    run, closed, none, nothing = part.run, False, part.contacts[:0], part.run[:0]
    near = Near(none, none, none, none, none, nothing, nothing, nothing, nothing, nothing)
    for c in range(part.contacts.shape[0]):
        closed = closed or part.contacts[c, STATUS] == CLOSED
    prepare_pairs(part.modes, part.contacts, part.pairs)
    run[JUMPED] = 1.0
    kinetic, strain = modal_energy(part.modes)
    status, closed, energy, supplied = from_event_to_event(
        begun, dt, closed, kinetic + strain, run[INPUT], by_series, 0.0, part, near, impacts
    )
    if not closed and status == FINISHED:
        kinetic, strain = modal_energy(part.modes)
        run[DAMPING] += run[INPUT] - supplied - (kinetic + strain - energy)
    return status


def visit(
    back: bool, begun: float, dt: float, by_series: bool, tables: Tables, islands: Islands, impacts: Matrix
) -> int:
    """Take every island through the sample that begins at time `begun`; return how that ended.

    With `back` they have gone through it, and are put back into the tables of all. Islands lie behind each other in
    their room, so that both visits find them in the same places.
    """
    run = tables.run
    at_modes, at_contacts, at_floors, member, status = 0, 0, 0, 0, FINISHED
    for root in range(islands.root.size):
        if islands.root[root] != root or islands.head[2 * root] == NONE:
            continue
        m, n, dofs = size_of(root, islands)
        wide, broad = LEVER + 2 * m, SHAPE + m + n
        part = Tables(
            islands.modes[at_modes : at_modes + m * MODE_SIZE].reshape((m, MODE_SIZE)),
            islands.contacts[at_contacts : at_contacts + n * wide].reshape((n, wide)),
            tables.pairs[: n * n],
            islands.floors[at_floors : at_floors + dofs * broad].reshape((dofs, broad)),
            tables.small,
            run,
            False,
        )
        if back:
            put_back(root, member, begun + dt, part, tables, islands)
        elif status == FINISHED and n * n > tables.pairs.shape[0]:
            run[PAIRS_WANTED], status = n * n, NEEDS_ROOM
        elif status == FINISHED:
            gather(root, member, part, tables, islands)
            status = through_island(root, member, begun, dt, by_series, part, islands, impacts)
        at_modes += m * MODE_SIZE
        at_contacts += n * wide
        at_floors += dofs * broad
        member += n
    return status


def through_island(
    root: int, member: int, begun: float, dt: float, by_series: bool, part: Tables, islands: Islands,
    impacts: Matrix,
) -> int:  # fmt: skip
    """Take one island through a sample, and note how its contacts pushed its structures; return how that ended."""
    run = part.run
    line, fault, least = int(run[IMPACTS]), run[FAULT], run[LEAST_LOST]
    run[STEP] = dt
    s = root
    while s != NONE:
        run[STEP] = min(run[STEP], islands.numbers[s, PACE])
        s = islands.next_structure[s]
    status = go_through(begun, dt, by_series, part, impacts)
    name_contacts(line, fault, least, islands.members[member:], impacts, run)
    s = root
    while s != NONE:
        islands.numbers[s, PACE] = run[STEP]
        s = islands.next_structure[s]
    for c in range(part.contacts.shape[0]):
        push_on(int(islands.members[member + c]), CARE * part.contacts[c, TOTAL_PUSH], islands)
    return status


def through_sample(begun: float, dt: float, by_series: bool, tables: Tables, islands: Islands, impacts: Matrix) -> int:
    """Take all structures through the sample that begins at time `begun` of the run; return how that ended."""
    modes, run = tables.modes, tables.run
    outgrown = False
    for s in range(islands.root.size):
        islands.numbers[s, WORK] = 0.0
        for k in range(islands.first_mode[s], islands.first_mode[s + 1]):
            row = modes[k]
            _, work, more = glide_mode(dt, row)
            islands.numbers[s, WORK] += work
            outgrown = outgrown | more
            w = row[LOAD] - row[TWICE] * row[V] - row[SQUARE] * row[Q]
            jerk = row[SLOPE] - row[TWICE] * w - row[SQUARE] * row[V]
            row[RISE], _ = bulge(w, jerk, row[OMEGA], row[SIGMA], dt)
    if outgrown:
        find_margins(dt, modes, tables.floors)
    find_active(dt, tables, islands)
    for j in range(RUN_SIZE):
        islands.account[j] = run[j]
    status, tries, proved = FINISHED, 0, False
    while not proved:
        tie(islands)
        for s in range(islands.root.size):
            islands.numbers[s, PUSH] = 0.0
        status = visit(False, begun, dt, by_series, tables, islands, impacts)
        proved, tries = True, tries + 1
        for c in range(tables.contacts.shape[0]):
            if islands.active[c] == 0 and (tries > MOST_TRIES or may_close(c, dt, islands)):
                islands.active[c] = 1
                proved = False
        if not proved:
            for j in range(RUN_SIZE):
                run[j] = islands.account[j]
    if status == FINISHED:
        fly_over(dt, tables, islands)
    visit(True, begun, dt, by_series, tables, islands, impacts)
    for c in range(islands.active.size):
        if islands.active[c] == 0:
            flew = is_free(islands.left[c], islands) and is_free(islands.right[c], islands)
            islands.links[c, NOW] = islands.links[c, LATER] if flew else read(c, Q, tables, islands)
    return status


def is_free(s: int, islands: Islands) -> bool:
    """Return whether a structure is in no island."""
    return bool(islands.head[2 * islands.root[s]] == NONE)


def fly_over(dt: float, tables: Tables, islands: Islands) -> None:
    """Carry structures that are in no island over the sample, whose end `glide_mode` wrote; raise their peaks."""
    modes, floors, run = tables.modes, tables.floors, tables.run
    sought = 0.0
    for s in range(islands.root.size):
        free = is_free(s, islands)
        for d in range(islands.first_floor[s], islands.first_floor[s + 1]):
            floors[d, SOUGHT] = 0.0
            if free:
                sought += floor_peaks(d, dt, tables)
    if sought > 0.0:
        inner_peaks(0.0, dt, tables)
    for s in range(islands.root.size):
        if not is_free(s, islands):
            continue
        if sought > 0.0:
            for d in range(islands.first_floor[s], islands.first_floor[s + 1]):
                u, speed, relative, absolute, change = floor_state(d, Q_END, tables)
                put_now(floors[d], u, speed, relative, absolute, change)
        gained = 0.0
        for k in range(islands.first_mode[s], islands.first_mode[s + 1]):
            row = modes[k]
            before = row[V] * row[V] + row[SQUARE] * row[Q] * row[Q]
            arrive_mode(row)
            gained += 0.5 * row[MASS] * (row[V] * row[V] + row[SQUARE] * row[Q] * row[Q] - before)
        run[INPUT] += islands.numbers[s, WORK]
        run[DAMPING] += islands.numbers[s, WORK] - gained
