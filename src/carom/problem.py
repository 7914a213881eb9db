"""Who stands beside whom, shaken how: a frozen join of structures, contacts and ground motion.

`Problem.flat` turns it into the plain arrays that every integrator and device takes:

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,    overlap = reach·q − gap,    u = shapes·q

Several supports: each structure moves relative to its own ground, and a contact between two of them also
feels the difference of the ground displacements. These are rigid modes of their own, driven by the ground
and moved by no force, exactly like a wall that is fixed in space; nothing else in the arrays changes. A ground
displacement is the double integral of its acceleration from rest, drift of the baseline included.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.contact import Contact, Facing, Place
from carom.errors import InputError, UnknownNameError, refusal
from carom.laws.base import FunctionLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.motions.motion import Motion, MotionSet
from carom.structures.base import LinearStructure
from carom.units import NONNEGATIVE, array, number

__all__ = ["FlatProblem", "Problem", "Support", "distinct_labels"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Sides: TypeAlias = tuple[tuple[int, Array], tuple[int, Array]]

FINEST = 100
"""The common time step of several motions is at least this part of the smallest."""


class Support(NamedTuple):
    """The ground under a structure: a motion that arrives after a delay [s], or none (at rest)."""

    motion: Motion | None
    delay: float = 0.0


@dataclass(frozen=True, eq=False)
class FlatProblem:
    """A problem as C-contiguous, read-only arrays: N modes, C contacts, D degrees of freedom, S supports, T samples."""

    omega: Array
    """ω [rad/s], shape (N,); exactly 0 for rigid modes."""
    sigma: Array
    """σ = ζω [1/s], shape (N,); half the diagonal of `damping` where that couples modes."""
    participation: Array
    """Shape (N,): the modal load of the ground is −participation · a_g of the mode's support."""
    load: Array
    """Constant modal loads, shape (N,)."""
    modal_mass: Array
    """Shape (N,): 1, or 0 for modes that only describe a prescribed motion and carry no energy."""
    mode_structure: Integers
    """Index of the structure of each mode, shape (N,); −1 for the ground displacement of a support."""
    support: Integers
    """Index of the support whose acceleration drives each mode, shape (N,)."""
    classical: bool
    """Whether damping leaves all modes uncoupled."""
    damping: Array
    """ΦᵀCΦ [1/s], shape (N, N), block diagonal by structure; shape (0, 0) where damping is classical."""
    reach: Array
    """Shape (C, N): overlap = reach·q − gap."""
    push: Array
    """Shape (C, N): a contact force F loads the modes with −push·F; `reach` without the prescribed motions."""
    slide: Array
    """Shape (C, N): rate of sliding = slide·q̇; zero for contacts without a tangent."""
    gap: Array
    """Distances at rest [m], shape (C,)."""
    laws: Array
    """Coefficients of the laws, shape (C, 8), in the order of `carom.kernels.power_law`; NaN for a user's function
    and for an impulse."""
    mobility: Array
    """r M⁻¹ rᵀ [1/kg] of both sides of each contact, shape (C, 2)."""
    effective_mass: Array
    """(H M⁻¹ Hᵀ)⁻¹ [kg], shape (C,): one over the sum of the two mobilities."""
    q0: Array
    """Initial modal displacements, shape (N,)."""
    v0: Array
    """Initial modal velocities, shape (N,)."""
    shapes: Array
    """Shape (D, N): u = shapes·q; structures in order, floors upwards."""
    dof_structure: Integers
    """Index of the structure of each degree of freedom, shape (D,)."""
    dof_labels: tuple[str, ...]
    contact_labels: tuple[str, ...]
    ground: Array
    """Ground acceleration [m/s²] of each support, shape (S, T), on one time base; T = 0 without motion."""
    dt: float
    """Time between samples of `ground` [s]; 0 without motion."""
    start: float
    """Time of the first sample [s]."""
    spring_reach: Array
    """Shape (P, N): drifts of the internal springs that are not linear, drift = spring_reach·q."""
    springs: Array
    """Their numbers, shape (P, 7), in the order of `carom.kernels.spring_rows`."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, np.ndarray):
                kind = np.float64 if value.dtype.kind == "f" else np.int64
                locked = np.array(value, dtype=kind, order="C")
                locked.flags.writeable = False
                object.__setattr__(self, entry.name, locked)


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
    motion: Motion | Mapping[str, Support] | None = None
    """One motion for all, or for each structure its own: a motion, ``(motion, delay)``, or None (at rest)."""
    initial_displacement: Mapping[str, tuple[float, ...]] = field(default_factory=dict, kw_only=True)
    """Structure to displacement [m] of its degrees of freedom, relative to the ground; others start from zero."""
    initial_velocity: Mapping[str, tuple[float, ...]] = field(default_factory=dict, kw_only=True)
    """Structure to velocity [m/s] of its degrees of freedom, relative to the ground; others start from zero."""
    allow_overlap: bool = field(default=False, kw_only=True)
    """Whether contacts may be closed at the start."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "structures", _named(_listed(self.structures, LinearStructure, "structures", "structure")))
        put(self, "contacts", _listed(self.contacts, (Contact, Facing), "contacts", "Contact or carom.facing(…)"))
        put(self, "motion", self._take_motion())
        for name, unit in (("initial_displacement", "m"), ("initial_velocity", "m/s")):
            put(self, name, self._take_initial(name, unit))
        if not isinstance(self.allow_overlap, bool):
            raise refusal("allow_overlap", "Problem", "must be True or False", self.allow_overlap)
        if not any(structure.massive for structure in self.structures):
            raise InputError("Problem needs at least one structure that can be moved, besides walls and ground.")
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

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the structures, in order."""
        return tuple(structure.name for structure in self.structures)

    @cached_property
    def pairs(self) -> tuple[Contact, ...]:
        """The contacts one by one, facing floors worked out; in the order of results."""
        found: list[Contact] = []
        for contact in self.contacts:
            if isinstance(contact, Facing):
                left, right = self.index(contact.left), self.index(contact.right)
                if left == right:
                    raise _itself(self.names[left])
                found += contact.expand(self.structures[left], self.structures[right])
            else:
                found.append(contact)
        return tuple(found)

    @cached_property
    def supports(self) -> tuple[Support, ...]:
        """The different grounds, in order of first use; one where all structures share a motion."""
        return tuple(dict.fromkeys(self._support_of(name) for name in self.names))

    def replace(self, **changes: Any) -> Problem:
        """Return a copy with some fields changed; ``gap=`` and ``law=`` set those of every contact."""
        known = {entry.name for entry in fields(self)}
        for name in changes:
            if name not in known | {"gap", "law"}:
                raise UnknownNameError("field of Problem", name, known | {"gap", "law"})
        each = {name: changes.pop(name) for name in ("gap", "law") if name in changes}
        kept: dict[str, Any] = {name: getattr(self, name) for name in known} | changes
        if each:
            given = _listed(kept["contacts"], (Contact, Facing), "contacts", "Contact or carom.facing(…)")
            kept["contacts"] = tuple(contact.replace(**each) for contact in given)
        return Problem(**kept)

    def flat(self) -> FlatProblem:
        """Return the problem as plain arrays, computed once."""
        return self._flat

    # taking --------------------------------------------------------------------------------------------

    def _take_motion(self) -> Motion | Mapping[str, Support] | None:
        given: Any = self.motion
        if given is None or isinstance(given, Motion):
            return given
        if isinstance(given, MotionSet):
            raise refusal(
                "motion", "Problem", "must be one component", given, 'Choose one, such as motions[0] or motions["N"].'
            )
        if not isinstance(given, Mapping):
            raise refusal(
                "motion", "Problem", "must be a carom.Motion, or a mapping from structures to motions", given,
                "Samples become one by carom.Motion(acceleration, dt), files by carom.read_motion(path).",
            )  # fmt: skip
        found = {self.names[self.index(which)]: _support(value, which) for which, value in given.items()}
        missing = [name for name in self.names if name not in found]
        if missing:
            raise refusal(
                "motion", "Problem", "must say every structure's motion where it says some", sorted(found),
                f"Add {', '.join(map(repr, missing))}; None means at rest.",
            )  # fmt: skip
        return MappingProxyType(found)

    def _take_initial(self, name: str, unit: str) -> Mapping[str, tuple[float, ...]]:
        given: Any = getattr(self, name)
        if given is None:
            return MappingProxyType({})
        if not isinstance(given, Mapping):
            raise refusal(name, "Problem", "must map structures to values", given, 'Write {"left": "-24 mm"}.')
        found: dict[str, tuple[float, ...]] = {}
        for which, value in given.items():
            structure = self.structure(which)
            if not structure.massive:
                raise refusal(name, "Problem", f"must not be set for {structure.owner}, which nothing moves", value)
            values = np.atleast_1d(array(value, unit, name=name, owner=structure.owner))
            dofs = structure.dof_names
            if values.shape != (len(dofs),):
                rule = f"must be a list of {len(dofs)} values, one for each degree of freedom"
                raise refusal(name, structure.owner, rule if len(dofs) > 1 else "must be one number", value)
            found[structure.name] = tuple(values.tolist())
        return MappingProxyType(found)

    def _support_of(self, name: str) -> Support:
        if isinstance(self.motion, Mapping):
            return self.motion[name]
        return Support(self.motion)

    # flattening ----------------------------------------------------------------------------------------

    @cached_property
    def _flat(self) -> FlatProblem:
        sides = [self._sides(contact) for contact in self.pairs]
        under = [self.supports.index(self._support_of(name)) for name in self.names]
        tangents = [self._tangents(contact) for contact in self.pairs]
        carried, dragged = self._carried(sides, tangents, under)
        crossing = np.flatnonzero(carried.any(axis=0) | dragged.any(axis=0))
        modes = [structure.modes() for structure in self.structures]
        columns = _slices([found.omega.size for found in modes])
        rows = _slices([len(structure.dof_names) for structure in self.structures])
        own, total = columns[-1].stop, columns[-1].stop + crossing.size

        omega, sigma, participation, load, modal_mass, q0, v0 = np.zeros((7, total))
        mode_structure, support = np.full((2, total), -1)
        shapes, damping = np.zeros((rows[-1].stop, total)), np.zeros((total, total))
        for i, (structure, found, at) in enumerate(zip(self.structures, modes, columns, strict=True)):
            momenta = structure.mass_matrix @ found.shapes
            rest = np.zeros(len(structure.dof_names))
            omega[at], sigma[at] = found.omega, found.sigma
            participation[at] = structure.influence @ momenta
            load[at] = structure.load @ found.shapes
            modal_mass[at] = float(structure.massive)
            mode_structure[at], support[at] = i, under[i]
            shapes[rows[i], at] = found.shapes
            damping[at, at] = structure.modal_damping
            q0[at] = self.initial_displacement.get(structure.name, rest) @ momenta
            v0[at] = self.initial_velocity.get(structure.name, rest) @ momenta
        participation[own:], support[own:] = -1.0, crossing  # q = u_g of that support

        labels = distinct_labels(self._label(contact) for contact in self.pairs)
        reach, laws, gap, mobility = (np.zeros((len(sides), *size)) for size in ((total,), (8,), (), (2,)))
        effective_mass = np.zeros(len(sides))
        slide = np.zeros_like(reach)
        reach[:, own:], slide[:, own:] = carried[:, crossing], dragged[:, crossing]
        for c, (contact, pair) in enumerate(zip(self.pairs, sides, strict=True)):
            for (i, row), sign in zip(pair, (1.0, -1.0), strict=True):
                reach[c, columns[i]] = sign * (row @ modes[i].shapes)
            for (i, row), sign in zip(tangents[c] or (), (1.0, -1.0), strict=False):
                slide[c, columns[i]] = sign * (row @ modes[i].shapes)
            mobility[c] = [self.structures[i].mobility(row) for i, row in pair]
            both = mobility[c, 0] + mobility[c, 1]
            if both == 0.0:
                raise InputError(f"Contact {labels[c]!r} joins two places that no force moves. Give one a mass.")
            self._refuse_overlap(contact, pair, labels[c])
            gap[c], effective_mass[c] = contact.gap, 1.0 / both
            if isinstance(contact.law, (FunctionLaw, ImpulsiveLaw)):
                laws[c] = math.nan
            else:
                laws[c] = contact.law.power_form(effective_mass[c]).packed()

        inside = [
            (columns[i], row @ modes[i].shapes, numbers)
            for i, structure in enumerate(self.structures)
            for row, numbers in structure.springs
        ]
        spring_reach, springs = np.zeros((len(inside), total)), np.zeros((len(inside), 7))
        for p, (at, drift, numbers) in enumerate(inside):
            spring_reach[p, at], springs[p] = drift, numbers

        classical = all(structure.classical for structure in self.structures)
        ground, dt, start = _common_base(self.supports)
        return FlatProblem(
            omega=omega, sigma=sigma, participation=participation, load=load, modal_mass=modal_mass,
            mode_structure=mode_structure, support=support,
            classical=classical, damping=np.zeros((0, 0)) if classical else damping,
            reach=reach, push=reach * modal_mass, slide=slide, gap=gap, laws=laws, mobility=mobility,
            effective_mass=effective_mass, q0=q0, v0=v0, shapes=shapes,
            dof_structure=np.repeat(np.arange(len(rows)), [at.stop - at.start for at in rows]),
            dof_labels=tuple(_dof_label(s.name, s.dof_names, dof) for s in self.structures for dof in s.dof_names),
            contact_labels=labels, ground=ground, dt=dt, start=start,
            spring_reach=spring_reach, springs=springs,
        )  # fmt: skip

    def _carried(self, sides: list[Sides], tangents: list[Sides | None], under: list[int]) -> tuple[Array, Array]:
        """Return, shape (C, S) each, what a unit displacement of each ground adds to each overlap and to each slip.

        On a common ground the two sides cancel, unless one of them does not ride on it. Where directions are told apart
        by a tangent, ground and walls move with the ground along the direction that the other side reads.
        """
        carried, dragged = np.zeros((2, len(sides), len(self.supports)))
        for c, (pair, tangent) in enumerate(zip(sides, tangents, strict=True)):
            for into, rows in ((carried[c], pair), (dragged[c], tangent)):
                if rows is None:
                    continue
                shares = [self.structures[i].ground_share(row) for i, row in rows]
                if tangent is not None:
                    rigid = [self.structures[i].rigid for i, _ in rows]
                    shares = [shares[1 - side] if rigid[side] else shares[side] for side in (0, 1)]
                for (i, _), share, sign in zip(rows, shares, (1.0, -1.0), strict=True):
                    into[under[i]] += sign * share
        for found in (carried, dragged):
            found[np.abs(found) < 1e-12] = 0.0  # shares that sum to one but for rounding
        return carried, dragged

    def _sides(self, contact: Contact) -> Sides:
        """Return, for a and b, the index of the structure and the row of the place on it."""
        a, b = self.index(contact.a.structure), self.index(contact.b.structure)
        if a == b:
            raise _itself(self.names[a])
        return (a, self.structures[a].row(contact.a.at)), (b, self.structures[b].row(contact.b.at))

    def _tangents(self, contact: Contact) -> Sides | None:
        """Return the same for the places where sliding is read."""
        if contact.tangent is None:
            return None
        found = []
        for place, at in zip((contact.a, contact.b), contact.tangent, strict=True):
            i = self.index(place.structure)
            structure = self.structures[i]
            if structure.rigid and structure.dof_names:
                raise refusal(
                    "tangent", f"contact with {structure.owner}", "must be left out for a wall fixed in space", at,
                    "Its displacement has one direction only; use a wall that moves with the ground.",
                )  # fmt: skip
            found.append((i, structure.row(None if structure.rigid else at)))
        return found[0], found[1]

    def _refuse_overlap(self, contact: Contact, sides: Sides, label: str) -> None:
        ua, ub = (float(row @ self.initial_displacement.get(self.names[i], np.zeros(row.size))) for i, row in sides)
        closing = ua - ub
        if not self.allow_overlap and closing - contact.gap > 1e-12 * max(abs(ua), abs(ub), abs(contact.gap)):
            raise refusal(
                "gap", f"contact {label!r}",
                f"must be at least the initial closing u_a − u_b = {closing:g} m, else the two overlap at rest",
                contact.gap, "Widen it, or pass allow_overlap=True.",
            )  # fmt: skip

    def _label(self, contact: Contact) -> str:
        return contact.name or " | ".join(self._place_label(place) for place in (contact.a, contact.b))

    def _place_label(self, place: Place) -> str:
        structure, at = self.structure(place.structure), place.at
        names = structure.dof_names
        if at is None or structure.rigid:
            return structure.name
        if isinstance(at, (int, np.integer)) and 1 <= at <= len(names):
            return _dof_label(structure.name, names, names[at - 1])
        if isinstance(at, str) and at in names:
            return _dof_label(structure.name, names, at)
        return f"{structure.name} at {at:g} m" if isinstance(at, float) else f"{structure.name} at {at}"

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in kept.items()}
        return _rebuilt, (plain,)

    def __repr__(self) -> str:
        shaken = "at rest" if self.motion is None else "shaken"
        count = f"{len(self.pairs)} contact{'' if len(self.pairs) == 1 else 's'}"
        return f"<Problem: {', '.join(self.names)}; {count}; {shaken}>"


def _rebuilt(values: dict[str, Any]) -> Problem:
    return Problem(**values)


def _itself(name: str) -> InputError:
    return InputError(f"Contact joins '{name}' with itself. Its two sides must be different structures.")


def distinct_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Number the repetitions of a label: ``a | b``, ``a | b (2)``, …"""
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return tuple(found)


