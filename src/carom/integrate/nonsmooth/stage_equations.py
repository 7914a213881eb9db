"""One step of a Runge-Kutta method for d p(u)/dt = f(t, u), f only Lipschitz: mahmoud2008 (17)-(19).

    Hᵢ(X) = p(Xᵢ) − p(u₀) − h Σⱼ aᵢⱼ f(Xⱼ) = 0,      p(u₁) = p(u₀) + h Σ bᵢ f(Xᵢ)

solved by the slanting Newton method: a step of Newton with a slanting function in the Jacobian's place, shortened
where the residual would grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.integrate.tableaux import Tableau
from carom.results import Outcome

__all__ = ["NEWTONS", "Stuck", "System", "positional", "two_arguments"]

Array: TypeAlias = npt.NDArray[np.float64]
Function: TypeAlias = Callable[[float, Array], Array]

NEWTONS = ("slanting", "simplified", "inexact")
MOST_ITERATIONS = 50
STALLED = 1e-9
"""A correction this small, relative to the state, that shrinks no further is rounding."""


class Stuck(Exception):
    """A step that cannot be taken, and why."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.text)


@dataclass
class System:
    """The equations, how they are solved, and the count of what it took."""

    f: Function
    f_slant: Function
    p: Function | None
    p_slant: Function | None
    method: Tableau
    newton: str
    tolerance: float
    counts: Counter[str] = field(default_factory=Counter)

    def rate(self, t: float, u: Array) -> Array:
        """Return f, counted."""
        self.counts["evaluations"] += 1
        found = np.asarray(self.f(t, u), dtype=np.float64)
        if not np.isfinite(found).all():
            raise Stuck(Outcome.NOT_FINITE)
        return found

    def slope(self, t: float, u: Array) -> Array:
        """Return du/dt = p′(u)⁻¹ f."""
        f = self.rate(t, u)
        return f if self.p_slant is None else self._solve(np.atleast_2d(self.p_slant(t, u)), f)

    def step(self, t: float, h: float, u: Array, slope: Array) -> Array:
        """Return u at t + h."""
        held = self._held(t, u)
        rates = np.zeros((self.method.stages, u.size))
        x = u.copy()
        for start, stop in self.method.blocks:
            x = self._stages(start, stop, t, h, u, slope, held, rates)
        if self.method.stiffly_accurate:
            return x
        return self._inverted(t + h, held + h * (self.method.b @ rates), u + h * slope)

    def _held(self, t: float, u: Array) -> Array:
        return u if self.p is None else np.asarray(self.p(t, u), dtype=np.float64)

    def _stages(
        self, start: int, stop: int, t: float, h: float, u: Array, slope: Array, held: Array, rates: Array
    ) -> Array:
        """Solve the stages of one block, write their rates; return the last."""
        a, c = self.method.a[start:stop, start:stop], self.method.c[start:stop]
        known = held + h * (self.method.a[start:stop, :start] @ rates[:start])
        at = t + h * c
        if stop - start == 1 and a[0, 0] == 0.0:
            x = self._inverted(float(at[0]), known[0], u)
            rates[start] = self.rate(float(at[0]), x)
            return x
        try:
            x = self._solved(a, at, h, known, u + h * c[:, None] * slope, rates[start:stop])
        except Stuck:  # the guess may have been too bold
            x = self._solved(a, at, h, known, np.tile(u, (c.size, 1)), rates[start:stop])
        return np.asarray(x[-1])

    def _solved(self, a: Array, at: Array, h: float, known: Array, guess: Array, rates: Array) -> Array:
        """Solve p(Xᵢ) − h Σ aᵢⱼ f(Xⱼ) = known."""
        s, n = guess.shape

        def residual(x: Array) -> Array:
            for i in range(s):
                rates[i] = self.rate(float(at[i]), x[i])
            now = x if self.p is None else np.array([self._held(float(at[i]), x[i]) for i in range(s)])
            return now - known - h * (a @ rates)

        def jacobian(x: Array) -> Array:
            self.counts["jacobians"] += 1
            found = np.zeros((s, n, s, n))
            for j in range(s):
                found[:, :, j, :] = -h * a[:, j, None, None] * np.atleast_2d(self.f_slant(float(at[j]), x[j]))
                found[j, :, j, :] += np.eye(n) if self.p_slant is None else self.p_slant(float(at[j]), x[j])
            return found.reshape(s * n, s * n)

        return self._newton(residual, jacobian, guess)

    def _inverted(self, t: float, target: Array, guess: Array) -> Array:
        """Return u with p(u) = target."""
        if self.p is None or self.p_slant is None:
            return target
        p_slant = self.p_slant
        return self._newton(lambda u: self._held(t, u) - target, lambda u: np.atleast_2d(p_slant(t, u)), guess)

    def _newton(self, residual: Callable[[Array], Array], jacobian: Callable[[Array], Array], guess: Array) -> Array:
        x = guess
        r = residual(x)
        matrix: Array | None = None
        before = np.inf
        for _ in range(MOST_ITERATIONS):
            size = float(np.abs(r).max())
            if size == 0.0:
                return x
            if matrix is None or self.newton != "simplified":
                matrix = jacobian(x)
            self.counts["iterations"] += 1
            change = self._solve(matrix, -r.ravel()).reshape(x.shape)
            share = 1.0
            if float(np.abs(change).max()) <= self.tolerance * float(np.abs(x).max()):
                residual(x + change)  # leaves the rates of what is returned
                return x + change
            while True:
                tried = x + share * change
                found = residual(tried)
                if float(np.abs(found).max()) <= size * (1.0 - 1e-4 * share) or share < 1e-3:
                    break
                share *= 0.5
            far = float(np.abs(share * change).max()) / (1e-300 + float(np.abs(tried).max()))
            if far >= 0.5 * before and far <= STALLED:
                return tried
            if share < 1e-3 and far > STALLED and self.newton == "simplified":
                matrix = None  # the old Jacobian leads nowhere
            before = far
            x, r = tried, found
        raise Stuck(Outcome.NO_SOLUTION)

    def _solve(self, matrix: Array, right: Array) -> Array:
        self.counts["linear_solves"] += 1
        if not np.isfinite(matrix).all():
            raise Stuck(Outcome.SINGULAR)
        if self.newton == "inexact" and right.size > 1:
            from scipy.sparse.linalg import gmres

            found, code = gmres(matrix, right, rtol=1e-3, atol=0.0, restart=min(right.size, 50), maxiter=20)
            if code == 0 and np.isfinite(found).all():
                return np.asarray(found)
        try:
            found = np.linalg.solve(matrix, right)
        except np.linalg.LinAlgError:
            raise Stuck(Outcome.SINGULAR) from None
        if not np.isfinite(found).all() or np.abs(found).max() > 1e14 * (1.0 + np.abs(right).max()):
            raise Stuck(Outcome.SINGULAR)
        return np.asarray(found)


def positional(function: Any) -> int:
    """Return how many arguments a function asks for; 1 where it does not say."""
    import inspect

    try:
        entries = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(entry.default is entry.empty and entry.kind in kinds for entry in entries)


def two_arguments(function: Any) -> Function:
    """Return a function of (t, u), whether the user's takes (t, u) or u alone."""
    if positional(function) >= 2:
        two: Function = function
        return two
    return lambda _t, u: function(u)
