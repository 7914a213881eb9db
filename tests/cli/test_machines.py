"""The same scenario on two machines: other processors are feigned by what libraries can be told to do without.

Compiled kernels, NumPy's vector loops and libm give the same bits; what BLAS sums in another order moves peaks by some
1e-14. Runs that amplify rounding (thousands of hard impacts) are no promise: they are told as sensitive.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carom.backends import backend_name
from carom.backends.numba import compile_fresh
from carom.kernels.modal.filters import clough_penzien
from carom.scenario import default_scenario
from carom.studies.single.assess import study_pounding

SAME = 1e-12
"""Relative to each number; the energy left unaccounted for, itself rounding, relative to the input."""


def numbers(value: Any, trail: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, (*trail, key))
    elif isinstance(value, (int, float)):
        yield trail, float(value)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the processors feigned are x86")
@pytest.mark.skipif(sys.platform != "linux", reason="libm's variants are chosen by glibc")
def test_an_older_processor_gives_the_same_numbers(tmp_path: Path) -> None:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    older = {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name)),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA",
    }
    run = subprocess.run(
        [sys.executable, "-m", "carom.cli", "run", "--json", "--out", str(tmp_path)],
        env={**os.environ, **older}, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    there = dict(numbers(json.loads(run.stdout)))
    scenario = default_scenario()
    here = dict(numbers(study_pounding(scenario.problem, checks=False).as_dict()))
    scale = here["energy", "input"]
    compared = [trail for trail in here if trail[0] != "evidence"]
    assert len(compared) > 50
    for trail in compared:
        allowed = SAME * (scale if trail == ("energy", "residual") else abs(here[trail]))
        assert abs(there[trail] - here[trail]) <= allowed, trail


@pytest.mark.skipif(backend_name() != "numba", reason="nothing is compiled")
def test_compilers_may_not_reorder() -> None:
    """Neither fast maths nor fused products: both would make results depend on the processor."""
    kernel: Any = compile_fresh(clough_penzien, {})
    assert not kernel.targetoptions.get("fastmath")
    import numpy as np

    kernel(np.zeros(4), 0.01, 15.0, 9.0, 1.5, 0.9, np.zeros(16), np.zeros(4))
    code = "\n".join(kernel.inspect_llvm().values())
    for word in (" fast ", " contract ", " reassoc ", "llvm.fma", "llvm.fmuladd"):
        assert word not in code
