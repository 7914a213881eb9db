"""langlade2021 Tables 6 and 7: damping and twelve frequencies of the two-storey frames, and sticks fitted to them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.cases.base import Case, Run, register_case
from carom.cases.langlade2021.two_storey import DAMPING, MEASURED, MODES, RADIUS, structure
from carom.results import Row

MODEL = ((2.10, 5.60, 6.11, 17.5, 8.60, 24.4), (3.69, 10.4, 8.20, 25.2, 10.2, 28.0))  # Hz, Table 7, the paper's model
DIGITS = ((0.005, 0.005, 0.005, 0.05, 0.005, 0.05), (0.005, 0.05, 0.005, 0.05, 0.05, 0.05))  # Hz, of the printed ones
FUNDAMENTAL = (0.48, 0.27)  # s, section 4.4
SECOND = 0.17  # s, section 4.4: second bending mode of Structure 1
LAST_DIGIT = 0.005  # s
SINGLE_STOREY = (2.11e6, 5.31e6)  # N/m, Table 3

NO_FRAME = (
    "what the paper's frame of fibres takes is not stated: plan and thickness of the slabs, edge beams, orientation of "
    "the columns, cables, base plates"
)
FITTED = "the stick is fitted to the measured frequencies, and the paper's model was tuned to them"
CUT = "1/5.60 Hz is 0.179 s: the paper seems to have cut the digits, not rounded them"
STICK = "not in the paper: of the stick that is fitted to its measured frequencies"


@register_case
class TwoStoreyFrequencies(Case):
    """Measured frequencies beside those of the sticks, their damping, periods that the text states, stiffnesses."""

    name: ClassVar[str] = "langlade2021-table7"
    title: ClassVar[str] = (
        "Two-storey frames: twelve frequencies, damping, and sticks with x, y and a rotation per floor"
    )
    paper: ClassVar[str] = "langlade2021"
    place: ClassVar[str] = "section 4.4, Tables 6 and 7, (22)"
    means: ClassVar[str] = "simulate"
    verified: ClassVar[str] = "closed form of two equal masses on two storeys"
    notes: ClassVar[tuple[str, ...]] = (
        "Two frequencies give both storeys of a direction, so that the sticks have the measured ones by construction: "
        "these rows show that the fit is exact, not that anything is predicted. What follows without a fit is in "
        "langlade2021-table7-frame. The model's own frequencies cannot be computed.",
        "The radius of gyration is not printed: that of a uniform slab of 3 m by 3 m is taken, 1.22 m. Frequencies do "
        "not depend on it, torsional stiffnesses do. Structure 2's two torsional frequencies lie closer together "
        "(ratio 2.77) than its longitudinal (2.81) and transverse ones (3.07): columns under floors of one radius of "
        "gyration would put them between, so that the torsion of the stick is fitted by itself.",
        "(22) is read as ΦᵀCΦ. Section 4.4 gives 0.17 s for the second bending mode of Structure 1.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return frequencies and damping by mode, then periods, then what the sticks take."""
        return [*self._modes(), *self._models(), *self._periods(), *self._sticks()]

    def _modes(self) -> list[Row]:
        rows = []
        for i in range(2):
            modes = structure(i).modes()
            order = np.argsort(np.argsort(MEASURED[i]))  # of each printed mode its place among the stick's
            for k, mode in enumerate(MODES):
                which, title = int(order[k]), f"Structure {i + 1}: %s, {mode} {k % 2 + 1}"
                rows.append(
                    Row(
                        quantity=title % "frequency", published=MEASURED[i][k], unit="Hz", tolerance=DIGITS[i][k],
                        computed=float(modes.omega[which] / (2.0 * np.pi)), absolute=True, reason=FITTED,
                    )
                )  # fmt: skip
                rows.append(
                    Row(
                        quantity=title % "damping ratio", published=DAMPING[i][k], unit="%", tolerance=0.05,
                        computed=float(100.0 * modes.sigma[which] / modes.omega[which]), absolute=True, reason=FITTED,
                    )
                )  # fmt: skip
        return rows

    def _models(self) -> list[Row]:
        return [
            Row(
                quantity=f"Structure {i + 1}: frequency of the paper's model, {mode} {k % 2 + 1}",
                published=MODEL[i][k], computed=None, unit="Hz", reason=NO_FRAME,
            )
            for i in range(2) for k, mode in enumerate(MODES)
        ]  # fmt: skip

    def _periods(self) -> list[Row]:
        periods = [structure(i).periods for i in range(2)]
        said = [(f"Structure {i + 1}: fundamental period", FUNDAMENTAL[i], periods[i][0], "") for i in range(2)]
        said.append(("Structure 1: period of the second bending mode", SECOND, periods[0][1], CUT))
        return [
            Row(
                quantity=title, published=printed, computed=float(value), tolerance=LAST_DIGIT, absolute=True, unit="s",
                reason=reason,
            )
            for title, printed, value, reason in said
        ]  # fmt: skip

    def _sticks(self) -> list[Row]:
        rows = []
        for i in range(2):
            stick = structure(i)
            told = [
                (f"{way} stiffness, {storey} storey", value, unit)
                for way, values, unit in (
                    ("longitudinal", stick.stiffnesses_x, "N/m"),
                    ("transverse", stick.stiffnesses_y, "N/m"),
                    (f"torsional (radius {RADIUS:.2f} m)", stick.torsional_stiffnesses, "N·m"),
                )
                for storey, value in zip(("lower", "upper"), values, strict=True)
            ]
            ratio = stick.stiffnesses_x[0] / SINGLE_STOREY[i]
            told.append(("longitudinal stiffness, lower storey over Table 3's single storey", ratio, ""))
            rows += [
                Row(quantity=f"Structure {i + 1}: {what}", published=None, computed=value, unit=unit, reason=STICK)
                for what, value, unit in told
            ]
        return rows
