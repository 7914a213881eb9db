"""How a contract says that it is broken."""

from __future__ import annotations

__all__ = ["hold"]


def hold(held: bool, *words: object) -> None:
    """Raise AssertionError in these words unless something held."""
    if not held:
        raise AssertionError(" ".join(map(str, words)))
