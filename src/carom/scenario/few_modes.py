"""The table `[reduced]` of a scenario: few modes for large structures, as `Problem.reduced` chooses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from carom.scenario.faults import Fault
from carom.scenario.parts import Part
from carom.scenario.quantities import Quantity
from carom.units import POSITIVE, Range

if TYPE_CHECKING:
    from carom.problem import Problem

__all__ = ["ReducedPart", "reduced_by", "reduced_faults", "settled"]

ERRORS = Range(1e-8, 0.1, low_open=False, high_open=False)
"""Errors that may be asked for."""


class ReducedPart(Part):
    """Few modes: those up to a common cut-off, and vectors that make each structure exact where contacts act.

    Structures of up to 30 degrees of freedom keep all their modes.
    """

    rtol: Annotated[float, Quantity("", ERRORS)] | None = Field(
        default=None, description="largest error of the forces of the first impacts, found by trial; 1e-3 where "
        "nothing is said", examples=[1e-3],
    )  # fmt: skip
    peaks: Annotated[float, Quantity("", ERRORS)] | None = Field(
        default=None, description="largest error of peaks too: displacements, velocities and accelerations, which ask "
        "for more modes than forces do", examples=["1 %"],
    )  # fmt: skip
    cutoff: Annotated[float, Quantity("Hz", POSITIVE)] | None = Field(
        default=None, description="modes up to this frequency, instead of `rtol` and `peaks`", examples=["40 Hz"]
    )
    impacts: int = Field(
        default=8, ge=0, description="how many impacts are the first; 0 beside a `cutoff`: no trial, and no estimate",
        examples=[8],
    )  # fmt: skip


def reduced_faults(part: ReducedPart, place: str) -> list[Fault]:
    """Return what is wrong with it although each field is right."""
    asked = [name for name in ("rtol", "peaks") if getattr(part, name) is not None]
    if part.cutoff is None or not asked:
        return []
    rule = f"must not stand beside `{asked[0]}`: one is given, or it is found"
    return [Fault(f"{place}.cutoff", rule, f"{part.cutoff:g} Hz", "Leave one out.")]


def reduced_by(part: ReducedPart, problem: Problem) -> Problem:
    """Return a problem with few modes, as the table asks for them."""
    rtol = {} if part.rtol is None else {"rtol": part.rtol}
    return problem.reduced(**rtol, peaks=part.peaks, cutoff=part.cutoff, impacts=part.impacts)


def settled(tables: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """Return the tables of a scenario whose runs all take the cut-off that was found for it, each without a trial."""
    if "reduced" not in tables:
        return tables
    found = {key: table for key, table in tables.items() if key != "reduced"}
    if problem.reduction is not None:
        found["reduced"] = {"cutoff": problem.reduction.cutoff, "impacts": 0}
    return found
