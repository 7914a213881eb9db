"""What every compliant law keeps: it says what it is, pushes only in contact, and loses energy but never makes any."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from carom.integrate.impact import impact
from carom.laws.base import CompliantLaw
from carom.testing.hold import hold

__all__ = ["check_law"]

POINTS = 20
"""Random states at which slopes are compared with differences."""


def check_law(law: CompliantLaw, *, mass: float = 3.0, velocity: float = 0.7, seed: int = 0) -> None:
    """Hold a law to its contract, for an effective mass [kg] and a speed at first touch [m/s].

    Documented: docstring, title, formula and source. No force without overlap. `derivatives` are those of `force`.
    In an impact kinetic energy lost is what was dissipated and what is left in the spring; none is created; the impulse
    is the change of momentum, and forces along the way are the law's own.
    """
    hold(isinstance(law, CompliantLaw), f"{law!r} must be of a class derived from CompliantLaw, with its parameters.")
    _says_what_it_is(type(law))
    still = law.force(np.array([-1e-3, -1e-9, 0.0]), np.array([1.0, -1.0, 0.5]), mass=mass, velocity=velocity)
    hold(not np.any(still), f"{law.name}: no force without overlap; got {still}.")
    _slopes(law, mass, velocity, np.random.default_rng(seed))
    _impact(law, mass, velocity)


def _says_what_it_is(kind: type[CompliantLaw]) -> None:
    for what in ("__doc__", "title", "formula"):
        hold(bool(getattr(kind, what, "")), f"{kind.__name__} must say its {what.strip('_')}.")
    hold(bool(kind.source.reference), f"{kind.__name__} must name its source.")


def _slopes(law: CompliantLaw, mass: float, velocity: float, rng: np.random.Generator) -> None:
    """Compare slopes with differences of the force."""

    def force(overlap: float, rate: float) -> float:
        return float(law.force(overlap, rate, mass=mass, velocity=velocity))

    for _ in range(POINTS):
        overlap, rate = float(10.0 ** rng.uniform(-6.0, -2.0)), float(10.0 ** rng.uniform(-3.0, 0.7))
        rate = rate if rng.random() < 0.5 else -rate
        by_overlap, by_rate = (float(slope) for slope in law.derivatives(overlap, rate, mass=mass, velocity=velocity))
        near_overlap = _difference(partial(_moved, force, overlap, rate, 1.0, 0.0), 1e-3 * overlap)
        near_rate = _difference(partial(_moved, force, overlap, rate, 0.0, 1.0), 1e-3 * abs(rate))
        scale = 1e-6 * abs(force(overlap, abs(rate)))
        for name, found, near, size in (
            ("overlap", by_overlap, near_overlap, scale / overlap), ("rate", by_rate, near_rate, scale / abs(rate)),
        ):  # fmt: skip
            hold(
                abs(found - near) <= 1e-6 * abs(near) + size,
                f"{law.name}.derivatives: by {name} at δ = {overlap:.3g} m, δ̇ = {rate:.3g} m/s it says {found:.9g}, "
                f"differences of the force say {near:.9g}.",
            )


def _moved(
    force: Callable[[float, float], float], overlap: float, rate: float, along: float, across: float, h: float
) -> float:
    return force(overlap + along * h, rate + across * h)


def _difference(function: Callable[[float], float], h: float) -> float:
    """Return a slope by central differences of order six."""
    weights = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(weight * (function(k * h) - function(-k * h)) for k, weight in weights.items()) / (60.0 * h)


def _impact(law: CompliantLaw, mass: float, velocity: float) -> None:
    hit: Any = impact(law, mass=mass, velocity=velocity)
    kinetic = 0.5 * mass * velocity**2
    hold(hit.status == "separated", f"{law.name}: bodies that strike each other must part again; got {hit.status}.")
    hold(hit.restitution <= 1.0 + 1e-9, f"{law.name} creates energy: restitution {hit.restitution:.9g}.")
    hold(hit.approach_loss >= -1e-9 * kinetic, f"{law.name} creates {-hit.approach_loss:.3g} J on the way in.")
    hold(hit.restitution_loss >= -1e-9 * kinetic, f"{law.name} creates {-hit.restitution_loss:.3g} J on the way out.")
    stored = law.stiffness * hit.end_overlap ** (law.n + 1.0) / (law.n + 1.0)
    missing = hit.energy_lost - hit.approach_loss - hit.restitution_loss - stored
    hold(abs(missing) <= 1e-8 * kinetic, f"{law.name}: {missing:.3g} J of an impact with {kinetic:.3g} J unaccounted.")
    history = hit.sample(np.linspace(0.0, hit.duration, 4001))
    time, force = history["time"].values, history["force"].values
    impulse, change = float(np.trapezoid(force, time)), mass * velocity * (1.0 + hit.restitution)
    hold(
        abs(impulse / change - 1.0) <= 1e-3, f"{law.name}: impulse {impulse:.6g}, change of momentum {change:.6g} N·s."
    )
    inner = slice(1, -1)
    overlap, rate = history["overlap"].values[inner], history["rate"].values[inner]
    own = np.asarray(law.force(overlap, rate, mass=mass, velocity=velocity))
    off = float(np.abs(force[inner] - own).max())
    hold(off <= 1e-6 * hit.peak_force, f"{law.name}: forces of an impact are off the law's own by {off:.3g} N.")
