"""AISC Design Guide 25: a prismatic cantilever column under axial load and a force at its tip, with P-Δ."""

from __future__ import annotations

import math
from typing import ClassVar

from carom.cases.base import Case, Run, register_case
from carom.results import Row
from carom.structures.frame import Frame, Material, Member, Section

YOUNG, INERTIA, LENGTH, PUSH = 29_500.0, 2150.0, 196.0, 10.0  # kips and inches, taken as newtons and metres
AREA = 51.7  # of a W14X176; the answer does not depend on it
SHARES = (0.1, 0.5, 0.67)  # of Euler's load π²EI/(4L²)
ELEMENTS = 4
CLOSED_FORM = 5e-5  # what four elements with a consistent geometric stiffness leave at the largest load


def column(share: float, elements: int) -> tuple[Frame, float]:
    """Return the column at rest under its axial load, and that load."""
    load = share * math.pi**2 * YOUNG * INERTIA / (4.0 * LENGTH**2)
    nodes = {f"n{i}": (0.0, 0.0, LENGTH * i / elements) for i in range(elements + 1)}
    section, material = Section(AREA, INERTIA, INERTIA, INERTIA), Material(YOUNG, 0.3)
    tip = f"n{elements}"
    frame = Frame(
        nodes=nodes, members=[Member(f"n{i}", f"n{i + 1}", section, material) for i in range(elements)],
        supports={"n0": "fixed"}, masses={tip: 1.0}, loads={tip: (0.0, 0.0, -load)}, gravity=0.0, plane="xz",
        name="column",
    )  # fmt: skip
    return frame, load


def closed_form(load: float) -> tuple[float, float]:
    """Return displacement of the tip and moment at the base by the differential equation of the bent column."""
    alpha = math.sqrt(load * LENGTH**2 / (YOUNG * INERTIA))
    stiffer = math.tan(alpha) / alpha
    return PUSH * LENGTH**3 / (3.0 * YOUNG * INERTIA) * 3.0 * (stiffer - 1.0) / alpha**2, PUSH * LENGTH * stiffer


@register_case
class DesignGuide25(Case):
    """Tip displacement and base moment at three loads."""

    name: ClassVar[str] = "frame-dg25"
    title: ClassVar[str] = "Prismatic cantilever column with P-Δ"
    paper: ClassVar[str] = "frame-dg25"
    place: ClassVar[str] = "benchmark of a prismatic cantilever, closed form"
    notes: ClassVar[tuple[str, ...]] = (
        f"{ELEMENTS} elements with consistent geometric stiffness; one element is 1 % off at 0.67 of Euler's load.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return them, in kips and inches."""
        found = []
        for share in SHARES:
            frame, load = column(share, ELEMENTS)
            rest = frame.static({f"n{ELEMENTS}": (PUSH, 0.0, -load)})
            computed = rest.displacements[f"n{ELEMENTS}"][0], abs(rest.reactions["n0"][4])
            for what, unit, exact, value in zip(
                ("tip displacement", "base moment"), ("in", "kip·in"), closed_form(load), computed, strict=True
            ):
                found.append(
                    Row(
                        quantity=f"{what} at {share:g} of Euler's load", published=exact, computed=float(value),
                        unit=unit, tolerance=CLOSED_FORM,
                    )
                )  # fmt: skip
        return found
