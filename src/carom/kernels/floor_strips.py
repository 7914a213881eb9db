"""Whether any degree of freedom of buildings may reach a new peak, judged side by side.

Hardly any does in a stretch of time. What every one was at its start, and its peaks so far, lie in strips behind the
sums (`floor_sums`); only when one of them may rise, rows of degrees of freedom are filled in and looked at.
"""

from carom.kernels.floor_sums import BEGAN, HIGHEST, LEEWAY, MET, strips_at
from carom.kernels.peak_search import cubic_hull, quintic_hull
from carom.kernels.rows import CURVE_MARGIN, NOW, PEAKS, STATE
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


def near_peaks(t: float, modes: int, count: int, small: Vector) -> bool:
    """Return whether any peak may rise in a stretch of flight `t` long: by Hermite's curves and LEEWAY.

    What `peak_search.may_rise` looks at first, for all degrees of freedom side by side.
    """
    base = strips_at(modes)
    end, start = base, base + BEGAN * count
    highest, leeway = base + HIGHEST * count, base + LEEWAY * count
    found = 0
    for i in range(count):
        u, v, w = small[end + i], small[end + count + i], small[end + 2 * count + i]
        y, change = small[end + 3 * count + i], small[end + 4 * count + i]
        u0, v0, w0 = small[start + i], small[start + count + i], small[start + 2 * count + i]
        y0, change0 = small[start + 3 * count + i], small[start + 4 * count + i]
        ramp = (w - y - w0 + y0) / t
        higher = quintic_hull(t, u0, v0, w0, u, v, w) + small[leeway + i] > small[highest + i]
        most = quintic_hull(t, v0, w0, change0 + ramp, v, w, change + ramp)
        faster = most + small[leeway + count + i] > small[highest + count + i]
        most = cubic_hull(t, y0, change0, y, change)
        harder = most + small[leeway + 2 * count + i] > small[highest + 2 * count + i]
        found += int(higher | faster | harder)
    return found > 0


def keep_margins(d: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Note how far a degree of freedom leaves Hermite's curves."""
    at, count = strips_at(modes) + LEEWAY * floors.shape[0] + d, floors.shape[0]
    for j in range(3):
        small[at + j * count] = floors[d, CURVE_MARGIN + j]


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
