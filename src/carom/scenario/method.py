"""Does the scheme of a scenario suit its laws and its structures? What is asked of it that it cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from carom.contact import Contact, Facing
from carom.errors import InputError
from carom.laws.impulse import ImpulsiveLaw
from carom.registry import late
from carom.scenario.analysis import Analysis
from carom.scenario.faults import Fault

__all__ = ["longest_step", "method_faults", "named"]

known_options = late("carom.integrate.schemes.base:known_options")
"""A scheme's own name and the options it takes."""
shortfall = late("carom.integrate.schemes.base:shortfall")
"""What a scheme does not take of what is asked of it, and the schemes that do."""
needs_of_laws = late("carom.integrate.schemes.capability:needs_of_laws")
"""What laws ask of a scheme."""

EVENT = "event"
NAMED = 3
"""Schemes that a fault names; `carom schemes` lists what each takes."""
WAYS_OUT = {
    "compliant": 'Or write name = "newton" and restitution under [laws].',
    "impulsive": "Or give laws with a stiffness.",
}
"""What else can be done about what a scheme does not take."""


def method_faults(
    analysis: Analysis, structures: Mapping[str, Any], contacts: Sequence[Contact | Facing], step: float | None
) -> Iterator[Fault]:
    """Yield what the scheme cannot do; `step` is the time between samples of the motion as given [s], or None."""
    try:
        scheme, options = (EVENT, ()) if analysis.scheme == EVENT else known_options(analysis.scheme)
    except InputError as error:
        told = str(error).partition(". ")[2]
        yield Fault("analysis.scheme", "must be a scheme that `carom schemes` lists", analysis.scheme, told)
        return
    for name, value in analysis.options.items():
        if name not in options:
            takes = f"It takes {', '.join(options)}." if options else 'Write scheme = "newmark", for example.'
            yield Fault(f"analysis.{name}", f"is not an option of the scheme {scheme}", value, takes)
    if scheme == "newmark" and analysis.gamma is not None and not 0.5 <= analysis.gamma <= 1.0:
        yield Fault("analysis.gamma", "must lie in [0.5, 1] for newmark", analysis.gamma)
    if scheme == "moreau-jean" and analysis.dt is not None and step is not None and analysis.dt > step * (1.0 + 1e-9):
        yield Fault("analysis.dt", f"must not exceed the motion's time step, {step:g} s, for moreau-jean", analysis.dt)
    laws = [law for contact in contacts for law in contact.laws]
    mixed = list(_mixed(laws))
    yield from mixed or _beyond(scheme, laws, [name for name, one in structures.items() if one.joints])


def _mixed(laws: Sequence[Any]) -> Iterator[Fault]:
    """Yield what no scheme takes together."""
    rigid = [law for law in laws if isinstance(law, ImpulsiveLaw)]
    hypotheses = {law.hypothesis: law.name for law in rigid if law.restitution != 0.0}
    if 0 < len(rigid) < len(laws):
        way_out = "Give all contacts impulsive laws, or all laws with a stiffness."
        names = ", ".join(sorted({law.name for law in laws}))
        yield Fault("contacts", f"must not mix impulsive laws with others: {names}", way_out=way_out)
    elif len(hypotheses) > 1:
        names = " and ".join(sorted(hypotheses.values()))
        yield Fault("contacts", f"must share one impulsive law: {names}", way_out="Choose one for all.")


def _beyond(scheme: str, laws: Sequence[Any], yielding: Sequence[str]) -> Iterator[Fault]:
    """Yield what the scheme does not take, by what schemes say of themselves; `yielding` are names of structures."""
    if scheme == EVENT and not yielding and not any(isinstance(law, ImpulsiveLaw) for law in laws):
        return  # as most are: schemes need not be loaded to be asked
    needs = {**needs_of_laws(laws), **({"yielding": ", ".join(yielding)} if yielding else {})}
    missing, able = shortfall(scheme, needs)
    named = " or ".join(f'"{name}"' for name in able[:NAMED])
    instead = f"Write scheme = {named}." if able else "No scheme takes all that this file has."
    for need, words in missing.items():
        if need == "yielding":
            for name in yielding:
                yield Fault(f"structures.{name}.storeys", f"cannot be followed by the scheme {scheme}", way_out=instead)
        else:
            way_out = f"{instead} {WAYS_OUT.get(need, '')}".rstrip()
            yield Fault("analysis.scheme", f"does not take {words} ({needs[need]})", scheme, way_out)


def named(analysis: Analysis) -> Analysis:
    """Return the analysis with its scheme by its own name, not by an alias."""
    if analysis.scheme == EVENT:
        return analysis
    return analysis.model_copy(update={"scheme": known_options(analysis.scheme)[0]})


def longest_step(analysis: Analysis, usual: float) -> float:
    """Return how far samples of a motion may lie apart [s]: as asked, as usual, or as far as moreau-jean's own step."""
    if analysis.sampling is not None:
        return analysis.sampling
    return max(usual, analysis.dt or 0.0)