def _dof_label(structure: str, names: tuple[str, ...], dof: str) -> str:
    return structure if len(names) == 1 else f"{structure} {dof}"


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


def _support(given: Any, which: object) -> Support:
    motion, delay = given if isinstance(given, tuple) and len(given) == 2 else (given, 0.0)
    if motion is not None and not isinstance(motion, Motion):
        raise refusal("motion", f"structure {which!r}", "must be a Motion, (Motion, delay) or None", given)
    owner = f"the motion of structure {which!r}"
    return Support(motion, number(delay, "s", name="delay", owner=owner, within=NONNEGATIVE) if motion else 0.0)


def _common_base(supports: tuple[Support, ...]) -> tuple[Array, float, float]:
    """Return accelerations (S, T), time step and start on a base that holds every sample of every motion.

    Motions are read as straight lines between samples, so a finer base changes nothing; before its first
    sample and after its last a ground does not accelerate.
    """
    shaken = [(s.motion, s.delay) for s in supports if s.motion is not None]
    if not shaken:
        return np.zeros((len(supports), 0)), 0.0, 0.0
    start = min(motion.start + delay for motion, delay in shaken)
    unit = min(motion.dt for motion, _ in shaken)
    steps = [_ratio(motion.dt / unit, motion) for motion, _ in shaken]
    offsets = [_ratio((motion.start + delay - start) / unit, motion) for motion, delay in shaken]
    part = math.lcm(*(ratio.denominator for ratio in (*steps, *offsets)))
    if part > FINEST:
        raise _uneven(f"steps and delays that meet only on 1/{part} of the smallest step")
    size = max(
        int(o * part) + (m.npts - 1) * int(s * part) for (m, _), s, o in zip(shaken, steps, offsets, strict=True)
    )
    ground = np.zeros((len(supports), size + 1))
    rows = iter(zip(steps, offsets, strict=True))
    for row, support in zip(ground, supports, strict=True):
        if support.motion is not None:
            step, offset = next(rows)
            at = int(offset * part) + int(step * part) * np.arange(support.motion.npts)
            row[:] = np.interp(np.arange(size + 1), at, support.motion.acceleration, left=0.0, right=0.0)
    return ground, unit / part, start


def _ratio(value: float, motion: Motion) -> Fraction:
    found = Fraction(value).limit_denominator(FINEST)
    if abs(float(found) - value) > 1e-9 * max(1.0, value):
        raise _uneven(f"{motion!r} at {value:g} steps")
    return found


def _uneven(what: str) -> InputError:
    return refusal(
        "motion", "Problem", "must have time steps and delays with a common measure", what,
        "Resample the motions to one time step, and round the delays to parts of it.",
    )  # fmt: skip


def _slices(sizes: list[int]) -> list[slice]:
    """Return consecutive slices of the given sizes."""
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
