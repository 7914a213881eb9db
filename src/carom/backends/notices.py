"""A compile takes seconds: it says so on stderr, from the command line and from Python alike."""

from __future__ import annotations

import logging
import sys

__all__ = ["OnStderr", "say_compiles"]

NAME = "carom.compile"


class OnStderr(logging.Handler):
    """Lines on stderr, wherever it points to at that moment; none where the program's own log shows them."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        program = logging.getLogger()
        if not (program.handlers and program.isEnabledFor(record.levelno)):
            print(f"carom: {record.getMessage()}", file=sys.stderr)


def say_compiles() -> None:
    """Let compiles be heard, unless the program has given their log a handler or a level of its own.

    ``logging.getLogger("carom.compile").setLevel("WARNING")`` silences them.
    """
    log = logging.getLogger(NAME)
    if not log.handlers:
        log.addHandler(OnStderr())
        if log.level == logging.NOTSET:
            log.setLevel(logging.INFO)
