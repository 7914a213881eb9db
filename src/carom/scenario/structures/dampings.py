"""Damping that leaves the modes of a structure uncoupled, as a table of a scenario."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from carom.errors import InputError
from carom.scenario.parts import Part
from carom.scenario.quantities import Quantity, Ratios
from carom.structures import Caughey, Rayleigh
from carom.units import NONNEGATIVE, POSITIVE

__all__ = ["DampingPart", "damping_of"]


class DampingPart(Part):
    """Rayleigh damping by `alpha` and `beta`, or ratios at some modes, frequencies or periods (Caughey)."""

    alpha: Annotated[float, Quantity("1/s", NONNEGATIVE)] | None = Field(default=None, description="α of C = αM + βK")
    beta: Annotated[float, Quantity("s", NONNEGATIVE)] | None = Field(default=None, description="β of C = αM + βK")
    ratios: Ratios | None = Field(default=None, description="damping ratios at the points", examples=[[0.05, 0.05]])
    modes: list[int] | None = Field(
        default=None, description="the points as numbers of modes, from 1", examples=[[1, 3]]
    )
    frequencies: Annotated[list[float], Quantity("Hz", POSITIVE, listed=True)] | None = Field(
        default=None, description="the points as frequencies", examples=[["2 Hz", "8 Hz"]]
    )
    periods: Annotated[list[float], Quantity("s", POSITIVE, listed=True)] | None = Field(
        default=None, description="the points as periods", examples=[["0.5 s", "0.1 s"]]
    )


def damping_of(part: DampingPart) -> Any:
    """Return the damping that a table states."""
    if part.alpha is not None or part.beta is not None:
        if part.ratios is not None:
            raise InputError("damping takes `alpha` and `beta`, or `ratios` with their points, not both.")
        return Rayleigh(alpha=part.alpha or 0.0, beta=part.beta or 0.0)
    if part.ratios is None:
        raise InputError("damping needs `alpha` and `beta`, or `ratios` with `modes`, `frequencies` or `periods`.")
    return Caughey(part.ratios, modes=part.modes, frequencies=part.frequencies, periods=part.periods)
