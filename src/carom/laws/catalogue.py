"""The catalogue: laws by name, and how one is built or added."""

from __future__ import annotations

import dataclasses
import inspect
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeVar, overload

from carom.citation import Source
from carom.errors import CaromWarning, InputError, UnknownNameError, refusal
from carom.laws.base import CompliantLaw, FunctionLaw, stiffness_unit
from carom.laws.impulse import ImpulsiveLaw
from carom.registry import Registry
from carom.units import RESTITUTION, number

__all__ = ["checked_name", "impulsive_laws", "law", "laws", "parameters", "register_impulsive_law", "register_law"]

laws: Registry[type[CompliantLaw]] = Registry("law", "carom.laws.compliant")
"""All compliant laws, found in `carom.laws.compliant` and added by `register_law`."""

impulsive_laws: Registry[type[ImpulsiveLaw]] = Registry("impulsive law", "carom.laws.impulsive")
"""All impulsive laws, found in `carom.laws.impulsive`."""

L = TypeVar("L", bound=type[CompliantLaw])
P = TypeVar("P", bound=type[ImpulsiveLaw])
ForceFunction = Callable[[float, float], float]


@overload
def law(name: Literal["newton", "poisson", "plastic", "stronge"] | ImpulsiveLaw, /, **values: Any) -> ImpulsiveLaw: ...


@overload
def law(name: str | CompliantLaw, /, **values: Any) -> CompliantLaw: ...


def law(name: str | CompliantLaw | ImpulsiveLaw, /, **values: Any) -> CompliantLaw | ImpulsiveLaw:
    """Build the law of that name or alias.

    Parameters
    ----------
    name
        A name of the catalogue, such as ``"lankarani-nikravesh-1990"``; ``carom laws`` lists them.
    values
        The law's parameters in SI units, or strings with a unit. Every law takes ``stiffness`` [N/mⁿ],
        ``tension`` and ``v0``; laws with damping take ``restitution`` or ``damping``. Impulsive laws
        (``"newton"``, ``"poisson"``, ``"stronge"``, ``"plastic"``) take ``restitution`` and ``friction``.
    """
    if isinstance(name, (CompliantLaw, ImpulsiveLaw)):
        return name.replace(**values) if values else name
    if name in impulsive_laws:
        return _impulsive(impulsive_laws.get(name), values)
    kind = laws.get(checked_name(name))
    known = parameters(kind)
    if "restitution" in values and "restitution" not in known and issubclass(kind, CompliantLaw):
        _take_idle_restitution(kind, values.pop("restitution"))
    for given in values:
        if given not in known:
            raise UnknownNameError(f"parameter of {kind.name}", given, known)
    for needed, entry in known.items():
        if needed not in values and entry.default is dataclasses.MISSING:
            unit = stiffness_unit(kind.n)
            raise InputError(
                f"{kind.name} needs `{needed}` [{unit}]. carom.stiffness helps to choose one for your bodies."
            )
    return kind(**values)


def checked_name(name: str) -> str:
    """Return the name of a law, compliant or impulsive; an unknown one is answered with those known."""
    if name not in laws and name not in impulsive_laws:
        names = sorted([*laws.names(), *impulsive_laws.names()])
        aliases = [
            alias for registry in (laws, impulsive_laws) for one in registry.names() for alias in registry.aliases(one)
        ]
        raise UnknownNameError("law", name, names, also=aliases)
    return name


def _impulsive(kind: type[ImpulsiveLaw], values: dict[str, Any]) -> ImpulsiveLaw:
    known = [entry.name for entry in dataclasses.fields(kind)]
    for given in values:
        if given == "stiffness":
            raise InputError(
                f"{kind.name} has no `stiffness`: its bodies are rigid. Give `restitution`, and `friction` if any."
            )
        if given not in known:
            raise UnknownNameError(f"parameter of {kind.name}", given, known)
    if "restitution" not in values and not issubclass(kind, impulsive_laws.get("plastic")):
        raise InputError(f"{kind.name} needs `restitution`, 0 ≤ e ≤ 1: a number, or how it depends on the velocity.")
    return kind(**values)


def register_impulsive_law(target: P) -> P:
    """Add an impulsive law to the catalogue."""
    impulsive_laws.register(target.name, target, target.aliases)
    return target


def parameters(kind: type[CompliantLaw]) -> dict[str, dataclasses.Field[Any]]:
    """Return the parameters that a law takes, by name."""
    return {entry.name: entry for entry in dataclasses.fields(kind) if entry.init}


@overload
def register_law(target: L) -> L: ...


@overload
def register_law(target: str, *, aliases: tuple[str, ...] = ...) -> Callable[[ForceFunction], ForceFunction]: ...


def register_law(target: Any, *, aliases: tuple[str, ...] = ()) -> Any:
    """Add a law to the catalogue, from inside the package or from outside.

    As ``@register_law`` on a class of the power form (see `carom.laws.families`), or as
    ``@register_law("my-law")`` on a function of (overlap [m], rate [m/s]) that returns the force [N].
    """
    if inspect.isclass(target) and issubclass(target, CompliantLaw):
        return laws.register(target.name, target, target.aliases)
    if not isinstance(target, str):
        raise refusal("target", "register_law", "must be a law class or a name for a function", target)

    def decorate(function: ForceFunction) -> ForceFunction:
        members: dict[str, Any] = {
            "__module__": function.__module__,
            "__qualname__": function.__qualname__,
            "__doc__": function.__doc__ or "A user's own law.",
            "name": target,
            "title": target,
            "aliases": aliases,
            "formula": f"F = {function.__name__}(δ, δ̇)",
            "damping_formula": "inside the function",
            "function": staticmethod(function),
            "source": Source("the user", function.__name__, "unverified"),
        }
        kind: Any = dataclasses.dataclass(frozen=True, kw_only=True)(type("UserLaw", (FunctionLaw,), members))
        laws.register(target, kind, aliases)
        return function

    return decorate


def _take_idle_restitution(kind: type[CompliantLaw], value: object) -> None:
    e = number(value, "", name="restitution", owner=kind.name, within=RESTITUTION)
    if e != 1.0:
        what = "takes its damping from its function" if issubclass(kind, FunctionLaw) else "is elastic (e = 1)"
        warnings.warn(f"{kind.name} {what}: restitution={e:g} has no effect.", CaromWarning, stacklevel=3)
