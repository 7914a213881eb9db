"""Compiled kernels equal the plain ones; the cache follows the sources; threads share the work."""

from __future__ import annotations

import dis
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import carom
from carom.backends import backend_name, compiled, compiled_with, in_threads
from carom.backends.linker import copied, link
from carom.kernels.event import engine as pounding
from carom.kernels.explicit.single_impacts import run as kernel
from carom.kernels.laws import function_law, power_law


@pytest.mark.parametrize(("name", "gravity"), [("tsuji-1992", 0.0), ("jankowski-2005", 9.81), ("flores-2011", 0.0)])
def test_python_backend_equals_numba(name: str, gravity: float, monkeypatch: pytest.MonkeyPatch) -> None:
    law = carom.law(name, stiffness=1e9, restitution=0.6)
    fast = carom.impact(law, mass=2.0, velocity=0.3, gravity=gravity)
    monkeypatch.setenv("CAROM_BACKEND", "python")
    assert backend_name() == "python"
    slow = carom.impact(law, mass=2.0, velocity=0.3, gravity=gravity)
    for key in ("peak_force", "peak_overlap", "duration", "restitution", "approach_loss"):
        assert getattr(fast, key) == pytest.approx(getattr(slow, key), rel=1e-12), key
    assert fast.steps == slow.steps


def test_unknown_backend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_BACKEND", "fortran")
    with pytest.raises(carom.InputError, match=r"CAROM_BACKEND.*numba, python"):
        compiled(kernel.impact)


def test_linking_leaves_the_module_alone() -> None:
    seen: list[str] = []

    def note(function):
        seen.append(function.__name__)
        return function

    linked = link(power_law.force, note)
    assert linked is not power_law.force
    assert set(seen) == {"force", "both_parts", "elastic_force", "damping_force", "power"}
    c = np.array([2.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    assert linked(c, 0.0, 3.0, 1.7, 1.0) == power_law.force(c, 0.0, 3.0, 1.7, 1.0) == 6.0


def test_a_callee_can_be_replaced() -> None:
    def none(c, chi: float, overlap: float, root: float, rate: float) -> float:
        return 0.0

    undamped = compiled_with(power_law.force, {power_law.damping_force: none})
    c = np.array([2.0, 1.0, 5.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    assert undamped(c, 5.0, 3.0, 1.7, 1.0) == 6.0
    assert power_law.force(c, 5.0, 3.0, 1.7, 1.0) == 11.0


def test_cache_folder_follows_the_sources(tmp_path: Path) -> None:
    """A second process loads what the first compiled and says nothing; the folder is named by the sources."""
    program = (
        "import logging; logging.basicConfig(level=logging.INFO)\n"
        "from carom.backends import compiled\n"
        "from carom.kernels.laws import power_law\n"
        "print(compiled(power_law.power)(4.0, 2.0, 0.5))\n"
    )
    environment = {"CAROM_CACHE": str(tmp_path), "PATH": "/usr/bin:/bin"}
    first, second = (
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert first.stdout == second.stdout == "2.0\n"
    assert "compiling power" in first.stderr
    assert second.stderr == ""
    assert [entry.name.split("-")[0] for entry in tmp_path.iterdir()] == ["kernels"]


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", "carom: compiling power (once; kept in "),
        ("logging.basicConfig(level='INFO')", "INFO:carom.compile:compiling power (once; kept in "),
        ("logging.getLogger('carom.compile').setLevel('WARNING')", ""),
    ],
)
def test_a_first_compile_from_python_says_so_once(before: str, said: str, tmp_path: Path) -> None:
    program = (
        f"import logging\n{before}\n"
        "from carom.backends import compiled\n"
        "from carom.kernels.laws import power_law\n"
        "compiled(power_law.power)(4.0, 2.0, 0.5)\n"
    )
    environment = {**os.environ, "CAROM_CACHE": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert run.stderr.startswith(said)
    assert len(run.stderr.splitlines()) == (1 if said else 0)


def test_threads_cover_everything_once() -> None:
    counts = np.zeros(10_001, dtype=int)

    def run(start: int, stop: int) -> None:
        counts[start:stop] += 1

    in_threads(run, counts.size, chunk=1000)
    assert (counts == 1).all()

    def fail(start: int, stop: int) -> None:
        raise ValueError(start)

    with pytest.raises(ValueError, match="0"):
        in_threads(fail, 5000, chunk=1000)


def test_an_error_stops_what_has_not_begun() -> None:
    begun = []

    def run(start: int, stop: int) -> None:
        begun.append(start)
        if start == 0:
            raise ValueError(start)
        time.sleep(0.01)

    with pytest.raises(ValueError, match="0"):
        in_threads(run, 500, chunk=1)
    assert len(begun) < 400


def test_what_is_replaced_shares_no_name_with_what_is_kept_on_disk() -> None:
    """Otherwise a function loaded from disk can stand in for one compiled now, and a law of one's own goes wrong."""
    replacements = {getattr(power_law, name): getattr(function_law, name) for name in ("force", "elastic_force")}
    assert not names_of(replacements) & names_of({})


def names_of(replacements: dict[Callable[..., Any], Callable[..., Any]]) -> set[str]:
    found: set[str] = set()

    def noted(function: FunctionType) -> FunctionType:
        found.add(f"{function.__module__}.{function.__qualname__}")
        return function

    link(kernel.impact, noted, replacements)
    assert len(found) > 5
    return found


def test_kernels_called_once_are_those_that_the_disassembler_sees_once() -> None:
    """The standard library's disassembler is the witness: it knows each Python's bytecode."""
    count: dict[Any, int] = {}
    waiting, met = [pounding.pound], {pounding.pound}
    while waiting:
        function = waiting.pop()
        for instruction in dis.get_instructions(function):
            callee = function.__globals__.get(instruction.argval) if instruction.opname == "LOAD_GLOBAL" else None
            if isinstance(callee, FunctionType) and callee.__module__.startswith("carom.kernels"):
                count[callee.__code__] = count.get(callee.__code__, 0) + 1
                waiting += [callee] if callee not in met else []
                met.add(callee)
    assert len(count) > 50
    inside = copied(pounding.pound, short=0, long_once=10**6, long=0)
    marked = {function.__code__ for function in met if "side_by_side" in vars(function)}
    units = {function.__code__ for function in met if "unit" in vars(function)}
    assert units
    once = {code for code, times in count.items() if times == 1} - units
    assert {code for code, is_copied in inside.items() if is_copied} - marked == once - marked


def test_what_is_short_is_copied_unless_much_comes_along() -> None:
    """`power` is called at two places below a force, each of those at one; `force` itself at none."""
    size = len(power_law.power.__code__.co_code)

    def inside(function: Callable[..., Any], **limits: int) -> bool:
        return copied(power_law.force, **{"short": 0, "long_once": 0, "long": 10**6, **limits})[function.__code__]

    assert not inside(power_law.power, short=size)
    assert inside(power_law.power, short=size + 1)
    assert not inside(power_law.power, short=size + 1, long=size)
    assert inside(power_law.force, short=10**6, long=10**6)
    assert inside(power_law.elastic_force, long_once=10**6)
    along = len(power_law.force.__code__.co_code) + 1
    assert inside(power_law.force, short=10**6, long=along)
    assert not inside(power_law.force, short=10**6, long_once=10**6, long=along)
