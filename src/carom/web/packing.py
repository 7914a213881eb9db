"""Numbers for pages: base64 of 32-bit floats, or of small integers with a scale for each column."""

from __future__ import annotations

import base64
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = ["Packed", "packed"]

Packed = dict[str, Any]
LARGEST = {"i1": 127, "i2": 32767}


def packed(values: npt.ArrayLike, kind: Literal["f4", "i1", "i2", "u1", "u2"] = "f4") -> Packed:
    """Return an array as `unpacked` of packing.js reads it, row by row.

    ``"i1"`` and ``"i2"`` of floats get a scale for each column of the last axis, so that each has all steps for its own
    largest value; of integers they are what they say.
    """
    array = np.asarray(values)
    found: Packed = {"kind": kind}
    if kind in LARGEST and array.dtype.kind == "f":
        columns = array.reshape(-1, array.shape[-1]) if array.size else array.reshape(0, 1)
        scales = np.abs(columns).max(axis=0, initial=0.0) / LARGEST[kind]
        array = np.rint(columns / np.where(scales > 0.0, scales, 1.0))
        found["scales"] = packed(scales)
    return found | {"data": base64.b64encode(array.astype(f"<{kind}").tobytes()).decode("ascii")}
