"""States of degrees of freedom: sums over the modes that move them.

The degrees of freedom of a building are summed side by side, mode after mode: neighbours lie next to each other in
memory, and a processor adds several at once. Each sum keeps its order, so that the answer is the same to the last bit.

The scratch (`Tables.small`) begins with how a quick mode answers forces (`contact.step`). Where modes are worked on
side by side, three things follow: columns of numbers, one for each mode (`mode_columns`); columns of numbers, one for
each degree of freedom, which are named below; and the shapes, building by building and mode by mode.
"""

from carom.kernels.contact.step import SMALL_SIZE
from carom.kernels.event.mode_columns import MODE_COLUMNS
from carom.kernels.rows import FIRST, LAST, LOAD, PARTICIPATION, SHAPE, SLOPE, STATE, STEADY
from carom.kernels.tables import Tables
from carom.kernels.types import Codes, Matrix, Vector

SUMS = SMALL_SIZE  # the length of the scratch where nothing is side by side; elsewhere columns of modes begin here
# columns of degrees of freedom
ENDED = 0  # the state at the end of a stretch or step: five numbers (`rows.STATE`)
BEGAN = STATE  # the state at its start
HIGHEST = 2 * STATE  # the three peaks: displacement, velocity, absolute acceleration
GROUND_SHARE = HIGHEST + 3  # Σ shape·participation: absolute − relative acceleration, per ground acceleration
PUSHED = HIGHEST + 4  # 1 where some contact pushes it, else 0
BLOCK_END = HIGHEST + 5  # in the first of a building: the number after that of its last degree of freedom
GROUND_MODE = HIGHEST + 6  # in the first of a building: its mode with the largest participation, whose load tells a_g;
# −1 where its modes do not all take one and the same row of ground acceleration
SEEKS = HIGHEST + 7  # in flight: whose peaks may rise inside, 1, 2 and 4 added up; in contact: 0 where none may
LEEWAY = HIGHEST + 8  # how far its quantities leave curves: seven numbers (`floor_bounds.find_leeway`)
FLOOR_COLUMNS = LEEWAY + 7  # how many columns there are
FEW = 4  # number of modes of the largest structure, from which on degrees of freedom are summed side by side


def gains_side_by_side(most: int) -> bool:
    """Return whether sums side by side are worth their copies, where up to `most` modes move a degree of freedom."""
    return most >= FEW


def small_size(modes: int, dofs: int, side_by_side: bool) -> int:
    """Return the length of the scratch without the tiles of `clear_flight`."""
    return floor_columns_at(modes) + (FLOOR_COLUMNS + modes) * dofs if side_by_side else SUMS


def floor_columns_at(modes: int) -> int:
    """Return where in the scratch the columns of degrees of freedom begin."""
    return SUMS + MODE_COLUMNS * modes


def block_end(d: int, floors: Matrix) -> int:
    """Return the number after the last of the degrees of freedom from `d` on that the same modes move: a building."""
    stop = d + 1
    while stop < floors.shape[0] and floors[stop, FIRST] == floors[d, FIRST] and floors[stop, LAST] == floors[d, LAST]:
        stop += 1
    return stop


