"""The contract of a scheme: a function that takes a `Task` and returns a `Simulation`.

A module of this room that decorates such a function by ``@register_scheme("name")`` is found by itself;
`carom.simulate` hands it what was asked for. Keyword-only arguments of the function are options of the scheme: others
are refused before time starts. What it takes it says as data (`capability.Can`): a problem that asks for more is
refused before it begins, with the schemes that can.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.errors import UnknownNameError
from carom.integrate.schemes.capability import (
    ANYTHING,
    ENSEMBLE,
    SCENE_ENSEMBLE,
    WORDS,
    Can,
    Needs,
    able,
    beyond,
    needs_of,
    refuse_beyond,
)
from carom.kernels import ledger
from carom.problem import FlatProblem
from carom.registry import Registry
from carom.results import Simulation

__all__ = [
    "COLUMNS",
    "Scheme",
    "Task",
    "all_can",
    "can_of",
    "impacts_table",
    "order_of",
    "refuse_beyond_ensemble",
    "refuse_beyond_scheme",
    "register_scheme",
    "schemes",
    "shortfall",
]

COLUMNS = {
    "contact": ledger.CONTACT,
    "start": ledger.BEGAN,
    "duration": ledger.DURATION,
    "approach_velocity": ledger.APPROACH,
    "separation_velocity": ledger.SEPARATION,
    "peak_force": ledger.TABLE_PEAK_FORCE,
    "peak_overlap": ledger.TABLE_PEAK_OVERLAP,
    "impulse": ledger.TABLE_IMPULSE,
    "energy_lost": ledger.ENERGY_LOST,
    "ended": ledger.PARTED,
    "guarded": ledger.TABLE_GUARDED,
}
"""The impacts table: name to the column in which kernels write it."""


def impacts_table(rows: npt.NDArray[np.float64], start: float) -> dict[str, npt.NDArray[np.float64]]:
    """Return the impacts that a kernel wrote by column, in the order in which they began; `start` of the record [s]."""
    rows = rows[np.argsort(rows[:, ledger.BEGAN], kind="stable")]
    found = {name: rows[:, column] for name, column in COLUMNS.items()}
    found["start"] = found["start"] + start
    return found


@dataclass(frozen=True, eq=False)
class Task:
    """A problem as plain arrays, and on which samples its history is wanted."""

    flat: FlatProblem
    ground: npt.NDArray[np.float64]
    """Rows of ground acceleration [m/s²], shape (rows, samples); `FlatProblem.drives` says which drives a mode."""
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

USUAL = ("event", "newmark", "moreau-jean", "hht-alpha", "generalised-alpha")
"""Schemes that are named first."""

schemes: Registry[Scheme] = Registry("scheme", "carom.integrate.schemes")


def register_scheme(
    name: str, *, aliases: tuple[str, ...] = (), can: Can = ANYTHING, of_scenes: Can | None = None,
    order: int | None = None,
) -> Callable[[Scheme], Scheme]:  # fmt: skip
    """Add a scheme under this name; `can` says what it takes, `of_scenes` what where a problem is a scene, if that is
    another thing; `order` is its order, None where it has none."""

    def decorate(scheme: Scheme) -> Scheme:
        scheme.__dict__.update(can=can, of_scenes=of_scenes or can, order=order)
        return schemes.register(name, scheme, aliases)

    return decorate


def can_of(scheme: Scheme) -> Can:
    """Return what a scheme takes."""
    found: Can = scheme.__dict__["can"]
    return found


def order_of(scheme: Scheme) -> int | None:
    """Return the order of a scheme; None where it follows a tolerance alone."""
    found: int | None = scheme.__dict__["order"]
    return found


def refuse_beyond_scheme(name: str, flat: FlatProblem) -> None:
    """Refuse a problem that asks more of a scheme than it can, naming those that can."""
    scheme = schemes.get(name)
    can: Can = can_of(scheme) if flat.scene is None else scheme.__dict__["of_scenes"]
    refuse_beyond(lambda: f"scheme='{schemes.name_of(name)}'", can, needs_of(flat), all_can)


def refuse_beyond_ensemble(needs: Needs, *, scene: bool = False) -> None:
    """Refuse what asks more of `carom.ensemble` than it can, of a `scene` or else, naming the schemes that can."""
    can = SCENE_ENSEMBLE if scene else ENSEMBLE
    refuse_beyond(lambda: "ensemble", can, needs, all_can, instead="carom.simulate does, one run at a time.")


def shortfall(name: str, needs: Needs) -> tuple[dict[str, str], list[str]]:
    """Return what of these needs the scheme `name` does not meet, in words, and the schemes that meet all of them."""
    missing = beyond(can_of(schemes.get(name)), needs)
    return {need: WORDS[need] for need in missing}, able(needs, all_can())


def all_can() -> dict[str, Can]:
    """Return what each scheme takes, those first that people ask for first."""
    usual = [name for name in USUAL if name in schemes]
    names = usual + [name for name in schemes.names() if name not in usual]
    return {name: can_of(schemes.get(name)) for name in names}


def options_of(scheme: Scheme) -> list[str]:
    """Return the options that a scheme takes."""
    return [
        name
        for name, parameter in inspect.signature(scheme).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]


def known_options(name: str) -> tuple[str, list[str]]:
    """Return a scheme's own name, for one of its spellings, and the options it takes."""
    return schemes.name_of(name), options_of(schemes.get(name))


def run_scheme(name: str, task: Task, options: dict[str, Any]) -> Simulation:
    """Run a task by the scheme of that name or alias; unknown options are refused."""
    scheme = schemes.get(name)
    known = options_of(scheme) if options else []
    for given in options:
        if given not in known:
            raise UnknownNameError(f"option of scheme '{schemes.name_of(name)}'", given, known)
    refuse_beyond_scheme(name, task.flat)
    return scheme(task, **options)
