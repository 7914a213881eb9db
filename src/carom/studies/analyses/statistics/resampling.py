"""How sure a parameter is: intervals from resampled measurements.

Neighbouring samples of a history are not independent: blocks of them are resampled (Künsch 1989, Annals of Statistics
17(3), 1217-1241).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from carom.results import Table
from carom.studies.analyses.columns import Array

__all__ = ["Fitted", "block_length", "block_starts", "resampled_blocks", "tails"]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A parameter found from measurements, and how sure it is."""

    name: str
    unit: str
    value: float
    interval: tuple[float, float]
    """NaN where the measurements do not say."""
    confidence: float
    resampled: Array
    """The parameter in every resample."""
    measured: int
    """How many measurements."""
    note: str = ""

    def table(self) -> Table:
        """Return it as a row."""
        said = [None if math.isnan(v) else v for v in self.interval]
        unit = f" [{self.unit}]" if self.unit else ""
        head = (f"{self.name}{unit}", "low", "high", "confidence", "measurements")
        return Table(
            f"calibration-{self.name}", self.name, head, ((self.value, *said, self.confidence, self.measured),)
        )


def tails(confidence: float) -> list[float]:
    """Return the two quantiles between which a share `confidence` lies."""
    return [0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)]


def block_length(residual: Array) -> int:
    """Return the samples in a block: the cube root of their number, at least as long as residuals are correlated."""
    n = int(residual.size)
    centred = residual - residual.mean()
    power = float(centred @ centred)
    least: int = max(round(math.cbrt(n)), 1)
    if power == 0.0:
        return least
    for lag in range(1, n // 4):
        if float(centred[:-lag] @ centred[lag:]) < 0.2 * power:
            return max(least, lag)
    return max(least, n // 4)


def block_starts(size: int, length: int, resamples: int, seed: int) -> npt.NDArray[np.int64]:
    """Return where the blocks of each resample begin, shape (resamples, blocks): enough of them for `size` samples."""
    return np.random.default_rng(seed).integers(0, size - length + 1, (resamples, -(-size // length)))


def resampled_blocks(values: Array, length: int, resamples: int, seed: int) -> Array:
    """Return resamples of a row in blocks, shape (resamples, samples)."""
    starts = block_starts(values.size, length, resamples, seed)
    places = (starts[:, :, None] + np.arange(length)).reshape(resamples, -1)[:, : values.size]
    found: Array = values[places]
    return found
