"""The GPU's path under Numba's simulator equals the CPU's; without a GPU one line says so.

The simulator is chosen when Numba is first imported: each test has a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROBLEM = """
import numpy as np
import carom

default = carom.motions.get("default")
shake = carom.Motion(default.acceleration[150:270], dt=default.dt)
towers = [
    carom.Oscillator(mass=4600, period=0.3, damping_ratio=0.02, name="left"),
    carom.Oscillator(mass=3500, period=0.16, damping_ratio=0.02, name="right"),
]
law = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
problem = carom.Problem(towers, [carom.Contact("left", "right", gap=0.01, law=law)], motion=shake)
gaps = [0.008, 0.002, 0.3]
"""
COMPARE = """
here = carom.ensemble(problem, vary={"gap": gaps}, twin=True)
there = carom.ensemble(problem, vary={"gap": gaps}, twin=True, device="cuda")
assert set(here.dataset.data_vars) == set(there.dataset.data_vars)
for name, values in here.dataset.data_vars.items():
    if values.dtype.kind == "f":
        np.testing.assert_allclose(there.dataset[name].values, values.values, rtol=1e-12, atol=1e-12, err_msg=name)
    else:
        assert (there.dataset[name].values == values.values).all(), name
print("impacts", *here.dataset.impacts.values, there.evidence["device"])
"""
TOWERS = """
floors = {"masses": [2e4] * 2, "damping_ratio": 0.05}
towers = [
    carom.ShearBuilding(stiffnesses=[2e7] * 2, name="left", **floors),
    carom.ShearBuilding(stiffnesses=[6e7] * 2, name="right", **floors),
]
law = carom.law("hertzdamp", stiffness=4e9, restitution=0.6)
problem = carom.Problem(towers, [carom.facing("left", "right", gap=0.01, law=law)], motion=shake)
gaps = [0.004, 0.002, 0.3]
"""
FEW_ROOMS = """
import carom.backends.gpu.warps as gpu
gpu.ROOMS = 2
"""
SMALL_LAUNCHES = """
import carom.backends.gpu.cuda as gpu
gpu.FIRST_LAUNCH = gpu.LAUNCH = 2
gpu.PINNED = 0
"""
NOT_PINNED = """
import carom.backends.gpu.cuda as gpu
gpu.PINNED = 0
def full(*arrays):
    raise RuntimeError("no memory can be pinned")
gpu.cuda.pinned = full
"""
REFUSED = """
try:
    carom.ensemble(problem, vary={"gap": gaps}, device="cuda")
except carom.InputError as error:
    print(error)
"""


def python(program: str, **environment: str) -> str:
    settings = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "CAROM_BACKEND"))}
    done = subprocess.run(
        [sys.executable, "-c", PROBLEM + program], env=settings | environment, capture_output=True, text=True,
        check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "towers", ["", SMALL_LAUNCHES, NOT_PINNED, TOWERS, TOWERS + FEW_ROOMS],
    ids=["pair", "pair in small launches", "pair without pinned memory", "warp", "warp in few rooms"],
)  # fmt: skip
def test_the_simulated_gpu_equals_the_cpu(towers: str) -> None:
    """Same sources, plain Python on both sides: equal to rounding, impacts counted alike, twins without contact too."""
    said = python(towers + COMPARE, NUMBA_ENABLE_CUDASIM="1", CAROM_BACKEND="python").split()
    assert said[0] == "impacts"
    assert said[4] == "cuda"
    some, more, none = (float(word) for word in said[1:4])
    assert 0 < some < more
    assert none == 0


ALONE = """
problem = carom.Problem(towers, [], motion=shake)
ratios = {"left.damping_ratio": [0.02, 0.05]}
here, there = (carom.ensemble(problem, vary=ratios, device=device).extremes for device in ("cpu", "cuda"))
np.testing.assert_allclose(there, here, rtol=1e-12)
print(here.shape[0])
"""


def test_structures_that_meet_nobody_run_on_the_simulated_gpu() -> None:
    assert python(ALONE, NUMBA_ENABLE_CUDASIM="1", CAROM_BACKEND="python").split() == ["2"]


SPACE = """
shakes = carom.MotionSet((shake, shake.scaled(factor=-0.7).replace(component="")))
turned = carom.Structure(
    [4600, 4600], [[2e6, -5e5], [-5e5, 3e6]], influence=[[1, 0, 0], [0.6, 0.8, 0]], damping_ratio=0.02, name="left"
)
problem = carom.Problem([turned, towers[1]], [carom.Contact(("left", 1), "right", gap=0.002, law=law)], motion=shakes)
vary = {"left.influence": [[[1, 0, 0], [0.3, 1, 0]], [[1, 0, 0], [1, 1, 0]]], "motion": [shakes, {"y": shake}]}
here, there = (carom.ensemble(problem, vary=vary, device=device) for device in ("cpu", "cuda"))
np.testing.assert_allclose(there.extremes, here.extremes, rtol=1e-9)
print((here.dataset.impacts.values > 0).sum(), len(np.unique(here.dataset.peak_force)))
"""


def test_three_components_run_on_the_simulated_gpu() -> None:
    struck, different = map(int, python(SPACE, NUMBA_ENABLE_CUDASIM="1", CAROM_BACKEND="python").split())
    assert struck >= 3
    assert different >= 3


def test_without_a_gpu_one_line_says_so() -> None:
    said = python("import carom.backends.gpu.cuda as gpu\nprint(gpu.cuda.is_available())\n" + REFUSED)
    available, *message = said.splitlines()
    if available == "True":
        pytest.skip("a GPU is there: nothing is refused")
    assert len(message) == 1
    assert message[0].startswith("`device` 'cuda' needs an NVIDIA GPU")
    assert message[0].endswith("Use device='cpu'.")
