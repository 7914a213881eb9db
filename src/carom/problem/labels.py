"""What contacts and outputs are called in results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from carom.contact import Contact, Place

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["contact_label", "distinct_labels", "output_label", "place_label"]


def distinct_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Number the repetitions of a label: ``a | b``, ``a | b (2)``, …"""
    labels = tuple(labels)
    if len(set(labels)) == len(labels):
        return labels
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return tuple(found)


def output_label(structure: str, dofs: tuple[str, ...], name: str) -> str:
    """Return what an output is called in results: by its structure alone where that has one degree of freedom."""
    return structure if dofs == (name,) else f"{structure} {name}"


def contact_label(problem: Problem, contact: Contact) -> str:
    """Return the name of a contact, or of the places it joins."""
    return contact.name or " | ".join(place_label(problem, place) for place in (contact.a, contact.b))


def place_label(problem: Problem, place: Place) -> str:
    """Return what a place is called."""
    structure, at = problem.structure(place.structure), place.at
    along = "" if place.direction is None else f" along {place.direction}"
    if at is None or structure.rigid:
        return structure.name + along
    return output_label(structure.name, structure.dof_names, structure.place_name(at)) + along
