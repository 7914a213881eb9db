"""`carom.integrate.irk`: a user's own nonsmooth system d p(u)/dt = f(t, u) by any Runge-Kutta method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, RunError, refusal
from carom.integrate.nonsmooth.slanting import slanting
from carom.integrate.nonsmooth.stage_equations import NEWTONS, Stuck, System, two_arguments
from carom.integrate.nonsmooth.switching import Switch
from carom.integrate.tableaux import Tableau, tableau
from carom.results import Outcome, Trajectory
from carom.units import POSITIVE, Range, number

__all__ = ["irk"]

Array: TypeAlias = npt.NDArray[np.float64]

OWNER = "irk"
TOLERANCES = Range(1e-13, 1e-1, low_open=False, high_open=False)
NEWTON_TOLERANCE = 1e-13
SHORTEST = 1e-13
"""Of the time that is run: a step below this is lost in rounding."""


def irk(
    f: Callable[..., Any],
    u0: npt.ArrayLike,
    t: npt.ArrayLike,
    p: Callable[..., Any] | None = None,
    jac: Callable[..., Any] | None = None,
    *,
    scheme: str | Tableau = "radau-iia",
    h: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    p_jac: Callable[..., Any] | None = None,
    switch: Callable[..., Any] | None = None,
    newton: str = "slanting",
    step_limit: int = 1_000_000,
    fail: str = "raise",
) -> Trajectory:
    """Solve d p(u)/dt = f from u0, with a fixed step or to a tolerance.

    Parameters
    ----------
    f
        f(u) or f(t, u), shape (n,): continuous, kinks allowed.
    u0
        State at the first time, shape (n,).
    t
        First time, times at which a step must end (kinks in time, say), last time; increasing.
    p
        p(u) or p(t, u), shape (n,), differentiable; None: u itself.
    jac
        Slanting function of f, shape (n, n), with f's arguments; None: found automatically.
    scheme
        Name of a Runge-Kutta method, or a `Tableau`.
    h
        Longest fixed step: each stretch of `t` is divided into equal steps of at most h.
    rtol
        Tolerance per step instead of h; the error is that of one step against two of half the length.
    atol
        Absolute tolerance; default: rtol.
    p_jac
        Jacobian of p; None: found automatically.
    switch
        g(u) or g(t, u), a number or several: f has its kinks where one is zero. Steps then end there, located to
        rounding, and f and `jac` take (t, u, side), side = 1 where g > 0 and −1 where g < 0: what holds on that side,
        continued beyond it. The side is held through a step, so that every method keeps its order. f may even jump.
        That a g leaves its side and comes back within one step is not seen; a state that neither side lets go
        (sliding) ends the run.
    newton
        ``"slanting"``: a new slanting function in every iteration; ``"simplified"``: one per step;
        ``"inexact"``: linear systems solved by GMRES to 1e-3.
    step_limit
        Largest number of steps, rejected ones included.
    fail
        ``"raise"``, or ``"return"`` to get what was reached.

    Examples
    --------
    >>> import numpy as np
    >>> from carom.integrate import irk
    >>> ball = irk(lambda u: np.array([u[1], -np.maximum(u[0], 0.0)]), [0.0, 1.0], [0.0, np.pi, 4.0], h=0.01)
    >>> [round(float(x), 6) for x in ball.state[-1]]
    [-0.858407, -1.0]

    The same, with the time at which the spring lets go found on the way:

    >>> ball = irk(
    ...     lambda t, u, side: np.array([u[1], -u[0] if side > 0 else 0.0]), [0.0, 1.0], [0.0, 4.0],
    ...     switch=lambda u: u[0], scheme="radau-iia-3", h=0.1,
    ... )
    >>> [round(float(t), 7) for t in ball.kinks]
    [3.1415927]
    """
    method = tableau(scheme)
    start = np.atleast_1d(np.asarray(u0, dtype=np.float64)).copy()
    times = np.asarray(t, dtype=np.float64)
    if start.ndim != 1 or not np.isfinite(start).all():
        raise refusal("u0", OWNER, "must be a list of finite numbers", u0)
    if times.ndim != 1 or times.size < 2 or not (np.diff(times) > 0.0).all() or not np.isfinite(times).all():
        raise refusal("t", OWNER, "must be two or more increasing times", t, "Write t=[0, 10].")
    if (h is None) == (rtol is None):
        raise InputError("irk needs either `h`, a fixed step, or `rtol`, a tolerance.")
    if newton not in NEWTONS:
        raise refusal("newton", OWNER, f"must be one of {', '.join(NEWTONS)}", newton)
    if fail not in ("raise", "return"):
        raise refusal("fail", OWNER, "must be 'raise' or 'return'", fail)
    longest = None if h is None else number(h, "", name="h", owner=OWNER, within=POSITIVE)
    wanted = 0.0 if rtol is None else number(rtol, "", name="rtol", owner=OWNER, within=TOLERANCES)
    if switch is not None and not callable(switch):
        raise refusal("switch", OWNER, "must be a function g(u) or g(t, u)", switch)
    kinks = None if switch is None else Switch(two_arguments(switch), OWNER, float(times[0]), start.copy())
    held = None if p is None else two_arguments(p)
    rate = two_arguments(f) if kinks is None else kinks.held(f, "f", OWNER)
    by_hand = None if jac is None else two_arguments(jac) if kinks is None else kinks.held(jac, "jac", OWNER)
    if np.shape(rate(float(times[0]), start.copy())) != start.shape:
        raise refusal("f", OWNER, f"must return {start.size} numbers, as many as u0", np.shape(rate(times[0], start)))
    system = System(
        f=rate,
        f_slant=slanting(rate) if by_hand is None else by_hand,
        p=held,
        p_slant=None if held is None else slanting(held) if p_jac is None else two_arguments(p_jac),
        method=method,
        newton=newton,
        tolerance=max(NEWTON_TOLERANCE, 1e-4 * wanted),
    )
    march = _March(system, times, start, step_limit, kinks)
    if longest is not None:
        march.fixed(longest)
    else:
        march.controlled(wanted, wanted if atol is None else number(atol, "", name="atol", owner=OWNER))
    found = march.trajectory()
    if found.outcome.failed and fail == "raise":
        raise RunError(f"The run failed: {found.message}")
    return found


class _March:
    """The steps so far, and how to take more."""

    def __init__(self, system: System, times: Array, start: Array, limit: int, switch: Switch | None):
        self.system, self.times, self.limit, self.switch = system, times, limit, switch
        self.t, self.u = float(times[0]), start
        self.span = float(times[-1] - times[0])
        self.steps: list[tuple[float, Array, Array]] = []
        self.accepted = self.rejected = 0
        self.kinks: list[float] = []
        self.turned: set[int] = set()  # kinks at the present time whose side was changed there
        self.outcome = Outcome.FINISHED
        try:
            self.slope = system.slope(self.t, start)
            if switch is not None:
                switch.begin(self.t, start, self.slope, self.span)
                self.slope = system.slope(self.t, start)
        except Stuck as stuck:
            self.slope, self.outcome = np.full_like(start, np.nan), stuck.outcome
        self._keep()

    def _keep(self) -> None:
        self.steps.append((self.t, self.u, self.slope))

    def _accept(self, t: float, u: Array) -> None:
        self.slope = self.system.slope(t, u)
        self.t, self.u = t, u
        self.accepted += 1
        self.turned.clear()
        self._keep()

    def _reach(self, t: float, h: float, u: Array, move: Callable[[float], Array]) -> None:
        """Accept a step to u, or what of it lies before a kink; `move`: the state after a shorter step."""
        share, kink = (1.0, -1) if self.switch is None else self.switch.cut(self.t, h, self.u, u, move)
        if self.switch is None or kink < 0:
            self._accept(t, u)
            return
        if share * h >= SHORTEST * self.span:
            self._accept(self.t + share * h, move(share * h))
        elif kink in self.turned:  # neither side lets it go
            raise Stuck(Outcome.NO_SOLUTION)
        self.turned.add(kink)
        self.switch.sides[kink] *= -1.0
        self.kinks.append(self.t)
        before, self.slope = self.slope, self.system.slope(self.t, self.u)
        if not np.allclose(before, self.slope, rtol=1e-9, atol=1e-9 * float(np.abs(before).max())):
            self._keep()

    def fixed(self, longest: float) -> None:
        """Divide every stretch, and what a kink leaves of it, into equal steps."""
        for last in self.times[1:].tolist():
            seen = -1
            while self.t < last:
                if self.outcome.failed or self._spent():
                    return
                if len(self.kinks) != seen:
                    seen, first, k = len(self.kinks), self.t, 0
                    count = max(int(np.ceil((last - first) / longest - 1e-9)), 1)
                    h = (last - first) / count
                k += 1
                try:
                    self._reach(last if k == count else first + k * h, h, self._whole(h), self._whole)
                except Stuck as stuck:
                    self.outcome = stuck.outcome

    def controlled(self, rtol: float, atol: float) -> None:
        """Let the error of each step choose the length of the next."""
        h, order = self.span / 100.0, self.system.method.order
        for last in self.times[1:].tolist():
            while self.t < last:
                if self.outcome.failed or self._spent():
                    return
                left = last - self.t
                taken = left if h >= left * (1.0 - 1e-12) else min(h, 0.5 * left) if h > 0.5 * left else h
                try:
                    u, error = self._tried(taken, rtol, atol, order)
                    if error <= 1.0:
                        self._reach(last if taken == left else self.t + taken, taken, u, self._halves)
                    else:
                        self.rejected += 1
                    factor = min(5.0, max(0.2, 0.85 * max(error, 1e-10) ** (-1.0 / (order + 1))))
                except Stuck as stuck:
                    self.rejected += 1
                    factor, error, why = 0.25, np.inf, stuck.outcome
                    if taken * factor < SHORTEST * self.span:
                        self.outcome = why
                h = taken * factor if error > 1.0 or taken == h else max(h, taken * factor)
                if h < SHORTEST * self.span and not self.outcome.failed:
                    self.outcome = Outcome.STEP_UNDERFLOW

    def _whole(self, h: float) -> Array:
        return self.system.step(self.t, h, self.u, self.slope)

    def _halves(self, h: float) -> Array:
        half = self._whole(0.5 * h)
        return self.system.step(self.t + 0.5 * h, 0.5 * h, half, self.system.slope(self.t + 0.5 * h, half))

    def _tried(self, h: float, rtol: float, atol: float, order: int) -> tuple[Array, float]:
        """Return the state after two half steps, and its error in units of the tolerance."""
        whole, u = self._whole(h), self._halves(h)
        scale = atol + rtol * np.maximum(np.abs(u), np.abs(self.u))
        return u, float(np.abs((u - whole) / scale).max()) / (2.0**order - 1.0)

    def _spent(self) -> bool:
        if self.accepted + 1 + self.rejected > self.limit:
            self.outcome = Outcome.STEP_LIMIT
        return self.outcome.failed

    def trajectory(self) -> Trajectory:
        """Return what was reached, and what it took."""
        said = self.outcome.text
        if self.outcome.failed:
            shown = ", ".join(f"{x:.6g}" for x in self.u[:6]) + (", …" if self.u.size > 6 else "")
            said = f"{said} (at t = {self.t:.9g}, u = [{shown}])."
        counts = self.system.counts
        names = ("iterations", "evaluations", "jacobians", "linear_solves")
        return Trajectory(
            time=np.array([t for t, _, _ in self.steps]),
            state=np.array([u for _, u, _ in self.steps]),
            slope=np.array([slope for _, _, slope in self.steps]),
            kinks=np.array(self.kinks),
            outcome=self.outcome,
            message=said,
            evidence={
                "scheme": self.system.method.name,
                "newton": self.system.newton,
                "steps": self.accepted,
                "rejected_steps": self.rejected,
                "kinks": len(self.kinks),
                **{name: counts[name] for name in names},
            },
        )
