"""What schemes can do, as data: `carom schemes` prints it, and refusals come from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from carom.errors import InputError
from carom.problem import FlatProblem

__all__ = ["ANYTHING", "WORDS", "Can", "beyond", "needs_of", "refusal_of"]


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
    components: int = 1
    """Components of the ground's motion, 1 or 3."""
    ensembles: bool = False
    """Whether `carom.ensemble` computes by it."""
    gpu: bool = False

    @property
    def three_components(self) -> bool:
        """Whether the ground may move along more than one of x, y and z."""
        return self.components == 3

    def as_dict(self) -> dict[str, bool | int]:
        """Plain data, as `carom schemes --json` writes it."""
        return asdict(self)


ANYTHING = Can(compliant=True, impulsive=True, friction=True, yielding=True, coupled_damping=True)
"""Of a scheme that says nothing: what it cannot do it refuses itself."""

WORDS: Mapping[str, str] = {
    "compliant": "contacts with a force",
    "impulsive": "impulsive contacts",
    "friction": "friction",
    "yielding": "storeys that yield, or stops",
    "coupled_damping": "damping that couples the modes",
    "three_components": "ground motion along more than one of x, y and z",
}
"""What a problem may ask of a scheme."""
WAYS_OUT: Mapping[str, str] = {
    "compliant": 'Or write problem.replace(law=carom.law("newton", restitution=…)).',
    "impulsive": 'Or write problem.replace(law=carom.law("hertzdamp", stiffness=…, restitution=…)).',
    "coupled_damping": "Or use a damping ratio, Rayleigh or Caughey damping.",
}
NAMED = 5
"""Schemes that a refusal names."""


def needs_of(flat: FlatProblem) -> list[str]:
    """Return what a problem asks of its scheme, by names of `Can`; a mixture of impulses and forces is for none."""
    impulsive = flat.hypothesis >= 0
    if impulsive.any() and not impulsive.all():
        raise InputError(
            "simulate takes either impulsive laws or laws with a stiffness, not both in one problem. "
            'Set one for all: problem.replace(law=carom.law("newton", restitution=…)).'
        )
    asked = {
        "compliant": not impulsive.all(),
        "impulsive": flat.impulsive,
        "friction": bool(flat.slide.any()),
        "yielding": flat.springs.shape[0] > 0,
        "coupled_damping": not flat.classical,
        "three_components": len(flat.components) > 1,
    }
    return [name for name, needed in asked.items() if needed]


def beyond(can: Can, needs: list[str]) -> list[str]:
    """Return what of these needs a scheme does not meet."""
    return [need for need in needs if not getattr(can, need)]


def refusal_of(name: str, needs: list[str], all_can: Mapping[str, Can]) -> InputError:
    """Return the refusal of a problem that asks more of the scheme `name` than it can; `all_can`: what each one can."""
    missing = beyond(all_can[name], needs)
    able = [other for other, can in all_can.items() if not beyond(can, needs)]
    named = ", ".join(f"'{other}'" for other in able[:NAMED])
    if len(able) > NAMED:
        named += f" and {len(able) - NAMED} more (carom schemes)"
    instead = f"Schemes that can: {named}." if able else "No scheme takes all that this problem has."
    ways = " ".join(WAYS_OUT[need] for need in missing if need in WAYS_OUT)
    return InputError(
        f"scheme='{name}' does not take {' and '.join(WORDS[need] for need in missing)}, which this problem has. "
        f"{instead}{' ' + ways if ways else ''}"
    )
