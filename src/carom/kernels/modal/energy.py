"""Energy of modes: what they hold, what loads that are linear in time bring in, what damping takes."""

from carom.kernels.rows import MASS, OMEGA, SLOPE, SOFT, SQUARE, TWICE, Q, V
from carom.kernels.types import Matrix, Vector

THIRD = 1.0 / 3.0
SHORT_ANGLE = 1e-3
"""Below this ωt an integral of the displacement is taken by interpolation: the equation of motion would lose digits."""


def modal_energy(modes: Matrix) -> tuple[float, float]:
    """Return kinetic and strain energy relative to the ground [J]."""
    kinetic = 0.0
    strain = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        kinetic += 0.5 * row[MASS] * row[V] * row[V]
        strain += 0.5 * row[MASS] * row[SQUARE] * row[Q] * row[Q]
    return kinetic, strain


def area_between(q0: float, q1: float, v0: float, v1: float, w0: float, w1: float, t: float) -> float:
    """Return ∫ q dt by Hermite's quintic, exact for the cubic of a rigid mode."""
    return t * (0.5 * (q0 + q1) + t * (0.1 * (v0 - v1) + t * (w0 + w1) / 120.0))


def squares_between(q0: float, q1: float, v0: float, v1: float, w0: float, w1: float, t: float) -> float:
    """Return ∫ q̇² dt by Hermite's quintic: q̇ is a cubic and so much of s²(1 − s)² that its integral is right."""
    both, rise = v0 + v1, v1 - v0
    bulge, lean = t * (w0 - w1), t * (w0 + w1)
    more = 30.0 * (q1 - q0) / t - 15.0 * both - 2.5 * bulge
    cubic = (
        both * (both / 4.0 + bulge / 12.0)
        + bulge * bulge / 120.0
        + (rise * (51.0 * rise - 9.0 * lean) + 0.5 * lean * lean) / 420.0
    )
    return t * (cubic + more * (both / 30.0 + bulge / 140.0 + more / 630.0))


def flight_work(
    row: Vector, q0: float, v0: float, w0: float, q1: float, v1: float, w1: float, load: float, slope: float, t: float
) -> float:
    """Return the work of a linear load on a mode in flight: ∫ p q̇ dt = [p q] − p′ ∫ q dt [J]."""
    if row[MASS] == 0.0:
        return 0.0
    area = flight_area(row, q0, v0, w0, q1, v1, w1, load, slope, t)
    return row[MASS] * ((load + slope * t) * q1 - load * q0 - slope * area)


def flight_area(
    row: Vector, q0: float, v0: float, w0: float, q1: float, v1: float, w1: float, load: float, slope: float, t: float
) -> float:
    """Return ∫ q dt of a mode in flight under a linear load: where it is stiff, from its equation of motion."""
    if row[OMEGA] * t > SHORT_ANGLE:
        return (0.5 * (load + (load + slope * t)) * t - (v1 - v0) - row[TWICE] * (q1 - q0)) * row[SOFT]
    return area_between(q0, q1, v0, v1, w0, w1, t)


def energy_between(
    row: Vector, w0: float, q1: float, v1: float, w1: float, load: float, t: float
) -> tuple[float, float]:
    """Return the work of a linear load on a mode over a short step, and what damping took [J].

    The mode moves along Hermite's quintic from its present state to the one given; `w0` and `w1` are q̈ at both ends.
    """
    area = area_between(row[Q], q1, row[V], v1, w0, w1, t)
    work = (load + row[SLOPE] * t) * q1 - load * row[Q] - row[SLOPE] * area
    return row[MASS] * work, row[MASS] * row[TWICE] * squares_between(row[Q], q1, row[V], v1, w0, w1, t)


def stiff_energy(
    row: Vector, soft: float, q0: float, v0: float, q1: float, v1: float, load: float, slope: float, a: float, b: float,
    c: float, t: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Return the work of a linear load on a stiff mode, what damping took [J], and the integrals of q and t·q.

    Contact forces load it with −(a + b t + c t²). The integrals follow from the equation of motion, what damping takes
    from the balance of the mode; `soft` is 1/ω².
    """
    p0, p1, p2 = load - a, slope - b, -c
    total = t * (p0 + t * (0.5 * p1 + t * p2 * THIRD))
    first = t * t * (0.5 * p0 + t * (p1 * THIRD + t * 0.25 * p2))
    area = (total - (v1 - v0) - row[TWICE] * (q1 - q0)) * soft
    moment = (first - t * v1 + (q1 - q0) - row[TWICE] * (t * q1 - area)) * soft
    work = (load + slope * t) * q1 - load * q0 - slope * area
    whole = (p0 + t * (p1 + t * p2)) * q1 - p0 * q0 - p1 * area - 2.0 * p2 * moment
    held = 0.5 * (v1 * v1 - v0 * v0) + 0.5 * row[SQUARE] * (q1 * q1 - q0 * q0)
    return work, whole - held, area, moment
