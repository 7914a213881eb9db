"""NAFEMS FV4: a cantilever with masses on rigid arms beside its tip."""

from __future__ import annotations

from typing import ClassVar

from carom.cases.base import Case, Run, register_case
from carom.results import Row
from carom.structures.frame import Frame, Link, Material, Member, Section

LENGTH, DIAMETER, ARM = 10.0, 0.5, 2.0  # [m]
STEEL = Material(200e9, 0.3, 8000.0)
MASSES = {"left": 1e4, "right": 1e3}  # [kg], at −ARM and +ARM across
ELEMENTS = 40
PUBLISHED = (1.723, 1.727, 7.413, 9.972, 18.155, 26.957)  # [Hz]
LAST_DIGIT = 0.001  # a unit of it [Hz]: the printed values are those of a mesh of elements, too


def cantilever() -> Frame:
    """Return it, clamped at the origin, along x."""
    section = Section.circle(DIAMETER)
    nodes: dict[str, object] = {f"n{i}": (LENGTH * i / ELEMENTS, 0.0, 0.0) for i in range(ELEMENTS + 1)}
    nodes |= {"left": (LENGTH, -ARM, 0.0), "right": (LENGTH, ARM, 0.0)}
    tip = f"n{ELEMENTS}"
    return Frame(
        nodes=nodes, members=[Member(f"n{i}", f"n{i + 1}", section, STEEL) for i in range(ELEMENTS)],
        supports={"n0": "fixed"}, masses=MASSES, links=[Link(node, tip) for node in MASSES], name="cantilever",
    )  # fmt: skip


@register_case
class NafemsFv4(Case):
    """Six frequencies."""

    name: ClassVar[str] = "frame-nafems-fv4"
    title: ClassVar[str] = "Cantilever with off-centre point masses"
    paper: ClassVar[str] = "frame-nafems"
    place: ClassVar[str] = "test FV4"
    notes: ClassVar[tuple[str, ...]] = (f"{ELEMENTS} elements, with rotary inertia; without it mode 5 is 18.1816 Hz.",)

    def rows(self, run: Run) -> list[Row]:
        """Return the frequencies."""
        found = cantilever().frequencies
        return [
            Row(
                quantity=f"frequency, mode {mode}", published=printed, computed=float(found[mode - 1]), unit="Hz",
                tolerance=LAST_DIGIT / printed,
            )
            for mode, printed in enumerate(PUBLISHED, 1)
        ]  # fmt: skip
