"""Names for the flat arrays that kernels take."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

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

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def in_any_order(kernel: Kernel) -> Kernel:
    """Mark a kernel whose sums may be added up in any order: a processor then adds several numbers at once.

    The answer depends on the processor by rounding.
    """
    kernel.__dict__["in_any_order"] = True
    return kernel


def side_by_side(kernel: Kernel) -> Kernel:
    """Mark a kernel that loops call for one of many alike: made part of the loop, a processor takes several at once."""
    kernel.__dict__["side_by_side"] = True
    return kernel


def unit(kernel: Kernel) -> Kernel:
    """Mark a kernel that processors compile with all below it as a unit of its own, once for all kernels that call it.

    Nothing of it becomes part of its callers, and its arguments are all handed over: it is to be worth a call.
    """
    kernel.__dict__["unit"] = True
    return kernel


def seldom(kernel: Kernel) -> Kernel:
    """Mark a kernel that is seldom called: GPUs keep it apart, so that the way past it needs no registers for it."""
    kernel.__dict__["seldom"] = True
    return kernel


def often(kernel: Kernel) -> Kernel:
    """Mark a kernel that is called so often that GPUs make it part of every caller, however long it is."""
    kernel.__dict__["often"] = True
    return kernel
