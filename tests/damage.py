"""What may happen to a file: it rots, or somebody else writes it. For tests of what is read back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

__all__ = ["Payload", "damaged"]


def damaged(whole: bytes, chance: random.Random) -> bytes:
    """Return a file's content with a bit flipped, an end cut off or added, a piece lost or zeroed, or nothing of it."""
    at = chance.randrange(len(whole))
    size = chance.randrange(1, 100)
    return chance.choice((
        whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :],
        whole[:at],
        whole[at:],
        whole + chance.randbytes(size),
        whole[:at] + bytes(size) + whole[at + size :],
        whole[:at] + whole[at + size :],
        chance.randbytes(len(whole)),
        b"",
    ))  # fmt: skip


class Payload:
    """What runs a program of somebody else's choice when it is unpickled: it makes the file `mark`."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self._mark,)
