"""The rules of a problem's joints inside our kernels: a chain made of one link for each rule.

A rule's code is its place in the chain. Rules of `carom.joints` make one chain, in the order of their names, which is
compiled with the kernels and kept on disk. A problem with a rule from elsewhere has a chain of its own rules, compiled
for this process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name, compiled, compiled_with
from carom.errors import InputError
from carom.joints import Joint, joints
from carom.kernels import joints as places
from carom.problem import FlatProblem

__all__ = ["Parts", "Rules", "guarded", "kernel_with", "rated", "rules_of", "slots_of", "springs_from", "springs_of"]

Array: TypeAlias = npt.NDArray[np.float64]
Kernel: TypeAlias = Callable[..., Any]
Parts: TypeAlias = tuple[tuple[Kernel, Kernel], ...]
"""Functions of a kernel, and those that take their places."""

OURS = "carom.joints"


class Rules(NamedTuple):
    """The rules in a chain, by their places, and whether all of them are ours."""

    kinds: tuple[type[Joint], ...]
    ours: bool

    @property
    def parts(self) -> Mapping[Kernel, Kernel]:
        """The kernels to put where `carom.kernels.joints` holds places."""
        return _chains(self.kinds)

    @property
    def modules(self) -> frozenset[str]:
        """The modules whose functions the kernels call."""
        return frozenset(_plain(kind.follow).__module__ for kind in self.kinds)


def rules_of(names: Collection[str]) -> Rules:
    """Return the chain that joints with these rules ask for."""
    asked = tuple(joints.get(name) for name in sorted(set(names)))
    if all(_is_ours(kind) for kind in asked):
        return Rules(tuple(kind for kind in joints if _is_ours(kind)), True)
    return Rules(asked, False)


def kernel_with(rules: Rules, kernel: Kernel, parts: Parts = ()) -> Kernel:
    """Return a compiled kernel that knows these rules, with other parts of its own."""
    if rules.ours:
        return compiled(kernel, {**rules.parts, **dict(parts)})
    return _for_this_process(rules, kernel, parts, backend_name())


def springs_of(flat: FlatProblem, rules: Rules, memory: Array) -> places.Springs:
    """Return the joints of a problem as kernels see them; `memory` is where they keep theirs, shape (J, slots)."""
    return springs_from(rules, flat.spring_rules, flat.spring_rows, flat.springs, memory)


def springs_from(
    rules: Rules, names: Sequence[str], rows: npt.NDArray[np.int64], numbers: Array, memory: Array
) -> places.Springs:
    """Return joints with these rules, rows and numbers as kernels see them."""
    place = {kind.name: i for i, kind in enumerate(rules.kinds)}
    kinds = np.zeros((len(names), 3), dtype=np.int64)
    kinds[:, places.RULE] = [place[name] for name in names]
    kinds[:, places.FIRST], kinds[:, places.ROWS] = np.cumsum(rows) - rows, rows
    scratch = np.zeros_like(memory), np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
    return places.Springs(kinds, numbers.copy(), memory, *scratch)


def slots_of(flat: FlatProblem) -> int:
    """Return how many numbers the most mindful joint of a problem remembers."""
    return max((joints.get(name).slots for name in flat.spring_rules), default=0)


def rated(flat: FlatProblem) -> bool:
    """Return whether a joint of a problem asks for rates."""
    return any(joints.get(name).rate_dependent for name in flat.spring_rules)


@cache
def _chains(kinds: tuple[type[Joint], ...]) -> Mapping[Kernel, Kernel]:
    found: dict[Kernel, Kernel] = {}
    for held, link, what, wide in (
        (places.follow, places.chosen_follow, "follow", False),
        (places.follow_rows, places.chosen_follow_rows, "follow", True),
        (places.stored, places.chosen_stored, "stored", False),
        (places.stored_rows, places.chosen_stored, "stored", True),
    ):
        chain = _bound(held, f"{what}_none")
        for place, kind in reversed(list(enumerate(kinds))):
            if (kind.dimension > 1) == wide:
                name = f"{what}_{kind.name.replace('-', '_')}"
                chain = _bound(link, name, THIS=place, this=getattr(kind, what), others=chain)
        found[held] = chain
    return found


def _bound(template: Kernel, name: str, **names: Any) -> Kernel:
    """Return the same function under another name, with some of the names in it bound to other things."""
    plain = _plain(template)
    made = FunctionType(plain.__code__, {**plain.__globals__, **names}, name)
    made.__qualname__, made.__doc__, made.__module__ = name, plain.__doc__, plain.__module__
    return made


@cache
def _for_this_process(rules: Rules, kernel: Kernel, parts: Parts, _backend: str) -> Kernel:
    run = compiled_with(kernel, {**rules.parts, **dict(parts)}, rules.modules)
    return guarded(", ".join(f"joint '{kind.name}'" for kind in rules.kinds if not _is_ours(kind)), run)


def guarded(what: str, run: Kernel) -> Kernel:
    """Return a kernel whose failure to compile is told in words; `what` names whose functions are in it."""

    def call(*arguments: Any) -> Any:
        try:
            return run(*arguments)
        except InputError:
            raise
        except Exception as error:  # Numba's typing errors are many; all mean that the function is not plain arithmetic
            reason = str(error).strip().splitlines()
            raise InputError(
                f"The function of {what} cannot be compiled: {reason[0] if reason else error!r}. Use plain "
                "arithmetic of floats and `math` in it, or set CAROM_BACKEND=python to run it uncompiled."
            ) from error

    return call


def _is_ours(kind: type[Joint]) -> bool:
    return kind.__module__.startswith(OURS)


def _plain(function: Kernel) -> FunctionType:
    return cast(FunctionType, function)
