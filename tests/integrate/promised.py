"""What tests of the engine's promises share."""

from __future__ import annotations

import numpy as np

import carom
from carom.laws import laws

DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(DEFAULT.acceleration[150:330], dt=DEFAULT.dt)
HERTZDAMP = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
LEFT = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.02, name="left")
RIGHT = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="right")


def damped(name: str, **options: object) -> carom.laws.CompliantLaw:
    kind = laws.get(name)
    e = {} if kind.m is None else {"restitution": 0.6}
    return kind(stiffness=8e7 if kind.n == 1.0 else 2e9, **e, **options)


def pair(law: carom.laws.CompliantLaw = HERTZDAMP, gap: float = 0.01, **more: object) -> carom.Problem:
    return carom.Problem(
        [LEFT, RIGHT], [carom.Contact("left", "right", gap=gap, law=law)], **{"motion": SHAKE, **more}
    )  # fmt: skip


def imbalance(run: carom.results.Simulation) -> float:
    """The largest energy residual over initial plus input energy."""
    energy = run.ledger
    return float(
        np.abs(energy["residual"]).max() / (energy["kinetic"][0] + energy["strain"][0] + energy["input"].max())
    )
