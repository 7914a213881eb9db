"""What was asked to be kept of a run: as a table, with contact and without."""

from __future__ import annotations

from carom.reports.changes import change
from carom.results import Asked, Pounding, Simulation, Table
from carom.units import si

__all__ = ["asked_table"]


def asked_table(result: Pounding) -> Table:
    """Return the peaks of what was asked for: displacements, rotations, drifts, shears and member forces."""
    rows = []
    for one in result.asked:
        with_, without = (float(run.extremes[one.output, 0]) for run in (result.run, result.twin))
        rows.append(
            (
                one.label,
                *(_told(value, one) for value in (with_, without)),
                change(with_, without),
                _when(result.run, one),
            )
        )
    head = ("what", "largest value", "without contact", "change", "at")
    return Table("asked", "What was asked for", head, tuple(rows))


def _told(value: float, one: Asked) -> str:
    if one.unit == "rad":
        return f"{1e3 * value:.3g} mrad"
    return si(value, "N*m", 3).replace("N*m", "N m") if one.unit == "N m" else si(value, one.unit, 3)


def _when(run: Simulation, one: Asked) -> str:
    """Return the time of the largest sample."""
    return f"{run.time[int(abs(run.displacement[:, one.output]).argmax())]:.2f} s"
