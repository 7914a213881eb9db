"""NAFEMS FV2: a pin-ended double cross, free vibration in its plane."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from carom.cases.base import Case, Run, register_case
from carom.results import Row
from carom.structures.frame import Frame, Material, Member, Section

ARM = 5.0  # [m]
SIDE = 0.125  # of the square section [m]
STEEL = Material(200e9, 0.3, 8000.0)
ELEMENTS = 32  # of each arm
PUBLISHED = {1: 11.336, **dict.fromkeys(range(2, 9), 17.709), 9: 45.345, **dict.fromkeys(range(10, 17), 57.390)}  # [Hz]
LAST_DIGIT = 0.0005  # [Hz]
COUPLED = "the printed closed form leaves out that modes in pairs stretch the arms"


def double_cross() -> Frame:
    """Return eight arms from one node, their outer ends pinned."""
    section = Section.rectangle(SIDE, SIDE)
    nodes: dict[str, object] = {"centre": (0.0, 0.0, 0.0)}
    members, supports = [], {}
    for arm in range(8):
        way = np.array([math.cos(0.25 * math.pi * arm), 0.0, math.sin(0.25 * math.pi * arm)])
        before = "centre"
        for i in range(1, ELEMENTS + 1):
            name = f"arm{arm}-{i}"
            nodes[name] = ARM * i / ELEMENTS * way
            members.append(Member(before, name, section, STEEL))
            before = name
        supports[before] = "pinned"
    return Frame(nodes=nodes, members=members, supports=supports, plane="xz", rotary=False, name="double cross")


@register_case
class NafemsFv2(Case):
    """Sixteen frequencies."""

    name: ClassVar[str] = "frame-nafems-fv2"
    title: ClassVar[str] = "Pin-ended double cross, in-plane vibration"
    paper: ClassVar[str] = "frame-nafems"
    place: ClassVar[str] = "test FV2"
    notes: ClassVar[tuple[str, ...]] = (f"{ELEMENTS} elements for each arm; without rotary inertia, as the reference.",)

    def rows(self, run: Run) -> list[Row]:
        """Return the frequencies."""
        found = double_cross().frequencies
        return [
            Row(
                quantity=f"frequency, mode {mode}", published=printed, computed=float(found[mode - 1]), unit="Hz",
                tolerance=LAST_DIGIT / printed + 1e-5, reason=COUPLED if mode in (2, 3, 10, 11) else "",
            )
            for mode, printed in PUBLISHED.items()
        ]  # fmt: skip
