"""Buildings in flight from sample to sample, eight modes side by side.

The modes of a building lie in tiles of eight: a line of eight numbers for each quantity, at fixed distances, so that a
processor works on eight modes at once. A sample is flown here when bounds prove that no contact closes in it, and that
no degree of freedom reaches a new peak,

    |x_d(t)|/peak_d ≤ Σₖ maxₐ(|φₐₖ|/peakₐ) (max(|xₖ(0)|, |xₖ(dt)|) + how far xₖ can leave its chord)  < 1

(k: modes of the building; d and a: its degrees of freedom; φ: shapes; x: displacement, velocity or acceleration), which
holds for most samples. Such a sample costs a few operations for each mode; adding up every degree of freedom
would cost as many for each mode of each degree of freedom. All other samples are left to the rows of the modes.

`lay_tiles` fills the tiles once. `clear_flight` takes the state of the modes into them, flies on while the bounds hold,
and takes the state back into the rows.
"""

from carom.kernels.event.floor_sums import FLOOR_COLUMNS, HIGHEST, block_end, floor_columns_at, small_size
from carom.kernels.explicit.buildings.tile_rows import STEP_TILE
from carom.kernels.ledger import DAMPING, INPUT, write_balance
from carom.kernels.modal.extremes import leaves_chord
from carom.kernels.rows import (
    FIRST,
    GAP,
    LAST,
    LEVER,
    MASS,
    OMEGA,
    OPEN,
    OVERLAP,
    PARTICIPATION,
    PROPAGATOR,
    SHAPE,
    SIGMA,
    SOFT,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.tables import Histories, Shaking, Tables
from carom.kernels.types import Codes, Matrix, Vector, unit

WIDTH = 8  # modes of a tile, and numbers in a line of it

# where the lines of a tile begin: those that are worked out once
ADVANCE = 0  # the eight numbers that carry a mode over a sample (`rows.PROPAGATOR`)
STIFF = 8 * WIDTH  # ω² [1/s²]
DAMPED = 9 * WIDTH  # 2σ [1/s]
PARTICIPATES = 10 * WIDTH  # participation [√kg]; where MIXED, times the ground's acceleration at the end [√kg·m/s²]
CONSTANT_LOAD = 11 * WIDTH  # constant load [√kg·m/s²]
MODAL_MASS = 12 * WIDTH  # 1, or 0 for a prescribed motion
SOFTNESS = 13 * WIDTH  # 1/ω², or 0 where ωt is so small that dividing by ω² would lose digits (`rows.SOFT`)
WIDEST_REACH = 14 * WIDTH  # the largest |reach| of any contact (`rows.WIDEST`)
LEAVES = 15 * WIDTH  # how far q, q̇ and −ω²q − 2σq̇ can leave their chords: factors of |q̈| and of its slope for each
# lines that change from sample to sample
LARGEST_SHAPE = 21 * WIDTH  # the largest |shape|/peak of any degree of freedom, for each of its three peaks
START = 24 * WIDTH  # q, q̇ and q̈ at the start of a sample
END = 27 * WIDTH  # q, q̇ and q̈ at its end
END_LOAD = 30 * WIDTH  # the load at its end
# lines with the share of each mode in what is added up over all modes
RISE = 31 * WIDTH  # how far overlaps can rise above their chords [m]
WORK = 32 * WIDTH  # the work of the loads [J]
TWICE_KINETIC = 33 * WIDTH  # 2·kinetic energy [J]
TWICE_STRAIN = 34 * WIDTH  # 2·strain energy [J]
PEAK = 35 * WIDTH  # three bounds on |quantity|/peak
# four numbers of the tile itself
BEGIN = 38 * WIDTH  # its first mode
STOP = BEGIN + 1  # the mode after its last
ENDS = BEGIN + 2  # 1 where it is the last of a building, else 0
MIXED = BEGIN + 3  # 1 where not all its modes take one row of ground acceleration, else 0
TILE = 39 * WIDTH  # how long a tile is

NO_PEAK = 1e-250  # stands for the peak of what has been at rest so far: any motion exceeds it
GROWN = 1.05
"""Growth of the peaks at which LARGEST_SHAPE is found anew. Found with smaller peaks it is too large, and the bound
holds all the same."""
SHAPES_PAUSE = 16  # least number of samples between two such findings


def tile_count(modes: int, floors: Matrix) -> int:
    """Return how many tiles the modes take; 0 where the floors of a building are not all moved by the same modes.

    The modes of each building take tiles of eight in turn; a mode that moves no floor takes a tile of its own.
    """
    found, covered, start = 0, 0, 0
    while start < floors.shape[0]:
        first, last = int(floors[start, FIRST]), int(floors[start, LAST])
        if first != covered:
            return 0
        found += (last - first + WIDTH - 1) // WIDTH
        covered = last
        start = block_end(start, floors)
    return found + modes - covered


def shapes_found_at(modes: int, dofs: int) -> int:
    """Return where in the scratch the sums of peaks stand with which LARGEST_SHAPE was found.

    It is at the start of a line of the processor's cache. Behind the sums stand the sample at which it was found, and
    how many tiles there are.
    """
    return WIDTH * ((floor_columns_at(modes) + (FLOOR_COLUMNS + modes) * dofs + WIDTH - 1) // WIDTH)


def tiles_at(modes: int, dofs: int) -> int:
    """Return where in the scratch the tiles begin; behind them come the reaches of contacts, as lines too.

    Behind these come the tiles of explicit steps in contact (`explicit.buildings.tile_rows`).
    """
    return shapes_found_at(modes, dofs) + WIDTH


def tiles_laid(modes: int, dofs: int, small: Vector) -> int:
    """Return how many tiles `lay_tiles` has laid."""
    return int(small[shapes_found_at(modes, dofs) + 4])


def scratch_size(modes: int, contacts: int, side_by_side: bool, floors: Matrix) -> int:
    """Return the length of the scratch (`tables.Tables`)."""
    dofs = floors.shape[0]
    if not side_by_side:
        return small_size(modes, dofs, False)
    return tiles_at(modes, dofs) + tile_count(modes, floors) * (TILE + contacts * WIDTH + STEP_TILE)


def lay_tiles(dt: float, support: Codes, modes: Matrix, contacts: Matrix, floors: Matrix, small: Vector) -> int:
    """Fill in those lines of the tiles that never change; return how many tiles there are.

    `support` says which row of ground acceleration drives a mode.
    """
    many, count = modes.shape[0], floors.shape[0]
    tiles = tile_count(many, floors)
    first = tiles_at(many, count)
    for j in range(first - WIDTH, first + tiles * (TILE + contacts.shape[0] * WIDTH)):
        small[j] = 0.0
    small[first - WIDTH + 4] = tiles
    at, reach, k, start = first, first + tiles * TILE, 0, 0
    while tiles > 0 and k < many:
        last = k + 1
        if start < count:
            last = int(floors[start, LAST])
            start = block_end(start, floors)
        while k < last:
            stop = min(k + WIDTH, last)
            small[at + BEGIN], small[at + STOP] = k, stop
            small[at + ENDS] = 1.0 if stop == last else 0.0
            for j in range(stop - k):
                lay_mode(dt, modes[k + j], at + j, small)
                if support[k + j] != support[k]:
                    small[at + MIXED] = 1.0
                for c in range(contacts.shape[0]):
                    small[reach + c * tiles * WIDTH + j] = contacts[c, LEVER + 2 * (k + j)]
            k = stop
            at += TILE
            reach += WIDTH
    return tiles


def lay_mode(dt: float, row: Vector, at: int, small: Vector) -> None:
    """Fill in the numbers of a mode that never change, from place `at` of the scratch on."""
    for j in range(8):
        small[at + ADVANCE + j * WIDTH] = row[PROPAGATOR + j]
    small[at + STIFF], small[at + DAMPED] = row[SQUARE], row[TWICE]
    small[at + PARTICIPATES], small[at + CONSTANT_LOAD] = row[PARTICIPATION], row[STEADY]
    small[at + MODAL_MASS], small[at + SOFTNESS] = row[MASS], row[SOFT]
    small[at + WIDEST_REACH] = row[WIDEST]
    for kind in range(3):
        by_bend, by_jerk = leaves_chord(kind, row[OMEGA], row[SIGMA], dt)
        small[at + LEAVES + 2 * kind * WIDTH] = by_bend
        small[at + LEAVES + (2 * kind + 1) * WIDTH] = by_jerk


def find_largest_shapes(i: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Find the largest |shape|/peak of every mode anew, where peaks have grown; `i` is the sample."""
    count = floors.shape[0]
    sums_at = shapes_found_at(modes, count)
    if small[sums_at + 3] > 0.0 and i < small[sums_at + 3] + SHAPES_PAUSE:
        return
    for kind in range(3):
        peaks = floor_columns_at(modes) + (HIGHEST + kind) * count
        total = 0.0
        for d in range(count):
            total += small[peaks + d]
        if 0.0 < total <= GROWN * small[sums_at + kind]:
            continue
        small[sums_at + kind], small[sums_at + 3] = total, i
        at, start = tiles_at(modes, count) + LARGEST_SHAPE + kind * WIDTH, 0
        while start < count:
            stop = block_end(start, floors)
            first, last = int(floors[start, FIRST]), int(floors[start, LAST])
            tiles = (last - first + WIDTH - 1) // WIDTH
            for tile in range(tiles):
                for j in range(WIDTH):
                    small[at + tile * TILE + j] = 0.0
            for d in range(start, stop):
                raise_shapes(1.0 / max(small[peaks + d], NO_PEAK), first, last, at, floors[d], small)
            at += tiles * TILE
            start = stop


def raise_shapes(scale: float, first: int, last: int, at: int, floor: Vector, small: Vector) -> None:
    """Raise LARGEST_SHAPE, from place `at` of the scratch on, to the shape of a degree of freedom times `scale`."""
    k = first
    while k + WIDTH <= last:
        largest, shape = small[at : at + WIDTH], floor[SHAPE + k : SHAPE + k + WIDTH]
        for j in range(WIDTH):
            largest[j] = max(largest[j], abs(shape[j]) * scale)
        k += WIDTH
        at += TILE
    for j in range(last - k):
        small[at + j] = max(small[at + j], abs(floor[SHAPE + k + j]) * scale)


def load_tiles(
    i: int, tiles: int, at: int, scale: float, support: Codes, ground: Matrix, modes: Matrix, small: Vector
) -> None:
    """Copy the state of the modes at the start of sample `i` from their rows into the tiles.

    The tiles begin at `at` in the scratch.
    """
    for _ in range(tiles):
        begin, stop = int(small[at + BEGIN]), int(small[at + STOP])
        for k in range(begin, stop):
            row, place = modes[k], at + k - begin
            load = row[STEADY] - row[PARTICIPATION] * (scale * ground[support[k], i])
            small[place + END], small[place + END + WIDTH] = row[Q], row[V]
            small[place + END + 2 * WIDTH] = load - row[TWICE] * row[V] - row[SQUARE] * row[Q]
            small[place + END_LOAD] = load
        at += TILE


def store_tiles(state: int, tiles: int, at: int, modes: Matrix, small: Vector) -> None:
    """Copy the state that begins at line `state` of the tiles, START or END, back into the rows of the modes."""
    for _ in range(tiles):
        begin, stop = int(small[at + BEGIN]), int(small[at + STOP])
        for k in range(begin, stop):
            row, place = modes[k], at + k - begin + state
            row[Q], row[V], row[W] = small[place], small[place + WIDTH], small[place + 2 * WIDTH]
        at += TILE


def carry_tile(dt: float, per_dt: float, ground_end: float, tile: Vector) -> None:
    """Carry eight modes over a sample, at whose end the ground acceleration is `ground_end` [m/s²].

    Motion and work are those of `engine.glide`, in lines of eight; the bounds are those of `leaves_chord`.
    """
    for j in range(WIDTH):
        q, v, w = tile[END + j], tile[END + WIDTH + j], tile[END + 2 * WIDTH + j]
        load, constant = tile[END_LOAD + j], tile[CONSTANT_LOAD + j]
        end_load = constant - tile[PARTICIPATES + j] * ground_end
        slope = (end_load - load) * per_dt
        stiff, damped = tile[STIFF + j], tile[DAMPED + j]
        q1 = (
            tile[ADVANCE + j] * q + tile[ADVANCE + WIDTH + j] * v
            + tile[ADVANCE + 2 * WIDTH + j] * load + tile[ADVANCE + 3 * WIDTH + j] * end_load
        )  # fmt: skip
        v1 = (
            tile[ADVANCE + 4 * WIDTH + j] * q + tile[ADVANCE + 5 * WIDTH + j] * v
            + tile[ADVANCE + 6 * WIDTH + j] * load + tile[ADVANCE + 7 * WIDTH + j] * end_load
        )  # fmt: skip
        own = -damped * v1 - stiff * q1
        w1 = end_load + own
        bend, jerk = abs(w), abs(slope - damped * w - stiff * v)
        leaves = tile[LEAVES + j] * bend + tile[LEAVES + WIDTH + j] * jerk
        place = max(abs(q), abs(q1)) + leaves
        speed = max(abs(v), abs(v1))
        speed += tile[LEAVES + 2 * WIDTH + j] * bend + tile[LEAVES + 3 * WIDTH + j] * jerk
        acceleration = max(abs(constant + w - load), abs(constant + own))
        acceleration += tile[LEAVES + 4 * WIDTH + j] * bend + tile[LEAVES + 5 * WIDTH + j] * jerk
        tile[RISE + j] = tile[WIDEST_REACH + j] * leaves
        tile[PEAK + j] = tile[LARGEST_SHAPE + j] * place
        tile[PEAK + WIDTH + j] = tile[LARGEST_SHAPE + WIDTH + j] * speed
        tile[PEAK + 2 * WIDTH + j] = tile[LARGEST_SHAPE + 2 * WIDTH + j] * acceleration
        mass, soft = tile[MODAL_MASS + j], tile[SOFTNESS + j]
        area = (0.5 * (load + end_load) * dt - (v1 - v) - damped * (q1 - q)) * soft
        quintic = dt * (0.5 * (q + q1) + dt * (0.1 * (v - v1) + dt * (w + w1) / 120.0))  # `area_between`
        area = area if soft > 0.0 else quintic
        tile[WORK + j] = mass * (end_load * q1 - load * q - slope * area)
        tile[TWICE_KINETIC + j] = mass * v1 * v1
        tile[TWICE_STRAIN + j] = mass * stiff * q1 * q1
        tile[START + j], tile[START + WIDTH + j], tile[START + 2 * WIDTH + j] = q, v, w
        tile[END + j], tile[END + WIDTH + j], tile[END + 2 * WIDTH + j] = q1, v1, w1
        tile[END_LOAD + j] = end_load


def mix_loads(i: int, scale: float, support: Codes, ground: Matrix, modes: Matrix, tile: Vector) -> None:
    """Write what the ground loads each mode with at sample `i`, where different rows of its acceleration do."""
    begin, stop = int(tile[BEGIN]), int(tile[STOP])
    for k in range(begin, stop):
        tile[PARTICIPATES + k - begin] = modes[k, PARTICIPATION] * (scale * ground[support[k], i])


def line_sum(line: int, tile: Vector) -> float:
    """Return the sum of the eight numbers of a line."""
    left = (tile[line] + tile[line + 1]) + (tile[line + 2] + tile[line + 3])
    return left + ((tile[line + 4] + tile[line + 5]) + (tile[line + 6] + tile[line + 7]))


def carry_tiles(
    i: int, tiles: int, at: int, scale: float, dt: float, support: Codes, ground: Matrix, modes: Matrix, small: Vector
) -> tuple[bool, float, float, float, float]:
    """Carry all modes from sample `i` to the next; return whether surely no degree of freedom reaches a new peak.

    It also returns a bound on how far any overlap can rise above its chord [m], the work of the loads, and the kinetic
    and the strain energy at the end [J].
    """
    per_dt = 1.0 / dt
    calm, rise, work, twice_kinetic, twice_strain = True, 0.0, 0.0, 0.0, 0.0
    place, speed, acceleration = 0.0, 0.0, 0.0
    for _ in range(tiles):
        tile = small[at : at + TILE]
        if tile[MIXED] == 1.0:
            mix_loads(i + 1, scale, support, ground, modes, tile)
            carry_tile(dt, per_dt, 1.0, tile)
        else:
            carry_tile(dt, per_dt, scale * ground[support[int(tile[BEGIN])], i + 1], tile)
        rise += line_sum(RISE, tile)
        work += line_sum(WORK, tile)
        twice_kinetic += line_sum(TWICE_KINETIC, tile)
        twice_strain += line_sum(TWICE_STRAIN, tile)
        place += line_sum(PEAK, tile)
        speed += line_sum(PEAK + WIDTH, tile)
        acceleration += line_sum(PEAK + 2 * WIDTH, tile)
        if tile[ENDS] == 1.0:
            calm = calm and place < 1.0 and speed < 1.0 and acceleration < 1.0
            place, speed, acceleration = 0.0, 0.0, 0.0
        at += TILE
    return calm, rise, work, 0.5 * twice_kinetic, 0.5 * twice_strain


def overlap_at_end(c: int, tiles: int, at: int, contacts: Matrix, small: Vector) -> float:
    """Return the overlap of a contact at the end of a sample [m]."""
    reach = at + tiles * TILE + c * tiles * WIDTH
    total = -contacts[c, GAP]
    for _ in range(tiles):
        q, r = small[at + END : at + END + WIDTH], small[reach : reach + WIDTH]
        left = (q[0] * r[0] + q[1] * r[1]) + (q[2] * r[2] + q[3] * r[3])
        total += left + ((q[4] * r[4] + q[5] * r[5]) + (q[6] * r[6] + q[7] * r[7]))
        at += TILE
        reach += WIDTH
    return total


def write_histories(i: int, tiles: int, at: int, small: Vector, history_q: Matrix, history_v: Matrix) -> None:
    """Write displacements and velocities of the modes at sample `i`, where the last sample flown over ends."""
    for _ in range(tiles):
        begin, stop = int(small[at + BEGIN]), int(small[at + STOP])
        for k in range(begin, stop):
            history_q[i, k] = small[at + END + k - begin]
            history_v[i, k] = small[at + END + WIDTH + k - begin]
        at += TILE


@unit
def clear_flight(i: int, tiles: int, balance: float, tables: Tables, shaking: Shaking, histories: Histories) -> int:
    """Fly from sample `i` on for as long as no contact closes and no peak rises; return the sample reached.

    The next one is left to `engine.march`, which finds the state in the rows of the modes. `balance` is the energy of
    the modes when the flight began, less the input until then [J]. OVERLAP of a contact holds its overlap at the start
    of a sample.
    """
    modes, contacts, floors, small, run = tables.modes, tables.contacts, tables.floors, tables.small, tables.run
    support, ground, scale, dt = shaking.support, shaking.ground, shaking.scale, shaking.dt
    at = tiles_at(modes.shape[0], floors.shape[0])
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] != OPEN:
            return i
    begun, last = i, ground.shape[1] - 1
    find_largest_shapes(i, modes.shape[0], floors, small)
    load_tiles(i, tiles, at, scale, support, ground, modes, small)
    clear = True
    while i < last and clear:
        clear, rise, work, kinetic, strain = carry_tiles(i, tiles, at, scale, dt, support, ground, modes, small)
        for c in range(contacts.shape[0]):
            if clear:
                contacts[c, OVERLAP + 1] = overlap_at_end(c, tiles, at, contacts, small)
                clear = max(contacts[c, OVERLAP], contacts[c, OVERLAP + 1]) + rise < 0.0
        if clear:
            i += 1
            run[INPUT] += work
            for c in range(contacts.shape[0]):
                contacts[c, OVERLAP] = contacts[c, OVERLAP + 1]
            if i < histories.ledger.shape[0]:
                spent = run[DAMPING] + run[INPUT] + balance - (kinetic + strain)
                write_balance(kinetic, strain, spent, run, histories.ledger[i])
            if i < histories.q.shape[0]:
                write_histories(i, tiles, at, small, histories.q, histories.v)
    if i > begun:
        store_tiles(END if clear else START, tiles, at, modes, small)
    return i
