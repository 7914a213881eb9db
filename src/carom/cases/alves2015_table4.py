"""alves2015 Table 4: peak force of a steel ball on a massive specimen, eight models, four tests."""

from __future__ import annotations

from typing import ClassVar

from carom.cases._alves2015 import MODELS, PEAKS, TRIALS, drop_ball
from carom.cases.base import Case, Run, register_case
from carom.results import Row

TOLERANCE = 0.0025  # the paper's inputs are rounded to three digits and its time step is not stated


@register_case
class Table4(Case):
    """Thirty-two peaks."""

    name: ClassVar[str] = "alves2015-table4"
    title: ClassVar[str] = "Peak force of a steel ball of 0.54 kg on specimens C1 and C2"
    paper: ClassVar[str] = "alves2015"
    place: ClassVar[str] = "Table 4, with K, v0 and e of Table 3"
    notes: ClassVar[tuple[str, ...]] = (
        "Measured peaks: " + "; ".join(f"{test}: {test.measured:g} N" for test in TRIALS) + ". The errors against "
        "them (the table's other column) are the rows of alves2015-fig6 to -fig9.",
        "The published peaks lie below the converged ones by 0.1 % at 0.094 m/s and above them by 0.2 % at 0.5 m/s, "
        "whichever the model: a trace of the step or sampling of the original computation.",
        "C2 yields at 42 N (Table 2): all its peaks are far above what an elastic law is valid for.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the peaks, model by model."""
        return [
            Row(
                quantity=f"{MODELS[name]}, {test}: peak force",
                published=peak,
                computed=drop_ball(run, name, test).peak_force,
                tolerance=TOLERANCE,
                unit="N",
            )
            for name, peaks in PEAKS.items()
            for test, peak in zip(TRIALS, peaks, strict=True)
        ]
