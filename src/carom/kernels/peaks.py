"""True extremes of degrees of freedom, in flight by closed form and in contact by interpolation."""

from carom.kernels.contact_phase import TIME
from carom.kernels.flight import move
from carom.kernels.types import Matrix, Vector

TOLD_SIZE = 6  # columns of `told`, which has two rows more than degrees of freedom


def describe(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    q: Vector,
    v: Vector,
    t: float,
    dof: int,
    row: Vector,
) -> None:
    """Write displacement, velocity, absolute acceleration of a degree of freedom and their slopes to `row`."""
    u = 0.0
    speed = 0.0
    relative = 0.0
    absolute = 0.0
    change = 0.0
    for k in range(q.size):
        weight = shapes[dof, k]
        o2 = omega[k] * omega[k]
        own = -o2 * q[k] - 2.0 * sigma[k] * v[k]
        w = load[k] + slope[k] * t + own
        u += weight * q[k]
        speed += weight * v[k]
        relative += weight * w
        absolute += weight * (steady[k] + own)
        change -= weight * (o2 * v[k] + 2.0 * sigma[k] * w)
    row[0] = u
    row[1] = speed
    row[2] = absolute
    row[3] = speed
    row[4] = relative
    row[5] = change


def flight_peaks(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    q: Vector,
    v: Vector,
    q_end: Vector,
    v_end: Vector,
    t: float,
    fresh: bool,
    told: Matrix,
    peaks: Matrix,
    trial: Matrix,
) -> None:
    """Raise the peaks by the true extremes over a stretch of flight.

    Row d of `told` describes degree of freedom d at the start of the stretch (written here where `fresh`), and
    is left describing its end.
    """
    row = told[shapes.shape[0]]
    spare = told[shapes.shape[0] + 1]
    for dof in range(shapes.shape[0]):
        if fresh:
            describe(shapes, omega, sigma, load, slope, steady, q, v, 0.0, dof, told[dof])
        describe(shapes, omega, sigma, load, slope, steady, q_end, v_end, t, dof, row)
        for kind in range(3):
            d0 = told[dof, 3 + kind]
            d1 = row[3 + kind]
            best = max(peaks[dof, kind], abs(row[kind]), abs(told[dof, kind]))
            highest = max(abs(row[kind]), abs(told[dof, kind])) + 0.5 * t * max(abs(d0), abs(d1))
            if d0 * d1 < 0.0 and highest > best:
                best = max(
                    best, extreme(shapes, omega, sigma, load, slope, steady, q, v, t, dof, kind, d0, d1, trial, spare)
                )
            peaks[dof, kind] = best
        for i in range(6):
            told[dof, i] = row[i]


def extreme(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    q: Vector,
    v: Vector,
    t: float,
    dof: int,
    kind: int,
    d0: float,
    d1: float,
    trial: Matrix,
    row: Vector,
) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight."""
    low = 0.0
    high = t
    f_low = d0
    f_high = d1
    best = 0.0
    for iteration in range(40):
        at = (low * f_high - high * f_low) / (f_high - f_low)
        if iteration % 4 == 3 or not low < at < high:
            at = 0.5 * (low + high)
        move(omega, sigma, load, slope, q, v, at, trial[0], trial[1])
        describe(shapes, omega, sigma, load, slope, steady, trial[0], trial[1], at, dof, row)
        d = row[3 + kind]
        best = max(best, abs(row[kind]))
        if abs(d) <= 1e-6 * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            break
        if (d > 0.0) == (d0 > 0.0):
            low = at
            f_low = d
        else:
            high = at
            f_high = d
    return best


def contact_peaks(
    shapes: Matrix,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    steady: Vector,
    push: Matrix,
    z: Vector,
    found: Vector,
    peaks: Matrix,
    told: Matrix,
    fresh: bool,
) -> None:
    """Raise the peaks by a step in contact, whose start `told` describes unless `fresh`; describe its end.

    Between the two, displacements are interpolated by Hermite's quintic: the extremes are those of the motion
    to far more digits than the tolerance.
    """
    modes = omega.size
    dofs = shapes.shape[0]
    t = z[2 * modes + TIME]
    span = t - told[dofs, 0]
    for dof in range(dofs):
        u = 0.0
        speed = 0.0
        relative = 0.0
        absolute = 0.0
        for k in range(modes):
            weight = shapes[dof, k]
            if weight != 0.0:
                own = -omega[k] * omega[k] * z[k] - 2.0 * sigma[k] * z[modes + k]
                for c in range(found.size):
                    own -= push[c, k] * found[c]
                u += weight * z[k]
                speed += weight * z[modes + k]
                relative += weight * (own + load[k] + slope[k] * t)
                absolute += weight * (own + steady[k])
        peaks[dof, 0] = max(peaks[dof, 0], abs(u))
        peaks[dof, 1] = max(peaks[dof, 1], abs(speed))
        peaks[dof, 2] = max(peaks[dof, 2], abs(absolute))
        if not fresh and span > 0.0 and speed * told[dof, 1] < 0.0:
            peaks[dof, 0] = max(
                peaks[dof, 0], quintic_extreme(told[dof, 0], u, told[dof, 1], speed, told[dof, 2], relative, span)
            )
        told[dof, 0] = u
        told[dof, 1] = speed
        told[dof, 2] = relative
    told[dofs, 0] = t


def quintic_extreme(u0: float, u1: float, v0: float, v1: float, a0: float, a1: float, h: float) -> float:
    """Return |u| where Hermite's quintic through both ends of a step is extreme; v changes sign in between."""
    d0 = h * v0
    b0 = h * h * a0
    rest = u1 - u0 - d0 - 0.5 * b0
    turn = h * v1 - d0 - b0
    twist = h * h * a1 - b0
    c3 = 10.0 * rest - 4.0 * turn + 0.5 * twist
    c4 = -15.0 * rest + 7.0 * turn - twist
    c5 = 6.0 * rest - 3.0 * turn + 0.5 * twist
    low = 0.0
    high = 1.0
    s = v0 / (v0 - v1)
    for _ in range(60):
        slope = d0 + s * (b0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
        if (slope > 0.0) == (v0 > 0.0):
            low = s
        else:
            high = s
        bend = b0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
        better = s - slope / bend if bend != 0.0 else low
        if not low < better < high:
            better = 0.5 * (low + high)
        if abs(better - s) < 1e-9:
            break
        s = better
    return abs(u0 + s * (d0 + s * (0.5 * b0 + s * (c3 + s * (c4 + s * c5)))))
