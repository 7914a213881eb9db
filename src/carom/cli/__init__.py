"""The command line: thin doors to the public API."""

from __future__ import annotations

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
    """Make the end of the program short: what tidies up after it is worth neither a traceback nor seconds."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    gc.freeze()  # what is left is no garbage to be searched for
    if code >= 128 and any(thread.name == "carom works" for thread in threading.enumerate()):
        with suppress(OSError, ValueError):  # nobody reads, or all is closed
            sys.stdout.flush()
        os._exit(code)  # a compile or a run still under way does not survive the end of the interpreter around it
