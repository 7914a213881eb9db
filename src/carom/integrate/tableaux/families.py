"""The methods: nodes from orthogonal polynomials, coefficients from the conditions that define each family.

Hairer and Wanner (1996), section IV.5, Table 5.13: Gauss and Lobatto IIIA fulfil C(s), Radau IIA too; Radau IA and
Lobatto IIIB fulfil D(s); Lobatto IIIC has aᵢ₁ = b₁ and C(s−1). Solving these linear conditions gives every coefficient
to rounding.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Polynomial
from numpy.polynomial.legendre import Legendre, leggauss

from carom.integrate.tableaux.tableau import Tableau
from carom.registry import Registry

__all__ = ["tableau", "tableaux"]

Array: TypeAlias = npt.NDArray[np.float64]

BOOK = "Hairer E., Wanner G. (1996). Solving Ordinary Differential Equations II. Springer."
FIRST_BOOK = "Hairer E., Nørsett S.P., Wanner G. (1993). Solving Ordinary Differential Equations I. Springer."
BURRAGE = "Burrage K. (1982). Efficiently implementable algebraically stable Runge-Kutta methods. SINUM 19, 245-258."
ALEXANDER = "Alexander R. (1977). Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s. SINUM 14, 1006-1021."
PRINCE = "Dormand J.R., Prince P.J. (1980). A family of embedded Runge-Kutta formulae. J. Comp. Appl. Math. 6, 19-26."

tableaux: Registry[Tableau] = Registry("Runge-Kutta method")
"""All methods by name."""


def tableau(name: str | Tableau) -> Tableau:
    """Return the method of that name or alias; one of the caller's own is returned as it is."""
    return name if isinstance(name, Tableau) else tableaux.get(name)


def _solved(matrix: Array, right: Array) -> Array:
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)


def _weights(c: Array) -> Array:
    """Return b of the interpolatory quadrature on the nodes: B(s)."""
    k = np.arange(1, c.size + 1)
    return _solved(c ** (k[:, None] - 1), 1.0 / k)


def _collocation(c: Array) -> Array:
    """Return A from C(s)."""
    k = np.arange(1, c.size + 1)
    powers = c[:, None] ** (k - 1)
    return _solved(powers.T, (c[:, None] ** k / k).T).T


def _adjoint(c: Array, b: Array) -> Array:
    """Return A from D(s)."""
    k = np.arange(1, c.size + 1)[:, None]
    return _solved(b * c ** (k - 1), b * (1.0 - c**k) / k)


def _gauss(s: int) -> Array:
    return 0.5 * (leggauss(s)[0] + 1.0)


def _radau_right(s: int) -> Array:
    """Return the zeros of P_s − P_{s−1} on [0, 1]; the last is 1."""
    inner = _zeros(Legendre.basis(s).convert(kind=Polynomial) - Legendre.basis(s - 1).convert(kind=Polynomial))
    return np.append(inner[:-1], 1.0)


def _lobatto(s: int) -> Array:
    """Return 0, the extremes of P_{s−1}, and 1."""
    return np.concatenate([[0.0], _zeros(Legendre.basis(s - 1).convert(kind=Polynomial).deriv()), [1.0]])


def _zeros(polynomial: Polynomial) -> Array:
    roots = np.sort(polynomial.roots().real)
    slope = polynomial.deriv()
    for _ in range(3):
        roots = roots - polynomial(roots) / slope(roots)
    return 0.5 * (roots + 1.0)


def _lobatto_c(c: Array, b: Array) -> Array:
    """Return A of Lobatto IIIC: the first column is b₁, the others follow from C(s−1)."""
    k = np.arange(1, c.size)
    rest = c[:, None] ** k / k - b[0] * (c[0] ** (k - 1))
    others = _solved((c[1:, None] ** (k - 1)).T, rest.T).T
    return np.column_stack([np.full(c.size, b[0]), others])


def source_of(name: str) -> str:
    """Return where a method was published."""
    return tableaux.get(name).source


def _add(
    name: str, title: str, a: Array, b: Array, source: str, *aliases: str, c: Array | None = None,
    embedded: Array | None = None,
) -> None:  # fmt: skip
    at = a.sum(axis=1) if c is None else c
    for values in (a, b, at):
        values.flags.writeable = False
    method = Tableau(name=name, title=title, a=a, b=b, c=at, source=source, aliases=aliases, embedded=embedded)
    tableaux.register(name, method, aliases)


