"""The judge's own answers do not depend on how a problem is told."""

from __future__ import annotations

import numpy as np

from tests.judge.compare import judged
from tests.judge.generate import problem
from tests.judge.judge import judge
from tests.judge.vary import variants


def test_told_otherwise() -> None:
    for seed in range(4):
        told = problem(seed)
        found = judged(told)
        assert not isinstance(found, str)
        for variant in variants(told, seed):
            other = judge(variant.problem)
            assert other.status == "done"
            outputs = variant.back(other.running[found.sample + variant.later])
            errors = found.errors(outputs) / np.maximum(1.0, found.amplification)
            assert errors.max() < 1e-8, (seed, variant.name)


def test_a_seed_is_a_problem() -> None:
    assert problem(5) == problem(5)
    assert problem(5) != problem(6)
