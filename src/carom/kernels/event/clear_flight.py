"""Buildings in flight from sample to sample, eight modes side by side.

The modes of a building lie in tiles of eight: a line of eight numbers for each quantity, at fixed distances, so that a
processor works on eight modes at once. A sample is flown here when bounds prove that no contact closes in it, and that
no degree of freedom reaches a new peak,

    |x_d(t)|/peak_d ≤ Σₖ maxₐ(|φₐₖ|/peakₐ) (max(|xₖ(0)|, |xₖ(dt)|) + how far xₖ can leave its chord)  < 1

which holds for most samples. It then costs a few operations for each mode, where telling every degree of freedom takes
as many for each mode of each. All other samples are left to the rows of the modes.
"""

from carom.kernels.event.floor_sums import HIGHEST, STRIPS, block_end, small_size, strips_at
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
from carom.kernels.types import Codes, Matrix, Vector

LANES = 8

# a tile: where its lines begin; worked out once
ADVANCE = 0  # the eight numbers that carry a mode over a sample
STIFF = 8 * LANES  # ω²
DAMPED = 9 * LANES  # 2σ
SHAKEN = 10 * LANES  # participation
HELD = 11 * LANES  # constant load
CARRIES = 12 * LANES  # modal mass
YIELDS = 13 * LANES  # SOFT
REACHES = 14 * LANES  # WIDEST
LEAVES = 15 * LANES  # how far q, q̇ and −ω²q − 2σq̇ can leave their chords: factors of |q̈| and of its slope for each
# as time goes on
LARGEST_SHAPE = 21 * LANES  # the largest |shape|/peak of any degree of freedom, for each of its three peaks
START = 24 * LANES  # the state at the start and at the end of a sample
END = 27 * LANES
END_LOAD = 30 * LANES
# what each mode adds to
RISE = 31 * LANES  # how far overlaps can rise above their chords
WORK = 32 * LANES  # the work of the loads
TWICE_KINETIC = 33 * LANES  # 2·kinetic energy
TWICE_STRAIN = 34 * LANES  # 2·strain energy
PEAK = 35 * LANES  # the three bounds
# and three numbers, given: its first mode, the one after its last, and whether the building ends with it
BEGIN = 38 * LANES
STOP = BEGIN + 1
ENDS = BEGIN + 2
TILE = 39 * LANES

NO_PEAK = 1e-250  # of what has been at rest so far: any motion is more
GROWN = (
    1.05  # times as large: peaks for which LARGEST_SHAPE is found anew; with those of old it is too large, and right
)
PATIENCE = 16  # samples between that


def tile_count(modes: int, floors: Matrix) -> int:
    """Return how many tiles the modes take: those of each building in turn, then every one that moves nobody.

    None, where degrees of freedom of a building are not moved by the same modes.
    """
    found, covered, start = 0, 0, 0
    while start < floors.shape[0]:
        first, last = int(floors[start, FIRST]), int(floors[start, LAST])
        if first != covered:
            return 0
        found += (last - first + LANES - 1) // LANES
        covered = last
        start = block_end(start, floors)
    return found + modes - covered


