"""The contract of a case: a published problem, its published answers, and how each follows from runs.

A case states; it does not integrate. The means to run are handed to it, with the signature of `carom.impact`, of
`carom.simulate`, of `carom.ensemble` or of `carom.integrate.irk`, whichever it asks for. A module of this room that
registers a class is found by itself: nothing else learns its name.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias, TypeVar

from carom.citation import PAPERS, Source
from carom.registry import Registry
from carom.results import FigureData, Row

__all__ = ["NO_CURVE", "Case", "Run", "cases", "register_case", "stated"]

NO_CURVE = "measured curve not published"
"""Said wherever a paper compares with a measurement that it shows in a figure only."""


def stated(what: str, share: float | None, reason: str = "") -> Row:
    """Return a row of what a paper states in words: the share in which it was found to hold, beside 1.

    Without a share, since the paper leaves out what it would take, the statement stands as not computable.
    """
    title = f"stated: {what} (1: holds)"
    return Row(quantity=title, published=1.0, computed=share, tolerance=0.005, absolute=True, reason=reason)


Run: TypeAlias = Callable[..., Any]
"""What runs an impact or a problem: `carom.impact` or `carom.simulate`, or what stands in for it."""


class Case(ABC):
    """A table or a figure of a paper, to be computed again."""

    name: ClassVar[str]
    """Name in the registry: paper key, then what, such as ``alves2015-table4``."""
    title: ClassVar[str]
    paper: ClassVar[str]
    """Key of the paper in `carom.citation.PAPERS`."""
    place: ClassVar[str]
    """Where in the paper: table, figure, section, equations."""
    means: ClassVar[str] = "impact"
    """What its `run` is: ``"impact"``, ``"simulate"``, ``"ensemble"`` or ``"irk"``, called as the public word is."""
    verified: ClassVar[str] = "published beside computed, row by row"
    notes: ClassVar[tuple[str, ...]] = ()
    """Readings chosen, misprints met, what the paper leaves open."""

    @property
    def source(self) -> Source:
        """The paper, and the place in it."""
        return Source(PAPERS[self.paper], f"{self.paper} {self.place}", self.verified)

    def rows(self, run: Run) -> Sequence[Row]:
        """Return the case's numbers, published beside computed."""
        return ()

    def figures(self, run: Run) -> Sequence[FigureData]:
        """Return the case's figures, as the paper draws them."""
        return ()


cases: Registry[type[Case]] = Registry("case", "carom.cases")
"""All published cases, found in `carom.cases`."""

C = TypeVar("C", bound=type[Case])


def register_case(case: C) -> C:
    """Add a case, as a decorator on its class."""
    cases.register(case.name, case)
    return case
