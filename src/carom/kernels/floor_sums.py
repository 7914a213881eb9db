"""States of degrees of freedom: sums over the modes that move them.

A building's degrees of freedom are summed side by side, mode after mode: neighbours lie next to each other in memory,
and a processor adds several at once. Each sum keeps its order, so that the answer is the same to the last bit.

The scratch begins with how a quick mode answers forces (`contact_step`); behind it lie the five numbers of all states,
then the shape of each mode.
"""

from carom.kernels.contact_step import SMALL_SIZE
from carom.kernels.rows import FIRST, LAST, SHAPE, STATE
from carom.kernels.types import Matrix, Vector

SUMS = SMALL_SIZE
FEW = 4  # degrees of freedom below which each is summed on its own
AT_ONCE = 4  # modes that are added in one go


def small_size(modes: int, dofs: int) -> int:
    """Return the length of the scratch."""
    return SUMS + STATE * dofs + modes * dofs


def block_end(d: int, floors: Matrix) -> int:
    """Return where the degrees of freedom end that the same modes move as `d`."""
    stop = d + 1
    while stop < floors.shape[0] and floors[stop, FIRST] == floors[d, FIRST] and floors[stop, LAST] == floors[d, LAST]:
        stop += 1
    return stop


def copy_shapes(floors: Matrix, small: Vector) -> None:
    """Lay out shapes block by block, in each mode by mode."""
    at = SUMS + STATE * floors.shape[0]
    start = 0
    while start < floors.shape[0]:
        stop = block_end(start, floors)
        if stop - start >= FEW:
            for k in range(int(floors[start, FIRST]), int(floors[start, LAST])):
                for d in range(start, stop):
                    small[at] = floors[d, SHAPE + k]
                    at += 1
        start = stop


def tell(floor: Vector, modes: Matrix, state: int) -> tuple[float, float, float, float, float]:
    """Return displacement, velocity, relative and absolute acceleration and its slope, of a degree of freedom."""
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


def tell_all(state: int, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Write the states of all degrees of freedom to the scratch; those of the modes begin at column `state`."""
    count = floors.shape[0]
    at = SUMS + STATE * count
    d = 0
    while d < count:
        stop = block_end(d, floors)
        if stop - d >= FEW:
            first, last = int(floors[d, FIRST]), int(floors[d, LAST])
            tell_together(state, d, stop, first, last, at, modes, count, small)
            at += (last - first) * (stop - d)
            d = stop
        while d < stop:
            u, speed, relative, absolute, change = tell(floors[d], modes, state)
            sums = small[SUMS + d :]
            sums[0] = u
            sums[count] = speed
            sums[2 * count] = relative
            sums[3 * count] = absolute
            sums[4 * count] = change
            d += 1


def tell_together(
    state: int, start: int, stop: int, first: int, last: int, at: int, modes: Matrix, count: int, small: Vector
) -> None:
    """Write the states of neighbours, from `start` to `stop`, that the same modes move; their shapes begin at `at`."""
    size = stop - start
    for j in range(STATE):
        found = small[SUMS + j * count + start : SUMS + j * count + stop]
        for i in range(size):
            found[i] = 0.0
    k = first
    while k + AT_ONCE <= last:
        a = small[at : at + size]
        b = small[at + size : at + 2 * size]
        c = small[at + 2 * size : at + 3 * size]
        d = small[at + 3 * size : at + 4 * size]
        for j in range(STATE):
            found = small[SUMS + j * count + start : SUMS + j * count + stop]
            p, q, r, s = modes[k, state + j], modes[k + 1, state + j], modes[k + 2, state + j], modes[k + 3, state + j]
            for i in range(size):
                found[i] = found[i] + a[i] * p + b[i] * q + c[i] * r + d[i] * s
        k += AT_ONCE
        at += AT_ONCE * size
    while k < last:
        a = small[at : at + size]
        for j in range(STATE):
            found = small[SUMS + j * count + start : SUMS + j * count + stop]
            p = modes[k, state + j]
            for i in range(size):
                found[i] += a[i] * p
        k += 1
        at += size
