"""The command line: thin doors to the public API."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    try:
        from carom.cli import app

        code = app.main(arguments)
    except KeyboardInterrupt:  # before the command itself could say so, or after it
        print("carom: interrupted", file=sys.stderr)
        code = 130
    if arguments is None and threading.current_thread() is threading.main_thread():  # the program ends with the command
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # tidying up is not worth a traceback
    return code
