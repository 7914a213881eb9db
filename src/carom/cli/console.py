"""What the commands print: tables for people, one JSON object for programs."""

from __future__ import annotations

import sys
from typing import Any

from carom.reports.files import plain

__all__ = ["print_json", "terminal"]


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object to stdout, and nothing else; numbers JSON does not have become null."""
    import json

    json.dump(plain(data), sys.stdout, ensure_ascii=False, allow_nan=False, indent=2)
    sys.stdout.write("\n")


def terminal() -> Any:
    """Return the console to print tables on: coloured at a terminal, plain and wide in a pipe."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 140)
