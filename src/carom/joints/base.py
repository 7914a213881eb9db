"""What ties rows of a structure together with force and memory: the contract, and how rules are found.

A rule is one module: a frozen dataclass with units and ranges, its source, the numbers that it hands to its kernel
functions, and these functions themselves. They are plain Python of floats and arrays that a compiler can take: `math`,
arithmetic, other functions of the same module; no arrays of their own. Values go in and values come out::

    f, ∂f/∂d, ∂f/∂ḋ = follow(numbers, memory, d, rate, after)                    one row
    follow(numbers, memory, d, rate, after, force, by_d, by_rate)                2 or 3 rows
    energy = stored(numbers, memory, d)

`numbers` and `memory` are the joint's own, counted from 0. `memory` is what it remembers from the end of the last step,
zeros before the first; it is left as it is, for most calls are trials. `after` takes what it would remember if a step
ended here. With several rows d, rate and `force` are vectors, and `by_d[i, j]` is ∂fᵢ/∂dⱼ. `stored` is what the force
can give back where the last step ended. A force f acts on the structure along −f·rows.
"""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self, TypeVar

from carom.citation import Source
from carom.errors import InputError, refusal
from carom.registry import Registry
from carom.units import POSITIVE, Range, number

__all__ = ["InternalSpring", "Joint", "joints", "register_joint"]


@dataclass(frozen=True)
class Joint(ABC):
    """A rule with its parameters: force from deformation, rate and memory."""

    name: ClassVar[str]
    """The word by which scenario files and tables know the rule."""
    units: ClassVar[dict[str, tuple[str, Range]]]
    """Unit and range of every parameter; one whose default is None may be left out."""
    source: ClassVar[Source | None] = None
    """Where the rule was published; None for what everybody knows."""
    dimension: ClassVar[int] = 1
    """Rows that it ties together, 1 to 3."""
    slots: ClassVar[int] = 0
    """Numbers that it remembers."""
    rate_dependent: ClassVar[bool] = False
    """Whether the force depends on the rate of deformation."""
    step_error: ClassVar[float] = 1e-12
    """How much of the largest force may depend on the steps in which a straight path from rest is gone."""
    follow: ClassVar[Callable[..., Any]]
    """Force and tangents at a deformation: a kernel function, as `staticmethod`."""
    stored: ClassVar[Callable[..., float]]
    """Energy [J] that can be had back where the last step ended: likewise."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            given = getattr(self, entry.name)
            if entry.init and not (given is None and entry.default is None):
                unit, within = self.units[entry.name]
                value: Any = number(given, unit, name=entry.name, owner=type(self).__name__, within=within)
                object.__setattr__(self, entry.name, value)

    @abstractmethod
    def numbers(self) -> tuple[float, ...]:
        """Return what the kernel functions take, in their order."""


@dataclass(frozen=True)
class InternalSpring(Joint):
    """What a storey carries besides its elastic force k·d: f − k·d, of one row, the storey's drift."""

    elastic: float = field(default=math.nan, init=False, repr=False)
    """k of the storey [N/m], once the rule is bound to one."""

    def bound_to(self, stiffness: float | str) -> Self:
        """Return the same rule beside an elastic spring k [N/m] that the structure has already."""
        bound = copy.copy(self)
        k = number(stiffness, "N/m", name="stiffness", owner=type(self).__name__, within=POSITIVE)
        object.__setattr__(bound, "elastic", k)
        return bound

    def numbers(self) -> tuple[float, ...]:
        """Return what the kernel functions take."""
        if math.isnan(self.elastic):
            raise InputError(
                f"{type(self).__name__} acts beside an elastic spring, whose stiffness it does not know yet. "
                "Give it to a storey, or write bound_to(stiffness)."
            )
        return self.beside(self.elastic)

    @abstractmethod
    def beside(self, k: float) -> tuple[float, ...]:
        """Return what the kernel functions take, beside an elastic spring k [N/m]."""


joints: Registry[type[Joint]] = Registry("joint", "carom.joints")
"""All rules, found in `carom.joints` and added by `register_joint`."""

J = TypeVar("J", bound=type[Joint])


def register_joint(kind: J) -> J:
    """Make a rule known by its name; a decorator of the class."""
    for needed in ("name", "units", "follow", "stored"):
        if not hasattr(kind, needed):
            raise refusal(needed, kind.__name__, "must be given by the class of a joint", None)
    if kind.dimension not in (1, 2, 3):
        raise refusal("dimension", kind.__name__, "must be 1, 2 or 3", kind.dimension)
    joints.register(kind.name, kind)
    return kind
