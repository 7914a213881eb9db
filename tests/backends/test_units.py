"""Units of kernels: compiled once, kept, called through their doors; made on a second core, or here if that fails."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.damage import damaged

from carom.backends import numba as backend
from carom.backends.machine_code import second_core
from carom.backends.machine_code.unit_worker import Job, machine_code
from carom.kernels.types import unit

Kernel = Callable[..., Any]

pytestmark = pytest.mark.skipif(backend._compilers() is None, reason="Numba as it comes has no units")


class Pack(NamedTuple):
    """Some arrays together, as kernels take them."""

    rows: Any
    codes: Any
    wide: bool


def as_kernel(function: Kernel) -> Kernel:
    function.__module__ = "carom.kernels"
    return function


@unit
@as_kernel
def inner(row: Any, by: float) -> float:
    """Add to every number of a row."""
    total = 0.0
    for i in range(row.size):
        row[i] += by
        total += row[i]
    return total


@unit
@as_kernel
def middle(pack: Pack, at: int) -> tuple[float, int]:
    """Take parts of all kinds of what is given; fail where there is no such row."""
    if at < 0:
        raise ValueError("no such row")
    some = pack.rows[1:]
    total = 0.0
    for i in range(some.shape[0]):
        total += inner(some[i], 0.5) + inner(some[i, 1:], 0.25) + some.shape[1]
    pack.codes[at] += 7
    return (total if pack.wide else -total), int(pack.codes.sum() + pack.rows[:0].size)


@as_kernel
def outer(pack: Pack, at: int, out: Any) -> float:
    """Call one unit that calls another, which it calls as well."""
    total, codes = middle(pack, at)
    out[0] = codes
    return total + inner(out[1:], 1.0) + inner(out[::2], 0.125)


@as_kernel
def another(row: Any) -> float:
    """Call the inner unit only."""
    return inner(row, 2.0) + 1.0


def given() -> tuple[Pack, int, Any]:
    rows = np.random.default_rng(3).normal(size=(4, 5))
    return Pack(rows, np.arange(3), True), 1, np.zeros(4)


def assert_equal(fast: Kernel) -> None:
    """What a compiled `outer` returns and writes is what the plain text does."""
    plainly, compiled = given(), given()
    assert fast(*compiled) == outer(*plainly)
    np.testing.assert_array_equal(compiled[0].rows, plainly[0].rows)
    np.testing.assert_array_equal(compiled[0].codes, plainly[0].codes)
    np.testing.assert_array_equal(compiled[2], plainly[2])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where kernels are kept in this test, where nothing is compiled yet."""
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(backend, "cache_folder", lambda: folder)
    monkeypatch.setattr(backend, "_done", {})
    return folder


