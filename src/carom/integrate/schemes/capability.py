"""What schemes and ensembles can do, as data: `carom schemes` prints it, and refusals come from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from carom.errors import InputError
from carom.laws import ImpulsiveLaw
from carom.laws.base import CompliantLaw, FunctionLaw
from carom.problem import FlatProblem, Problem

__all__ = [
    "ANYTHING",
    "ENSEMBLE",
    "WORDS",
    "Can",
    "Needs",
    "able",
    "beyond",
    "needs_of",
    "needs_of_laws",
    "refuse_beyond",
    "refuse_mixture",
]

Needs: TypeAlias = Mapping[str, str]
"""What a problem asks of a scheme, by names of `Can`, and what of it asks for that: laws, contacts, structures."""


@dataclass(frozen=True)
class Can:
    """What a scheme takes, and what runs it."""

    compliant: bool
    """Contacts whose laws have a force."""
    impulsive: bool
    """Contacts whose laws are impulses."""
    friction: bool
    yielding: bool
    """Storeys that yield, and stops."""
    coupled_damping: bool
    """Damping that couples modes."""
    functions: bool = False
    """Laws that are Python functions."""
    components: int = 1
    """Components of the ground's motion, 1 or 3."""
    ensembles: bool = False
    """Whether `carom.ensemble` computes by it."""
    gpu: bool = False

    def as_dict(self) -> dict[str, bool | int]:
        """Plain data, as `carom schemes --json` writes it."""
        return asdict(self)


ANYTHING = Can(compliant=True, impulsive=True, friction=True, yielding=True, coupled_damping=True, functions=True)
"""Of a scheme that says nothing: what it cannot do it refuses itself."""
ENSEMBLE = Can(
    compliant=True, impulsive=False, friction=False, yielding=False, coupled_damping=False, ensembles=True, gpu=True
)  # fmt: skip
"""What `carom.ensemble` takes: its kernels hold modes that contacts alone couple, and laws of the power form."""

WORDS: Mapping[str, str] = {
    "compliant": "contacts with a force",
    "impulsive": "impulsive contacts",
    "friction": "friction",
    "yielding": "storeys that yield, or stops",
    "coupled_damping": "damping that couples the modes",
    "functions": "laws that are Python functions",
}
"""What a problem may ask of a scheme."""
WAYS_OUT: Mapping[str, str] = {
    "compliant": 'Or write problem.replace(law=carom.law("newton", restitution=…)).',
    "impulsive": 'Or write problem.replace(law=carom.law("hertzdamp", stiffness=…, restitution=…)).',
    "coupled_damping": "Or use a damping ratio, Rayleigh or Caughey damping.",
}
NAMED = 5
"""Schemes that a refusal names."""


def needs_of(problem: Problem, flat: FlatProblem) -> Needs:
    """Return what a problem asks of its scheme."""
    sliding = (label for label, slide in zip(flat.contact_labels, flat.slide, strict=True) if slide.any())
    asked = {
        "friction": ", ".join(sliding),
        "yielding": ", ".join(one.name for one in problem.structures if one.springs),
        "coupled_damping": ", ".join(one.name for one in problem.structures if not one.classical),
    }
    return {**needs_of_laws(contact.law for contact in problem.pairs), **_present(asked)}


def needs_of_laws(laws: Iterable[CompliantLaw | ImpulsiveLaw]) -> Needs:
    """Return what laws ask of a scheme."""
    impulsive, compliant, functions = dict[str, None](), dict[str, None](), dict[str, None]()
    for law in laws:
        (impulsive if isinstance(law, ImpulsiveLaw) else compliant)[law.name] = None
        if isinstance(law, FunctionLaw):
            functions[law.name] = None
    asked = {"compliant": compliant, "impulsive": impulsive, "functions": functions}
    return _present({need: ", ".join(names) for need, names in asked.items()})


def beyond(can: Can, needs: Needs) -> list[str]:
    """Return what of these needs a scheme does not meet."""
    return [need for need in needs if not getattr(can, need)]


def able(needs: Needs, schemes: Mapping[str, Can]) -> list[str]:
    """Return the schemes that meet all needs."""
    return [name for name, can in schemes.items() if not beyond(can, needs)]


def refuse_mixture(needs: Needs) -> None:
    """Refuse forces and impulses in one problem, which nothing takes."""
    if "compliant" in needs and "impulsive" in needs:
        raise InputError(
            "A problem takes either impulsive laws or laws with a stiffness, not both. Got "
            f"{needs['impulsive']} and {needs['compliant']}. "
            'Set one for all: problem.replace(law=carom.law("newton", restitution=…)).'
        )


def refuse_beyond(who: str, can: Can, needs: Needs, schemes: Mapping[str, Can], *, instead: str = "") -> None:
    """Refuse what is asked of someone who cannot do it, and name the schemes that can.

    `who` and what they `can`; all `schemes` with what they can; `instead`, a sentence on who else runs those.
    """
    refuse_mixture(needs)
    missing = beyond(can, needs)
    if not missing:
        return
    names = able(needs, schemes)
    named = ", ".join(f"'{name}'" for name in names[:NAMED])
    more = f" and {len(names) - NAMED} more (carom schemes)" if len(names) > NAMED else ""
    others = f"{instead} Schemes that can: {named}{more}." if names else "No scheme takes all that this problem has."
    lacks = " and ".join(f"{WORDS[need]} ({needs[need]})" for need in missing)
    ways = " ".join(WAYS_OUT[need] for need in missing if need in WAYS_OUT)
    raise InputError(f"{who} does not take {lacks}. {others.strip()} {ways}".rstrip())


def _present(asked: Mapping[str, str]) -> Needs:
    return {need: by for need, by in asked.items() if by}
