"""Whether any degree of freedom of buildings may reach a new peak, judged side by side.

Hardly any does in a stretch of time. What every one was at its start, and its peaks so far, lie in strips behind the
sums (`floor_sums`); only when one of them may rise, rows of degrees of freedom are filled in and looked at.
"""

from carom.kernels.floor_sums import BEGAN, HIGHEST, LEEWAY, MET, strips_at
from carom.kernels.rows import MARGIN, NOW, PEAKS, STATE
from carom.kernels.types import Matrix, Vector

# of which degrees of freedom: the largest MET
UNPUSHED = 0.0


def stirred(t: float, met: float, modes: int, count: int, small: Vector) -> bool:
    """Return whether any peak may rise in a stretch `t` long, of degrees of freedom with no larger MET.

    At its end, or where the tangents at both ends meet (`flight_peaks.rises`); in steps in contact.
    """
    base = strips_at(modes)
    pushed = small[base + MET * count : base + (MET + 1) * count]
    found = 0
    for kind in range(3):
        value = base + (3 if kind == 2 else kind) * count
        end, end_slope = small[value : value + count], small[value + count : value + 2 * count]
        value += BEGAN * count
        start, slope = small[value : value + count], small[value + count : value + 2 * count]
        value = base + (HIGHEST + kind) * count
        highest = small[value : value + count]
        for i in range(count):
            turn = slope[i] - end_slope[i]
            tangents = abs(start[i] * turn + slope[i] * (end[i] - start[i] - end_slope[i] * t))
            inside = (slope[i] * end_slope[i] < 0.0) & (tangents > highest[i] * abs(turn))
            found += int(((abs(end[i]) > highest[i]) | inside) & (pushed[i] <= met))
    return found > 0


def near_peaks(modes: int, count: int, small: Vector) -> bool:
    """Return whether any peak may rise in a stretch of flight, at its end or inside: by chords and LEEWAY."""
    base = strips_at(modes)
    found = 0
    for kind in range(3):
        value = base + (3 if kind == 2 else kind) * count
        end = small[value : value + count]
        value += BEGAN * count
        start = small[value : value + count]
        value = base + (HIGHEST + kind) * count
        highest = small[value : value + count]
        value = base + (LEEWAY + kind) * count
        leeway = small[value : value + count]
        for i in range(count):
            found += int(max(abs(start[i]), abs(end[i])) + leeway[i] > highest[i])
    return found > 0


def keep_margins(d: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Note how far a degree of freedom leaves its chords."""
    at, count = strips_at(modes) + LEEWAY * floors.shape[0] + d, floors.shape[0]
    for j in range(3):
        small[at + j * count] = floors[d, MARGIN + j]


def wake(d: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Fill in what the row of a degree of freedom tells of the start."""
    at, count = strips_at(modes) + BEGAN * floors.shape[0] + d, floors.shape[0]
    for j in range(STATE):
        floors[d, NOW + j] = small[at + j * count]


def keep_peaks(d: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Note the peaks of a degree of freedom."""
    at, count = strips_at(modes) + HIGHEST * floors.shape[0] + d, floors.shape[0]
    for j in range(3):
        small[at + j * count] = floors[d, PEAKS + j]
