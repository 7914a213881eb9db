"""Random frames against OpenSees' eigenvalues, displacements and member forces (3.7.1, tests/reference/frames)."""

from __future__ import annotations

import json

import pytest

from tests.structures.frame.random_frames import (
    FEATURE_TABLE,
    FEATURES,
    SEEDS,
    TABLE,
    by_carom,
    featured,
    frame,
    largest_difference,
)


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_as_opensees_has_them(seed: int) -> None:
    made, loads = frame(seed)
    differences = largest_difference(by_carom(made, loads), json.loads(TABLE.read_text())[str(seed)])
    assert max(differences.values()) < 1e-9, differences


@pytest.mark.parametrize("name", FEATURES)
def test_shear_releases_arms_braces_and_springs_as_opensees_has_them(name: str) -> None:
    made, loads = featured(list(FEATURES).index(name), **FEATURES[name])
    differences = largest_difference(by_carom(made, loads), json.loads(FEATURE_TABLE.read_text())[name])
    assert max(differences.values()) < 1e-9, differences
