"""A problem made in Python under a visitor's hands: gaps, laws, masses, stiffnesses, damping, and the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from carom.app.controls import TITLES, Control, control
from carom.app.explored import RTOL, Explored
from carom.contact import Facing
from carom.laws.base import CompliantLaw, stiffness_unit
from carom.laws.catalogue import laws
from carom.motions import Motion, MotionSet
from carom.problem import Problem

__all__ = ["ProblemExplorer"]

UNITS = {"mass": "kg", "stiffness": "N/m", "damping_ratio": "", "period": "s", "frequency": "Hz", "friction": ""}
"""Fields of structures that are one number; of lists of numbers all are multiplied."""
ONE_OF = ("stiffness", "period", "frequency")


class ProblemExplorer(Explored):
    """A problem, and the last answer of it."""

    def __init__(self, problem: Problem, title: str = "", **options: Any) -> None:
        self.base = problem
        self.every: dict[str, Any] = {}
        """Laws by the names that they have here."""
        for contact in problem.contacts:
            self._named(contact.law)
        super().__init__(
            title=title or " beside ".join(structure.name for structure in problem.structures),
            controls=list(self._controls()), ground=_ground(problem.motion),
            laws={name: law.name for name, law in self.every.items()},
            options={"rtol": RTOL, **options} if options.get("scheme", "event") == "event" else options,
        )  # fmt: skip

    def problem(self, wish: Mapping[str, Any]) -> Problem:
        """Return the problem that a visitor wishes, at the gaps, laws and motion as they were moved."""
        moved = {path: value for path, (_, value) in self.moved(wish).items()}
        chosen = {name: _law(law, name, moved, self.chosen(wish)) for name, law in self.every.items()}
        contacts = []
        for i, contact in enumerate(self.base.contacts):
            changes = {"law": chosen[self._named(contact.law)]} if contact.law is not None else {}
            if (path := f"contacts.{i}.gap") in moved:
                gap = contact.gap
                changes["gap"] = tuple(moved[path] * one for one in gap) if isinstance(gap, tuple) else moved[path]
            contacts.append(replace(contact, **changes))
        structures = [_structure(one, moved) for one in self.base.structures]
        ground = self.grounds(wish)
        motion = ground["x"] if set(ground) == {"x"} else ground or self.base.motion
        return self.base.replace(structures=structures, contacts=contacts, motion=motion)

    def apart(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was moved, without gaps and laws."""
        return {path: value for path, value in self.moved(wish).items() if not path.startswith(("contacts.", "laws."))}

    def _named(self, law: Any) -> str:
        """Return what a law is called here: by its own name, numbered where several share it."""
        if law is None:
            return ""
        for name, other in self.every.items():
            if other is law or other == law:
                return name
        name = law.name if law.name not in self.every else f"{law.name} {len(self.every) + 1}"
        self.every[name] = law
        return str(name)

    def _controls(self) -> Iterator[Control]:
        for i, contact in enumerate(self.base.contacts):
            both = (contact.left, contact.right) if isinstance(contact, Facing) else (contact.a, contact.b)
            if contact.gap is not None:
                gap = None if isinstance(contact.gap, tuple) else float(contact.gap)
                yield from _made(control, f"contacts.{i}.gap", " | ".join(map(_side, both)), "gap", "m", gap)
        for name, law in self.every.items():
            for field in ("stiffness", "restitution"):
                value = getattr(law, field, None)
                if isinstance(value, (int, float)):
                    unit = stiffness_unit(law.n) if field == "stiffness" else ""
                    yield from _made(control, f"laws.{name}.{field}", name, field, unit, float(value), of_law=True)
        for structure in self.base.structures:
            for field, value in _movable(structure):
                path = f"structures.{structure.name}.{field}"
                yield from _made(control, path, structure.name, field, UNITS.get(field, ""), value)


def _made(make: Callable[..., Control | None], *given: Any, **named: Any) -> Iterator[Control]:
    found = make(*given, **named)
    if found is not None:
        yield found


def _movable(structure: Any) -> Iterator[tuple[str, float | None]]:
    """Return the fields of a structure that can be moved, with their values; of lists none."""
    if not is_dataclass(structure):
        return
    given = getattr(structure, "_given", "")  # of an oscillator's three ways to say the same, the one that was used
    for entry in fields(structure):
        value = getattr(structure, entry.name)
        if entry.name not in TITLES or isinstance(value, (bool, str)):
            continue
        if given and entry.name in ONE_OF and entry.name != given:
            continue
        if isinstance(value, (int, float)) and entry.name in UNITS:
            yield entry.name, float(value)
        elif isinstance(value, (tuple, list, np.ndarray)) and np.ndim(value) == 1 and len(value):
            yield entry.name, None


def _structure(structure: Any, moved: Mapping[str, float]) -> Any:
    changes: dict[str, Any] = {}
    for field, value in _movable(structure):
        to = moved.get(f"structures.{structure.name}.{field}")
        if to is not None:
            changes[field] = to if value is not None else to * np.asarray(getattr(structure, field), dtype=float)
    return structure.replace(**changes) if changes else structure


def _law(law: Any, name: str, moved: Mapping[str, float], chosen: Mapping[str, str]) -> Any:
    """Return a law as it was moved; another one of equal force at a millimetre of overlap, equal e asked."""
    changes = {
        field: moved[path] for field in ("stiffness", "restitution") if (path := f"laws.{name}.{field}") in moved
    }
    law = replace(law, **changes) if changes else law
    other = chosen.get(name, law.name)
    if other == law.name or not isinstance(law, CompliantLaw):
        return law
    kind: Any = laws.get(other)
    e = getattr(law, "restitution", None)
    given = {} if e is None or kind.m is None else {"restitution": e}
    return kind(stiffness=law.stiffness * 1e-3 ** (law.n - kind.n), **given)


def _side(place: Any) -> str:
    return " ".join(map(str, place)) if isinstance(place, tuple) else str(place)


def _ground(motion: Any) -> dict[str, Motion]:
    """Return the motions by direction, where all structures share them."""
    if isinstance(motion, Motion):
        return {"x": motion}
    shared = motion.axes if isinstance(motion, MotionSet) else motion
    if isinstance(shared, Mapping) and set(shared) <= {"x", "y", "z"}:
        return {axis: one for axis, one in shared.items() if isinstance(one, Motion)}
    return {}
