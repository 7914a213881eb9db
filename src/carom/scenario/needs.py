"""How much memory and work the run of a scenario takes, told from its tables before anything of it is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from carom.budget import RunSize
from carom.scenario.analysis import Analysis
from carom.scenario.method import longest_step
from carom.scenario.model import (
    ContactPart,
    DeckPart,
    FramePart,
    MatricesPart,
    MomentFramePart,
    ShearBuildingPart,
    TorsionalPart,
)

if TYPE_CHECKING:
    from carom.motions import Motion
    from carom.problem import Problem

__all__ = ["SAMPLING", "needs_of", "needs_stated"]

SAMPLING = 0.002
"""Largest time between samples of histories under a record [s]."""
HELD = 3
"""Runs that are in memory at a time: with contact, without, and with something changed."""
CHECKS = 8
"""Runs that are made where their firmness is looked at; else two."""


def needs_stated(
    structures: Mapping[str, Any], contacts: Iterable[ContactPart], analysis: Analysis, ground: Mapping[str, Motion]
) -> RunSize:
    """Return what the run of a file takes, as far as its tables tell."""
    floors = {name: _floors(part) for name, part in structures.items()}
    delays = {getattr(part, "delay", None) or 0.0 for part in structures.values()}
    met = sum(_places(contact, floors) for contact in contacts)
    return _size(analysis, ground, max(delays, default=0.0), len(delays), tuple(floors.values()), met)


def needs_of(problem: Problem, analysis: Analysis, ground: Mapping[str, Motion]) -> RunSize:
    """Return what the run of a problem takes."""
    floors = tuple(len(structure.dof_names) for structure in problem.structures)
    delay = max(support.delay for support in problem.supports)
    return _size(analysis, ground, delay, len(problem.supports), floors, len(problem.pairs))


def _size(
    analysis: Analysis,
    ground: Mapping[str, Motion],
    delay: float,
    supports: int,
    floors: tuple[int, ...],
    contacts: int,
) -> RunSize:
    motions = list(ground.values())
    step = min([longest_step(analysis, SAMPLING), *(motion.dt for motion in motions)])
    lasting = analysis.duration or max((motion.duration + delay for motion in motions), default=0.0)
    own = analysis.scheme != "event"
    return RunSize(
        lasting / step, sum(floors), contacts, supports, floors, lasting / analysis.dt if own and analysis.dt else 0.0,
        own, HELD, CHECKS if analysis.checks else 2,
    )  # fmt: skip


def _floors(part: Any) -> int:
    """Return the degrees of freedom of a structure, as far as its table tells them."""
    if isinstance(part, MatricesPart):
        return max(1, len(part.stiffness or ()), len(part.dofs or ()))
    if isinstance(part, MomentFramePart):
        return _of_grid(part)
    if isinstance(part, DeckPart):
        return 3
    if isinstance(part, FramePart):
        return 6 * len(part.nodes)
    if isinstance(part, TorsionalPart):
        fields = (part.masses, part.stiffnesses_x, part.stiffnesses_y, part.heights)
        return 3 * max(part.floors or 1, *(len(one) for one in fields if isinstance(one, list)), 1)
    if not isinstance(part, ShearBuildingPart):
        return 1
    listed = [value for value in (part.masses, part.stiffnesses, part.heights) if isinstance(value, list)]
    return max(part.floors or 1, *(len(values) for values in listed), 1)


def _of_grid(part: MomentFramePart) -> int:
    """Return the degrees of freedom of a regular frame: of each node those that a rigid slab does not take."""
    columns = (len(part.bays) + 1) * (len(part.rows or ()) + 1)
    own = (6 if part.rows else 3) - (0 if part.slab is None else 3 if part.rows else 1)
    return len(part.storeys) * (columns * own + (0 if part.slab is None else 3))


def _places(contact: ContactPart, floors: Mapping[str, int]) -> int:
    """Return at how many places two neighbours may meet."""
    if not (isinstance(contact.left, str) and isinstance(contact.right, str)):
        return 1
    both = floors.get(contact.left, 1), floors.get(contact.right, 1)
    return sum(both) if contact.columns else max(both) if 1 in both else min(both)
