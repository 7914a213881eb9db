"""A few trials of every kind, kept short; `make fuzz` makes thousands, and seeds that once failed are kept here."""

from __future__ import annotations

import pytest

from tests.mutations.caches import mutate_cache
from tests.mutations.saved_runs import mutate_saved_run
from tests.mutations.stores import mutate_manifest, mutate_part


@pytest.mark.parametrize("seed", range(20))
def test_manifests(seed: int) -> None:
    assert mutate_manifest(seed).fault == ""


@pytest.mark.parametrize("seed", range(12))
def test_parts(seed: int) -> None:
    assert mutate_part(seed).fault == ""


@pytest.mark.parametrize("seed", range(40))
def test_saved_runs(seed: int) -> None:
    assert mutate_saved_run(seed).fault == ""


@pytest.mark.parametrize("seed", range(20))
def test_caches(seed: int) -> None:
    assert mutate_cache(seed).fault == ""
