"""Collocation on the contact forces: three Gauss nodes, and what a mode makes of the force between them.

Over a step of length h a force is a parabola in s ∈ [0, 1] through its values at Gauss' nodes, and time is t = h·T(s).
T(s) = s is the plain step; s² and s⁴ are steps that begin at a touch, their mirror images steps that end at a
separation: with them laws with δ^{3/2} or δ^{1/4} are smooth in s. With Σ aₚ τᵖ the answer of the modes to a unit
impulse after a time τ, and ℓⱼ Lagrange's polynomials on the nodes, the answer to the parabola at node i is

    Σₚ aₚ h^{p+1} Σⱼ MOMENTS[T, p, 3i+j] Fⱼ,      MOMENTS = ∫₀^{sᵢ} (T(sᵢ) − T(s))ᵖ ℓⱼ(s) T′(s) ds

so that a step is formed from numbers known beforehand, whatever its length.
"""

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.float64]

NODES = 3  # number of nodes of a step
POINTS = 4  # number of points at which overlaps are known: the nodes, and the end of the step
END = 3  # the last of the points
TERMS = 9  # number of terms of a power series in time: up to the eighth power
LONG = 32  # the same of buildings (`event.mode_columns`)
FINE = 12  # number of points of a quadrature that follows modes over several radians
FEW = 6  # the same for modes that hardly turn

# kinds of steps, by T(s)
PLAIN = 0  # s
FROM_TOUCH_2 = 1  # s²
TO_PARTING_2 = 2  # 1 − (1 − s)²
FROM_TOUCH_4 = 3  # s⁴
TO_PARTING_4 = 4  # 1 − (1 − s)⁴
KINDS = 5  # number of kinds


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


def _nodes(kind: int) -> Table:
    """Return the three nodes of a kind of step and its end: Gauss' on [0, 1].

    Where T′ is a cubic, they are those of Gauss' quadrature with the weight T′ (Jacobi's): else the velocity at the end
    would be off by what the parabola misses of the force, not by its square.
    """
    nodes = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)])
    if kind in (FROM_TOUCH_4, TO_PARTING_4):
        cubic = np.array([84.0, -168.0, 105.0, -20.0])  # Jacobi's P₃ for the weight s³ on [0, 1]
        nodes = np.array([0.36, 0.7, 0.94])
        for _ in range(4):  # Newton's method: to the last digit on every machine
            nodes = nodes - np.polyval(cubic, nodes) / np.polyval(np.polyder(cubic), nodes)
    return np.append(1.0 - nodes[::-1] if kind == TO_PARTING_4 else nodes, 1.0)


S = np.array([_nodes(kind) for kind in range(KINDS)])
"""The nodes and the end of each kind of step, (kind, point)."""
FIVE = np.concatenate([np.zeros((KINDS, 1)), S], axis=1)
"""Both ends and the nodes between them."""


def _moments() -> Table:
    """Return MOMENTS (see the top of this file), (kind, power, 3·point + node)."""
    points, weights = np.polynomial.legendre.leggauss(66)  # exact to degree 131; 4·31 + 2 + 3 are needed
    table = np.zeros((KINDS, LONG, POINTS, NODES))
    for kind in range(KINDS):
        for i in range(POINTS):
            s = 0.5 * S[kind, i] * (points + 1.0)
            t, speed = time_map(kind, s)
            rest = time_map(kind, S[kind, i : i + 1])[0] - t
            powers = rest ** np.arange(LONG)[:, None]
            table[kind, :, i] = (0.5 * S[kind, i] * weights * speed * powers) @ _basis(S[kind, :NODES], s).T
    return table.reshape(KINDS, LONG, POINTS * NODES)


def _parabolas() -> Table:
    """Return a parabola in time for each kind of step, as powers of t/h from values at the nodes, (kind, node, power).

    In steps that are not plain it meets the parabola in s at both ends and in the middle.
    """
    places = np.array([0.0, 0.5, 1.0])
    table = [np.linalg.inv(np.vander(S[PLAIN, :NODES], NODES, increasing=True)).T]
    for kind in range(1, KINDS):
        powers = np.linalg.inv(np.vander(time_map(kind, places)[0], NODES, increasing=True)).T
        table.append(_basis(S[kind, :NODES], places) @ powers)
    return np.array(table)


