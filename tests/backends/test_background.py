"""Work in the background: interruptions are heard, at whatever moment, and break nothing."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from carom.backends import in_threads, worker_count
from carom.backends import numba as backend
from carom.backends.background import apart
from carom.kernels.laws import power_law


class Stop(BaseException):
    """As Ctrl-C, from a clock."""


@pytest.fixture
def _stoppable() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def once(dispatcher: Any) -> float:
    answer: float = dispatcher(np.array([2.0, 1.0, 5.0, 0.0, 0.0, 1.0, 1.0, 0.0]), 0.0, 3.0, 1.7, 1.0)
    return answer


@pytest.mark.skipif(sys.platform == "win32", reason="the clock that interrupts is that of POSIX systems")
@pytest.mark.usefixtures("_stoppable")
def test_a_compile_may_be_interrupted_at_any_moment() -> None:
    """Of 60 interruptions each is raised, and what is compiled afterwards is right."""
    chance = random.Random(18)
    expected = once(backend.compile_fresh(power_law.force, {}))
    began = time.monotonic()
    once(backend.compile_fresh(power_law.force, {}))
    usual = time.monotonic() - began
    for _ in range(60):
        dispatcher = backend.compile_fresh(power_law.force, {})
        heard = False
        try:
            signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-3, 0.7 * usual))
            once(dispatcher)
            late = signal.setitimer(signal.ITIMER_REAL, 0.0)[0] > 0.0  # a busy machine is not always as quick
        except Stop:
            heard = True
        assert heard or late
        assert once(dispatcher) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="the clock that interrupts is that of POSIX systems")
@pytest.mark.usefixtures("_stoppable")
def test_an_interrupted_batch_waits_for_nothing_and_begins_nothing() -> None:
    begun = []

    def run(start: int, stop: int) -> None:
        begun.append(start)
        time.sleep(1.0)

    began = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    with pytest.raises(Stop):
        in_threads(run, 50, chunk=1)
    assert time.monotonic() - began < 0.8
    time.sleep(1.0)
    assert len(begun) <= worker_count()


def test_the_answer_and_the_error_come_back() -> None:
    seen = []

    def work(value: float, *, fail: bool = False) -> float:
        """Do something."""
        seen.append(threading.current_thread() is threading.main_thread())
        if fail:
            raise ValueError(value)
        return 2.0 * value

    elsewhere = apart(work, busy=lambda: False)
    assert elsewhere(3.0) == 6.0
    with pytest.raises(ValueError, match="3"):
        elsewhere(3.0, fail=True)
    assert apart(work, busy=lambda: True)(3.0) == 6.0
    assert seen == [False, False, True]


def test_a_kernel_compiled_within_another_compile_waits_for_nobody() -> None:
    """The main thread holds the compiler's lock then, and no other would get it."""
    with backend.compiler_lock:
        assert once(backend.compile_fresh(power_law.force, {})) > 0.0
