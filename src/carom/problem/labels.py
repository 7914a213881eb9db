"""What contacts and degrees of freedom are called in results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from carom.contact import Contact, Place

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["contact_label", "distinct_labels", "dof_label"]


def distinct_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Number the repetitions of a label: ``a | b``, ``a | b (2)``, …"""
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return tuple(found)


def dof_label(structure: str, names: tuple[str, ...], dof: str) -> str:
    """Return what a degree of freedom is called in results: by its structure alone where that has one."""
    return structure if len(names) == 1 else f"{structure} {dof}"


def contact_label(problem: Problem, contact: Contact) -> str:
    """Return the name of a contact, or of the places it joins."""
    return contact.name or " | ".join(_place_label(problem, place) for place in (contact.a, contact.b))


def _place_label(problem: Problem, place: Place) -> str:
    structure, at = problem.structure(place.structure), place.at
    names = structure.dof_names
    if at is None or structure.rigid:
        return structure.name
    if isinstance(at, (int, np.integer)) and 1 <= at <= len(names):
        return dof_label(structure.name, names, names[at - 1])
    if isinstance(at, str) and at in names:
        return dof_label(structure.name, names, at)
    return f"{structure.name} at {at:g} m" if isinstance(at, float) else f"{structure.name} at {at}"
