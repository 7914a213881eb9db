"""Peak response of many single modes to one sampled load: the arithmetic of a response spectrum.

Modes stand side by side in blocks of `LANES`, so that one instruction advances several of them. A first
pass marches a block through the record and keeps, for every `CHUNK` samples, the state at its start and
the largest sampled values. The second pass takes the true extremes: only chunks, and in them only steps,
where a bound cannot exclude that an extremum between two samples exceeds all before are looked into.
"""

import math

from carom.kernels.modal.extremes import bulge, may_exceed, peak_inside
from carom.kernels.modal.propagator import advance, fill_propagator
from carom.kernels.types import Matrix, Vector

LANES = 40
"""Modes side by side: whole vectors on every processor, and 200 periods fill five blocks."""
CHUNK = 64
"""Steps that are proved harmless together."""


def block_peaks(
    load: Vector,
    dt: float,
    omega: Vector,
    decay: Vector,
    tail: float,
    steps: Matrix,
    states: Matrix,
    starts: Matrix,
    tops: Matrix,
    loads: Matrix,
    peaks: Matrix,
) -> None:
    """Write the largest |u|, |u′| and |y| of `LANES` modes under `load` into `peaks` (3, LANES).

    The modes start at rest. `load` [m/s²] is sampled every `dt` [s] and linear between samples; `tail` > 0
    appends that many natural periods of free vibration. Scratch: `steps` (10, LANES), `states`
    (CHUNK + 1, 2, LANES), `starts` (chunks, 2, LANES), `tops` (chunks, 5, LANES) and `loads` (chunks, 2).
    """
    for lane in range(LANES):
        fill_propagator(omega[lane], decay[lane], dt, steps[:, lane])
        steps[8, lane] = -omega[lane] * omega[lane]
        steps[9, lane] = -2.0 * decay[lane]
        states[0, 0, lane] = 0.0
        states[0, 1, lane] = 0.0
    last = load.size - 1
    chunks = (last + CHUNK - 1) // CHUNK
    for chunk in range(chunks):
        first = chunk * CHUNK
        count = min(CHUNK, last - first)
        _march(load, first, count, steps, states)
        _sampled_tops(load, first, count, dt, steps, states, tops[chunk])
        _load_tops(load, first, count, dt, loads[chunk])
        for lane in range(LANES):
            for k in range(2):
                starts[chunk, k, lane] = states[0, k, lane]
                states[0, k, lane] = states[count, k, lane]
    for lane in range(LANES):
        for k in range(3):
            peaks[k, lane] = 0.0
            for chunk in range(chunks):
                peaks[k, lane] = max(peaks[k, lane], tops[chunk, k, lane])
        for chunk in range(chunks):
            if _may_matter(lane, dt, omega[lane], decay[lane], tops[chunk], loads[chunk], peaks):
                _look_between(lane, load, chunk, dt, omega[lane], decay[lane], steps, starts, tops[chunk], peaks)
        if tail > 0.0:
            _look_after(lane, tail, omega[lane], decay[lane], states, peaks)


def _march(load: Vector, first: int, count: int, c: Matrix, states: Matrix) -> None:
    """Advance all lanes through `count` samples."""
    for i in range(count):
        p0, p1 = load[first + i], load[first + i + 1]
        for j in range(LANES):
            u, v = states[i, 0, j], states[i, 1, j]
            states[i + 1, 0, j] = c[0, j] * u + c[1, j] * v + (c[2, j] * p0 + c[3, j] * p1)
            states[i + 1, 1, j] = c[4, j] * u + c[5, j] * v + (c[6, j] * p0 + c[7, j] * p1)


def _sampled_tops(load: Vector, first: int, count: int, dt: float, c: Matrix, states: Matrix, tops: Matrix) -> None:
    """Take the largest sampled |u|, |u′|, |y|, and |u″|, |u‴| at the starts of the steps."""
    for j in range(LANES):  # the state at the end of the chunk opens the count
        u, v = states[count, 0, j], states[count, 1, j]
        tops[0, j] = abs(u)
        tops[1, j] = abs(v)
        tops[2, j] = abs(c[8, j] * u + c[9, j] * v)
        tops[3, j] = 0.0
        tops[4, j] = 0.0
    for i in range(count):
        p = load[first + i]
        slope = (load[first + i + 1] - p) / dt
        for j in range(LANES):
            u, v = states[i, 0, j], states[i, 1, j]
            y = c[8, j] * u + c[9, j] * v
            w = p + y
            jerk = slope + c[9, j] * w + c[8, j] * v
            tops[0, j] = max(tops[0, j], abs(u))
            tops[1, j] = max(tops[1, j], abs(v))
            tops[2, j] = max(tops[2, j], abs(y))
            tops[3, j] = max(tops[3, j], abs(w))
            tops[4, j] = max(tops[4, j], abs(jerk))


