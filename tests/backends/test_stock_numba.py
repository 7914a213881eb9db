"""Numba as it comes gives the numbers of our compilers: the engine on a Numba that nobody tried, and the fast paths.

``make stock`` runs the tests of runs, ensembles and impacts that way. Numba optimises every part of a kernel by itself,
for which the engine takes minutes: here it is asked to do as little of that as it can.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from carom.backends import backend_name
from carom.backends import numba as backend

PROBLEMS = """
import json
import carom

floors = {"masses": [2e4] * 2, "damping_ratio": 0.05}
towers = [
    carom.ShearBuilding(stiffnesses=[2e7] * 2, name="left", **floors),
    carom.ShearBuilding(stiffnesses=[6e7] * 2, name="right", **floors),
]
oscillators = [carom.Oscillator(mass=4e3, period=t, damping_ratio=0.05, name=f"{t} s") for t in (0.6, 0.3)]
law = carom.law("hertzdamp", stiffness=4e9, restitution=0.6)
default = carom.motions.get("default")
shake = carom.Motion(default.acceleration[150:400], dt=default.dt)

def engine():
    found = carom.simulate(carom.Problem(towers, [carom.facing("left", "right", gap=0.005, law=law)], motion=shake))
    return {"extremes": found.extremes.tolist(), **{key: found.table[key].tolist() for key in ("start", "peak_force")}}

def fast_paths():
    pair = carom.Problem(oscillators, [carom.Contact(0, 1, gap=0.01, law=law)], motion=shake)
    found = carom.ensemble(pair, vary={"gap": [0.002, 0.008]})
    hit = carom.impact(law, mass=1.0, velocity=[1.0, 2.0])
    return {"extremes": found.extremes.tolist(), "impacts": found.dataset.impacts.values.tolist(),
            "force": hit.peak_force.tolist(), "restitution": hit.restitution.tolist()}
"""
UNTRIED = "import numba\nnumba.__version__ = '1.2.0rc1'\n"


def elsewhere(program: str, **environment: str) -> tuple[dict[str, Any], list[str]]:
    """Return what a program prints as JSON, and the lines on stderr, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, check=False,
        timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr.splitlines()


def here(name: str) -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(PROBLEMS, scope)
    found: dict[str, Any] = scope[name]()
    return found


def assert_alike(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """To rounding: sums over modes that may be added in any order are, by our compilers."""
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        np.testing.assert_allclose(found[key], values, rtol=1e-9, err_msg=key)


needs_numba = pytest.mark.skipif(backend_name() != "numba", reason="nothing is compiled")


@needs_numba
def test_the_engine_on_a_numba_that_nobody_tried() -> None:
    """One line says that kernels compile more slowly; what it compiled is kept apart, since its version is its own."""
    found, said = elsewhere(f"{UNTRIED}{PROBLEMS}\nprint(json.dumps(engine()))", NUMBA_OPT="0")
    (line,) = [line for line in said if "slowly" in line]
    assert line.startswith("carom: kernels compile more slowly with Numba 1.2.0rc1: the quick front end is not tried")
    expected = here("engine")
    assert len(expected["start"]) > 5
    assert_alike(found, expected)


@needs_numba
def test_fast_paths_on_numba_as_it_comes() -> None:
    """It is asked for, so that nothing is said about it."""
    found, said = elsewhere(f"{PROBLEMS}\nprint(json.dumps(fast_paths()))", CAROM_FRONT_END="stock")
    assert not [line for line in said if "slowly" in line]
    assert_alike(found, here("fast_paths"))


def test_what_either_compiles_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "_compilers", lambda: None)
    theirs = backend.cache_folder.__wrapped__()
    monkeypatch.setattr(backend, "_compilers", lambda: (None, None))
    assert theirs != backend.cache_folder.__wrapped__()


def test_numba_as_it_comes_is_asked_for_by_a_variable(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CAROM_FRONT_END", "stock")
    assert backend._compilers.__wrapped__() is None
    assert caplog.text == ""
