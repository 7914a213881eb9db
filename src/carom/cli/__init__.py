"""The command line: thin doors to the public API."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    try:
        from carom.cli import app
    except KeyboardInterrupt:  # before the command itself could say so
        print("carom: interrupted", file=sys.stderr)
        return 130
    return app.main(arguments)
