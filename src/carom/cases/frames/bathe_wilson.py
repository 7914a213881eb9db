"""The plane frame of Bathe and Wilson: ten bays, nine storeys, three eigenvalues."""

from __future__ import annotations

from typing import ClassVar

from carom.cases.base import Case, Run, register_case
from carom.results import Row
from carom.structures.frame import Frame, Material, Member, Section

BAYS, STOREYS = 10, 9
BAY, STOREY = 20.0, 10.0  # [ft], taken as metres: eigenvalues depend on numbers alone
YOUNG, AREA, INERTIA, MASS = 432_000.0, 3.0, 1.0, 3.0  # E, A, I and the mass per length, in kip and foot
PUBLISHED = (0.589541, 5.52696, 16.5879)  # λ = ω²
LAST_DIGITS = (5e-7, 5e-6, 5e-5)


def plane_frame(lumped: bool = True) -> Frame:
    """Return it, columns fixed, masses of members lumped at the joints."""
    section = Section(AREA, INERTIA, INERTIA, INERTIA)
    material = Material(YOUNG, 0.3, MASS / AREA)
    nodes = {f"{i}-{j}": (BAY * i, 0.0, STOREY * j) for i in range(BAYS + 1) for j in range(STOREYS + 1)}
    columns = [(f"{i}-{j - 1}", f"{i}-{j}") for i in range(BAYS + 1) for j in range(1, STOREYS + 1)]
    beams = [(f"{i - 1}-{j}", f"{i}-{j}") for i in range(1, BAYS + 1) for j in range(1, STOREYS + 1)]
    return Frame(
        nodes=nodes,
        members=[Member(a, b, section, material, name=f"{a} to {b}") for a, b in (*columns, *beams)],
        supports={f"{i}-0": "fixed" for i in range(BAYS + 1)}, plane="xz", lumped=lumped, rotary=False, name="frame",
    )  # fmt: skip


@register_case
class BatheWilson(Case):
    """Three eigenvalues."""

    name: ClassVar[str] = "frame-bathe-wilson"
    title: ClassVar[str] = "Plane frame of ten bays and nine storeys"
    paper: ClassVar[str] = "frame-bathe-wilson"
    place: ClassVar[str] = "numerical example, the frame"
    notes: ClassVar[tuple[str, ...]] = (
        "The printed values follow with lumped masses; consistent ones give 0.58985123, 5.5524017, 16.792484.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the eigenvalues."""
        found = plane_frame().modes().omega ** 2
        return [
            Row(
                quantity=f"eigenvalue {i + 1}", published=printed, computed=float(found[i]), unit="1/s²",
                tolerance=digit / printed,
            )
            for i, (printed, digit) in enumerate(zip(PUBLISHED, LAST_DIGITS, strict=True))
        ]  # fmt: skip
