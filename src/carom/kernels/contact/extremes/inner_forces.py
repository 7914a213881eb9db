"""The force of a contact inside a solved step: by its law, or by the quartic through ends and nodes of the step.

The quartic misses a force by some e; motion under it then misses the overlap by G₂h²e/m and its rate by G₁he/m, and the
law at that overlap misses the force by κe, with κ = (G₂h² ∂F/∂δ + G₁h ∂F/∂δ̇)/m. That is little in a step that is short
beside the contact, and the law tells of what no nodes see. But a light body squeezed between stiff contacts follows
them at once, and steps may be many times as long as its own swing would be: there the quartic is nearer.
"""

import math

from carom.kernels.contact.collocation import END
from carom.kernels.contact.impact_record import chi_of, slopes_of
from carom.kernels.contact.step_curves import quartic_at, share_of_time, time_slope
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    BY_QUARTIC,
    CLOSED,
    DEPTH,
    FORCE,
    LEVER,
    OVERLAP,
    PACE,
    QUICK,
    RATE,
    STATUS,
)
from carom.kernels.types import Matrix, Vector

RATE_SHARE = 0.1
"""G₁. The quartic misses C·w(s), where w has its five points for roots: |∫w|/|w| where |w| is largest."""
OVERLAP_SHARE = 0.07  # G₂: the same of the second integral


def choose_inner(h: float, modes: Matrix, contacts: Matrix) -> None:
    """Write of which contacts the quartic tells the force inside a solved step of length `h`: those with κ > 1.

    Quick modes do not count: they even a miss out, and what they do to a force the law alone tells.
    """
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[BY_QUARTIC] = 0.0
        if row[STATUS] == CLOSED:
            answer = 0.0  # [1/kg]
            for k in range(modes.shape[0]):
                if modes[k, QUICK] == 0.0:
                    answer += row[LEVER + 2 * k] * row[LEVER + 2 * k + 1]
            begins, ends = grows(h, row[DEPTH], row[PACE], row), grows(h, row[OVERLAP + END], row[RATE + END], row)
            if answer * min(begins, ends) > 1.0:
                row[BY_QUARTIC] = 1.0


def grows(h: float, overlap: float, rate: float, row: Vector) -> float:
    """Return by how much a miss of the force would grow, taken through motion and law, in a body of 1 kg: κm [kg]."""
    overlap = max(overlap, 0.0)
    by_overlap, by_rate = slopes_of(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
    return h * (OVERLAP_SHARE * h * by_overlap + RATE_SHARE * by_rate)


def by_quartic(kind: int, h: float, late: float, row: Vector) -> tuple[float, float]:
    """Return the force `late` after the start of a solved step by the quartic [N], and its slope in time [N/s]."""
    s = share_of_time(kind, late / h)
    first, middle, last = row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2]
    value, slope = quartic_at(kind, s, row[FORCE], first, middle, last, row[AT_END])
    return value, slope / (h * time_slope(kind, s))
