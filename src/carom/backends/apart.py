"""Compiling in a thread of its own, where no interruption strikes.

Python raises Ctrl-C in the main thread, at whatever line it is. Inside a compile that may be a function called by LLVM,
where exceptions are dropped and the program goes on as if nothing had been; or Numba's tables of what it knows, which
are then broken for the rest of the session. The main thread therefore only waits, and hears Ctrl-C at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

__all__ = ["apart"]

P = ParamSpec("P")
T = TypeVar("T")

HEARD = 0.1
"""Seconds after which an interruption is heard even where a system does not wake those who wait."""


def apart(work: Callable[P, T], *, busy: Callable[[], bool]) -> Callable[P, T]:
    """Return `work` so that the main thread has it done by another one; where `busy`, it does so itself.

    Interrupted, it does not wait for the end of the work, which goes on unheard.
    """

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

        thread = threading.Thread(target=carry_out, name="carom compiles", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(HEARD)
        if "error" in answer:
            raise answer["error"]
        result: T = answer["result"]
        return result

    return done_apart
