"""Models from a live OpenSees: its own eigenvalues and motions are the witnesses."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from tests.models import opensees_models
from tests.models.opensees_models import MODELS, eigenvalues

import carom
from carom.errors import ValidityWarning

ops = pytest.importorskip("openseespy.opensees", reason="openseespy is not installed", exc_type=ImportError)


@pytest.fixture(autouse=True)
def _empty_domain():
    ops.wipe()
    yield
    ops.wipe()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("build", MODELS, ids=lambda build: build.__name__)
def test_frequencies_are_those_of_opensees(build, seed):
    build(ops, np.random.default_rng([seed, 1]))
    found = carom.from_opensees(ops, name="model")
    squares = (2.0 * np.pi * found.frequencies) ** 2
    assert squares.size > 0
    count = squares.size
    theirs = eigenvalues(ops, count)
    finite = theirs[np.isfinite(theirs) & (theirs < 1e12)][:count]
    assert finite.size >= min(count, 2)
    assert squares[: finite.size] == pytest.approx(finite, rel=1e-8)
