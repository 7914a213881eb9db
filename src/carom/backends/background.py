"""Work in the background, while the main thread only waits and hears Ctrl-C at once.

Python raises Ctrl-C in the main thread, at whatever line it is. Inside a compile that may be a function called by LLVM,
where exceptions are dropped and the program goes on as if nothing had been; or Numba's tables of what it knows, which
are then broken for the rest of the session. What is interrupted is therefore only the waiting: the work goes on
unheard, and a program that ends meanwhile waits for it, since compilers and kernels do not survive the end of the
interpreter around them. The command line need not wait: it ends without tidying up.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

__all__ = ["apart", "begun", "wait_for"]

P = ParamSpec("P")
T = TypeVar("T")

NAME = "carom works"
"""Name of the threads; by it the command line knows them."""
HEARD = 0.1
"""Seconds after which an interruption is heard even where a system does not wake those who wait."""

_begun: WeakSet[threading.Thread] = WeakSet()


def begun(work: Callable[[], None]) -> threading.Thread:
    """Begin work in a thread and return that."""
    thread = threading.Thread(target=work, name=NAME, daemon=True)
    _begun.add(thread)
    thread.start()
    return thread


def wait_for(threads: Sequence[threading.Thread]) -> None:
    """Wait until all have ended."""
    for thread in threads:
        while thread.is_alive():
            thread.join(HEARD)


@atexit.register
def _wait_for_all() -> None:
    wait_for(list(_begun))


def apart(work: Callable[P, T], *, busy: Callable[[], bool]) -> Callable[P, T]:
    """Return `work` so that the main thread has it done in the background; where `busy`, it does so itself."""

    @wraps(work)
    def done_apart(*arguments: P.args, **keywords: P.kwargs) -> T:
        if threading.current_thread() is not threading.main_thread() or busy():
            return work(*arguments, **keywords)
        answer: dict[str, Any] = {}

        def carry_out() -> None:
            try:
                answer["result"] = work(*arguments, **keywords)
            except BaseException as error:
                answer["error"] = error

        wait_for([begun(carry_out)])
        if "error" in answer:
            raise answer["error"]
        result: T = answer["result"]
        return result

    return done_apart
