"""The contract of a scheme: a function that takes a `Task` and returns a `Simulation`.

A module of this room that decorates such a function by ``@register_scheme("name")`` is found by itself;
`carom.simulate` hands it what was asked for. Keyword-only arguments of the function are options of the scheme: others
are refused before time starts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.errors import UnknownNameError
from carom.problem import FlatProblem, Problem
from carom.registry import Registry
from carom.results import Simulation

__all__ = ["Scheme", "Task", "register_scheme", "schemes"]


@dataclass(frozen=True, eq=False)
class Task:
    """A problem, and on which samples its history is wanted."""

    problem: Problem
    flat: FlatProblem
    ground: npt.NDArray[np.float64]
    """Ground accelerations [m/s²], shape (supports, samples)."""
    dt: float
    """Time between samples [s]."""
    rtol: float
    step_limit: int

    def __post_init__(self) -> None:
        self.ground.flags.writeable = False  # one type with a record and without: a kernel is compiled once

    @property
    def time(self) -> npt.NDArray[np.float64]:
        """The samples [s]."""
        return self.flat.start + self.dt * np.arange(self.ground.shape[1], dtype=np.float64)


Scheme: TypeAlias = Callable[..., Simulation]

schemes: Registry[Scheme] = Registry("scheme", "carom.integrate.schemes")


def register_scheme(name: str, *, aliases: tuple[str, ...] = ()) -> Callable[[Scheme], Scheme]:
    """Add a scheme under this name."""

    def decorate(scheme: Scheme) -> Scheme:
        return schemes.register(name, scheme, aliases)

    return decorate


def options_of(scheme: Scheme) -> list[str]:
    """Return the options that a scheme takes."""
    return [
        name
        for name, parameter in inspect.signature(scheme).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]


def run_scheme(name: str, task: Task, options: dict[str, Any]) -> Simulation:
    """Run a task by the scheme of that name or alias; unknown options are refused."""
    scheme = schemes.get(name)
    known = options_of(scheme) if options else []
    for given in options:
        if given not in known:
            raise UnknownNameError(f"option of scheme '{schemes.name_of(name)}'", given, known)
    return scheme(task, **options)