@pytest.fixture
def forgetting(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what forgets all that is compiled, as a new process has it."""
    from carom.backends.machine_code import part_libraries

    def forget() -> None:
        monkeypatch.setattr(backend, "_done", {})
        monkeypatch.setattr(part_libraries, "_loaded", {})

    forget()
    return forget


def names(folder: Path) -> list[str]:
    return sorted(path.name.rpartition("-")[0] + path.suffix for path in folder.iterdir())


def test_units_give_what_the_plain_text_does(folder: Path) -> None:
    assert_equal(backend.compile_cached(outer))
    assert names(folder) == ["inner.unit", "inner.unit", "middle.unit", "outer.cpu"]  # C-ordered rows, and others


def test_what_a_unit_raises_goes_through_its_callers(folder: Path) -> None:
    pack, _, out = given()
    with pytest.raises(ValueError, match="no such row"):
        backend.compile_cached(outer)(pack, -1, out)


def test_kernels_share_units_that_are_kept(
    folder: Path, forgetting: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later process makes no machine code of a unit that an earlier one kept, and none of a kernel that is kept."""
    assert_equal(backend.compile_cached(outer))
    ordered: list[str] = []
    order = second_core.order
    monkeypatch.setattr(
        "carom.backends.machine_code.part_libraries.order", lambda job, at: ordered.append(job.symbol) or order(job, at)
    )
    forgetting()
    assert backend.compile_cached(another)(np.ones(3)) == 10.0
    assert_equal(backend.compile_cached(outer))
    assert ordered == []


@pytest.mark.parametrize("harm", ["missing", "damaged"])
def test_a_kernel_whose_unit_is_gone_is_compiled_anew(harm: str, folder: Path, forgetting: Callable[[], None]) -> None:
    assert_equal(backend.compile_cached(outer))
    for kept in sorted(folder.glob("middle-*.unit")):
        if harm == "missing":
            kept.unlink()
        else:
            kept.write_bytes(damaged(kept.read_bytes(), random.Random(5)))
    forgetting()
    assert_equal(backend.compile_cached(outer))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    forgetting()
    assert_equal(backend.compile_cached(outer))
    assert before == {path: path.read_bytes() for path in folder.iterdir()}


def test_units_in_which_something_is_replaced_are_others(folder: Path) -> None:
    """They are not kept, and those without are shared with all."""

    @as_kernel
    def doubled(row: Any, by: float) -> float:
        return 2.0 * by

    replaced = backend.compile_fresh(outer, {inner: doubled})
    pack, at, out = given()
    codes = int(pack.codes.sum()) + 7
    assert replaced(pack, at, out) == pytest.approx(3 * (1.0 + 0.5 + 5.0) + 2.0 + 0.25)
    assert out[0] == codes
    assert names(folder) == []
    assert_equal(backend.compile_cached(outer))


def job() -> tuple[Job, Any, dict[str, Any]]:
    """Return a job, its target machine, and the settings of that."""
    from numba.core.registry import cpu_target

    codegen: Any = cpu_target.target_context.codegen()
    settings: dict[str, Any] = {"opt": 3}
    codegen._customize_tm_options(settings)
    twice = "define double @twice(double %x) {\n%y = fadd double %x, %x\nret double %y\n}"
    return Job(f"{codegen._create_empty_module('m')}\n{twice}", (), "twice", 3), codegen._tm, settings


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the second cores that were started; there is one, whatever machine this is."""
    started: list[Any] = []
    monkeypatch.setattr(second_core, "worker_count", lambda: 2)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    begin = second_core._SecondCore.__init__

    def note(self: Any, settings: dict[str, Any]) -> None:
        begin(self, settings)
        started.append(self)

    monkeypatch.setattr(second_core._SecondCore, "__init__", note)
    return started


def waited(order: second_core.Order) -> bytes | None:
    """Return what the second core makes of an order, which nobody makes here."""
    assert order._over.wait(60.0)
    return order._code


def test_a_second_core_makes_what_is_made_here(two_cores: list[Any]) -> None:
    asked, machine, settings = job()
    with second_core.with_second_core(settings):
        order = second_core.order(asked, machine)
        assert waited(order) == machine_code(asked, machine)
    assert two_cores[0]._process.poll() is not None
    assert not two_cores[0]._thread.is_alive()


def test_a_second_core_that_dies_is_done_without(two_cores: list[Any]) -> None:
    asked, machine, settings = job()
    with second_core.with_second_core(settings):
        first = second_core.order(asked, machine)
        waited(first)
        two_cores[0]._process.kill()
        two_cores[0]._process.wait()
        orders = [second_core.order(asked, machine) for _ in range(3)]
        second_core.help_out()
        assert [order.code() for order in orders] == [first.code()] * 3


def test_where_no_process_can_be_started_all_is_made_here(
    two_cores: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    asked, machine, settings = job()
    with second_core.with_second_core(settings):
        assert second_core.order(asked, machine).code() == machine_code(asked, machine)
    assert two_cores == []


def test_one_core_has_no_second(two_cores: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_core, "worker_count", lambda: 1)
    asked, machine, settings = job()
    with second_core.with_second_core(settings):
        second_core.order(asked, machine).code()
    assert two_cores == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX systems")
def test_a_second_core_ends_with_who_started_it(tmp_path: Path) -> None:
    """Killed as it is, a program leaves no process behind; and Ctrl-C at a terminal is not the second core's."""
    program = """
import sys, time
sys.path[:0] = sys.argv[1:]
from tests.backends.test_units import job
from carom.backends.machine_code import second_core
second_core.worker_count = lambda: 2
second_core.os.cpu_count = lambda: 2
asked, machine, settings = job()
with second_core.with_second_core(settings):
    order = second_core.order(asked, machine)
    order._over.wait(60.0)
    print(second_core._under_way[-1]._second._process.pid, flush=True)
    time.sleep(60.0)
"""
    arguments = [sys.executable, "-c", program, str(Path(__file__).parents[2])]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, start_new_session=True) as started:
        assert started.stdout is not None
        second = int(started.stdout.readline())
        assert os.getpgid(second) != os.getpgid(started.pid)
        started.send_signal(signal.SIGKILL)
    until = time.monotonic() + 30.0
    while time.monotonic() < until and is_running(second):
        time.sleep(0.05)
    assert not is_running(second)


def is_running(process: int) -> bool:
    """Tell whether a process is there and no mere entry in a table."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"