def _families() -> None:
    also = {
        "gauss-1": ("implicit-midpoint",), "gauss-2": ("gauss",), "radau-iia-1": ("backward-euler", "implicit-euler"),
        "radau-iia-2": ("radau-iia",), "radau-ia-2": ("radau-ia",), "lobatto-iiia-2": ("trapezoidal",),
        "lobatto-iiia-3": ("lobatto-iiia",), "lobatto-iiib-3": ("lobatto-iiib",), "lobatto-iiic-3": ("lobatto-iiic",),
    }  # fmt: skip
    found: list[tuple[str, str, Array, Array, Array]] = []
    for s in (1, 2, 3, 4):
        c = _gauss(s)
        found.append((f"gauss-{s}", f"Gauss, {s} stages", _collocation(c), _weights(c), c))
    for s in (1, 2, 3):
        right = _radau_right(s)
        left = 1.0 - right[::-1]
        found.append((f"radau-ia-{s}", f"Radau IA, {s} stages", _adjoint(left, _weights(left)), _weights(left), left))
        found.append((f"radau-iia-{s}", f"Radau IIA, {s} stages", _collocation(right), _weights(right), right))
    for s in (2, 3, 4):
        c = _lobatto(s)
        b = _weights(c)
        found.append((f"lobatto-iiia-{s}", f"Lobatto IIIA, {s} stages", _collocation(c), b, c))
        found.append((f"lobatto-iiib-{s}", f"Lobatto IIIB, {s} stages", _adjoint(c, b), b, c))
        found.append((f"lobatto-iiic-{s}", f"Lobatto IIIC, {s} stages", _lobatto_c(c, b), b, c))
    for name, title, a, b, c in found:
        a[np.abs(a) < 1e-15] = 0.0  # zeros of the families, but for rounding
        _add(name, title.replace("1 stages", "1 stage"), a, b.copy(), BOOK, *also.get(name, ()), c=c.copy())


def _singly_implicit() -> None:
    """Add Burrage's two stages: collocation at λ times the zeros of Laguerre's L₂, λ = (3+√3)/6."""
    shift = (3.0 + math.sqrt(3.0)) / 6.0
    c = shift * np.array([2.0 - math.sqrt(2.0), 2.0 + math.sqrt(2.0)])
    _add("burrage", "Burrage, 2 stages, singly implicit", _collocation(c), _weights(c), BURRAGE, "burrage-2")


def _diagonally_implicit() -> None:
    low = 1.0 - math.sqrt(0.5)
    _add(
        "sdirk-2", "SDIRK, 2 stages, L-stable", np.array([[low, 0.0], [1.0 - low, low]]), np.array([1.0 - low, low]),
        ALEXANDER, "sdirk",
    )  # fmt: skip
    high = (3.0 + math.sqrt(3.0)) / 6.0
    _add(
        "sdirk-2-crouzeix", "SDIRK, 2 stages, order 3 (Nørsett, Crouzeix)",
        np.array([[high, 0.0], [1.0 - 2.0 * high, high]]), np.array([0.5, 0.5]), BOOK, "norsett-crouzeix",
    )  # fmt: skip
    g = 0.436  # near the root of g³ − 3g² + 3g/2 − 1/6 that makes three stages L-stable
    for _ in range(6):
        g -= (((g - 3.0) * g + 1.5) * g - 1.0 / 6.0) / ((3.0 * g - 6.0) * g + 1.5)
    b1, b2 = -1.5 * g * g + 4.0 * g - 0.25, 1.5 * g * g - 5.0 * g + 1.25
    _add(
        "sdirk-3", "SDIRK, 3 stages, L-stable",
        np.array([[g, 0.0, 0.0], [0.5 * (1.0 - g), g, 0.0], [b1, b2, g]]), np.array([b1, b2, g]), ALEXANDER,
    )  # fmt: skip


def _explicit() -> None:
    half = np.zeros((4, 4))
    half[1, 0] = half[2, 1] = 0.5
    half[3, 2] = 1.0
    _add("rk4", "Runge and Kutta's classical method", half, np.array([1.0, 2.0, 2.0, 1.0]) / 6.0, FIRST_BOOK, "erk4")
    a = np.zeros((7, 7))
    for i, row in enumerate(
        (
            (1 / 5,),
            (3 / 40, 9 / 40),
            (44 / 45, -56 / 15, 32 / 9),
            (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
            (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
            (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
        ),
        1,
    ):
        a[i, : len(row)] = row
    lower = np.array([5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])
    _add("dormand-prince", "Dormand and Prince 5(4)", a, a[-1].copy(), PRINCE, "dopri5", "rk45", embedded=lower)


_families()
_singly_implicit()
_diagonally_implicit()
_explicit()
