"""Saved runs, damaged: the very numbers, or one clear line before HDF5 sees them."""

from __future__ import annotations

import random
import tempfile
import warnings
from functools import cache
from pathlib import Path

import carom
from carom.errors import DamageWarning, InputError
from carom.results import Simulation
from tests.mutations.trial import Trial, bytes_damaged, in_time
from tests.results.test_store import assert_same, made_by_hand

__all__ = ["mutate_saved_run"]

EARLIER = Path(__file__).parents[1] / "results" / "saved" / "format-1.nc"


@cache
def _base() -> tuple[Simulation, bytes]:
    """Return a run with odd numbers, and its file."""
    with tempfile.TemporaryDirectory(prefix="carom-mutations-") as temporary:
        run = made_by_hand()
        return run, run.save(Path(temporary) / "run.nc").read_bytes()


def mutate_saved_run(seed: int) -> Trial:
    """Damage a saved run, one in twenty of an earlier version without a checksum, and load it."""
    chance = random.Random(seed)
    earlier = chance.random() < 0.05
    run, content = _base()
    content = EARLIER.read_bytes() if earlier else content
    damaged = bytes_damaged(content, chance)
    with tempfile.TemporaryDirectory(prefix="carom-mutation-") as temporary:
        path = Path(temporary) / "run.nc"
        path.write_bytes(damaged)

        def act() -> Trial:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", DamageWarning)
                try:
                    found = carom.load(path)
                except InputError as error:
                    lines = str(error).count("\n")
                    return Trial("told", "the line is several" if lines else "")
            if earlier:
                known = any("carries no checksum" in str(one.message) for one in caught)
                return Trial("unchecked", "" if known else "no word of the missing checksum")
            if damaged != content:
                return Trial("fault", "a run that was changed was believed")
            assert_same(run, found)
            return Trial("same")

        found = in_time(act)
        strange = [one.name for one in path.parent.iterdir() if one != path]
        return found if not strange else Trial("fault", f"files appeared: {strange}")
