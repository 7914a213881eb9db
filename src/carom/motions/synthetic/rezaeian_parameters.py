"""From an earthquake and a site to the six parameters of `rezaeian_2010`.

Rezaeian and Der Kiureghian (2010): with F = 1 for reverse faulting and 0 for strike-slip, each parameter, brought to a
standard normal variable by its distribution in the data base, is

    Φ⁻¹[P(θ)] = β₀ + β₁·F + β₂·M/7 + β₃·R/(25 km) + β₄·V/(750 m/s) + η + ε

for the Arias intensity with ln(R/25 km) and ln(V/750 m/s) instead. η and ε scatter between and within earthquakes,
correlated between the parameters. Shallow crustal earthquakes recorded on firm ground are behind it.

The numbers were checked against the SCEC Broadband Platform (`rzz2015_gmpe`, of Rezaeian, Zhong and Zareian), which has
them with M, R and V undivided: they agree to the last digit but in one place. For the Arias intensity the paper's table
has β₀ = −1.844, the platform −2.2962. They differ by ln(π/2), the factor between ∫a² dt and π/2·∫a² dt; the platform's
distribution is one of ∫a² dt [s·g²] and its β₀ belongs to it, so that pair is taken. It gives 0.31 m/s for M 7 at 25 km
on rock; with −1.844 it would be 0.6 m/s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array

__all__ = ["rezaeian_2010_parameters"]

FAULTS = {"strike-slip": 0.0, "reverse": 1.0}
MAGNITUDES = units.Range(6.0, 7.7, low_open=False, high_open=False)
DISTANCES = units.Range(10.0, 100.0, low_open=False, high_open=False)
"""[km]"""
STIFFEST = 3000.0
VELOCITIES = units.Range(600.0, STIFFEST, low_open=False, high_open=False)
"""[m/s]; the data base has firm ground alone."""


@dataclass(frozen=True)
class _Regression:
    """How one parameter depends on the earthquake and the site."""

    constant: float
    fault: float
    magnitude: float
    distance: float
    velocity: float
    between: float
    """τ, standard deviation of η."""
    within: float
    """σ, standard deviation of ε."""


ROWS = {
    "arias": _Regression(-2.296, -0.071, 2.944, -1.356, -0.265, 0.274, 0.594),
    "d5_95": _Regression(-6.195, -0.703, 6.792, 0.219, -0.523, 0.457, 0.569),
    "t_mid": _Regression(-5.011, -0.345, 4.638, 0.348, -0.185, 0.511, 0.414),
    "frequency": _Regression(2.253, -0.081, -1.810, -0.211, 0.012, 0.692, 0.723),
    "slope": _Regression(-2.489, 0.044, 2.408, 0.065, -0.081, 0.129, 0.953),
    "damping": _Regression(-0.258, -0.477, 0.905, -0.289, 0.316, 0.682, 0.760),
}
CORRELATION = (
    # arias d5_95  t_mid frequency slope damping
    (1.00, -0.36, 0.01, -0.15, 0.13, -0.01),
    (-0.36, 1.00, 0.67, -0.13, -0.16, -0.20),
    (0.01, 0.67, 1.00, -0.28, -0.20, -0.22),
    (-0.15, -0.13, -0.28, 1.00, -0.20, 0.28),
    (0.13, -0.16, -0.20, -0.20, 1.00, -0.01),
    (-0.01, -0.20, -0.22, 0.28, -0.01, 1.00),
)
"""Of the total errors."""

LN_INTENSITY = (-4.8255, 1.4318)
"""Mean and standard deviation of the logarithm of ∫a² dt [s·g²]."""
DURATION = (1.1314, 2.4474, 5.0, 45.0)
"""Beta distribution of D5-95: its shapes, and its ends [s]."""
MIDDLE = (1.5792, 3.6405, 0.5, 40.0)
"""That of t_mid [s]."""
FREQUENCY = (4.0982, 1.4330)
"""Gamma distribution of the frequency: its shape, and its scale [Hz]."""
BAND = (1.4250, 5.7208, 0.02, 1.0)
"""Beta distribution of the filter's damping."""
SLOPE = (6.7729, 17.095, 4.8512, -2.0, 0.5)
"""Two exponentials of the slope: rates below and above zero [s/Hz], density at zero, and ends [Hz/s]."""


