"""A user's own force function inside our kernels: the same text with other leaves.

The power-law functions that a kernel calls are replaced by ones that call the user's function, and the whole
is compiled for this process.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled_with
from carom.errors import InputError
from carom.integrate.tables.joint_rules import Parts, Rules, guarded
from carom.kernels.event.mode_table import TYPICAL_SPEED
from carom.kernels.explicit.single_impacts import run as kernel
from carom.kernels.laws import function_law, power_law
from carom.laws.base import FunctionLaw
from carom.problem import FlatProblem

__all__ = ["kernel_for", "row_for", "scales_for", "with_functions"]


@cache
def kernel_for(kind: Any) -> Callable[..., Any]:
    """Return the impact kernel with the force function of a `FunctionLaw` class in place of the power law."""
    return guarded(f"law '{kind.name}'", compiled_with(kernel.impact, _replacements(kind.function)))


def with_functions(
    flat: FlatProblem, kernel: Callable[..., Any], rules: Rules | None = None, parts: Parts = ()
) -> tuple[FlatProblem, Any]:
    """Return the problem with a row for each law, and the kernel with the force of laws that are Python functions.

    None stands for the kernel where no law is one. `rules` are those of the joints, where the kernel knows any.
    """
    functions = [law for law in flat.functions if law is not None]
    if not functions:
        return flat, None
    kind: Any = type(functions[0])
    if len(functions) < len(flat.functions) or any(type(law) is not kind for law in functions):
        raise InputError(
            "simulate takes one law that is a Python function for all contacts, or laws of the power form; "
            f"this problem mixes {', '.join(sorted(set(flat.law_names)))}. The function is compiled into the "
            "engine in place of the power form, for all contacts. Give them one law: problem.replace(law=…)."
        )
    made = [row_for(law, mass) for law, mass in zip(functions, flat.effective_mass, strict=True)]
    return replace(flat, laws=np.array(made)), _in_contact(kind, kernel, rules, parts)


@cache
def _in_contact(kind: Any, kernel: Callable[..., Any], rules: Rules | None, parts: Parts) -> Callable[..., Any]:
    """Return an engine with the force function of a `FunctionLaw` class in place of the power law."""
    names = ("elastic_force", "stored_energy", "damping_force", "force", "grading")
    leaves = {getattr(power_law, name): getattr(function_law, f"{name}_in_contact") for name in names}
    replacements = {
        **leaves,
        power_law.force_slopes: function_law.slopes_in_contact,
        function_law.contact_function: kind.function,
    }
    if rules is None:
        return guarded(f"law '{kind.name}'", compiled_with(kernel, replacements))
    made = compiled_with(kernel, {**replacements, **rules.parts, **dict(parts)}, rules.modules)
    return guarded(f"law '{kind.name}'", made)


def row_for(law: FunctionLaw, mass: float) -> npt.NDArray[np.float64]:
    """Return a coefficient row that gives the engine scales: Hertz's form with the static force of a typical impact."""
    _, overlap = scales_for(law, mass, TYPICAL_SPEED, 0.0)
    row = np.zeros(power_law.SIZE)
    row[power_law.STIFFNESS] = float(type(law).function(overlap, 0.0)) / overlap**1.5
    row[power_law.EXPONENT] = 1.5
    row[power_law.RESTITUTION_SHARE] = 1.0
    row[power_law.TENSION] = float(law.tension)
    row[power_law.PUBLISHED_RATE] = 1.0
    return row


def scales_for(law: FunctionLaw, mass: float, velocity: float, gravity: float) -> tuple[npt.NDArray[np.float64], float]:
    """Return a coefficient row with a typical speed, and a typical overlap [m], from the static force."""

    def static(overlap: float) -> float:
        return float(type(law).function(overlap, 0.0))

    speed = velocity
    if gravity > 0.0:
        sag = _first(lambda overlap: static(overlap) >= mass * gravity, law.name)
        speed = max(velocity, math.sqrt(gravity * sag))
    scale = _first(lambda overlap: static(overlap) * overlap >= mass * speed * speed, law.name)
    row = np.zeros(power_law.SIZE)
    row[function_law.SPEED] = speed
    row[power_law.RESTITUTION_SHARE] = 1.0
    row[power_law.TENSION] = float(law.tension)
    row[power_law.PUBLISHED_RATE] = 1.0
    return row, scale


def _first(reached: Callable[[float], bool], name: str) -> float:
    overlap = 1e-18
    while not reached(overlap):
        overlap *= 2.0
        if overlap > 1e6:
            raise InputError(
                f"The force of law '{name}' at rest never grows enough to stop the body. It must rise with overlap."
            )
    return overlap


def _replacements(function: Callable[[float, float], float]) -> dict[Callable[..., Any], Callable[..., Any]]:
    names = (
        "elastic_force",
        "damping_force",
        "force",
        "force_slopes",
        "grading",
        "never_separates",
        "resting_overlap",
        "speed_scale",
    )
    leaves = {getattr(power_law, name): getattr(function_law, name) for name in names}
    return {**leaves, function_law.contact_function: function}
