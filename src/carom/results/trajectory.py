"""What a user's own system did: states at the steps, and between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from carom.errors import refusal
from carom.results.outcome import Outcome

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

__all__ = ["Trajectory"]


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The solution of d p(u)/dt = f, step by step; call it for states in between."""

    time: Array
    """Ends of the steps, shape (T,)."""
    state: Array
    """u there, shape (T, n)."""
    slope: Array
    """du/dt there, shape (T, n)."""
    kinks: Array
    """Times at which a step was ended on a kink, shape (K,); where f jumps there, that time stands twice in `time`."""
    outcome: Outcome
    message: str
    """How the run ended; where it failed, at which time and in which state."""
    evidence: Mapping[str, Any]
    """Method, steps, rejected steps, kinks, Newton iterations, evaluations of f and of Jacobians, linear solves."""

    def __call__(self, t: npt.ArrayLike) -> Array:
        """Return u at times within the run, shape (…, n), by Hermite's cubic through states and slopes of a step.

        Its error falls with the fourth power of the step, whatever the order of the method.
        """
        import numpy as np

        at = np.asarray(t, dtype=np.float64)
        if at.size and (at.min() < self.time[0] or at.max() > self.time[-1]):
            span = f"{self.time[0]:g} to {self.time[-1]:g}"
            raise refusal("t", "Trajectory", f"must lie in what was run, {span}", t)
        i = np.clip(np.searchsorted(self.time, at, side="right") - 1, 0, max(self.time.size - 2, 0))
        if self.time.size == 1:
            return np.broadcast_to(self.state[0], (*at.shape, self.state.shape[1])).copy()
        h = (self.time[i + 1] - self.time[i])[..., None]
        x = (at - self.time[i])[..., None] / h
        bent = x * x * (3.0 - 2.0 * x)
        found: Array = (
            self.state[i] * (1.0 - bent)
            + self.state[i + 1] * bent
            + h * x * (1.0 - x) * (self.slope[i] * (1.0 - x) - self.slope[i + 1] * x)
        )
        return found