def _quadrature() -> tuple[Table, Table]:
    """Return times before each point, and weights of forces at the nodes, of a quadrature that follows swift modes."""
    points, weights = np.polynomial.legendre.leggauss(FINE)
    ages = np.zeros((KINDS, POINTS, FINE))
    shares = np.zeros((KINDS, POINTS, FINE, NODES))
    for kind in range(KINDS):
        for i in range(POINTS):
            s = 0.5 * S[kind, i] * (points + 1.0)
            t, speed = time_map(kind, s)
            ages[kind, i] = time_map(kind, S[kind, i : i + 1])[0] - t
            shares[kind, i] = (_basis(S[kind, :NODES], s) * (0.5 * S[kind, i] * weights * speed)).T
    return ages, shares


def _weights(points: Table) -> Table:
    """Return weights of ∫ f dt/h from values at some points of each kind of step, (kind, point)."""
    gauss, weights = np.polynomial.legendre.leggauss(8)
    s = 0.5 * (gauss + 1.0)
    return np.array([_basis(points[kind], s) @ (0.5 * weights * time_map(kind, s)[1]) for kind in range(KINDS)])


def _products() -> Table:
    """Return weights of ∫ f g dt/h from values of both at FIVE, (kind, point, point)."""
    gauss, weights = np.polynomial.legendre.leggauss(8)  # exact to degree 15; two quartics and T′ have 8 + 3
    s = 0.5 * (gauss + 1.0)
    table = []
    for kind in range(KINDS):
        basis = _basis(FIVE[kind], s)
        table.append((basis * (0.5 * weights * time_map(kind, s)[1])) @ basis.T)
    return np.array(table)


TIMES = np.array([time_map(kind, S[kind])[0] for kind in range(KINDS)])
"""T at the nodes and the end, (kind, point)."""
SPEEDS = _weights(S[:, :NODES])
"""Weights of ∫ F dt/h over a step, (kind, node): exact for the parabola."""
MOMENTS = _moments()
PARABOLAS = _parabolas()
AGES, SHARES = _quadrature()
FINE_SHARES = 0.5 * (np.polynomial.legendre.leggauss(FINE)[0] + 1.0)
FINE_WEIGHTS = 0.5 * np.polynomial.legendre.leggauss(FINE)[1]
"""The same quadrature on [0, 1]."""
FEW_SHARES = 0.5 * (np.polynomial.legendre.leggauss(FEW)[0] + 1.0)
FEW_WEIGHTS = 0.5 * np.polynomial.legendre.leggauss(FEW)[1]
"""One with fewer points, for modes that hardly turn: exact for a quartic force, any T′ and an answer linear in time."""
AT_START = np.array([_basis(S[kind, :NODES], np.array([0.0]))[:, 0] for kind in range(KINDS)])
AT_END = np.array([_basis(S[kind, :NODES], np.array([1.0]))[:, 0] for kind in range(KINDS)])
"""The parabola at both ends from its values at the nodes, (kind, node)."""
POWERS = _weights(FIVE)
"""Weights of ∫ f dt/h from values at FIVE, (kind, point): of powers, which are no parabolas."""
PRODUCTS = _products()
"""Weights of ∫ f g dt/h from values of both at FIVE, (kind, point, point): exact for two quartics in s."""
QUARTIC = np.array([np.linalg.inv(np.vander(five, 5, increasing=True)) for five in FIVE])
"""Coefficients in s, rising powers, of the polynomial through values at FIVE, (kind, power, value)."""
TANGENTS = np.stack([p * FIVE ** max(p - 1, 0) for p in range(5)], axis=2) @ QUARTIC
"""Slopes in s at FIVE of that polynomial, (kind, point, value)."""
EIGHTH = 0.5 * (np.polynomial.legendre.leggauss(4)[0] + 1.0)
EIGHTH_WEIGHTS = 0.5 * np.polynomial.legendre.leggauss(4)[1]
"""Gauss' quadrature on [0, 1] of order eight: exact for a quartic in s times any T′."""
