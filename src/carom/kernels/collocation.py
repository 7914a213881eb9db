"""Collocation on the contact forces: three Gauss nodes, and what a mode makes of the force between them.

Over a step of length h a force is a parabola in s ∈ [0, 1] through its values at Gauss' nodes, and time is t = h·T(s).
T(s) = s is the plain step; s² and s⁴ are steps that begin at a touch, their mirror images steps that end at a
separation: with them laws with δ^{3/2} or δ^{1/4} are smooth in s. With h(τ) = Σ aₚ τᵖ the answer of the modes to a
unit impulse, the answer to the parabola at node i is

    Σₚ aₚ h^{p+1} Σⱼ MOMENTS[T, p, 3i+j] Fⱼ,      MOMENTS = ∫₀^{sᵢ} (T(sᵢ) − T(s))ᵖ ℓⱼ(s) T′(s) ds

so that a step is formed from numbers known beforehand, whatever its length.
"""

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.float64]

NODES = 3
POINTS = 4  # the nodes, and the end of the step
END = 3
TERMS = 9  # of a power series in time: up to the eighth power
LONG = 32  # the same of buildings in contact
FINE = 12  # points of a quadrature that follows swift modes

# kinds of steps
PLAIN = 0
FROM_TOUCH_2 = 1
TO_PARTING_2 = 2
FROM_TOUCH_4 = 3
TO_PARTING_4 = 4
KINDS = 5

S = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15), 1.0])
"""Gauss' nodes on [0, 1], and the end."""
WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0
FIVE = np.concatenate([[0.0], S])
"""Both ends and the nodes between them."""


def time_map(kind: int, s: Table) -> tuple[Table, Table]:
    """Return T(s) and T′(s)."""
    power = 1 if kind == PLAIN else 2 if kind in (FROM_TOUCH_2, TO_PARTING_2) else 4
    if kind in (TO_PARTING_2, TO_PARTING_4):
        return 1.0 - (1.0 - s) ** power, power * (1.0 - s) ** (power - 1)
    return s**power, power * s ** (power - 1)


def _basis(x: Table, at: Table) -> Table:
    """Return Lagrange's polynomials on the points `x` at the points `at`, shape (x, at)."""
    rows = [np.prod([(at - x[m]) / (x[j] - x[m]) for m in range(x.size) if m != j], axis=0) for j in range(x.size)]
    return np.array(rows)


def _moments() -> Table:
    points, weights = np.polynomial.legendre.leggauss(66)  # exact to degree 131; 4·31 + 2 + 3 are needed
    table = np.zeros((KINDS, LONG, POINTS, NODES))
    for kind in range(KINDS):
        for i in range(POINTS):
            s = 0.5 * S[i] * (points + 1.0)
            t, speed = time_map(kind, s)
            rest = time_map(kind, S[i : i + 1])[0] - t
            powers = rest ** np.arange(LONG)[:, None]
            table[kind, :, i] = (0.5 * S[i] * weights * speed * powers) @ _basis(S[:NODES], s).T
    return table.reshape(KINDS, LONG, POINTS * NODES)


def _parabolas() -> Table:
    """Return a parabola in time for each kind of step, as powers of t/h from values at the nodes, (kind, node, power).

    In steps that are not plain it meets the parabola in s at both ends and in the middle.
    """
    places = np.array([0.0, 0.5, 1.0])
    to_places = _basis(S[:NODES], places)
    table = [np.linalg.inv(np.vander(S[:NODES], NODES, increasing=True)).T]
    for kind in range(1, KINDS):
        powers = np.linalg.inv(np.vander(time_map(kind, places)[0], NODES, increasing=True)).T
        table.append(to_places @ powers)
    return np.array(table)


def _quadrature() -> tuple[Table, Table]:
    """Return times before each point, and weights of forces at the nodes, of a quadrature that follows swift modes."""
    points, weights = np.polynomial.legendre.leggauss(FINE)
    ages = np.zeros((KINDS, POINTS, FINE))
    shares = np.zeros((KINDS, POINTS, FINE, NODES))
    for kind in range(KINDS):
        for i in range(POINTS):
            s = 0.5 * S[i] * (points + 1.0)
            t, speed = time_map(kind, s)
            ages[kind, i] = time_map(kind, S[i : i + 1])[0] - t
            shares[kind, i] = (_basis(S[:NODES], s) * (0.5 * S[i] * weights * speed)).T
    return ages, shares


def _five_weights() -> Table:
    points, weights = np.polynomial.legendre.leggauss(8)
    s = 0.5 * (points + 1.0)
    return np.array([_basis(FIVE, s) @ (0.5 * weights * time_map(kind, s)[1]) for kind in range(KINDS)])


TIMES = np.array([time_map(kind, S)[0] for kind in range(KINDS)])
"""T at the nodes and the end, (kind, point)."""
SPEEDS = np.array([time_map(kind, S[:NODES])[1] * WEIGHTS for kind in range(KINDS)])
"""Weights of ∫ F dt/h over a step, (kind, node): exact for the parabola."""
MOMENTS = _moments()
PARABOLAS = _parabolas()
AGES, SHARES = _quadrature()
AT_START = _basis(S[:NODES], np.array([0.0]))[:, 0].copy()
AT_END = _basis(S[:NODES], np.array([1.0]))[:, 0].copy()
"""The parabola at both ends from its values at the nodes."""
POWERS = _five_weights()
"""Weights of ∫ f dt/h from values at FIVE, (kind, point): of powers, which are no parabolas."""
QUARTIC = np.linalg.inv(np.vander(FIVE, 5, increasing=True))
"""Coefficients in s, rising powers, of the polynomial through values at FIVE."""
TANGENTS = np.array([[p * s ** (p - 1) if p else 0.0 for p in range(5)] for s in FIVE]) @ QUARTIC
"""Slopes in s at FIVE of that polynomial, (point, value)."""
EIGHTH = 0.5 * (np.polynomial.legendre.leggauss(4)[0] + 1.0)
EIGHTH_WEIGHTS = 0.5 * np.polynomial.legendre.leggauss(4)[1]
"""Gauss' quadrature on [0, 1] of order eight: exact for a quartic in s times any T′."""
