"""What a scenario file states, once it has been read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carom.budget import RunSize
from carom.problem import Problem
from carom.scenario.analysis import Analysis
from carom.scenario.needs import needs_of

if TYPE_CHECKING:
    from carom.motions import Motion

__all__ = ["Scenario"]


@dataclass(frozen=True, eq=False)
class Scenario:
    """What a scenario file states."""

    title: str
    description: str
    problem: Problem
    analysis: Analysis
    ground: Mapping[str, Motion]
    """The motions by direction, as cut and scaled, before they are refined for histories; one under a single structure
    is called ``"x under pier"``."""
    name: str
    """The file's name, or ``default``; none of a problem stated in Python."""
    text: str
    """The file itself."""
    notes: tuple[str, ...] = ()
    """What its readers warned of."""

    @property
    def motion(self) -> Motion | None:
        """The motion along x, where there is no other; None where there is none, or several."""
        return self.ground["x"] if set(self.ground) == {"x"} else None

    @property
    def cautions(self) -> tuple[str, ...]:
        """What is to be known of it before it is run: what its readers warned of, and what is unlikely."""
        return (*self.notes, *self.problem.unlikely)

    @property
    def needs(self) -> RunSize:
        """How much memory and work its run takes."""
        return needs_of(self.problem, self.analysis, self.ground)

    @property
    def command(self) -> str:
        """The command that repeats it; of a problem stated in Python, the call."""
        if not self.name:
            default = Analysis()
            told = {name: value for name, value in self.analysis if value != getattr(default, name)}
            return f"carom.simulate({', '.join(['problem', *(f'{name}={value!r}' for name, value in told.items())])})"
        return "carom run" if self.name == "default" else f"carom run {self.name}"
