"""How a run ended, as a value: the member is the message the user reads."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["OUTCOMES", "Outcome", "words_of"]


class Outcome(Enum):
    """How a single contact or a whole run ended; `text` explains it, the name in lower case is its word in files."""

    SEPARATED = "the bodies separated"
    HELD = "gravity holds the bodies together: the contact does not end"
    PLASTIC = "the rebound cannot be told from none: the contact is plastic and does not end"
    STEP_LIMIT = "the step limit was reached before the contact ended; raise `step_limit` or loosen `rtol`"
    NOT_FINITE = "the computation left the range of floating-point numbers; check units and magnitudes"
    NOT_COMPLEMENTARY = "the impulses of contacts struck together were not found; try another `solver`"
    NO_SOLUTION = "the equations of a step have no solution that Newton's method finds; shorten the step"
    SINGULAR = "the equations of a step have a singular Jacobian; shorten the step, or check what p and f depend on"
    STEP_UNDERFLOW = "the step became too short to go on; loosen `rtol`, or choose a law without jump or a fixed step"
    FINISHED = "the run reached the end"
    UNTRUSTED = "the run contradicts itself and cannot be trusted; the evidence says where"

    @property
    def text(self) -> str:
        """The message."""
        return self.value

    @property
    def word(self) -> str:
        """The name as written to files: ``separated``, ``held``, ``plastic``, ``step-limit``, ``not-finite``."""
        return self.name.lower().replace("_", "-")

    @property
    def failed(self) -> bool:
        """Whether the run could not keep its promise."""
        return self in (
            Outcome.STEP_LIMIT, Outcome.NOT_FINITE, Outcome.NOT_COMPLEMENTARY, Outcome.NO_SOLUTION, Outcome.SINGULAR,
            Outcome.STEP_UNDERFLOW, Outcome.UNTRUSTED,
        )  # fmt: skip


OUTCOMES = tuple(Outcome)
"""All outcomes; arrays hold one as its position here."""


def words_of(positions: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.str_]:
    """Return the words of outcomes that an array holds."""
    import numpy as np

    words: npt.NDArray[np.str_] = np.array([outcome.word for outcome in OUTCOMES])[positions]
    return words
