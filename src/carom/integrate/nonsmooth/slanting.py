"""Slanting functions: Jacobians of functions with kinks, by hand or found automatically.

A slanting function (Chen, Nashed and Qi 2000) is at every point a matrix that predicts the function's change well
enough for Newton's method. Where f is smooth it is the Jacobian; on a kink of max, min, |·| or the positive part any
one-sided derivative will do, and one side is what a comparison of two numbers picks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Dual", "slanting"]

Array: TypeAlias = npt.NDArray[np.float64]
Function: TypeAlias = Callable[[float, Array], Array]


class Dual:
    """A number with its gradient; NumPy's functions find their counterparts here, entry by entry."""

    __slots__ = ("grad", "value")

    def __init__(self, value: float, grad: Array) -> None:
        self.value, self.grad = value, grad

    def _of(self, value: float, slope: float) -> Dual:
        return Dual(value, slope * self.grad)

    def __add__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.grad + other.grad)
        return Dual(self.value + float(other), self.grad)

    def __mul__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value * other.value, self.value * other.grad + other.value * self.grad)
        return Dual(self.value * float(other), float(other) * self.grad)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.grad)

    def __pos__(self) -> Dual:
        return self

    def __sub__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value - other.value, self.grad - other.grad)
        return Dual(self.value - float(other), self.grad)

    def __rsub__(self, other: Any) -> Dual:
        return Dual(float(other) - self.value, -self.grad)

    def __truediv__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return self * other._of(1.0 / other.value, -1.0 / other.value**2)
        return self * (1.0 / float(other))

    def __rtruediv__(self, other: Any) -> Dual:
        return self._of(float(other) / self.value, -float(other) / self.value**2)

    def __pow__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return (other * self.log()).exp()
        n = float(other)
        if n == 0.0:
            return self._of(1.0, 0.0)
        return self._of(self.value**n, n * self.value ** (n - 1.0) if self.value != 0.0 or n >= 1.0 else math.inf)

    def __rpow__(self, other: Any) -> Dual:
        power = float(other) ** self.value
        return self._of(power, power * math.log(float(other)))

    def __abs__(self) -> Dual:
        return self if self.value >= 0.0 else -self

    def _less(self, other: Any) -> bool:
        return self.value < (other.value if isinstance(other, Dual) else float(other))

    def __lt__(self, other: Any) -> bool:
        return self._less(other)

    def __ge__(self, other: Any) -> bool:
        return not self._less(other)

    def __le__(self, other: Any) -> bool:
        return self.value <= (other.value if isinstance(other, Dual) else float(other))

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Dual) else other))

    __hash__ = None  # type: ignore[assignment]

    # what NumPy calls on the entries of an array of objects
    def sin(self) -> Dual:
        """Return the sine."""
        return self._of(math.sin(self.value), math.cos(self.value))

    def cos(self) -> Dual:
        """Return the cosine."""
        return self._of(math.cos(self.value), -math.sin(self.value))

    def tan(self) -> Dual:
        """Return the tangent."""
        return self._of(math.tan(self.value), 1.0 + math.tan(self.value) ** 2)

    def exp(self) -> Dual:
        """Return the exponential."""
        return self._of(math.exp(self.value), math.exp(self.value))

    def log(self) -> Dual:
        """Return the natural logarithm."""
        return self._of(math.log(self.value), 1.0 / self.value)

    def sqrt(self) -> Dual:
        """Return the square root."""
        return self**0.5

    def tanh(self) -> Dual:
        """Return the hyperbolic tangent."""
        return self._of(math.tanh(self.value), 1.0 - math.tanh(self.value) ** 2)

    def arctan(self) -> Dual:
        """Return the inverse tangent."""
        return self._of(math.atan(self.value), 1.0 / (1.0 + self.value**2))


def slanting(function: Function) -> Function:
    """Return a slanting function of `function(t, u)`, shape (n, n): exact by dual numbers, else by differences.

    Dual numbers pass through arithmetic, comparisons, NumPy's elementary functions, `maximum`, `minimum`, `abs` and
    `where`. A function that does not let them pass (`math.sin`, compiled code) is differenced forwards.
    """
    lets_pass = True

    def slant(t: float, u: Array) -> Array:
        nonlocal lets_pass
        if lets_pass:
            try:
                return _by_duals(function, t, u)
            except (TypeError, AttributeError, ValueError):
                lets_pass = False
        return _by_differences(function, t, u)

    return slant


def _by_duals(function: Function, t: float, u: Array) -> Array:
    unit = np.eye(u.size)
    seeds = np.array([Dual(float(x), unit[i]) for i, x in enumerate(u)], dtype=object)
    value = np.asarray(function(t, seeds), dtype=object)
    return np.array([y.grad if isinstance(y, Dual) else 0.0 * unit[0] + 0.0 * float(y) for y in value])


def _by_differences(function: Function, t: float, u: Array) -> Array:
    before = np.asarray(function(t, u), dtype=np.float64)
    found = np.empty((before.size, u.size))
    for j in range(u.size):
        moved = u.copy()
        moved[j] += 1.5e-8 * max(abs(u[j]), 1e-3)
        found[:, j] = (np.asarray(function(t, moved), dtype=np.float64) - before) / (moved[j] - u[j])
    return found
