"""Names for the flat arrays that kernels take."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float64]
"""One row of numbers (n,)."""
Matrix: TypeAlias = npt.NDArray[np.float64]
"""Rows of numbers (m, n), C order."""
Codes: TypeAlias = npt.NDArray[np.int64]
"""Whole numbers (n,): status codes, counts."""
Counts: TypeAlias = npt.NDArray[np.uint64]
"""Whole numbers that are never negative, and so index an array without a look at their sign: ranges of columns."""
