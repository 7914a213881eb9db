"""Kinks that a step must not straddle: surfaces g(t, u) = 0, and the side of each that a step belongs to.

A method of order p needs f with p derivatives along the step. Ending a step on the kink is not enough: a stage may lie
beyond the step (Burrage's second node is at 2.69 h), or fall to the wrong side of the kink that the step begins on
(the first stage of Radau IA is not the state there). So f is told the side, and stays on it for the whole step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.errors import refusal
from carom.integrate.nonsmooth.stage_equations import Function, positional

__all__ = ["Switch"]

Array: TypeAlias = npt.NDArray[np.float64]

AHEAD = 1e-6
"""Of the time that is run: how far ahead a state on a kink is looked at, to see where it goes."""
HALVINGS = 40


class Switch:
    """Surfaces g(t, u) = 0, and the sides that are held, 1 where g > 0 and −1 where g < 0."""

    def __init__(self, g: Function, owner: str, t: float, u: Array) -> None:
        self._g = g
        found = np.asarray(g(t, u), dtype=np.float64)
        if found.ndim > 1 or not found.size or not np.isfinite(found).all():
            raise refusal("switch", owner, "must return a finite number, or a list of them", found)
        self.single = found.ndim == 0
        self.sides: Array = np.ones(found.size)

    @property
    def side(self) -> float | Array:
        """What f is told: a number where g is one."""
        return float(self.sides[0]) if self.single else self.sides.copy()

    def held(self, function: Any, name: str, owner: str) -> Function:
        """Return a function of (t, u) from the user's of (t, u, side)."""
        if positional(function) != 3:
            raise refusal(
                name, owner, "must take (t, u, side) where `switch` is given", function,
                "Return what holds on that side of the kink, continued beyond it.",
            )  # fmt: skip
        return lambda t, u: function(t, u, self.side)

    def values(self, t: float, u: Array) -> Array:
        """Return g on the sides that are held: negative where one was left."""
        return self.sides * np.atleast_1d(np.asarray(self._g(t, u), dtype=np.float64))

    def begin(self, t: float, u: Array, slope: Array, span: float) -> None:
        """Take the sides of a state; one on a kink is on the side it goes to."""
        self.sides[:] = 1.0
        here, ahead = self.values(t, u), self.values(t + AHEAD * span, u + AHEAD * span * slope)
        self.sides[:] = np.where(np.where(here == 0.0, ahead, here) < 0.0, -1.0, 1.0)

    def cut(self, t: float, h: float, u: Array, end: Array, move: Callable[[float], Array]) -> tuple[float, int]:
        """Return how much of a step from u to `end` lies before the first kink, and that kink's number, −1 for none.

        `move`: the state after a shorter step. A share of 0: the state does not go to the side that is held.
        """
        from scipy.optimize import brentq

        start = self.values(t, u)
        share, which = 1.0, -1
        for i in np.flatnonzero(self.values(t + h, end) < 0.0).tolist():

            def inside(x: float, i: int = i) -> float:
                return float(start[i] if x == 0.0 else self.values(t + x * h, move(x * h))[i])

            if which >= 0 and inside(share) > 0.0:
                continue
            shorter = [0.0] if start[i] > 0.0 else (share * 0.5**k for k in range(1, HALVINGS))
            low = next((x for x in shorter if inside(x) > 0.0), None)
            share, which = 0.0 if low is None else brentq(inside, low, share, xtol=1e-17, rtol=1e-15), i
            if share == 0.0:
                break
        return share, which
