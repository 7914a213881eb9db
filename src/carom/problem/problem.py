"""What a user says: structures, contacts between them, motion, initial state; taken, checked and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from carom.contact import Bearing, Contact, Damper, Facing, Place, Seat
from carom.errors import InputError, UnknownNameError, refusal
from carom.motions.motion import Motion, MotionSet
from carom.problem.faces import FaceRead
from carom.problem.flat import FlatProblem
from carom.problem.flattening import flatten
from carom.problem.ground.supports import Support, says_directions, take_ground, take_support
from carom.problem.labels import place_label
from carom.problem.plausibility import unlikely
from carom.problem.reduction import Reduction
from carom.problem.relations import directed, itself
from carom.problem.rest import REST, AtRest, rest_of
from carom.registry import late
from carom.structures.base import LinearStructure
from carom.structures.points import AXES
from carom.units import array

__all__ = ["Problem"]


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """Structures side by side, the contacts between them and the motion of the ground; immutable.

    Examples
    --------
    >>> import carom
    >>> a = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.005, name="left")
    >>> b = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.005, name="right")
    >>> law = carom.law("hertz", stiffness=2e9)
    >>> problem = carom.Problem(
    ...     [a, b], [carom.Contact("left", "right", gap="20 mm", law=law)], initial_displacement={"left": "-24 mm"}
    ... )
    >>> problem.flat().effective_mass.round(3)
    array([1987.654])
    >>> problem.replace(gap=0.03).flat().gap
    array([0.03])
    """

    structures: tuple[LinearStructure, ...]
    """Who stands there; the unnamed are called ``structure 0``, ``structure 1``, …"""
    contacts: tuple[Contact | Facing, ...] = ()
    """Where they may meet, as given; `pairs` has them one by one."""
    motion: Motion | MotionSet | Support | Mapping[str, Support] | None = None
    """One for all: a motion, along x; a `MotionSet`, its components along x, y and z (`MotionSet.axes`); or directions
    to motions, ``{"x": …, "y": …, "z": …}``. Or for each structure its own: any of these, ``(any of these, delay)``, or
    None (at rest)."""
    initial_displacement: Mapping[str, tuple[float, ...]] = field(default_factory=dict, kw_only=True)
    """Structure to displacement [m] of its degrees of freedom, relative to the ground; others start from zero. The word
    ``"rest"``, for one structure or in place of the mapping for all, starts at rest under the loads, K⁻¹p."""
    initial_velocity: Mapping[str, tuple[float, ...]] = field(default_factory=dict, kw_only=True)
    """Structure to velocity [m/s] of its degrees of freedom, relative to the ground; others start from zero."""
    allow_overlap: bool = field(default=False, kw_only=True)
    """Whether contacts may be closed at the start."""
    outputs: tuple[Place, ...] = field(default=(), kw_only=True)
    """Places whose histories and peaks results keep besides those that structures keep and contact points."""
    dampers: tuple[Damper, ...] = field(default=(), kw_only=True)
    """Dashpots between places of any two structures, or of one."""
    bearings: tuple[Bearing, ...] = field(default=(), kw_only=True)
    """What decks rest on."""
    seats: tuple[Seat, ...] = field(default=(), kw_only=True)
    """Off what ends of decks may slide; results tell whether they did (`unseating`)."""
    reduction: Reduction | None = field(default=None, kw_only=True)
    """How modes were chosen, where it has few (`reduced`)."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "structures", _named(_listed(self.structures, LinearStructure, "structures", "structure")))
        put(self, "contacts", _listed(self.contacts, (Contact, Facing), "contacts", "Contact or carom.facing(…)"))
        put(self, "dampers", _listed(self.dampers, Damper, "dampers", "carom.Damper"))
        put(self, "bearings", _listed(self.bearings, Bearing, "bearings", "carom.Bearing"))
        put(self, "seats", _listed(self.seats, Seat, "seats", "carom.Seat"))
        put(self, "motion", self._take_motion())
        for name, unit in (("initial_displacement", "m"), ("initial_velocity", "m/s")):
            put(self, name, self._take_initial(name, unit))
        put(self, "outputs", self._take_outputs())
        if not isinstance(self.allow_overlap, bool):
            raise refusal("allow_overlap", "Problem", "must be True or False", self.allow_overlap)
        if not any(structure.massive for structure in self.structures):
            raise InputError("Problem needs at least one structure that can be moved, besides walls and ground.")
        if not self.large:
            self.flat()  # refuses what cannot be

    # asking --------------------------------------------------------------------------------------------

    def index(self, which: object) -> int:
        """Return the index of a structure given by name or index, from 0."""
        names = self.names
        if isinstance(which, str) and which in names:
            return names.index(which)
        if isinstance(which, (int, np.integer)) and not isinstance(which, bool):
            if 0 <= which < len(names):
                return int(which)
            raise refusal(
                "index", "a structure", f"must lie in 0…{len(names) - 1}", which, f"Known: {', '.join(names)}."
            )
        raise UnknownNameError("structure", which, names)

    def structure(self, which: object) -> LinearStructure:
        """Return a structure by name or index."""
        return self.structures[self.index(which)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the structures, in order."""
        return tuple(structure.name for structure in self.structures)

    @cached_property
    def pairs(self) -> tuple[Contact, ...]:
        """The contacts one by one, facing floors worked out; in the order of results."""
        return tuple(pair for contact in self.contacts for pair in self._expanded(contact))

    def pairs_of(self, contact: int) -> range:
        """Return which of `pairs` belong to a contact as given: one, or all facing floors of two neighbours."""
        counts = [len(self._expanded(one)) for one in self.contacts[: contact + 1]]
        return range(sum(counts[:-1]), sum(counts))

    def _expanded(self, contact: Contact | Facing) -> tuple[Contact, ...]:
        if isinstance(contact, Contact):
            return (self._measured(contact),)
        left, right = self.index(contact.left), self.index(contact.right)
        if left == right:
            raise itself(self.names[left])
        return tuple(map(self._measured, contact.expand(self.structures[left], self.structures[right])))

    def _measured(self, contact: Contact) -> Contact:
        """Return a contact with its gap, where the two sides say it by where they stand."""
        return contact if contact.gap is not None else contact.replace(gap=FaceRead(self, contact).gap)

    @cached_property
    def ties(self) -> tuple[Bearing, ...]:
        """The bearings, and the backfill of abutments that face decks."""
        soil = [
            one
            for facing in self.contacts
            if isinstance(facing, Facing)
            for one in facing.bearings(self.structure(facing.left), self.structure(facing.right))
        ]
        return (*self.bearings, *soil)

    @cached_property
    def supports(self) -> tuple[Support, ...]:
        """The different grounds, in order of first use; one where all structures share a motion."""
        return tuple(dict.fromkeys(self.support_of(name) for name in self.names))

    def support_of(self, name: str) -> Support:
        """Return the ground under a structure."""
        return self.motion[name] if isinstance(self.motion, Mapping) else Support.under(self.motion)

    @cached_property
    def unlikely(self) -> tuple[str, ...]:
        """What is possible but unlikely, such as a gap of 30 m: sentences that say what was taken and what is usual."""
        return tuple(unlikely(self))

    def replace(self, **changes: Any) -> Problem:
        """Return a copy with some fields changed; ``gap=`` and ``law=`` set those of every contact."""
        known = {entry.name for entry in fields(self)}
        for name in changes:
            if name not in known | {"gap", "law"}:
                raise UnknownNameError("field of Problem", name, known | {"gap", "law"})
        each = {name: changes.pop(name) for name in ("gap", "law") if name in changes}
        kept: dict[str, Any] = {name: getattr(self, name) for name in known} | changes
        if self.reduction is not None and "reduction" not in changes and (changes or each):
            kept["reduction"] = None if "structures" in changes else self.reduction._replace(changed=True)
        if each:
            given = _listed(kept["contacts"], (Contact, Facing), "contacts", "Contact or carom.facing(…)")
            kept["contacts"] = tuple(contact.replace(**each) for contact in given)
        return Problem(**kept)

    def without_contacts(self) -> Problem:
        """Return the problem in which nothing meets; contact points are kept as outputs, so that results compare."""
        labels = self.flat().output_labels
        places = [
            read
            for pair in self.pairs
            for place, read in zip((pair.a, pair.b), directed(self, pair.a, pair.b), strict=True)
            if place_label(self, place) in labels
        ]
        return self.replace(contacts=(), outputs=(*self.outputs, *places))

    @cached_property
    def large(self) -> bool:
        """Whether it has structures whose modes are too many to be found all together; runs take few of them."""
        return any(structure.large for structure in self.structures)

    def reduced(
        self,
        rtol: float = 1e-3,
        *,
        peaks: float | None = None,
        cutoff: float | str | None = None,
        impacts: int = 8,
    ) -> Problem:
        """Return this problem with few modes, as many as its contacts need.

        The modes of every structure up to a common cut-off are kept, and beside them what makes each structure exact
        where contacts act (`ReducedStructure`). The cut-off is found by trial: the problem is run as far as its first
        impacts, with all modes and with fewer. Where nothing meets, gaps are closed for the trial; where nothing moves,
        the duration of contacts alone tells. What is left out is told by `reduction`, and in the evidence of every run.

        Parameters
        ----------
        rtol
            Largest error of the forces of the first impacts, each relative to itself.
        peaks
            Largest error of the peaks of displacements, velocities and accelerations that results keep, relative to
            the largest of their kind; None: whatever comes. Accelerations ask for more modes than forces do.
        cutoff
            One cut-off [Hz] instead; what it leaves out is found by the same trial.
        impacts
            How many impacts are the first. 0 beside a `cutoff`: no trial, and no estimate.
        """
        found: Problem = late("carom.integrate.modes.reduction:reduced")(
            self, rtol=rtol, peaks=peaks, cutoff=cutoff, impacts=impacts
        )
        return found

    @cached_property
    def affordable(self) -> Problem:
        """This problem as runs take it: with few modes where a structure is large, with all of them elsewhere."""
        return self.reduced() if self.large and self.triable else self

    @property
    def triable(self) -> bool:
        """Whether a trial can tell which modes matter: it has contacts, and no joints inside structures."""
        return bool(self.contacts) and not any(structure.joints for structure in self.structures)

    def flat(self) -> FlatProblem:
        """Return the problem as plain arrays, computed once."""
        return self._flat

    @cached_property
    def _flat(self) -> FlatProblem:
        return flatten(self)

    # taking --------------------------------------------------------------------------------------------

    def _take_motion(self) -> Motion | MotionSet | Support | Mapping[str, Support] | None:
        given: Any = self.motion
        if not isinstance(given, Mapping) or says_directions(given):
            both = [axis for axis in given if axis in self.names] if isinstance(given, Mapping) else []
            if both:
                raise refusal(
                    "motion", "Problem", f"must not leave open whether {both[0]!r} is the direction or the structure",
                    sorted(given), "Give that structure another name.",
                )  # fmt: skip
            rule = "must be a carom.Motion, a MotionSet, or a mapping from directions or structures to motions"
            found = take_ground(given, "Problem", rule)
            return found if isinstance(given, Mapping) else given
        return self._motion_of_each(given)

    def _motion_of_each(self, given: Mapping[Any, Any]) -> Mapping[str, Support]:
        """Take a mapping from structures to their motions."""
        astray = [key for key in given if key in tuple(AXES) and key not in self.names]
        if astray:
            raise refusal(
                "motion", "Problem", "must map either directions or structures to motions, not some of both",
                list(given), "For a structure with several components write {\"left\": {\"x\": …, \"y\": …}, …}.",
            )  # fmt: skip
        found = {self.names[self.index(which)]: take_support(value, which) for which, value in given.items()}
        missing = [name for name in self.names if name not in found]
        if missing:
            raise refusal(
                "motion", "Problem", "must say every structure's motion where it says some", sorted(found),
                f"Add {', '.join(map(repr, missing))}; None means at rest.",
            )  # fmt: skip
        return MappingProxyType(found)

    def _take_outputs(self) -> tuple[Place, ...]:
        given: Any = self.outputs
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise refusal(
                "outputs", "Problem", "must be a list of places", given, 'Write [("tower", 8), ("annex", "7.5 m")].'
            )
        return tuple(Place.of(place, name="outputs", owner="Problem") for place in given)

    def _take_initial(self, name: str, unit: str) -> Mapping[str, tuple[float, ...]]:
        given: Any = getattr(self, name)
        if given is None:
            return MappingProxyType({})
        resting = name == "initial_displacement"
        if resting and isinstance(given, str) and given == REST:
            given = {structure.name: REST for structure in self.structures if structure.massive}
        if not isinstance(given, Mapping):
            raise refusal(name, "Problem", "must map structures to values", given, 'Write {"left": "-24 mm"}.')
        found: dict[str, tuple[float, ...]] = {}
        for which, value in given.items():
            structure = self.structure(which)
            if not structure.massive:
                raise refusal(name, "Problem", f"must not be set for {structure.owner}, which nothing moves", value)
            if resting and (isinstance(value, AtRest) or (isinstance(value, str) and value == REST)):
                found[structure.name] = rest_of(structure)
                continue
            values = np.atleast_1d(array(value, unit, name=name, owner=structure.owner))
            dofs = structure.dof_names
            if values.shape != (len(dofs),):
                rule = f"must be a list of {len(dofs)} values, one for each degree of freedom"
                raise refusal(name, structure.owner, rule if len(dofs) > 1 else "must be one number", value)
            found[structure.name] = tuple(values.tolist())
        return MappingProxyType(found)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in kept.items()}
        return _rebuilt, (plain,)

    def _repr_html_(self) -> str:
        return str(late("carom.reports.notebook:problem")(self))

    def __repr__(self) -> str:
        shaken = "at rest" if self.motion is None else "shaken"
        count = f"{len(self.pairs)} contact{'' if len(self.pairs) == 1 else 's'}"
        dampers = f"; {len(self.dampers)} damper{'' if len(self.dampers) == 1 else 's'}" if self.dampers else ""
        return f"<Problem: {', '.join(self.names)}; {count}{dampers}; {shaken}>"


def _rebuilt(values: dict[str, Any]) -> Problem:
    return Problem(**values)


def _listed(given: Any, kind: Any, name: str, what: str) -> tuple[Any, ...]:
    """Take a list of one kind; a single member without its brackets is a slip that means the list of it."""
    if isinstance(given, kind):
        given = (given,)
    if not isinstance(given, Iterable) or isinstance(given, (str, Mapping)):
        raise refusal(name, "Problem", f"must be a list, each a {what}", given)
    found = tuple(given)
    if not found and name == "structures":
        raise refusal(name, "Problem", "must not be empty", found, "Give at least one, such as carom.Oscillator(…).")
    for member in found:
        if not isinstance(member, kind):
            raise refusal(name, "Problem", f"must be a list, each a {what}", member)
    return found


def _named(structures: tuple[LinearStructure, ...]) -> tuple[LinearStructure, ...]:
    """Name the unnamed by their index; refuse a name used twice."""
    found = tuple(s if s.name else s.replace(name=f"structure {i}") for i, s in enumerate(structures))
    names = [structure.name for structure in found]
    for name in names:
        if names.count(name) > 1:
            raise refusal("name", "each structure", "must be different", name, "Give one of them another name.")
    return found
