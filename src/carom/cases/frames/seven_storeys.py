"""A steel frame of seven storeys and two bays, whose floors are rigid in their plane: seven periods."""

from __future__ import annotations

from itertools import accumulate
from typing import ClassVar

from carom.cases.base import Case, Run, register_case
from carom.results import Row
from carom.structures.frame import Diaphragm, Frame, Material, Member, Section

STOREYS = (162.0, 162.0, 156.0, 156.0, 156.0, 156.0, 156.0)  # heights, bottom to top [in]
BAY = 360.0  # [in]
YOUNG = 29_500.0  # [ksi]; inches and kips throughout, taken as metres and newtons: periods depend on numbers alone
FLOOR = 0.49  # mass of a floor [kip s²/in]
SHAPES = {
    "W14X176": (51.7, 2150.0), "W14X211": (62.1, 2670.0), "W14X246": (72.3, 3230.0), "W14X287": (84.4, 3910.0),
    "W24X110": (32.5, 3330.0), "W24X130": (38.3, 4020.0), "W24X160": (47.1, 5120.0),
}  # fmt: skip
"""Area [in²] and second moment [in⁴], as the benchmark prints them."""
OUTER = ("W14X246",) * 3 + ("W14X211",) * 2 + ("W14X176",) * 2
INNER = ("W14X287",) * 3 + ("W14X246",) * 2 + ("W14X211",) * 2
BEAMS = ("W24X160",) * 2 + ("W24X130",) * 2 + ("W24X110",) * 3
PUBLISHED = (1.2732, 0.4313, 0.2420, 0.1602, 0.1190, 0.0951, 0.0795)  # [s]
LAST_DIGIT = 0.00005  # [s]


def seven_storeys() -> Frame:
    """Return it; columns may shorten, floors may not."""
    levels = (0.0, *accumulate(STOREYS))
    material = Material(YOUNG, 0.3)
    sections = {name: Section(a, i, i, i, name=name) for name, (a, i) in SHAPES.items()}
    nodes = {f"{i}-{j}": (BAY * i, 0.0, level) for i in range(3) for j, level in enumerate(levels)}
    members = [
        Member(f"{i}-{j}", f"{i}-{j + 1}", sections[(INNER if i == 1 else OUTER)[j]], material, name=f"column {i} {j}")
        for i in range(3)
        for j in range(7)
    ]
    members += [
        Member(f"{i}-{j}", f"{i + 1}-{j}", sections[BEAMS[j - 1]], material, name=f"beam {i} {j}")
        for i in range(2)
        for j in range(1, 8)
    ]
    floors = [
        Diaphragm(f"floor {j}", tuple(f"{i}-{j}" for i in range(3)), mass=FLOOR, upright=False) for j in range(1, 8)
    ]
    return Frame(
        nodes=nodes, members=members, supports={f"{i}-0": "fixed" for i in range(3)}, diaphragms=floors, plane="xz",
        name="frame",
    )  # fmt: skip


@register_case
class SevenStoreys(Case):
    """Seven periods."""

    name: ClassVar[str] = "frame-seven-storeys"
    title: ClassVar[str] = "Steel frame of seven storeys and two bays"
    paper: ClassVar[str] = "frame-seven-storeys"
    place: ClassVar[str] = "natural periods"

    def rows(self, run: Run) -> list[Row]:
        """Return the periods."""
        found = seven_storeys().periods
        return [
            Row(
                quantity=f"period {i + 1}", published=printed, computed=float(found[i]), unit="s",
                tolerance=LAST_DIGIT / printed,
            )
            for i, printed in enumerate(PUBLISHED)
        ]  # fmt: skip
