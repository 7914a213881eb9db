"""langlade2021 Table 7 by frames: what follows from the sections alone, and with six parameters fitted."""

from __future__ import annotations

from typing import ClassVar

from carom.cases.base import Case, Run, register_case
from carom.cases.langlade2021.frame_model import UNTUNED, Tuning, fitted, frame, six_frequencies, storey_stiffness
from carom.cases.langlade2021.two_storey import MEASURED, MODES
from carom.results import Row

NEAR = 0.03
"""Untuned, along the row: what bases, slabs and plan that are not stated leave open."""
TUNED_WITHIN = (0.005, 0.015)
"""With six parameters: Structure 1, and Structure 2, whose torsion no single radius of a floor fits."""
SINGLE_STOREY = (2.11e6, 5.31e6)  # [N/m], Table 3
SINGLE_WITHIN = 0.02

NO_CABLES = "without cables, of which neither section nor pretension is stated, nothing but the columns resists there"
FIXED = (
    "bases are taken as fixed and slabs as rigid: Structure 2's stiffer columns turn both more than Structure 1's do"
)
CROWDED = (
    "the ratio of its torsional frequencies, 2.77, lies below that of its longitudinal, 2.81, and of its transverse "
    "ones, 3.07: no radii of gyration fit all"
)


@register_case
class FrameFrequencies(Case):
    """Frequencies of the frames untuned and tuned, and the single storey that follows."""

    name: ClassVar[str] = "langlade2021-table7-frame"
    title: ClassVar[str] = "Two-storey structures as frames: frequencies untuned, tuned, and the single storey"
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.1, section 4.4, Tables 3 and 7"
    notes: ClassVar[tuple[str, ...]] = (
        "Stated: 3 m span, storeys of 2.5 m, HEA100 and HEA140 columns, total masses, cables. Not stated: plan and "
        "thickness of the slabs, beams, orientation of the columns, cables, base plates. Taken: plan 3 m by 3 m, "
        "columns strong along the row, slabs rigid in their plane, weight softening the columns.",
        "Six parameters are fitted: base rotation spring, EI of the beams, EA of the cables of each storey, radius of "
        "gyration of each floor. That six parameters meet six frequencies says little; that the single storey follows "
        "without another says more.",
        "Structure 2's measured frequencies do not fit together: " + CROWDED + ".",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return measured beside computed, and the parameters."""
        rows: list[Row] = []
        for i in range(2):
            tuning = fitted(i)
            rows += _frequencies(i, UNTUNED, "untuned", NEAR)
            rows += _frequencies(i, tuning, "tuned", TUNED_WITHIN[i])
            rows.append(
                Row(
                    quantity=f"Structure {i + 1}: stiffness of the single storey, tuned to two",
                    published=SINGLE_STOREY[i], computed=storey_stiffness(i, tuning), tolerance=SINGLE_WITHIN,
                    unit="N/m",
                )
            )  # fmt: skip
            rows += _parameters(i, tuning)
        return rows


def _frequencies(i: int, tuning: Tuning, how: str, within: float) -> list[Row]:
    found = six_frequencies(frame(i, tuning))
    rows = []
    for k, (mode, printed) in enumerate(zip(MODES, MEASURED[i], strict=True)):
        bare = how == "untuned" and k > 1
        reason = NO_CABLES if bare else (FIXED if how == "untuned" else CROWDED) if i else ""
        rows.append(
            Row(
                quantity=f"Structure {i + 1}, {how}: frequency, {mode} {k % 2 + 1}", published=printed,
                computed=float(found[k]), tolerance=within, unit="Hz", reason=reason,
            )
        )  # fmt: skip
    return rows


def _parameters(i: int, tuning: Tuning) -> list[Row]:
    told = (
        ("rotation spring of a base", tuning.base, "N·m/rad"), ("EI of the beams", tuning.beams, "N·m²"),
        ("EA of the lower cables", tuning.cables[0], "N"), ("EA of the upper cables", tuning.cables[1], "N"),
        ("radius of gyration, lower floor", tuning.radii[0], "m"),
        ("radius of gyration, upper floor", tuning.radii[1], "m"),
    )  # fmt: skip
    return [
        Row(quantity=f"Structure {i + 1}, tuned: {what}", published=None, computed=value, unit=unit,
            reason="fitted; not in the paper")
        for what, value, unit in told
    ]  # fmt: skip
