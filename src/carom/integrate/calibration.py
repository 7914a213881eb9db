"""Damping and stiffness found by repeating an impact: what the papers call their iterative procedure."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, TypeVar

from scipy.optimize import brentq

from carom.errors import InputError, RunError, UnknownNameError, refusal
from carom.integrate.impact import Conditions, conditions_of, strike
from carom.laws.base import CompliantLaw, DampedLaw, FunctionLaw
from carom.units import POSITIVE, number

__all__ = ["calibrated", "fit_stiffness", "solve_damping"]

L = TypeVar("L", bound=CompliantLaw)
D = TypeVar("D", bound=DampedLaw)

TIGHT = 1e-11  # tolerance of the impacts behind a calibration, so that its root is good to 1e-8


def calibrated(law: CompliantLaw, **conditions: Any) -> CompliantLaw:
    """Return `law` with its damping solved so that achieved restitution = asked restitution."""
    if not isinstance(law, DampedLaw):
        why = "is a Python function, whose damping is inside it" if isinstance(law, FunctionLaw) else "has no damping"
        raise InputError(
            f"calibrated solves for the damping of a law; {law.name} {why}. Choose a law with damping; `carom laws` "
            "lists them."
        )
    return solve_damping(law, _single(law, "calibrated", conditions))


def solve_damping(law: D, conditions: Conditions) -> D:
    """Solve for the damping parameter; achieved restitution falls steadily as damping grows."""
    if law.restitution is None:
        raise InputError(f"`restitution` of {law.name} must be given to calibrate its damping. Got None.")
    asked = float(law.restitution)
    tight = _tightened(conditions)

    def excess(log_damping: float) -> float:
        return strike(law.replace(damping=math.exp(log_damping)), tight).restitution - asked

    undamped = strike(law.replace(damping=0.0), tight).restitution
    if asked > undamped - 1e-9:
        if asked > undamped + 1e-9:
            raise InputError(
                f"`restitution` of {law.name} cannot be {asked:g} under these conditions: even without damping the "
                f"impact returns {undamped:.6g}."
            )
        return law.replace(damping=0.0)
    guess = law.replace(damping=None).damping_from_restitution(asked)
    start = math.log(float(guess)) if guess else _log_damping_scale(law, tight)
    root = _root(excess, start, step=-1.0, what=f"damping of {law.name} for restitution {asked:g}")
    return law.replace(damping=math.exp(root))


def fit_stiffness(law: L, *, peak_force: float | str, **conditions: Any) -> L:
    """Return `law` with the stiffness at which the impact peaks at `peak_force` [N]."""
    if isinstance(law, FunctionLaw):
        raise InputError(
            f"fit_stiffness solves for the `stiffness` of a law; {law.name} is a Python function, whose stiffness is "
            "inside it. Change the function, or choose a law of the catalogue; `carom laws` lists them."
        )
    target = number(peak_force, "N", name="peak_force", owner="fit_stiffness", within=POSITIVE)
    tight = _tightened(_single(law, "fit_stiffness", conditions))

    weight = tight.mass * tight.gravity
    if target <= weight:
        rule = f"must exceed the weight that the contact carries, {weight:.6g} N"
        raise refusal("peak_force", "fit_stiffness", rule, peak_force)

    def excess(log_stiffness: float) -> float:
        trial = law.replace(stiffness=math.exp(log_stiffness))
        if isinstance(trial, DampedLaw) and trial.empirical:
            trial = solve_damping(trial, tight)
        return math.log(strike(trial, tight).peak_force / target)

    start = math.log(law.stiffness)
    root = _root(excess, start, step=1.0, what=f"stiffness of {law.name} for a peak of {target:g} N")
    return law.replace(stiffness=math.exp(root))


def _single(law: CompliantLaw, owner: str, conditions: dict[str, Any]) -> Conditions:
    known = inspect.signature(conditions_of).parameters
    for name in conditions:
        if name not in known:
            raise UnknownNameError(f"condition of {owner}", name, known)
    single = conditions_of(**conditions)
    if single.many or law.many:
        raise InputError(f"{owner} takes single values, not arrays: one law has one damping and one stiffness.")
    return single


def _tightened(conditions: Conditions) -> Conditions:
    return Conditions(conditions.mass, conditions.velocity, conditions.gravity, conditions.pendulum, TIGHT, 100_000)


def _log_damping_scale(law: DampedLaw, conditions: Conditions) -> float:
    """Return the log of a damping whose force is about that of the spring at the middle of the impact."""
    elastic = strike(law.replace(damping=0.0), conditions)
    unit = law.replace(damping=1.0)
    drag = unit.force(elastic.peak_overlap, conditions.velocity, mass=conditions.mass) - elastic.peak_force
    return math.log(elastic.peak_force / float(drag))


def _root(excess: Callable[[float], float], start: float, *, step: float, what: str) -> float:
    """Bracket and solve excess(x) = 0, where excess rises with x if `step` > 0 and falls otherwise."""
    low = high = start
    value = excess(start)
    if value == 0.0:
        return start
    direction = -math.copysign(1.0, value * step)
    for widening in range(60):
        further = high + direction * (0.1 + 0.5 * widening)
        if excess(further) * value <= 0.0:
            return float(brentq(excess, high, further, xtol=1e-13, rtol=1e-14, maxiter=200))
        low, high = high, further
    raise RunError(f"No {what} was found between e^{min(start, low):.0f} and e^{max(start, high):.0f}.")
