"""What never changes in a run, worked out once: propagators, power series, who answers whom."""

import math

from carom.kernels.contact.collocation import TERMS
from carom.kernels.laws.power_law import STIFFNESS, overlap_scale
from carom.kernels.modal.energy import SHORT_ANGLE
from carom.kernels.modal.propagator import fill_propagator
from carom.kernels.rows import (
    ANSWER,
    EFFECTIVE_MASS,
    LEVER,
    OMEGA,
    PROPAGATOR,
    QUICK,
    QUICK_ANSWER,
    QUICK_CUBE,
    QUICK_RATE,
    SERIES,
    SIGMA,
    SOFT,
    SQUARE,
    TWICE,
    WIDEST,
)
from carom.kernels.types import Matrix

LONGEST_ANGLE = 0.5
"""ωh of the quickest mode in a power series: the first term left out is 0.5⁹/9! = 5e-9."""
SHORTENED = (0.1 * math.factorial(TERMS - 1)) ** (1.0 / (TERMS - 1))
"""What a velocity lacks is (ωh)⁸/8!, a tenth of the tolerance where ωh is this times its eighth root."""
TYPICAL_SPEED = 0.2  # speed of a typical touch [m/s]
QUICK_CARE = 6.0
"""Factor on what a miss of the force leaves in a quick mode: its structure may be stiff, and move far less than the
body that strikes it."""
SWIFT = 5.0  # frequency of a mode over that of the contacts, up to which modes of buildings are in the long series


def longest_angle(rtol: float) -> float:
    """Return ωh of the quickest mode in the power series of a step in contact: what they lack adds up."""
    return min(1.0, SHORTENED * rtol ** (1.0 / (TERMS - 1)))


def prepare_modes(dt: float, swift: float, modes: Matrix, contacts: Matrix) -> tuple[float, float]:
    """Work out the rows of modes; return the frequency of the quickest that does not count as quick [rad/s].

    With it comes that of the slowest contact in a typical impact. Quick is what is `swift` times as quick as that
    contact. What is quicker than it counts in the error of a step; with few modes, for which `swift` is one, more than
    it should: what is left of a miss is not small there beside its square, which alone would promise too much.
    """
    limit = math.inf
    for c in range(contacts.shape[0]):
        if contacts[c, STIFFNESS] > 0.0:
            limit = min(limit, TYPICAL_SPEED / overlap_scale(contacts[c], contacts[c, EFFECTIVE_MASS], TYPICAL_SPEED))
    quickest = 0.0
    for c in range(contacts.shape[0]):
        contacts[c, QUICK_ANSWER] = 0.0
        contacts[c, QUICK_CUBE] = 0.0 if swift > 1.0 else math.inf
        contacts[c, QUICK_RATE] = 1e300
    for k in range(modes.shape[0]):
        row = modes[k]
        row[SQUARE] = row[OMEGA] * row[OMEGA]
        row[TWICE] = 2.0 * row[SIGMA]
        row[SOFT] = 1.0 / row[SQUARE] if row[OMEGA] * dt > SHORT_ANGLE else 0.0
        rate = max(row[OMEGA], row[TWICE])
        row[QUICK] = 1.0 if rate > swift * limit else 0.0
        if row[QUICK] == 0.0:
            quickest = max(quickest, rate)
        fill_propagator(row[OMEGA], row[SIGMA], dt, row[PROPAGATOR : PROPAGATOR + 8])
        row[SERIES] = 0.0
        row[SERIES + 1] = 1.0
        for p in range(2, TERMS):
            falls = row[TWICE] * (p - 1.0) * row[SERIES + p - 1] + row[SQUARE] * row[SERIES + p - 2]
            row[SERIES + p] = -falls / (p * (p - 1.0))
        row[WIDEST] = 0.0
        for c in range(contacts.shape[0]):
            row[WIDEST] = max(row[WIDEST], abs(contacts[c, LEVER + 2 * k]))
            share = abs(contacts[c, LEVER + 2 * k] * contacts[c, LEVER + 2 * k + 1])
            if rate > limit and share > 0.0:
                if row[QUICK] != 0.0:
                    share *= QUICK_CARE
                contacts[c, QUICK_ANSWER] += share / rate
                contacts[c, QUICK_CUBE] += share * rate * rate * rate
                contacts[c, QUICK_RATE] = min(contacts[c, QUICK_RATE], rate)
    return quickest, limit


def prepare_pairs(modes: Matrix, contacts: Matrix, pairs: Matrix) -> None:
    """Work out how overlap c answers a unit impulse at contact d ≤ c: a power series over modes not quick."""
    count = contacts.shape[0]
    for c in range(count):
        for d in range(c + 1):
            row = pairs[c * count + d]
            for p in range(TERMS):
                row[ANSWER + p] = 0.0
            for k in range(modes.shape[0]):
                if modes[k, QUICK] == 0.0:
                    weight = contacts[c, LEVER + 2 * k] * contacts[d, LEVER + 2 * k + 1]
                    for p in range(TERMS):
                        row[ANSWER + p] += weight * modes[k, SERIES + p]