def _load_tops(load: Vector, first: int, count: int, dt: float, loads: Vector) -> None:
    """Take the largest |load| and |slope of the load| of a chunk."""
    level, steep = abs(load[first]), 0.0
    for i in range(first, first + count):
        level = max(level, abs(load[i + 1]))
        steep = max(steep, abs(load[i + 1] - load[i]))
    loads[0] = level
    loads[1] = steep / dt


def _may_matter(lane: int, dt: float, omega: float, decay: float, tops: Matrix, loads: Vector, peaks: Matrix) -> bool:
    """Tell whether a bound allows a chunk to hold a larger extremum than the peaks of one lane."""
    stiff, damp = omega * omega, 2.0 * decay
    w, jerk = tops[3, lane], tops[4, lane]
    if omega * dt > 1.0:  # static part plus amplitude of the free part, each at its largest
        soft = 1.0 / stiff
        rate = (jerk + damp * w) * soft
        place = (w + damp * rate) * soft
        drift = loads[1] * soft
        high_u = (loads[0] + damp * drift) * soft + math.sqrt(place * place + rate * rate * soft)
        high_v = drift + math.sqrt(rate * rate + w * w * soft)
        high_y = loads[0] + math.sqrt(w * w + jerk * jerk * soft)
    else:
        rise, rush = bulge(w, jerk, omega, decay, dt)
        high_u = tops[0, lane] + rise
        high_v = tops[1, lane] + rush
        high_y = tops[2, lane] + stiff * rise + damp * rush
    return bool(high_u > peaks[0, lane] or high_v > peaks[1, lane] or high_y > peaks[2, lane])


def _look_between(
    lane: int,
    load: Vector,
    chunk: int,
    dt: float,
    omega: float,
    decay: float,
    c: Matrix,
    starts: Matrix,
    tops: Matrix,
    peaks: Matrix,
) -> None:
    """Raise the peaks of one lane by the extremes between the samples of a chunk."""
    stiff, damp, soft = omega * omega, 2.0 * decay, 1.0 / (omega * omega)
    rise, rush = bulge(tops[3, lane], tops[4, lane], omega, decay, dt)
    floor_u = peaks[0, lane] - rise  # a step whose ends stay below cannot hold a new peak
    floor_v = peaks[1, lane] - rush
    floor_y = peaks[2, lane] - (stiff * rise + damp * rush)
    first = chunk * CHUNK
    u, v = starts[chunk, 0, lane], starts[chunk, 1, lane]
    for i in range(first, min(first + CHUNK, load.size - 1)):
        p0, p1 = load[i], load[i + 1]
        u1 = c[0, lane] * u + c[1, lane] * v + (c[2, lane] * p0 + c[3, lane] * p1)
        v1 = c[4, lane] * u + c[5, lane] * v + (c[6, lane] * p0 + c[7, lane] * p1)
        top_u = max(abs(u), abs(u1))
        top_v = max(abs(v), abs(v1))
        top_y = max(abs(stiff * u + damp * v), abs(stiff * u1 + damp * v1))
        if top_u > floor_u or top_v > floor_v or top_y > floor_y:
            slope = (p1 - p0) / dt
            if omega * dt > 1.0:
                look_u, look_v, look_y = may_exceed(
                    u, v, p0, slope, omega, decay, soft, dt, peaks[0, lane], peaks[1, lane], peaks[2, lane]
                )
            else:
                w = p0 - damp * v - stiff * u
                rise, rush = bulge(w, slope - damp * w - stiff * v, omega, decay, dt)
                look_u = top_u + rise > peaks[0, lane]
                look_v = top_v + rush > peaks[1, lane]
                look_y = top_y + stiff * rise + damp * rush > peaks[2, lane]
            for kind in range(3):
                if (kind == 0 and look_u) or (kind == 1 and look_v) or (kind == 2 and look_y):
                    best = peaks[kind, lane]
                    peaks[kind, lane] = peak_inside(kind, u, v, u1, v1, p0, slope, omega, decay, dt, best)
        u, v = u1, v1


def _look_after(lane: int, tail: float, omega: float, decay: float, states: Matrix, peaks: Matrix) -> None:
    """Raise the peaks of one lane by those of its free vibration after the record."""
    u, v = states[0, 0, lane], states[0, 1, lane]
    length = tail * 2.0 * math.pi / omega
    u1, v1 = advance(u, v, 0.0, 0.0, omega, decay, length)
    for kind in range(3):
        best = peaks[kind, lane]
        peaks[kind, lane] = peak_inside(kind, u, v, u1, v1, 0.0, 0.0, omega, decay, length, best)
