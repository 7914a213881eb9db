"""Pairs that are all different, as one ensemble: other structures, laws, gaps, motions and strengths in every run."""

from __future__ import annotations

from typing import Any

import numpy as np

import carom
from benchmarks._space import draw

FIELDS = ("mass", "period", "damping_ratio")


def mixed_pairs(count: int, seed: int, dt: float) -> tuple[carom.Problem, dict[str, Any]]:
    """Return a problem, and what `carom.ensemble` is to pair (`zip`) for so many pairs at one time step."""
    drawn = [draw.draw("pair", 1_000_000 * seed + i, dt) for i in range(count)]
    values: dict[str, Any] = {
        f"o{k}.{field}": np.array([getattr(one.structures[k], field) for one in drawn])
        for k in (0, 1)
        for field in FIELDS
    }
    values["law"] = [one.law for one in drawn]
    values["gap"] = np.array([one.gap for one in drawn])
    values["motion"] = [draw.resampled(one.record, dt) for one in drawn]
    values["scale"] = np.array([one.motion.pga / draw.resampled(one.record, dt).pga for one in drawn])
    return drawn[0].problem, values
