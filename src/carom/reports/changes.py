"""How a value changed, in words."""

from __future__ import annotations

__all__ = ["change"]


def change(value: float, before: float) -> str:
    """Say by how much a value changed."""
    if before <= 0.0:
        return "from nothing"
    factor = value / before
    if factor >= 2.0:
        return f"{factor:.1f} times as large"
    if abs(factor - 1.0) < 0.005:
        return "unchanged"
    return f"{100.0 * abs(factor - 1.0):.0f} % {'larger' if factor > 1.0 else 'smaller'}"
