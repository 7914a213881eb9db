"""PEER AT2 with an NGA-West2 header: g, five values of seven digits a line."""

from __future__ import annotations

import re

from carom.errors import refusal
from carom.motions.motion import Motion
from carom.motions.quantities import acceleration_factor
from carom.motions.writers.base import Writer, writer


@writer("peer-at2", aliases=("at2", "peer"), suffixes=(".at2",))
class PeerAt2(Writer):
    """The layout that every program in the field reads; the time of the first sample is not kept."""

    def text(self, motion: Motion, unit: str | None) -> str:
        """Return header and body."""
        if unit is not None and unit.strip().lower() != "g":
            raise refusal("unit", "peer-at2", "must be g", unit, "Write CSV or OpenSees text for other units.")
        values = motion.acceleration / acceleration_factor("g", "peer-at2")
        lines = [
            "STRONG MOTION DATABASE RECORD, written by carom",
            ", ".join((_clean(motion.event), _word(motion.station), _word(motion.component))),
            "ACCELERATION TIME SERIES IN UNITS OF G",
            f"NPTS= {motion.npts:6d}, DT= {motion.dt!r} SEC",
        ]
        for first in range(0, motion.npts, 5):
            lines.append("".join(f"{value:15.7E}" for value in values[first : first + 5]))
        return "\n".join(lines) + "\n"


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip() or "unknown event"


def _word(text: str) -> str:
    return re.sub(r"[\s,]+", " ", text).strip() or "unknown"
