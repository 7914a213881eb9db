"""The command line: thin doors to the public API."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    try:
        from carom.cli import app

        code = app.main(arguments)
    except KeyboardInterrupt:  # before the command itself could say so, or after it
        print("carom: interrupted", file=sys.stderr)
        code = 130
    if arguments is None and threading.current_thread() is threading.main_thread():
        _end_with(code)
    return code


def _end_with(code: int) -> None:
    """Make the end of the program short: what tidies up after it is worth neither a traceback nor seconds.

    A command that was stopped ends here: Python gives signals back to the system while it shuts down, and whoever
    presses Ctrl-C again then would see the program die by it. A compile or a run still under way does not survive the
    end of the interpreter around it, and is not waited for.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda came, _: os._exit(128 + came))
    gc.freeze()  # what is left is no garbage to be searched for
    if code >= 128:
        if not any(thread.name == "carom works" for thread in threading.enumerate()):
            atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads, or all is closed
                stream.flush()
        os._exit(code)
