"""What schemes and ensembles can do, as data: `carom schemes` prints it, and refusals come from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import compress
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from carom.errors import InputError
from carom.laws import ImpulsiveLaw
from carom.laws.base import CompliantLaw, FunctionLaw
from carom.problem import FlatProblem

__all__ = [
    "ANYTHING",
    "ENSEMBLE",
    "SCENE_ENSEMBLE",
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
    turning: bool = False
    """Bodies that turn by finite angles, faces, joints between structures."""
    spatial: bool = False
    """Bodies that turn in space, and contacts against faces."""
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


ANYTHING = Can(
    compliant=True,
    impulsive=True,
    friction=True,
    yielding=True,
    coupled_damping=True,
    functions=True,
    turning=True,
    components=3,
)
"""Of a scheme that says nothing: what it cannot do it refuses itself."""
ENSEMBLE = Can(
    compliant=True, impulsive=False, friction=False, yielding=False, coupled_damping=False, components=3,
    ensembles=True, gpu=True,
)  # fmt: skip
"""What `carom.ensemble` takes: its kernels hold modes that contacts alone couple, and laws of the power form."""
SCENE_ENSEMBLE = replace(ENSEMBLE, friction=True, yielding=True, coupled_damping=True, turning=True, gpu=False)
"""What it takes where contacts have friction or bodies turn: runs of the engine of scenes."""

WORDS: Mapping[str, str] = {
    "compliant": "contacts with a force",
    "impulsive": "impulsive contacts",
    "friction": "friction",
    "yielding": "storeys that yield, or stops",
    "coupled_damping": "damping that couples the modes",
    "functions": "laws that are Python functions",
    "turning": "bodies that turn, and what joins them",
    "spatial": "bodies and faces in space",
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


_known: WeakKeyDictionary[FlatProblem, Needs] = WeakKeyDictionary()
"""What problems ask for, for as long as these live: a problem may be run a thousand times."""


def needs_of(flat: FlatProblem) -> Needs:
    """Return what a problem asks of its scheme."""
    found = _known.get(flat)
    if found is None:
        found = _known[flat] = _needs_of(flat)
    return found


def _needs_of(flat: FlatProblem) -> Needs:
    laws: dict[str, Iterable[object]] = {
        "compliant": flat.hypothesis < 0,
        "impulsive": flat.hypothesis >= 0,
        "functions": [law is not None for law in flat.functions],
        "friction": [bool(row.any()) for row in flat.slide],
    }
    names = {need: flat.contact_labels if need == "friction" else flat.law_names for need in laws}
    asked = {need: _joined(compress(names[need], among)) for need, among in laws.items()}
    for need, rows in (("yielding", flat.spring_reach), ("coupled_damping", flat.dashpot_reach)):
        owners = np.unique(flat.mode_structure[rows.any(axis=0)])
        asked[need] = _joined(flat.structure_names[i] for i in owners)
    if flat.scene is not None and flat.scene.turning:
        asked["turning"] = (
            _joined(flat.structure_names[i] for i in flat.scene.body_structure) or "joints between anchors"
        )
        if flat.scene.spatial:
            asked["spatial"] = asked["turning"]
    if len(flat.components) > 1:
        asked["three_components"] = _joined("xyz"[i] for i in flat.components)
    return _present(asked)


def needs_of_laws(laws: Iterable[CompliantLaw | ImpulsiveLaw]) -> Needs:
    """Return what laws ask of a scheme."""
    given = tuple(laws)
    asked = {
        "compliant": (law.name for law in given if not isinstance(law, ImpulsiveLaw)),
        "impulsive": (law.name for law in given if isinstance(law, ImpulsiveLaw)),
        "functions": (law.name for law in given if isinstance(law, FunctionLaw)),
    }
    return _present({need: _joined(names) for need, names in asked.items()})


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


def refuse_beyond(
    who: Callable[[], str], can: Can, needs: Needs, schemes: Callable[[], Mapping[str, Can]], *, instead: str = ""
) -> None:
    """Refuse what is asked of someone who cannot do it, and name the schemes that can.

    `who` and what they `can`; all `schemes` with what they can; `instead`, a sentence on who else runs those.
    """
    refuse_mixture(needs)
    missing = beyond(can, needs)
    if not missing:
        return
    names = able(needs, schemes())
    named = ", ".join(f"'{name}'" for name in names[:NAMED])
    more = f" and {len(names) - NAMED} more (carom schemes)" if len(names) > NAMED else ""
    others = f"{instead} Schemes that can: {named}{more}." if names else "No scheme takes all that this problem has."
    lacks = " and ".join(f"{WORDS[need]} ({needs[need]})" for need in missing)
    ways = " ".join(WAYS_OUT[need] for need in missing if need in WAYS_OUT)
    raise InputError(f"{who()} does not take {lacks}. {others.strip()} {ways}".rstrip())


def _joined(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _present(asked: Mapping[str, str]) -> Needs:
    return {need: by for need, by in asked.items() if by}
