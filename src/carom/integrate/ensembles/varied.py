"""The names that an ensemble may vary, and the values that a user gives for them.

gap, law, motion, scale         of all contacts, of the ground
stiffness, restitution, …       parameters of the laws
friction                        static coefficients of friction; kinetic ones keep their shares of them
gap:0, law:a | b, …             of one contact, by index or label
left.mass, left.period, …       a field of a structure
left.initial_displacement       where it starts, and left.initial_velocity how fast
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from carom.contact.contact import Contact, checked_law
from carom.errors import InputError, UnknownNameError, refusal
from carom.integrate.ensembles.variation import ZIPPED, Axis, axis_of
from carom.integrate.schemes.base import refuse_beyond_ensemble
from carom.integrate.schemes.capability import needs_of_laws
from carom.laws.base import CompliantLaw, DampedLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.motions.motion import Motion, MotionSet
from carom.problem import Problem, Support, stood_for, take_ground
from carom.structures.base import LinearStructure
from carom.units import array

__all__ = ["FRICTION", "OWNER", "Names", "changed_law", "names_in", "take_axes", "taken_law", "with_friction"]

OWNER = "ensemble"
FRICTION = "friction"
INITIAL = ("initial_displacement", "initial_velocity")


class Names(NamedTuple):
    """The varied names, by what they say."""

    motion: tuple[str, ...]
    structures: dict[str, tuple[str, str]]
    """Name to structure and field."""
    laws: dict[str, tuple[int, ...]]
    """Names of whole laws, to the contacts they are for."""
    parameters: dict[str, tuple[str, tuple[int, ...]]]
    """Name to parameter and contacts."""
    scale: tuple[str, ...]
    gaps: dict[str, tuple[int, ...]]
    """Name to contacts."""

    @property
    def order(self) -> list[str]:
        """All names; runs that differ in the first ones are least alike."""
        return [*self.motion, *self.structures, *self.laws, *self.parameters, *self.scale, *self.gaps]


def names_in(problem: Problem, given: Iterable[object]) -> Names:
    """Sort names by what they say; refuse the unknown, and those that say the same thing twice."""
    found = Names((), {}, {}, {}, (), {})
    for name in given:
        found = _sorted_in(problem, name, found)
    for kind in (found.gaps, found.laws, *_by_parameter(found).values()):
        met: dict[int, str] = {}
        for name, contacts in kind.items():
            for c in contacts:
                if c in met:
                    raise InputError(
                        f"{OWNER} varies both `{met[c]}` and `{name}`, which say the same of contact "
                        f"{problem.flat().contact_labels[c]!r}. Leave one out."
                    )
                met[c] = name
    return found


def _sorted_in(problem: Problem, name: object, found: Names) -> Names:
    if not isinstance(name, str):
        raise UnknownNameError("name to vary", name, _known(problem))
    if name == "motion":
        return found._replace(motion=(name,))
    if name == "scale":
        return found._replace(scale=(name,))
    structure, _, entry = name.rpartition(".")
    if structure in problem.names and entry in _fields(problem.structure(structure)):
        found.structures[name] = structure, entry
        return found
    word, one, whom = name.partition(":")
    if not problem.pairs or word not in ("gap", "law", *_parameters(problem)):
        raise UnknownNameError("name to vary", name, _known(problem))
    contacts = (_contact(problem, whom),) if one else tuple(range(len(problem.pairs)))
    if word == "gap":
        found.gaps[name] = contacts
    elif word == "law":
        found.laws[name] = contacts
    else:
        found.parameters[name] = word, contacts
    return found


def _by_parameter(names: Names) -> dict[str, dict[str, tuple[int, ...]]]:
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    for name, (parameter, contacts) in names.parameters.items():
        found.setdefault(parameter, {})[name] = contacts
    return found


def _known(problem: Problem) -> list[str]:
    known = ["motion", "scale", *(f"{s.name}.{entry}" for s in problem.structures for entry in _fields(s))]
    if problem.pairs:
        words = ["gap", "law", *_parameters(problem)]
        known += words
        if len(problem.pairs) > 1:
            known += [f"{word}:<contact>" for word in words]
    return known


def _fields(structure: LinearStructure) -> list[str]:
    entries = dataclasses.fields(stood_for(structure))  # type: ignore[arg-type]
    found = [entry.name for entry in entries if entry.init and entry.name != "name"]
    return [*found, *INITIAL] if structure.massive else found


def _parameters(problem: Problem) -> list[str]:
    """Return the numbers that laws of the catalogue take; which of them a law has, it says itself."""
    laws = (contact.law for contact in problem.pairs)
    own = {name for law in laws for name, entry in law.__dataclass_fields__.items() if "unit" in entry.metadata}
    rubs = {FRICTION} if any(contact.friction is not None for contact in problem.pairs) else set()
    return sorted(own | rubs | {"stiffness", "restitution", "damping"})


def _refuse_smooth(problem: Problem, name: str, contacts: Iterable[int]) -> None:
    """Refuse friction of contacts none of which has any."""
    if all(problem.pairs[c].friction is None for c in contacts):
        raise refusal(
            name, OWNER, "must be of contacts that have friction", None,
            "Give them a `tangent` and friction=carom.Friction(…).",
        )  # fmt: skip


def with_friction(contact: Contact, coefficient: float) -> Contact:
    """Return a contact with another static coefficient, the kinetic one in proportion; without friction as it is."""
    friction = contact.friction
    if friction is None:
        return contact
    share = friction.mu_k / friction.static if friction.static > 0.0 else 1.0
    return contact.replace(friction=friction.replace(static=coefficient, kinetic=share * coefficient))


def _contact(problem: Problem, which: str) -> int:
    labels = problem.flat().contact_labels
    if which in labels:
        return labels.index(which)
    if which.isdecimal() and int(which) < len(labels):
        return int(which)
    raise UnknownNameError("contact", which, labels)


# values ---------------------------------------------------------------------------------------------------


def take_axes(problem: Problem, names: Names, vary: Mapping[str, Any], zipped: Mapping[str, Any]) -> tuple[Axis, ...]:
    """Check the values and lay them on axes, those of `vary` first."""
    axes = [axis_of(name, {name: _values(problem, names, name, given)}) for name, given in vary.items()]
    paired = {name: _values(problem, names, name, given) for name, given in zipped.items()}
    sizes = {name: len(values) for name, values in paired.items()}
    if len(set(sizes.values())) > 1:
        raise refusal(
            "zip", OWNER, "must hold equally many values of each name, they are paired",
            ", ".join(f"{name}: {size}" for name, size in sizes.items()), "Names in `vary` need not.",
        )  # fmt: skip
    if paired:
        axes.append(axis_of(ZIPPED, paired))
    return tuple(axes)


def _values(problem: Problem, names: Names, name: str, given: Any) -> Any:
    if isinstance(given, Motion):
        raise refusal(name, OWNER, "must be a list of motions", given, "Write [motion].")
    several = hasattr(given, "__len__") and not isinstance(given, (str, Mapping)) and getattr(given, "ndim", 1) > 0
    if not several:
        raise refusal(name, OWNER, "must be a list of values", given, "Write [value] for a single one.")
    if len(given) == 0:
        raise refusal(name, OWNER, "must not be empty", given)
    if name in names.motion:
        return _motions(given)
    if name in names.laws:
        return _laws(given, name)
    if name in names.structures:
        return _of_structures(given)
    unit = ""
    if name in names.gaps:
        unit = "m"
    elif name in names.parameters:
        parameter, contacts = names.parameters[name]
        having = [law for c in contacts if parameter in (law := problem.pairs[c].law).__dataclass_fields__]
        unit = taken_law(having[0]).unit_of(parameter) if having else ""
        if parameter == FRICTION:
            _refuse_smooth(problem, name, contacts)
    values = array(given, unit, name=name, owner=OWNER)
    if values.ndim != 1:
        raise refusal(name, OWNER, "must be a row of values", values.shape)
    return values


def _of_structures(given: Any) -> Any:
    """Return numbers, and rows of them, as an array where they came as one or are all floats; else a list."""
    if isinstance(given, np.ndarray):
        if given.dtype.kind not in "fiu" or given.ndim > 2:
            return given.tolist()
        return given.astype(np.float64) if given.dtype.kind == "f" else given.copy()
    found = list(given)
    return np.array(found) if set(map(type, found)) == {float} else found


def _motions(given: Any) -> list[Motion | MotionSet | Support]:
    """Take motions along x, sets of components, and mappings from directions to motions, all of one time step."""
    found: list[Motion | MotionSet | Support] = []
    for motion in given:
        ground = None if motion is None else take_ground(motion, OWNER, "must be a list, each a carom.Motion or a set")
        if ground is None:
            raise refusal("motion", OWNER, "must be a list, each a carom.Motion or a set", motion)
        found.append(motion if isinstance(motion, (Motion, MotionSet)) else ground)
        step = Support.under(found[0]).motions[0].dt
        for one in ground.motions:
            if abs(one.dt / step - 1.0) > 1e-12:
                raise refusal(
                    "motion", OWNER, f"must have one time step, here {step:g} s", one,
                    f"Resample it: motion.resampled({step:g}).",
                )  # fmt: skip
    return found


def _laws(given: Iterable[object], name: str) -> list[CompliantLaw]:
    found = [checked_law(law, f"{OWNER}, `{name}`") for law in given]
    for law in {type(law): law for law in found}.values():  # what an ensemble takes, all laws of a class are or are not
        taken_law(law)
    return cast("list[CompliantLaw]", found)


def taken_law(law: CompliantLaw | ImpulsiveLaw) -> CompliantLaw:
    """Return a law that ensembles take; refuse others."""
    refuse_beyond_ensemble(needs_of_laws([law]))
    assert isinstance(law, CompliantLaw)  # impulses are among what is refused
    return law


def changed_law(law: CompliantLaw, changes: Mapping[str, Any]) -> CompliantLaw:
    """Return a law with parameters changed, possibly to arrays; refuse one that it lacks or does not look at."""
    taken_law(law)
    own = [name for name, entry in law.__dataclass_fields__.items() if "unit" in entry.metadata]
    for name in changes:
        if name not in own:
            raise UnknownNameError(f"parameter of {law.name}", name, own)
    if "restitution" in changes and "damping" not in changes and isinstance(law, DampedLaw) and law.damping is not None:
        raise InputError(
            f"{OWNER} varies `restitution`, but {law.name} was given its damping, which then counts. Vary `damping`, "
            "or give the law its restitution alone."
        )
    return law.replace(**changes)
