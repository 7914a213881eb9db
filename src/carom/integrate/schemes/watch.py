"""What an engine says of itself: faults it found, and what a user should know of its impacts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.kernels import endings, ledger

__all__ = ["OWN_LAW", "account_of", "cautions_of", "fault_of", "long_step", "unheld_of"]

FAULTS = {
    endings.BEGAN_INSIDE: ("a contact began with an overlap that no touch explains", "m"),
    endings.BEGAN_APART: ("a contact began while its bodies were apart", "m"),
    endings.ENERGY_CREATED: ("an impact gave more energy than it took", "J"),
    endings.MOMENTUM_LOST: ("the impulses of the contact do not show in the velocities", "m/s"),
    endings.TOO_DEEP: ("an overlap takes more energy than there was", "m"),
    endings.LEDGER_OPEN: ("the energy ledger does not close", "J"),
    endings.NOT_SEEN_TO_CLOSE: ("a contact overlaps that was not seen to close", "m"),
    endings.WRONG_RATES: ("the rate after an impact is not the one that its impulses give", "m/s"),
}
"""What the kernels' numbers mean, and the unit of what was seen."""

GUARD = (
    "the guard on v0 changed {guarded} of {impacts} impacts: they began so slowly that damping as published, "
    "χ = d·K/v0, would have glued the bodies together, and v0 is half the largest rate since touch there; "
    'v0 = "published" in the law leaves it as published'
)
UNHELD = (
    "after its force had ended, contact {contact!r} was pressed together again, to an overlap of {overlap:.3g} m at "
    "{time:.4g} s, and nothing held it: a contact without tension closes again only once the bodies have been apart. "
    "Set `tension = true` in its law, or take a stiffer or less damped one"
)
CREATED = "an impact gave {created:.3g} J more than it took; {why}"
OWN_LAW = "the law is a function, and can"
QUARTER = 0.25
"""Of the shortest period: the longest step by the rule of Crozet et al., langlade2021 section 1."""
LONG_STEP = (
    "the step of {step:.3g} s is longer than a quarter of the shortest period, {period:.3g} s; the rule of Crozet et "
    "al. (langlade2021 section 1) asks for {most:.3g} s or less"
)


def fault_of(run: npt.NDArray[np.float64], contacts: Sequence[str], start: float) -> dict[str, Any] | None:
    """Return what was found wrong, in which contact, when [s] and how much; None where nothing was."""
    if run[ledger.FAULT] == endings.NO_FAULT:
        return None
    what, unit = FAULTS[float(run[ledger.FAULT])]
    which = int(run[ledger.FAULT_CONTACT])
    return {
        "what": what,
        "contact": contacts[which] if 0 <= which < len(contacts) else None,
        "time": start + float(run[ledger.FAULT_TIME]),
        "value": float(run[ledger.FAULT_SIZE]),
        "unit": unit,
    }


def account_of(run: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Return counts and extremes of the impacts; those that need an impact are None without one."""
    impacts = int(run[ledger.IMPACTS])
    return {
        "impacts": impacts,
        "guarded_impacts": int(run[ledger.GUARDED]),
        "closed_at_end": int(run[ledger.LASTING]),
        "unheld_overlap": float(run[ledger.UNHELD]),
        "smallest_energy_lost": float(run[ledger.LEAST_LOST]) if impacts else None,
        "deepest_overlap": float(run[ledger.DEEPEST]) if impacts else None,
    }


def cautions_of(run: npt.NDArray[np.float64], why: str) -> list[str]:
    """Return what a reader of the results should be told; `why` impacts may have created energy, or the way out."""
    found = []
    if run[ledger.GUARDED]:
        found.append(GUARD.format(guarded=int(run[ledger.GUARDED]), impacts=int(run[ledger.IMPACTS])))
    if run[ledger.LEAST_LOST] < -ledger.CREATED * run[ledger.SUPPLY] and run[ledger.FAULT] == endings.NO_FAULT:
        found.append(CREATED.format(created=-float(run[ledger.LEAST_LOST]), why=why))
    return found


def unheld_of(run: npt.NDArray[np.float64], contacts: Sequence[str], start: float) -> list[str]:
    """Return a caution where bodies were pressed through each other while their contact had no force."""
    if run[ledger.UNHELD] <= 0.0:
        return []
    which, time = contacts[int(run[ledger.UNHELD_CONTACT])], start + float(run[ledger.UNHELD_TIME])
    return [UNHELD.format(contact=which, overlap=float(run[ledger.UNHELD]), time=time)]


def long_step(step: float, omega: npt.NDArray[np.float64]) -> list[str]:
    """Return a caution where a step [s] that was chosen is too long for the quickest mode [rad/s]."""
    quickest = float(omega.max(initial=0.0))
    if quickest * step <= QUARTER * 2.0 * math.pi * (1.0 + 1e-9):
        return []
    period = 2.0 * math.pi / quickest
    return [LONG_STEP.format(step=step, period=period, most=QUARTER * period)]
