"""What never changes in a run, worked out once.

Three things: the propagator that carries each mode over a sample; the power series of each mode's answer to a unit
impulse; and the sum of these over modes, which tells how the overlap of one contact answers an impulse at another,

    h(τ) = Σ aₚ τᵖ,   a₀ = 0,  a₁ = 1,  p (p − 1) aₚ = −2σ (p − 1) aₚ₋₁ − ω² aₚ₋₂,
    answer_cd(τ) = Σ reach_c push_d h(τ), over all modes that do not count as quick.
"""

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
"""Turn ωh [rad] of the quickest mode over which power series of TERMS terms are taken in place of closed forms. The
first term left out is 0.5⁹/9! = 5e-9 of the motion."""
ANGLE_AT_TOLERANCE_1 = (0.1 * math.factorial(TERMS - 1)) ** (1.0 / (TERMS - 1))
"""Turn ωh [rad] at which the series of a velocity, which ends with (ωh)⁷, lacks a tenth of a tolerance of 1: there
(ωh)⁸/8! = 0.1. For a tolerance rtol the turn is the eighth root of rtol times this (`series_angle`)."""
TYPICAL_SPEED = 0.2  # speed of a typical touch [m/s]
QUICK_CARE = 6.0
"""Factor on what an error of the contact force leaves in a quick mode: its structure may be stiff, and move far less
than the body that strikes it."""
QUICK_FROM = 5.0
"""Frequency from which on a mode of a building counts as quick, as a multiple of the frequency of the slowest contact.
Slower ones are in the long power series (`mode_columns`). In structures of few modes the multiple is 1."""


def series_angle(rtol: float) -> float:
    """Return the longest turn ωh [rad] of the quickest mode in a step in contact by power series of TERMS terms.

    It follows from the tolerance, and not from LONGEST_ANGLE, since what the series lack adds up from step to step.
    """
    return min(1.0, ANGLE_AT_TOLERANCE_1 * rtol ** (1.0 / (TERMS - 1)))


def prepare_modes(dt: float, quick_from: float, modes: Matrix, contacts: Matrix) -> tuple[float, float]:
    """Work out the rows of modes, and what an error of a contact force may leave in those quicker than the contacts.

    Returns two frequencies [rad/s]: that of the quickest mode that does not count as quick, and that of the slowest
    contact in a typical impact, SPEED/SCALE at TYPICAL_SPEED. A mode is quick, and treated on its own in contact, where
    its frequency is more than `quick_from` times that of the slowest contact.

    A step in contact bounds what its error of the force leaves in modes quicker than the contact, in two ways
    (`contact.step`): by QUICK_ANSWER, and in plain steps by QUICK_CUBE, which is smaller in short ones. With few modes,
    where `quick_from` is 1, QUICK_CUBE is infinite, so that the wider bound alone counts.
    """
    contact_rate = math.inf
    for c in range(contacts.shape[0]):
        if contacts[c, STIFFNESS] > 0.0:
            contact_rate = min(
                contact_rate, TYPICAL_SPEED / overlap_scale(contacts[c], contacts[c, EFFECTIVE_MASS], TYPICAL_SPEED)
            )
    quickest = 0.0
    for c in range(contacts.shape[0]):
        contacts[c, QUICK_ANSWER] = 0.0
        contacts[c, QUICK_CUBE] = 0.0 if quick_from > 1.0 else math.inf
        contacts[c, QUICK_RATE] = 1e300
    for k in range(modes.shape[0]):
        row = modes[k]
        row[SQUARE] = row[OMEGA] * row[OMEGA]
        row[TWICE] = 2.0 * row[SIGMA]
        row[SOFT] = 1.0 / row[SQUARE] if row[OMEGA] * dt > SHORT_ANGLE else 0.0
        rate = max(row[OMEGA], row[TWICE])
        row[QUICK] = 1.0 if rate > quick_from * contact_rate else 0.0
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
            if rate > contact_rate and share > 0.0:
                if row[QUICK] != 0.0:
                    share *= QUICK_CARE
                contacts[c, QUICK_ANSWER] += share / rate
                contacts[c, QUICK_CUBE] += share * rate * rate * rate
                contacts[c, QUICK_RATE] = min(contacts[c, QUICK_RATE], rate)
    return quickest, contact_rate


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
                    if weight == 0.0:
                        continue
                    for p in range(TERMS):
                        row[ANSWER + p] += weight * modes[k, SERIES + p]
