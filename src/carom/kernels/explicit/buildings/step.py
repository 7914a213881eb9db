"""One step in contact of buildings, their modes eight side by side: what is put in for the functions of `step`.

The tables are those of the general engine, with which buildings fly. In contact the state of the modes lies in tiles
(`tiles`): `load_state` takes it there from the rows, `store_start` back. Their rows hold what the peaks of degrees of
freedom ask for: these are summed side by side too, and hardly any is looked at closely.
"""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.events import MEET
from carom.kernels.event.clear_flight import BEGIN, STOP, TILE, WIDTH, tiles_at, tiles_laid
from carom.kernels.event.floor_bounds import fill_start, keep_peaks
from carom.kernels.event.floor_sums import BEGAN, FLOOR_COLUMNS, HIGHEST, floor_columns_at, floor_state, sum_all
from carom.kernels.explicit.buildings.dashpots import (
    begin_hold,
    end_hold,
    force_in_hold,
    hold,
    settle_hold,
    tied,
)
from carom.kernels.explicit.buildings.tile_rows import (
    ASTRAY,
    CHANGES,
    DAMPED,
    END_CHANGES,
    END_OWN,
    GAINED,
    LAST_STAGE,
    LOST,
    MASS_OF,
    MISSED,
    PLACE,
    PUSHED,
    RAMP,
    RATE,
    SAMPLE_LOAD,
    STAGE,
    STEADY_LOAD,
    STEP_TILE,
    STIFF,
    TRIED_PLACE,
    TRIED_RATE,
    WIDELY,
)
from carom.kernels.explicit.buildings.tiles import (
    add_left_out,
    answer_tile,
    arrive_tile,
    at_most,
    begin_tile,
    clear_line,
    end_graded_tile,
    end_tile,
    keep_smooth_bend,
    move_tile,
    push_line,
    reached,
    settle_change,
    settle_lost,
    settle_tile,
    summed,
    widely,
)
from carom.kernels.explicit.floors import raise_peaks
from carom.kernels.explicit.peaks import HOPEFUL, between, crests, force_inside, force_peaks
from carom.kernels.explicit.rows import (
    BOUND,
    END_BEND,
    END_CLIMB,
    END_FORCE,
    END_JERK,
    END_PACE,
    EVENT,
    HERE,
    JERK,
    STAGE_FORCE,
    STEP_WORK,
    THERE,
)
from carom.kernels.explicit.step import (
    BETWEEN_STAGES,
    begin_press,
    end_open,
    end_press,
    press,
    settle_climb,
    settle_force,
    smooth,
)
from carom.kernels.explicit.tableau import MISS, SHARE, STAGES, TIME, even_up_to
from carom.kernels.ledger import DAMPING, INPUT
from carom.kernels.rows import (
    BEND,
    CHANGE,
    CHANGE_END,
    CLIMB,
    CLOSED,
    COURSE,
    FIRST,
    FORCE,
    GAP,
    LAST,
    LOAD,
    MASS,
    OPEN,
    OWN,
    OWN_END,
    PACE,
    Q_END,
    SHAPE,
    SLOPE,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
    V_END,
    W_END,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, seldom, side_by_side

# of a contact, where the general engine has what it needs to step it
FAR = COURSE  # 1 where it is open, and HERE and PACE are no less than its overlap and rate
END_FAR = COURSE + 1  # the same of the end of the step that is tried
TILES = COURSE + 2  # how many tiles it takes, where in the scratch they begin, and its reaches of them
TILES_AT = COURSE + 3
REACHES_AT = COURSE + 4


def where(tables: Tables) -> tuple[int, int, int, int]:
    """Return how many tiles there are, where those of flight begin, the reaches of contacts, and those of steps."""
    modes, floors = tables.modes.shape[0], tables.floors.shape[0]
    tiles, flown = tiles_laid(modes, floors, tables.small), tiles_at(modes, floors)
    reach = flown + tiles * TILE
    return tiles, flown, reach, reach + tables.contacts.shape[0] * tiles * WIDTH


def lay_steps(tables: Tables) -> None:
    """Fill in those lines of the tiles that never change, and zeros where there is no mode."""
    modes, small = tables.modes, tables.small
    tiles, flown, _, at = where(tables)
    for _ in range(tiles):
        for j in range(STEP_TILE):
            small[at + j] = 0.0
        begin, stop = int(small[flown + BEGIN]), int(small[flown + STOP])
        for k in range(begin, stop):
            row, mine = modes[k], at + k - begin
            small[mine + STIFF], small[mine + DAMPED] = row[SQUARE], row[TWICE]
            small[mine + MASS_OF], small[mine + STEADY_LOAD] = row[MASS], row[STEADY]
            small[mine + WIDELY] = row[WIDEST]
        flown += TILE
        at += STEP_TILE
    lay_reaches(tables)


def lay_reaches(tables: Tables) -> None:
    """Note from which tile to which a contact reaches."""
    contacts, small = tables.contacts, tables.small
    tiles, _, reaches, at = where(tables)
    for c in range(contacts.shape[0]):
        row, here = contacts[c], reaches + c * tiles * WIDTH
        first, after = tiles, 0
        for j in range(tiles * WIDTH):
            if small[here + j] != 0.0:
                first, after = min(first, j // WIDTH), j // WIDTH + 1
        first = min(first, after)
        row[TILES] = after - first
        row[TILES_AT], row[REACHES_AT] = at + first * STEP_TILE, here + first * WIDTH


def of_contact(line: int, row: Vector, small: Vector) -> float:
    """Return the sum of a contact's reaches times a line of the tiles."""
    return reached(line, int(row[TILES]), int(row[TILES_AT]), int(row[REACHES_AT]), small)


def load_loads(tables: Tables) -> None:
    """Copy the loads of the sample from the rows of the modes into the tiles."""
    modes, small = tables.modes, tables.small
    tiles, flown, _, at = where(tables)
    for _ in range(tiles):
        begin, stop = int(small[flown + BEGIN]), int(small[flown + STOP])
        for k in range(begin, stop):
            mine = at + k - begin
            small[mine + SAMPLE_LOAD], small[mine + RAMP] = modes[k, LOAD], modes[k, SLOPE]
        flown += TILE
        at += STEP_TILE


def load_state(tables: Tables) -> None:
    """Copy the present from the rows of the modes into the tiles."""
    modes, small = tables.modes, tables.small
    tiles, flown, _, at = where(tables)
    for _ in range(tiles):
        begin, stop = int(small[flown + BEGIN]), int(small[flown + STOP])
        for k in range(begin, stop):
            mine = at + k - begin
            small[mine + PLACE], small[mine + RATE] = modes[k, Q], modes[k, V]
        flown += TILE
        at += STEP_TILE


@seldom
def store_start(tables: Tables) -> None:
    """Copy the present from the tiles into the rows of the modes, but for OWN."""
    modes, small = tables.modes, tables.small
    tiles, flown, _, at = where(tables)
    for _ in range(tiles):
        begin, stop = int(small[flown + BEGIN]), int(small[flown + STOP])
        for k in range(begin, stop):
            row, mine = modes[k], at + k - begin
            row[Q], row[V], row[W] = small[mine + PLACE], small[mine + RATE], small[mine + STAGE]
            row[CHANGE] = small[mine + CHANGES]
        flown += TILE
        at += STEP_TILE


def store_end(tables: Tables) -> None:
    """Copy the end of a step from the tiles into the rows of the modes."""
    modes, small = tables.modes, tables.small
    tiles, flown, _, at = where(tables)
    for _ in range(tiles):
        begin, stop = int(small[flown + BEGIN]), int(small[flown + STOP])
        for k in range(begin, stop):
            row, mine = modes[k], at + k - begin
            row[Q_END], row[V_END] = small[mine + TRIED_PLACE], small[mine + TRIED_RATE]
            row[W_END], row[OWN_END] = small[mine + LAST_STAGE], small[mine + END_OWN]
            row[CHANGE_END] = small[mine + END_CHANGES]
        flown += TILE
        at += STEP_TILE


def push_all(column: int, tables: Tables) -> None:
    """Add up reach·F over closed contacts and dashpots, F from a column of theirs, to AGAINST, which held zeros."""
    contacts, small = tables.contacts, tables.small
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED or tied(row):
            mine, here = int(row[TILES_AT]), int(row[REACHES_AT])
            for _ in range(int(row[TILES])):
                push_line(row[column], small[here : here + WIDTH], small[mine : mine + STEP_TILE])
                mine += STEP_TILE
                here += WIDTH


def settle(t: float, tables: Tables) -> None:
    """Write overlaps, forces and accelerations of the present state, time `t` of the sample, as `step.settle` does.

    Contacts that are FAR stay as they are: they neither push nor are about to.
    """
    modes, contacts, floors, small = tables.modes, tables.contacts, tables.floors, tables.small
    tiles, _, _, at = where(tables)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if tied(row):
            settle_hold(of_contact(RATE, row, small), row)
        elif row[FAR] == 0.0:
            settle_force(of_contact(PLACE, row, small) - row[GAP], of_contact(RATE, row, small), row)
    push_all(FORCE, tables)
    for i in range(tiles):
        settle_tile(t, small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if tied(row):
            end_hold(0.0, of_contact(STAGE, row, small), row)
            row[BEND], row[CLIMB] = row[END_BEND], row[END_CLIMB]
        elif row[FAR] == 0.0:
            settle_climb(of_contact(STAGE, row, small), row)
    push_all(CLIMB, tables)
    for i in range(tiles):
        settle_change(small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    note_present(t, modes, floors, small, tables)


def note_present(t: float, modes: Matrix, floors: Matrix, small: Vector, tables: Tables) -> None:
    """Note the present states of all degrees of freedom, contact forces included, and raise their peaks by them."""
    store_start(tables)
    tiles, flown, _, at = where(tables)
    for _ in range(tiles):
        begin, stop = int(small[flown + BEGIN]), int(small[flown + STOP])
        for k in range(begin, stop):
            modes[k, OWN] = small[at + k - begin + END_OWN]
        flown += TILE
        at += STEP_TILE
    sum_all(Q, t, modes, floors, small)
    base, count, found = floor_columns_at(modes.shape[0]), floors.shape[0], 0
    columns = small[base : base + FLOOR_COLUMNS * count].reshape((FLOOR_COLUMNS, count))
    for d in range(count):
        found += int(is_peak(d, columns))
    if found > 0:
        for d in range(floors.shape[0]):
            u, speed, _, absolute, _ = floor_state(d, Q, tables)
            raise_peaks(floors[d], u, speed, absolute)
            keep_peaks(d, modes.shape[0], floors, small)


def stride(kind: int, h: float, t: float, tables: Tables) -> float:
    """Try a step from time `t` of the sample as `step.stride` does; return its error."""
    contacts, small = tables.contacts, tables.small
    tiles, _, _, at = where(tables)
    share, miss = SHARE[kind, 0], MISS[kind, 0]
    push_all(FORCE, tables)
    for i in range(tiles):
        begin_tile(share, miss, t, small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            begin_press(share, contacts[c])
        elif tied(contacts[c]):
            begin_hold(share, contacts[c])
    for stage in range(1, STAGES):
        late = h * TIME[kind, stage]
        share, miss = SHARE[kind, stage], MISS[kind, stage]
        for i in range(tiles):
            tile = small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE]
            move_tile(stage, kind, h, late, tile)
            if stage == STAGES - 1 and kind == PLAIN:
                add_left_out(h, tile)
        if stage == STAGES - 1 and kind != PLAIN and h > even_up_to(kind, tables.run):
            add_graded_left_out(kind, h, tables)
        for c in range(contacts.shape[0]):
            row = contacts[c]
            if row[STATUS] == CLOSED:
                depth = of_contact(TRIED_PLACE, row, small) - row[GAP]
                press(stage, kind, late, depth, of_contact(TRIED_RATE, row, small), row)
            elif tied(row):
                hold(share, of_contact(TRIED_RATE, row, small), row)
        push_all(STAGE_FORCE, tables)
        for i in range(tiles):
            answer_tile(stage, share, miss, t + late, small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    error, most = 0.0, BETWEEN_STAGES * at_most(tiles, at, small)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            bend, missed, astray = (
                of_contact(LAST_STAGE, row, small),
                of_contact(MISSED, row, small),
                of_contact(ASTRAY, row, small),
            )
            missed = end_press(h, bend, missed, astray, row)
            error = max(error, missed) if math.isfinite(missed) else math.inf
        elif tied(row):
            end_hold(h, of_contact(LAST_STAGE, row, small), row)
        elif not stays_far(h, most, row):
            end_apart(row, small)
    return error


def push_abruptly(column: int, h: float, tables: Tables) -> None:
    """Do what `push_all` does with the contacts that begin or end in a graded step of length `h`."""
    contacts, small = tables.contacts, tables.small
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and not smooth(h, row):
            mine, here = int(row[TILES_AT]), int(row[REACHES_AT])
            for _ in range(int(row[TILES])):
                push_line(row[column], small[here : here + WIDTH], small[mine : mine + STEP_TILE])
                mine += STEP_TILE
                here += WIDTH


@seldom
def add_graded_left_out(kind: int, h: float, tables: Tables) -> None:
    """Add to the end of a graded step what it leaves out of motions under loads linear in time."""
    small = tables.small
    tiles, _, _, at = where(tables)
    push_abruptly(FORCE, h, tables)
    for i in range(tiles):
        keep_smooth_bend(small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    push_abruptly(CLIMB, h, tables)
    for i in range(tiles):
        end_graded_tile(kind, h, small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])


def stays_far(h: float, most: float, row: Vector) -> bool:
    """Return whether a contact surely stays open in a step, which then writes what its overlap and rate are at most.

    `most` bounds |δ̈|. What holds at most at the start of the step does so at its end: most contacts of two buildings
    are far apart for many steps. Not so one that closes in the step tried before this one: a step that is to end at
    its touch has to know its overlap and rate, and not what they are at most.
    """
    more = 0.5 * h * h * most
    if row[STATUS] != OPEN or row[EVENT] == MEET:
        return False
    if not row[HERE] < 0.0 or not row[HERE] + h * max(row[PACE], 0.0) + more < 0.0:
        return False
    row[END_FAR] = 1.0
    row[THERE], row[END_PACE], row[BOUND] = row[HERE] + h * row[PACE] + more, row[PACE] + h * most, 0.0
    row[END_FORCE], row[END_BEND], row[END_CLIMB] = 0.0, 0.0, 0.0
    return True


def end_apart(row: Vector, small: Vector) -> None:
    """Write what an open contact has at the end of a step that is tried."""
    if row[FAR] != 0.0:
        row[HERE], row[PACE] = of_contact(PLACE, row, small) - row[GAP], of_contact(RATE, row, small)
    row[FAR], row[END_FAR] = 0.0, 0.0
    there, pace, bend = (
        of_contact(TRIED_PLACE, row, small),
        of_contact(TRIED_RATE, row, small),
        of_contact(LAST_STAGE, row, small),
    )
    wildest = widely(int(row[TILES]), int(row[TILES_AT]), int(row[REACHES_AT]), small)
    end_open(there - row[GAP], pace, bend, wildest, row)


def end_step(kind: int, h: float, t: float, tables: Tables) -> None:
    """Enter a step that is made good as `step.end_step` does, and make its end the present."""
    modes, contacts, floors, small, run = tables.modes, tables.contacts, tables.floors, tables.small, tables.run
    tiles, _, _, at = where(tables)
    push_all(END_CLIMB, tables)
    for i in range(tiles):
        end_tile(h, t + h, small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    clear_line(PUSHED, tiles, at, small)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[FAR] = row[END_FAR]
        if row[STATUS] == CLOSED or tied(row):
            mark_pushed(row, small)
            ramp = of_contact(RAMP, row, small)
            row[JERK] = ramp + of_contact(CHANGES, row, small)
            row[END_JERK] = ramp + of_contact(END_CHANGES, row, small)
            if tied(row):
                run[DAMPING] += row[STEP_WORK]
            else:
                force_peaks(kind, h, row)
    for i in range(tiles):
        settle_lost(small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])
    run[INPUT] += summed(GAINED, tiles, at, small)
    run[DAMPING] += summed(LOST, tiles, at, small)
    store_end(tables)
    sum_all(Q_END, t + h, modes, floors, small)
    if new_peaks(h, modes.shape[0], floors.shape[0], small) > 0:
        raise_inside(kind, h, tables)
    for i in range(tiles):
        arrive_tile(small[at + i * STEP_TILE : at + (i + 1) * STEP_TILE])


def mark_pushed(row: Vector, small: Vector) -> None:
    """Mark the modes that a contact reaches."""
    mine, here = int(row[TILES_AT]), int(row[REACHES_AT])
    for _ in range(int(row[TILES])):
        for j in range(WIDTH):
            if small[here + j] != 0.0:
                small[mine + PUSHED + j] = 1.0
        mine += STEP_TILE
        here += WIDTH


def new_peaks(h: float, modes: int, count: int, small: Vector) -> int:
    """Return how many degrees of freedom may have a new peak in a step `h` long whose ends stand in their columns."""
    base, found = floor_columns_at(modes), 0
    columns = small[base : base + FLOOR_COLUMNS * count].reshape((FLOOR_COLUMNS, count))
    for d in range(count):
        found += int(may_peak(d, h, columns))
    return found


@side_by_side
def is_peak(d: int, columns: Matrix) -> bool:
    """Return whether the last state of a degree of freedom exceeds a peak of it."""
    far, fast, hard = columns[HIGHEST, d], columns[HIGHEST + 1, d], columns[HIGHEST + 2, d]
    return (abs(columns[0, d]) > far) | (abs(columns[1, d]) > fast) | (abs(columns[3, d]) > hard)


@side_by_side
def may_peak(d: int, h: float, columns: Matrix) -> bool:
    """Return whether a degree of freedom has a new peak at the end of a step, or `peaks.crests` would look inside."""
    u, v, w, y, change = columns[0, d], columns[1, d], columns[2, d], columns[3, d], columns[4, d]
    v0, w0, y0, change0 = columns[BEGAN + 1, d], columns[BEGAN + 2, d], columns[BEGAN + 3, d], columns[BEGAN + 4, d]
    far, fast, hard = columns[HIGHEST, d], columns[HIGHEST + 1, d], columns[HIGHEST + 2, d]
    strong = abs(w0) + abs(w)
    turns = abs(change0) + abs(change) + abs((w - y) - (w0 - y0)) * (2.0 / h)  # no less than the slopes of q̈
    moves = (v0 * v < 0.0) & (abs(u) + h * (abs(v0) + abs(v) + h * strong) > far)
    rushes = (w0 * w < 0.0) & (abs(v) + h * (strong + h * turns) > fast)
    jerks = (change0 * change < 0.0) & (max(abs(y0), abs(y)) + h * (abs(change0) + abs(change)) > HOPEFUL * hard)
    return is_peak(d, columns) | moves | rushes | jerks


@seldom
def raise_inside(kind: int, h: float, tables: Tables) -> None:
    """Raise the peaks of degrees of freedom that may have new ones by the end of a step and their extremes in it."""
    modes, contacts, floors, small = tables.modes, tables.contacts, tables.floors, tables.small
    many, count = modes.shape[0], floors.shape[0]
    base = floor_columns_at(many)
    columns = small[base : base + FLOOR_COLUMNS * count].reshape((FLOOR_COLUMNS, count))
    store_start(tables)
    for d in range(count):
        if may_peak(d, h, columns):
            floor = floors[d]
            fill_start(d, many, floors, small)
            u, speed, relative, absolute, change = floor_state(d, Q_END, tables)
            crests(kind, h, u, speed, relative, absolute, change, floor, modes, contacts)
            raise_peaks(floor, u, speed, absolute)
            keep_peaks(d, many, floors, small)


def acceleration_inside(kind: int, h: float, s: float, floor: Vector, modes: Matrix, contacts: Matrix) -> float:
    """Return the absolute acceleration of a degree of freedom inside a step, as `peaks.acceleration_inside` does."""
    found = 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row = modes[k]
        q = between(kind, h, s, row[Q], row[V], row[W], row[Q_END], row[V_END], row[W_END])
        jerk, end_jerk = row[SLOPE] + row[CHANGE], row[SLOPE] + row[CHANGE_END]
        v = between(kind, h, s, row[V], row[W], jerk, row[V_END], row[W_END], end_jerk)
        found += floor[SHAPE + k] * (row[STEADY] - row[TWICE] * v - row[SQUARE] * q)
    for c in range(contacts.shape[0]):
        answer = floor[SHAPE + modes.shape[0] + c]
        if contacts[c, STATUS] == CLOSED and answer != 0.0:
            found -= answer * force_inside(kind, h, s, contacts[c])
        elif tied(contacts[c]) and answer != 0.0:
            found -= answer * force_in_hold(kind, h, s, contacts[c])
    return found
