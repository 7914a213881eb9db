"""True extremes of two modes and the force between them inside a step in contact, by hand: what `peaks` has for many.

Peaks are those of the modes while a run lasts, and become those of degrees of freedom at its end.
"""

from carom.kernels.explicit.peaks import HOPEFUL, between, crest, force_inside, force_peaks
from carom.kernels.explicit.rows import (
    END_CLIMB,
    END_FORCE,
    END_JERK,
    JERK,
    REACH,
    SHAPES,
)
from carom.kernels.rows import (
    CLIMB,
    FORCE,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    STEADY,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector


def note_floors(modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the present state in flight."""
    for k in range(2):
        row, peaks = modes[k], floors[k]
        peaks[PEAKS] = max(peaks[PEAKS], abs(row[Q]))
        peaks[PEAKS + 1] = max(peaks[PEAKS + 1], abs(row[V]))
        own = row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V]
        peaks[PEAKS + 2] = max(peaks[PEAKS + 2], abs(own))


def end_peaks(floors: Matrix) -> None:
    """Make peaks of the modes those of the degrees of freedom, of which each is moved by its mode alone."""
    for k in range(2):
        for j in range(3):
            floors[k, PEAKS + j] *= abs(floors[k, SHAPES])


def write_jerks(modes: Matrix, contact: Vector) -> None:
    """Write the third derivative of the overlap at both ends of a step."""
    start, end = 0.0, 0.0
    for k in range(2):
        row = modes[k]
        reach = row[REACH]
        change = row[SQUARE] * row[V] + row[TWICE] * row[W] + reach * contact[CLIMB]
        end_change = row[SQUARE] * row[V_END] + row[TWICE] * row[W_END] + reach * contact[END_CLIMB]
        start += reach * (row[SLOPE] - change)
        end += reach * (row[SLOPE] - end_change)
    contact[JERK], contact[END_JERK] = start, end


def contact_peaks(kind: int, h: float, modes: Matrix, contact: Vector, floors: Matrix) -> None:
    """Raise the peaks of the force, the overlap and both modes by their extremes in a step."""
    write_jerks(modes, contact)
    force_peaks(kind, h, contact)
    for k in range(2):
        row, peaks = modes[k], floors[k]
        push = row[REACH]
        raise_mode(kind, h, push * contact[CLIMB], push * contact[END_CLIMB], row, peaks)
        y0 = row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V] - push * contact[FORCE]
        y1 = row[STEADY] - row[SQUARE] * row[Q_END] - row[TWICE] * row[V_END] - push * contact[END_FORCE]
        peaks[PEAKS + 2] = max(peaks[PEAKS + 2], abs(y0), abs(y1))
        d0 = -row[SQUARE] * row[V] - row[TWICE] * row[W] - push * contact[CLIMB]
        d1 = -row[SQUARE] * row[V_END] - row[TWICE] * row[W_END] - push * contact[END_CLIMB]
        if d0 * d1 < 0.0 and max(abs(y0), abs(y1)) + h * (abs(d0) + abs(d1)) > HOPEFUL * peaks[PEAKS + 2]:
            s = crest(kind, h, y0, d0, y1, d1)
            q = between(kind, h, s, row[Q], row[V], row[W], row[Q_END], row[V_END], row[W_END])
            jerk, end_jerk = row[SLOPE] + d0, row[SLOPE] + d1
            v = between(kind, h, s, row[V], row[W], jerk, row[V_END], row[W_END], end_jerk)
            own = row[STEADY] - row[SQUARE] * q - row[TWICE] * v
            peaks[PEAKS + 2] = max(peaks[PEAKS + 2], abs(own - push * force_inside(kind, h, s, contact)))


def raise_mode(kind: int, h: float, climb: float, end_climb: float, row: Vector, peaks: Vector) -> None:
    """Raise the peaks of displacement and velocity of a mode in a step; `climb`: how fast the contact's load rises."""
    v, w, v1, w1 = row[V], row[W], row[V_END], row[W_END]
    peaks[PEAKS] = max(peaks[PEAKS], abs(row[Q_END]))
    if v * v1 < 0.0 and abs(row[Q_END]) + h * (abs(v) + abs(v1) + h * (abs(w) + abs(w1))) > peaks[PEAKS]:
        s = crest(kind, h, row[Q], v, row[Q_END], v1)
        peaks[PEAKS] = max(peaks[PEAKS], abs(between(kind, h, s, row[Q], v, w, row[Q_END], v1, w1)))
    peaks[PEAKS + 1] = max(peaks[PEAKS + 1], abs(v1))
    if w * w1 < 0.0:
        jerk = row[SLOPE] - row[TWICE] * w - row[SQUARE] * v - climb
        end_jerk = row[SLOPE] - row[TWICE] * w1 - row[SQUARE] * v1 - end_climb
        if abs(v1) + h * (abs(w) + abs(w1) + h * (abs(jerk) + abs(end_jerk))) > peaks[PEAKS + 1]:
            s = crest(kind, h, v, w, v1, w1)
            peaks[PEAKS + 1] = max(peaks[PEAKS + 1], abs(between(kind, h, s, v, w, jerk, v1, w1, end_jerk)))
