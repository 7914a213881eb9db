"""Answers as bytes: what is said, as JSON, and behind it the numbers, as 32-bit floats.

    length of the JSON, four bytes, little-endian | JSON, filled up with blanks to a multiple of four | numbers

The JSON names each array with its place (counted in numbers from the first one) and its shape.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["frame"]


def frame(said: Mapping[str, Any], arrays: Mapping[str, npt.ArrayLike]) -> bytes:
    """Return one binary message."""
    places: dict[str, dict[str, Any]] = {}
    parts, at = [], 0
    for name, values in arrays.items():
        numbers = np.ascontiguousarray(values, dtype="<f4")
        places[name] = {"at": at, "shape": list(numbers.shape)}
        parts.append(numbers.tobytes())
        at += numbers.size
    text = json.dumps({**said, "arrays": places}, ensure_ascii=False, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + b"".join(parts)