def rezaeian_2010_parameters(
    *, magnitude: object, distance: object, vs30: object, fault: str = "strike-slip", seed: int | None = None
) -> dict[str, float]:
    """Return `arias`, `d5_95`, `t_mid`, `frequency`, `slope` and `damping` for `rezaeian_2010`.

    Parameters
    ----------
    magnitude
        Moment magnitude, 6 to 7.7.
    distance
        To the rupture, 10 to 100 [km].
    vs30
        Mean shear-wave velocity of the upper 30 m, from 600 [m/s]: firm ground and rock.
    fault
        "strike-slip" or "reverse".
    seed
        Draws one set of all that scatter; without one the medians.
    """
    owner = "rezaeian_2010_parameters"
    size = units.number(
        magnitude, "", name="magnitude", owner=owner, within=MAGNITUDES,
        way_out="The regression knows no others: give the six parameters themselves.",
    )  # fmt: skip
    away = units.number(
        distance, "", name="distance", owner=owner, within=DISTANCES, way_out="Write the distance in kilometres."
    )
    velocity = units.number(
        vs30, "m/s", name="vs30", owner=owner, within=VELOCITIES,
        way_out="The regression knows firm ground alone: give the six parameters themselves.",
    )  # fmt: skip
    if fault not in FAULTS:
        raise refusal("fault", owner, f"must be one of {', '.join(FAULTS)}", fault)
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or seed < 0):
        raise refusal("seed", owner, "must be a whole number, not negative", seed)
    spread = np.zeros(len(ROWS)) if seed is None else _drawn(seed)
    normal = {}
    for (name, row), error in zip(ROWS.items(), spread, strict=True):
        far, stiff = away / 25.0, velocity / 750.0
        if name == "arias":
            far, stiff = math.log(far), math.log(stiff)
        normal[name] = float(
            row.constant + row.fault * FAULTS[fault] + row.magnitude * size / 7.0 + row.distance * far
            + row.velocity * stiff + error
        )  # fmt: skip
    return _physical(normal)


def _drawn(seed: int) -> Array:
    """Return the total errors of one motion."""
    total = np.array([math.hypot(row.between, row.within) for row in ROWS.values()])
    factor = np.linalg.cholesky(np.array(CORRELATION))
    return np.asarray(total * (factor @ np.random.default_rng(seed).standard_normal(total.size)))


def _physical(normal: dict[str, float]) -> dict[str, float]:
    """Return the parameters that have the same probabilities as standard normal variables."""
    from scipy.special import ndtr
    from scipy.stats import beta, gamma

    def between(name: str, shapes: tuple[float, float, float, float]) -> float:
        first, second, low, high = shapes
        return float(low + (high - low) * beta.ppf(ndtr(normal[name]), first, second))

    mean, deviation = LN_INTENSITY
    integral = math.exp(mean + deviation * normal["arias"])
    return {
        "arias": 0.5 * math.pi * units.standard_gravity * integral,
        "d5_95": between("d5_95", DURATION),
        "t_mid": between("t_mid", MIDDLE),
        "frequency": float(gamma.ppf(ndtr(normal["frequency"]), FREQUENCY[0], scale=FREQUENCY[1])),
        "slope": _slope(float(ndtr(normal["slope"]))),
        "damping": between("damping", BAND),
    }


def _slope(probability: float) -> float:
    """Return the slope of a probability: two exponentials that meet at zero."""
    below, above, density, low, high = SLOPE
    falling = density / below * (1.0 - math.exp(below * low))
    if probability < falling:
        return max(low, math.log(probability * below / density + math.exp(below * low)) / below)
    left = 1.0 - (probability - falling) * above / density
    return min(high, -math.log(left) / above) if left > math.exp(-above * high) else high
