"""Bare numbers, one a line: what OpenSees' ``timeSeries Path -filePath`` takes."""

from __future__ import annotations

from carom.motions.motion import Motion
from carom.motions.quantities import acceleration_factor
from carom.motions.writers.base import Writer, writer


@writer("opensees", aliases=("text", "one-column"), suffixes=(".txt", ".dat", ".acc", ".th"))
class OpenSees(Writer):
    """No header: time step and unit must be given again when it is read."""

    def text(self, motion: Motion, unit: str | None) -> str:
        """Return one value a line, all digits."""
        factor = acceleration_factor("m/s2" if unit is None else unit, "opensees")
        values = motion.acceleration if factor == 1.0 else motion.acceleration / factor
        return "".join(f"{value!r}\n" for value in values.tolist())
