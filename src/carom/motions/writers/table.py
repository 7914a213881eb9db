"""CSV: time and acceleration with all digits, and the motion's own words above as ``# key: value``."""

from __future__ import annotations

import re

from carom.motions.motion import Motion
from carom.motions.quantities import acceleration_factor
from carom.motions.writers.base import Writer, writer


@writer("csv", aliases=("two-column",), suffixes=(".csv",))
class Table(Writer):
    """Read back, it gives the same motion."""

    def text(self, motion: Motion, unit: str | None) -> str:
        """Return comment lines, the line of names and the table."""
        unit = "m/s2" if unit is None else unit
        factor = acceleration_factor(unit, "csv")
        values = motion.acceleration if factor == 1.0 else motion.acceleration / factor
        lines = [f"# dt: {motion.dt!r} s"]
        for key in ("component", "event", "station", "source"):
            if words := re.sub(r"\s+", " ", getattr(motion, key)).strip():
                lines.append(f"# {key}: {words}")
        lines += [f"# processing: {' '.join(step.split())}" for step in motion.processing]
        lines.append(f"time (s),acceleration ({unit})")
        times = [repr(motion.start), *(f"{time:.15g}" for time in motion.time[1:])]
        lines += [f"{time},{value!r}" for time, value in zip(times, values.tolist(), strict=True)]
        return "\n".join(lines) + "\n"
