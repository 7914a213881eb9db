"""States of degrees of freedom: sums over the modes that move them.

The degrees of freedom of a building are summed side by side, mode after mode: neighbours lie next to each other in
memory, and a processor adds several at once. Each sum keeps its order, so that the answer is the same to the last bit.

The scratch begins with how a quick mode answers forces (`contact_step`); behind it lie the modes side by side
(`mode_strips`), the five numbers of all states, then the shapes, building by building and mode by mode. Without
buildings it ends before.
"""

from carom.kernels.contact_step import SMALL_SIZE
from carom.kernels.mode_strips import COUNT
from carom.kernels.rows import FIRST, LAST, SHAPE, STATE
from carom.kernels.types import Matrix, Vector

SUMS = SMALL_SIZE
FEW = 4  # modes of a structure: with fewer in each, every degree of freedom is summed on its own


def small_size(modes: int, dofs: int, most: int) -> int:
    """Return the length of the scratch; `most` is the largest number of modes that move a degree of freedom."""
    return states_at(modes) + (STATE + modes) * dofs if most >= FEW else SUMS


def states_at(modes: int) -> int:
    """Return where in the scratch the states of degrees of freedom begin."""
    return SUMS + COUNT * modes


def block_end(d: int, floors: Matrix) -> int:
    """Return where the degrees of freedom end that the same modes move as `d`."""
    stop = d + 1
    while stop < floors.shape[0] and floors[stop, FIRST] == floors[d, FIRST] and floors[stop, LAST] == floors[d, LAST]:
        stop += 1
    return stop


def copy_shapes(modes: int, floors: Matrix, small: Vector) -> None:
    """Lay out the shapes."""
    at = states_at(modes) + STATE * floors.shape[0]
    start = 0
    while start < floors.shape[0]:
        stop = block_end(start, floors)
        for k in range(int(floors[start, FIRST]), int(floors[start, LAST])):
            for d in range(start, stop):
                small[at] = floors[d, SHAPE + k]
                at += 1
        start = stop


def tell(d: int, state: int, modes: Matrix, floors: Matrix, small: Vector) -> tuple[float, float, float, float, float]:
    """Return displacement, velocity, relative and absolute acceleration and its slope, of a degree of freedom.

    With buildings all have been summed already.
    """
    if small.size > SUMS:
        at, count = states_at(modes.shape[0]) + d, floors.shape[0]
        return small[at], small[at + count], small[at + 2 * count], small[at + 3 * count], small[at + 4 * count]
    floor = floors[d]
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


def sum_all(state: int, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Write the states of all degrees of freedom; those of the modes begin at column `state`."""
    count = floors.shape[0]
    begin = states_at(modes.shape[0])
    at = begin + STATE * count
    start = 0
    while start < count:
        stop = block_end(start, floors)
        k, last = int(floors[start, FIRST]), int(floors[start, LAST])
        size = stop - start
        place = begin + start
        start = stop
        for j in range(STATE):
            found = small[place + j * count : place + j * count + size]
            for i in range(size):
                found[i] = 0.0
        while k + 4 <= last:
            a = small[at : at + size]
            b = small[at + size : at + 2 * size]
            c = small[at + 2 * size : at + 3 * size]
            d = small[at + 3 * size : at + 4 * size]
            for j in range(state, state + STATE):
                found = small[place + (j - state) * count : place + (j - state) * count + size]
                p, q, r, s = modes[k, j], modes[k + 1, j], modes[k + 2, j], modes[k + 3, j]
                for i in range(size):
                    found[i] = found[i] + a[i] * p + b[i] * q + c[i] * r + d[i] * s
            k += 4
            at += 4 * size
        while k < last:
            a = small[at : at + size]
            for j in range(state, state + STATE):
                found = small[place + (j - state) * count : place + (j - state) * count + size]
                p = modes[k, j]
                for i in range(size):
                    found[i] += a[i] * p
            k += 1
            at += size
