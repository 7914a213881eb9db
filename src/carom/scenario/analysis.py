"""The table [analysis] of a scenario: how time advances, how closely, and what is asked of the result."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from carom.scenario.parts import Part
from carom.scenario.quantities import Quantity, Ratio, Time
from carom.units import Range

__all__ = ["SCHEME_OPTIONS", "Analysis"]

SCHEME_OPTIONS = ("dt", "theta", "gamma", "solver", "projection", "beta", "alpha", "rho", "path")
"""Fields of [analysis] that are handed to the scheme; all schemes together know no other."""


class Analysis(Part):
    """How it is computed, and what is asked of the result."""

    scheme: str = Field(
        default="event",
        description='how time advances: "event", or another that `carom schemes` lists',
        examples=["event"],
    )
    rtol: Annotated[float, Quantity("", Range(1e-12, 1e-3, low_open=False, high_open=False))] = Field(
        default=1e-6, description="tolerance of a step in contact", examples=[1e-6]
    )
    duration: Time | None = Field(
        default=None, description="time to run; by default the record's; needed without a motion", examples=["30 s"]
    )
    sampling: Time | None = Field(
        default=None,
        description="largest time between samples of histories; by default 2 ms under a record",
        examples=["1 ms"],
    )
    step_limit: int = Field(
        default=1_000_000, ge=1, description="largest number of steps in contact", examples=[1_000_000]
    )
    allow_overlap: bool = Field(
        default=False, description="whether contacts may be closed at the start", examples=[True]
    )
    spectrum_damping: Ratio = Field(default=0.05, description="damping ratio of floor spectra", examples=["5 %"])
    checks: bool = Field(
        default=True, description="run again with other gaps and a tighter tolerance, to tell how firm the numbers are",
        examples=[True],
    )  # fmt: skip
    dt: Time | None = Field(
        default=None,
        description="longest time step of a scheme other than event; without it moreau-jean steps from sample to "
        "sample, others control their step by `rtol`",
        examples=["1 ms"],
    )
    theta: Annotated[float, Quantity("", Range(0.5, 1.0, low_open=False, high_open=False))] | None = Field(
        default=None, description="θ of moreau-jean; by default 0.5", examples=[0.5]
    )
    gamma: Ratio | None = Field(
        default=None,
        description="γ of moreau-jean, by default 1.5, or of newmark, by default 0.5",
        examples=[0.5],
    )
    solver: Literal["auto", "active-set", "gauss-seidel"] | None = Field(
        default=None, description="how moreau-jean finds simultaneous impulses", examples=["auto"]
    )
    projection: bool | None = Field(
        default=None, description="whether moreau-jean pushes overlaps apart at once", examples=[True]
    )
    beta: Annotated[float, Quantity("", Range(0.0, 1.0, low_open=False, high_open=False))] | None = Field(
        default=None, description="β of newmark; by default 0.25", examples=[0.25]
    )
    alpha: Annotated[float, Quantity("", Range(-1.0 / 3.0, 0.0, low_open=False, high_open=False))] | None = Field(
        default=None, description="α of hht-alpha; by default −0.1", examples=[-0.1]
    )
    path: Literal["quick", "general"] | None = Field(
        default=None,
        description='of event: "general" has the general engine take what a quicker one would, as a second opinion',
        examples=["general"],
    )
    rho: Annotated[float, Quantity("", Range(0.0, 1.0, low_open=False, high_open=False))] | None = Field(
        default=None, description="ρ of generalised-alpha; by default 0.8", examples=[0.8]
    )

    @property
    def simulation(self) -> dict[str, Any]:
        """The scheme, how closely it computes and what it is told: what `carom.simulate` takes, whatever the motion."""
        return {"scheme": self.scheme, "rtol": self.rtol, "step_limit": self.step_limit, **self.options}

    @property
    def options(self) -> dict[str, Any]:
        """What the scheme itself is told, where something was."""
        return {name: getattr(self, name) for name in SCHEME_OPTIONS if getattr(self, name) is not None}
