"""What the commands print: tables for people, one JSON object for programs."""

from __future__ import annotations

import math
import sys
from typing import Any

__all__ = ["plain", "print_json", "si", "terminal"]


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object to stdout, and nothing else; numbers JSON does not have become null."""
    import json

    json.dump(plain(data), sys.stdout, ensure_ascii=False, allow_nan=False, indent=2)
    sys.stdout.write("\n")


def plain(value: Any) -> Any:
    """Return a value made of what JSON has: NumPy's numbers as Python's, infinities and NaN as None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def terminal() -> Any:
    """Return the console to print tables on: coloured at a terminal, plain and wide in a pipe."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 140)


def si(value: float, unit: str, digits: int = 5) -> str:
    """Return a value with its unit and the prefix an engineer would use: 4.8119 kN, 202.45 µs."""
    if not math.isfinite(value):
        return "never" if value > 0 and unit == "s" else str(value)
    if value == 0.0:
        return f"0 {unit}"
    power = min(max(3 * math.floor(math.log10(abs(value)) / 3), -12), 12)
    prefix = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}[power]
    return f"{value / 10.0**power:.{digits}g} {prefix}{unit}"