def copy_shapes(support: Codes, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Write the shapes into the scratch, and those columns of degrees of freedom that never change.

    `support` says which row of ground acceleration drives a mode.
    """
    count, many = floors.shape[0], modes.shape[0]
    columns = floor_columns_at(many)
    at = columns + FLOOR_COLUMNS * count
    start = 0
    while start < count:
        stop = block_end(start, floors)
        first, last = int(floors[start, FIRST]), int(floors[start, LAST])
        ground_mode = first
        for k in range(first, last):
            if abs(modes[k, PARTICIPATION]) > abs(modes[ground_mode, PARTICIPATION]):
                ground_mode = k
            for d in range(start, stop):
                small[at] = floors[d, SHAPE + k]
                at += 1
        small[columns + BLOCK_END * count + start] = stop
        small[columns + GROUND_MODE * count + start] = ground_mode
        for k in range(first, last):
            if modes[k, PARTICIPATION] != 0.0 and support[k] != support[ground_mode]:
                small[columns + GROUND_MODE * count + start] = -1.0
        start = stop
    for d in range(count):
        ground_share, pushed = 0.0, 0.0
        for k in range(int(floors[d, FIRST]), int(floors[d, LAST])):
            ground_share += floors[d, SHAPE + k] * modes[k, PARTICIPATION]
        for j in range(SHAPE + many, floors.shape[1]):
            if floors[d, j] != 0.0:
                pushed = 1.0
        small[columns + GROUND_SHARE * count + d] = ground_share
        small[columns + PUSHED * count + d] = pushed


def floor_state(d: int, state: int, tables: Tables) -> tuple[float, float, float, float, float]:
    """Return displacement, velocity, relative and absolute acceleration and its slope, of a degree of freedom.

    Side by side all have been summed already (`sum_all`), and contact forces are left out.
    """
    modes, small = tables.modes, tables.small
    if tables.side_by_side:
        at, count = floor_columns_at(modes.shape[0]) + d, tables.floors.shape[0]
        return small[at], small[at + count], small[at + 2 * count], small[at + 3 * count], small[at + 4 * count]
    floor = tables.floors[d]
    u, speed, relative, absolute, change = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        weight = floor[SHAPE + k]
        row = modes[k]
        u += weight * row[state]
        speed += weight * row[state + 1]
        relative += weight * row[state + 2]
        absolute += weight * row[state + 3]
        change += weight * row[state + 4]
    return u, speed, relative, absolute, change


def sum_all(state: int, t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Write the states of all degrees of freedom at time `t` of the sample into the columns from ENDED on.

    Column `state` of the modes is the first of their states. What stood at ENDED goes to BEGAN. Where one row of ground
    acceleration drives all modes of a building, relative and absolute acceleration differ by GROUND_SHARE times that,
    which follows from the load on one mode: a_g = (STEADY − load)/participation. Where several do, as in a building
    that is shaken along x and y and turns, the difference is summed mode by mode (`add_lags`).
    """
    count = floors.shape[0]
    begin = floor_columns_at(modes.shape[0])
    at = begin + FLOOR_COLUMNS * count
    ended, began = small[begin : begin + BEGAN * count], small[begin + BEGAN * count : begin + 2 * BEGAN * count]
    for i in range(BEGAN * count):
        began[i] = ended[i]
    start = 0
    while start < count:
        k, last = int(floors[start, FIRST]), int(floors[start, LAST])
        ground_mode = int(small[begin + GROUND_MODE * count + start])
        stop = int(small[begin + BLOCK_END * count + start])
        size = stop - start
        place = begin + start
        start = stop
        first, shapes_at = k, at
        for j in range(STATE):
            found = small[place + j * count : place + j * count + size]
            for i in range(size):
                found[i] = 0.0
        ground = 0.0
        if k < last and ground_mode >= 0 and modes[ground_mode, PARTICIPATION] != 0.0:
            row = modes[ground_mode]
            ground = (row[STEADY] - row[LOAD] - row[SLOPE] * t) / row[PARTICIPATION]
        while k + 4 <= last:
            a = small[at : at + size]
            b = small[at + size : at + 2 * size]
            c = small[at + 2 * size : at + 3 * size]
            d = small[at + 3 * size : at + 4 * size]
            for j in range(STATE):
                if j != 2:
                    found = small[place + j * count : place + j * count + size]
                    p, q, r, s = (
                        modes[k, state + j],
                        modes[k + 1, state + j],
                        modes[k + 2, state + j],
                        modes[k + 3, state + j],
                    )
                    for i in range(size):
                        found[i] = found[i] + a[i] * p + b[i] * q + c[i] * r + d[i] * s
            k += 4
            at += 4 * size
        while k < last:
            a = small[at : at + size]
            for j in range(STATE):
                if j != 2:
                    found = small[place + j * count : place + j * count + size]
                    p = modes[k, state + j]
                    for i in range(size):
                        found[i] += a[i] * p
            k += 1
            at += size
        relative, absolute = (
            small[place + 2 * count : place + 2 * count + size],
            small[place + 3 * count : place + 3 * count + size],
        )
        ground_share = small[place + GROUND_SHARE * count : place + GROUND_SHARE * count + size]
        if ground_mode < 0:
            add_lags(t, first, last, modes, small[shapes_at : shapes_at + (last - first) * size], relative)
            for i in range(size):
                relative[i] += absolute[i]
        else:
            for i in range(size):
                relative[i] = absolute[i] - ground * ground_share[i]


def add_lags(t: float, first: int, last: int, modes: Matrix, shapes: Vector, relative: Vector) -> None:
    """Add how far accelerations relative to the ground lag behind absolute ones, at time `t` of the sample.

    A mode's share is what the ground loads it with. `shapes` holds those of the degrees of freedom of a building, mode
    after mode.
    """
    size = relative.size
    for k in range(first, last):
        row = modes[k]
        lag = row[LOAD] + row[SLOPE] * t - row[STEADY]
        at = (k - first) * size
        for i in range(size):
            relative[i] += shapes[at + i] * lag
