"""Ctrl-C at chosen moments: one line, exit code 130, nothing half-written, no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on POSIX systems")

DAWDLE = """
import sys, time
def dawdle(*_, **__):
    print("now", flush=True)
    end = time.monotonic() + {seconds}
    while time.monotonic() < end:
        time.sleep(0.01)
"""
COMMAND = (
    DAWDLE
    + """
from carom.cli import app, main
def work():
    {work}
    print("done", flush=True)
app.app.command("work")(work)
sys.exit(main(["work"]))
"""
)


def interrupted(program: str, *, times: int = 1) -> list[str]:
    """Run a program, interrupt it when it says "now", so many times; return its lines on stderr, but for compiles."""
    run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert "now\n" in run.stdout  # reads on until it is said
    for _ in range(times):
        time.sleep(0.02)
        run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, "done" in out) == (130, False), err
    assert "Traceback" not in err
    assert "ignored" not in err
    return [line for line in err.splitlines() if not line.startswith("carom: compiling")]


def test_inside_a_function_that_the_compiler_calls() -> None:
    """LLVM hands machine code over by a callback, where exceptions are dropped."""
    compiling = """
    from numba.core.codegen import CPUCodeLibrary
    hand_over = CPUCodeLibrary._object_compiled_hook.__func__
    CPUCodeLibrary._object_compiled_hook = classmethod(lambda *given: (dawdle(), hand_over(*given)))
    from carom.backends.numba import compile_fresh
    from carom.kernels.laws import power_law
    compile_fresh(power_law.power, {})(4.0, 2.0, 0.5)
    """
    assert interrupted(COMMAND.format(seconds=2, work=compiling.strip())) == ["carom: interrupted"]


def test_inside_any_function_whose_exceptions_are_dropped() -> None:
    """Raised there it is dropped, and tried again until it is heard."""
    dropping = """
    import ctypes
    callback = ctypes.CFUNCTYPE(None)(dawdle)
    callback()
    time.sleep(30)
    """
    began = time.monotonic()
    assert interrupted(COMMAND.format(seconds=30, work=dropping.strip())) == ["carom: interrupted"]
    assert time.monotonic() - began < 20.0


def test_where_python_makes_another_error_of_it() -> None:
    """While a class is made, as those of a drawing library are when it is loaded, Python 3.11 raises its own error."""
    making = """
    Slow = type("Slow", (), {"__set_name__": lambda self, owner, name: dawdle()})
    type("Made", (), {"slow": Slow()})
    """
    assert interrupted(COMMAND.format(seconds=30, work=making.strip())) == ["carom: interrupted"]


@pytest.mark.parametrize("times", [1, 2, 5])
def test_while_figures_are_drawn(times: int, tmp_path: Path) -> None:
    """In this process, as on a single core; impatient people press it more than once."""
    out = tmp_path / "out"
    drawing = DAWDLE.format(seconds=30) + (
        "import carom.reports.figure_process as d, carom.reports.runs.figures as f; from carom.cli import main\n"
        "d._cores = lambda: 1\n"
        "f.pictures = dawdle\n"
        f"sys.argv[1:] = ['run', '--out', {str(out)!r}]\n"
        "sys.exit(main())"
    )
    assert interrupted(drawing, times=times) == ["carom: interrupted"]
    assert not out.exists() or times > 1  # pressed again, it does not wait for tidying up either


def test_while_the_program_leaves() -> None:
    leaving = DAWDLE.format(seconds=30) + (
        "import atexit; from carom.cli import main\n"
        "atexit.register(dawdle)\n"
        "sys.argv[1:] = ['--version']\n"
        "sys.exit(main())"
    )
    assert interrupted(leaving) == []


def test_a_compile_under_way_is_not_waited_for() -> None:
    working = COMMAND.replace('main(["work"])', "main()").format(
        seconds=30, work="from carom.backends.background import apart; apart(dawdle, busy=lambda: False)()"
    )
    began = time.monotonic()
    assert interrupted(working.replace("sys.exit", "sys.argv[1:] = ['work']; sys.exit")) == ["carom: interrupted"]
    assert time.monotonic() - began < 20.0