def weighed_at(modes: int, dofs: int) -> int:
    """Return where in the scratch, at a line of the cache, the sums of peaks stand for which LARGEST_SHAPE was found.

    Behind them stands the sample at which it was.
    """
    return LANES * ((strips_at(modes) + (STRIPS + modes) * dofs + LANES - 1) // LANES)


def tiles_at(modes: int, dofs: int) -> int:
    """Return where in the scratch the tiles begin; behind them come the reaches of contacts, as lines too."""
    return weighed_at(modes, dofs) + LANES


def scratch_size(modes: int, contacts: int, side_by_side: bool, floors: Matrix) -> int:
    """Return the length of the scratch (`tables.Tables`)."""
    dofs = floors.shape[0]
    if not side_by_side:
        return small_size(modes, dofs, False)
    return tiles_at(modes, dofs) + tile_count(modes, floors) * (TILE + contacts * LANES)


def lay_tiles(dt: float, modes: Matrix, contacts: Matrix, floors: Matrix, small: Vector) -> int:
    """Fill in what of the tiles never changes; return how many there are."""
    many, count = modes.shape[0], floors.shape[0]
    tiles = tile_count(many, floors)
    first = tiles_at(many, count)
    for j in range(first - LANES, first + tiles * (TILE + contacts.shape[0] * LANES)):
        small[j] = 0.0
    at, reach, k, start = first, first + tiles * TILE, 0, 0
    while tiles > 0 and k < many:
        last = k + 1
        if start < count:
            last = int(floors[start, LAST])
            start = block_end(start, floors)
        while k < last:
            stop = min(k + LANES, last)
            small[at + BEGIN], small[at + STOP] = k, stop
            small[at + ENDS] = 1.0 if stop == last else 0.0
            for lane in range(stop - k):
                lay_mode(dt, modes[k + lane], at + lane, small)
                for c in range(contacts.shape[0]):
                    small[reach + c * tiles * LANES + lane] = contacts[c, LEVER + 2 * (k + lane)]
            k = stop
            at += TILE
            reach += LANES
    return tiles


def lay_mode(dt: float, row: Vector, at: int, small: Vector) -> None:
    """Fill in what of a mode never changes, from `at` on in the scratch."""
    for j in range(8):
        small[at + ADVANCE + j * LANES] = row[PROPAGATOR + j]
    small[at + STIFF], small[at + DAMPED] = row[SQUARE], row[TWICE]
    small[at + SHAKEN], small[at + HELD] = row[PARTICIPATION], row[STEADY]
    small[at + CARRIES], small[at + YIELDS] = row[MASS], row[SOFT]
    small[at + REACHES] = row[WIDEST]
    for kind in range(3):
        by_bend, by_jerk = leaves_chord(kind, row[OMEGA], row[SIGMA], dt)
        small[at + LEAVES + 2 * kind * LANES] = by_bend
        small[at + LEAVES + (2 * kind + 1) * LANES] = by_jerk


def weigh(i: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Find the largest |shape|/peak of every mode, where peaks have grown; `i` is the sample."""
    count = floors.shape[0]
    weighed = weighed_at(modes, count)
    if small[weighed + 3] > 0.0 and i < small[weighed + 3] + PATIENCE:
        return
    for kind in range(3):
        peaks = strips_at(modes) + (HIGHEST + kind) * count
        total = 0.0
        for d in range(count):
            total += small[peaks + d]
        if 0.0 < total <= GROWN * small[weighed + kind]:
            continue
        small[weighed + kind], small[weighed + 3] = total, i
        at, start = tiles_at(modes, count) + LARGEST_SHAPE + kind * LANES, 0
        while start < count:
            stop = block_end(start, floors)
            first, last = int(floors[start, FIRST]), int(floors[start, LAST])
            tiles = (last - first + LANES - 1) // LANES
            for tile in range(tiles):
                for lane in range(LANES):
                    small[at + tile * TILE + lane] = 0.0
            for d in range(start, stop):
                show(1.0 / max(small[peaks + d], NO_PEAK), first, last, at, floors[d], small)
            at += tiles * TILE
            start = stop


def show(scale: float, first: int, last: int, at: int, floor: Vector, small: Vector) -> None:
    """Raise lines of tiles, the first of which begins at `at`, to the shape of a degree of freedom times `scale`."""
    k = first
    while k + LANES <= last:
        shows, shape = small[at : at + LANES], floor[SHAPE + k : SHAPE + k + LANES]
        for lane in range(LANES):
            shows[lane] = max(shows[lane], abs(shape[lane]) * scale)
        k += LANES
        at += TILE
    for lane in range(last - k):
        small[at + lane] = max(small[at + lane], abs(floor[SHAPE + k + lane]) * scale)


def board(
    i: int, tiles: int, at: int, scale: float, support: Codes, ground: Matrix, modes: Matrix, small: Vector
) -> None:
    """Take the present state of the modes, at sample `i`, into the tiles, which begin at `at` in the scratch."""
    for _ in range(tiles):
        begin, stop = int(small[at + BEGIN]), int(small[at + STOP])
        pull = scale * ground[support[begin], i]
        for k in range(begin, stop):
            row, lane = modes[k], at + k - begin
            load = row[STEADY] - row[PARTICIPATION] * pull
            small[lane + END], small[lane + END + LANES] = row[Q], row[V]
            small[lane + END + 2 * LANES] = load - row[TWICE] * row[V] - row[SQUARE] * row[Q]
            small[lane + END_LOAD] = load
        at += TILE


def alight(state: int, tiles: int, at: int, modes: Matrix, small: Vector) -> None:
    """Take the state that begins at line `state` of the tiles back into the rows."""
    for _ in range(tiles):
        begin, stop = int(small[at + BEGIN]), int(small[at + STOP])
        for k in range(begin, stop):
            row, lane = modes[k], at + k - begin + state
            row[Q], row[V], row[W] = small[lane], small[lane + LANES], small[lane + 2 * LANES]
        at += TILE


def glide_tile(dt: float, per_dt: float, pull: float, tile: Vector) -> None:
    """Carry eight modes over a sample, at whose end the ground accelerates by `pull`."""
    for lane in range(LANES):
        q, v, w = tile[END + lane], tile[END + LANES + lane], tile[END + 2 * LANES + lane]
        load, held = tile[END_LOAD + lane], tile[HELD + lane]
        end_load = held - tile[SHAKEN + lane] * pull
        slope = (end_load - load) * per_dt
        stiff, damped = tile[STIFF + lane], tile[DAMPED + lane]
        q1 = (
            tile[ADVANCE + lane] * q + tile[ADVANCE + LANES + lane] * v
            + tile[ADVANCE + 2 * LANES + lane] * load + tile[ADVANCE + 3 * LANES + lane] * end_load
        )  # fmt: skip
        v1 = (
            tile[ADVANCE + 4 * LANES + lane] * q + tile[ADVANCE + 5 * LANES + lane] * v
            + tile[ADVANCE + 6 * LANES + lane] * load + tile[ADVANCE + 7 * LANES + lane] * end_load
        )  # fmt: skip
        own = -damped * v1 - stiff * q1
        w1 = end_load + own
        bend, jerk = abs(w), abs(slope - damped * w - stiff * v)
        leaves = tile[LEAVES + lane] * bend + tile[LEAVES + LANES + lane] * jerk
        place = max(abs(q), abs(q1)) + leaves
        speed = max(abs(v), abs(v1))
        speed += tile[LEAVES + 2 * LANES + lane] * bend + tile[LEAVES + 3 * LANES + lane] * jerk
        acceleration = max(abs(held + w - load), abs(held + own))
        acceleration += tile[LEAVES + 4 * LANES + lane] * bend + tile[LEAVES + 5 * LANES + lane] * jerk
        tile[RISE + lane] = tile[REACHES + lane] * leaves
        tile[PEAK + lane] = tile[LARGEST_SHAPE + lane] * place
        tile[PEAK + LANES + lane] = tile[LARGEST_SHAPE + LANES + lane] * speed
        tile[PEAK + 2 * LANES + lane] = tile[LARGEST_SHAPE + 2 * LANES + lane] * acceleration
        mass, soft = tile[CARRIES + lane], tile[YIELDS + lane]
        area = (0.5 * (load + end_load) * dt - (v1 - v) - damped * (q1 - q)) * soft
        quintic = dt * (0.5 * (q + q1) + dt * (0.1 * (v - v1) + dt * (w + w1) / 120.0))  # `area_between`
        area = area if soft > 0.0 else quintic
        tile[WORK + lane] = mass * (end_load * q1 - load * q - slope * area)
        tile[TWICE_KINETIC + lane] = mass * v1 * v1
        tile[TWICE_STRAIN + lane] = mass * stiff * q1 * q1
        tile[START + lane], tile[START + LANES + lane], tile[START + 2 * LANES + lane] = q, v, w
        tile[END + lane], tile[END + LANES + lane], tile[END + 2 * LANES + lane] = q1, v1, w1
        tile[END_LOAD + lane] = end_load


def across(line: int, tile: Vector) -> float:
    """Return the sum of a line."""
    left = (tile[line] + tile[line + 1]) + (tile[line + 2] + tile[line + 3])
    return left + ((tile[line + 4] + tile[line + 5]) + (tile[line + 6] + tile[line + 7]))


def glide_tiles(
    i: int, tiles: int, at: int, scale: float, dt: float, support: Codes, ground: Matrix, small: Vector
) -> tuple[bool, float, float, float, float]:
    """Carry all modes from sample `i` to the next; return whether surely no degree of freedom reaches a new peak.

    Then come a bound on how far any overlap can rise above its chord, the work of the loads, kinetic and strain energy.
    """
    per_dt = 1.0 / dt
    calm, rise, work, lively, tense = True, 0.0, 0.0, 0.0, 0.0
    place, speed, acceleration = 0.0, 0.0, 0.0
    for _ in range(tiles):
        tile = small[at : at + TILE]
        glide_tile(dt, per_dt, scale * ground[support[int(tile[BEGIN])], i + 1], tile)
        rise += across(RISE, tile)
        work += across(WORK, tile)
        lively += across(TWICE_KINETIC, tile)
        tense += across(TWICE_STRAIN, tile)
        place += across(PEAK, tile)
        speed += across(PEAK + LANES, tile)
        acceleration += across(PEAK + 2 * LANES, tile)
        if tile[ENDS] == 1.0:
            calm = calm and place < 1.0 and speed < 1.0 and acceleration < 1.0
            place, speed, acceleration = 0.0, 0.0, 0.0
        at += TILE
    return calm, rise, work, 0.5 * lively, 0.5 * tense


def nearness(c: int, tiles: int, at: int, contacts: Matrix, small: Vector) -> float:
    """Return the overlap of a contact at the end of a sample [m]."""
    reach = at + tiles * TILE + c * tiles * LANES
    total = -contacts[c, GAP]
    for _ in range(tiles):
        q, r = small[at + END : at + END + LANES], small[reach : reach + LANES]
        left = (q[0] * r[0] + q[1] * r[1]) + (q[2] * r[2] + q[3] * r[3])
        total += left + ((q[4] * r[4] + q[5] * r[5]) + (q[6] * r[6] + q[7] * r[7]))
        at += TILE
        reach += LANES
    return total


def write_histories(i: int, tiles: int, at: int, small: Vector, history_q: Matrix, history_v: Matrix) -> None:
    """Write what histories say of sample `i`, the end of the last one flown."""
    for _ in range(tiles):
        begin, stop = int(small[at + BEGIN]), int(small[at + STOP])
        for k in range(begin, stop):
            history_q[i, k] = small[at + END + k - begin]
            history_v[i, k] = small[at + END + LANES + k - begin]
        at += TILE


def clear_flight(i: int, tiles: int, balance: float, tables: Tables, shaking: Shaking, histories: Histories) -> int:
    """Fly from sample `i` on for as long as no contact closes and no peak rises; return the sample reached.

    `balance` is what the modes held, less the input, when the flight began [J].
    """
    modes, contacts, floors, small, run = tables.modes, tables.contacts, tables.floors, tables.small, tables.run
    support, ground, scale, dt = shaking.support, shaking.ground, shaking.scale, shaking.dt
    at = tiles_at(modes.shape[0], floors.shape[0])
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] != OPEN:
            return i
    begun, last = i, ground.shape[1] - 1
    weigh(i, modes.shape[0], floors, small)
    board(i, tiles, at, scale, support, ground, modes, small)
    clear = True
    while i < last and clear:
        clear, rise, work, kinetic, strain = glide_tiles(i, tiles, at, scale, dt, support, ground, small)
        for c in range(contacts.shape[0]):
            if clear:
                contacts[c, OVERLAP + 1] = nearness(c, tiles, at, contacts, small)
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
        alight(END if clear else START, tiles, at, modes, small)
    return i
