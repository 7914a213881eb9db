"""What tables of ground motion may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from carom.scenario.parts import Part
from carom.scenario.quantities import Acceleration, Amount, Quantity, Time
from carom.units import POSITIVE

__all__ = ["ComponentPart", "HarmonicPart", "MotionPart", "SweepPart"]

Frequency = Annotated[float, Quantity("Hz", POSITIVE)]


class HarmonicPart(Part):
    """A sine: amplitude·sin(2π·frequency·t + phase)."""

    frequency: Frequency = Field(description="its frequency", examples=["2 Hz"])
    amplitude: Acceleration = Field(description="amplitude of the ground acceleration", examples=["0.3 g"])
    duration: Time = Field(default=10.0, description="how long it lasts", examples=["20 s"])
    phase: Annotated[float, Quantity("rad")] = Field(default=0.0, description="its phase", examples=["90 deg"])


class SweepPart(Part):
    """A sine whose frequency goes from `first` to `last`."""

    first: Frequency = Field(description="frequency at the beginning", examples=["0.5 Hz"])
    last: Frequency = Field(description="frequency at the end", examples=["10 Hz"])
    amplitude: Acceleration = Field(description="amplitude of the ground acceleration", examples=["0.3 g"])
    duration: Time = Field(default=30.0, description="how long it lasts", examples=["30 s"])
    spacing: Literal["log", "linear"] = Field(
        default="log", description="equal time per octave, or per hertz", examples=["log"]
    )


class ComponentPart(Part):
    """The motion of the ground along one direction: a file, a built-in name, a sine or a sweep, cut and scaled."""

    record: str | None = Field(
        default=None,
        description="path, relative to this file, or a built-in name; `carom motion` shows them",
        examples=["default"],
    )
    harmonic: HarmonicPart | None = Field(
        default=None, description="a sine, instead of a record",
        examples=[{"frequency": "2 Hz", "amplitude": "0.3 g", "duration": "20 s"}],
    )  # fmt: skip
    sweep: SweepPart | None = Field(
        default=None, description="a sine of changing frequency, instead of a record",
        examples=[{"first": "0.5 Hz", "last": "10 Hz", "amplitude": "0.3 g"}],
    )  # fmt: skip
    component: str | None = Field(
        default=None, description="component of a built-in record, or of a file with several", examples=["180"]
    )
    scale: Amount | None = Field(
        default=None, description="what a count of the file is worth, in its unit", examples=[1.2e-6]
    )
    format: str | None = Field(
        default=None, description="format of the file, where it is not recognised", examples=["peer-at2"]
    )
    dt: Time | None = Field(
        default=None, description="time step, where the file does not say it, or of a sine", examples=["0.01 s"]
    )
    unit: str | None = Field(
        default=None, description="unit of acceleration, where the file does not say it", examples=["g"]
    )
    column: int | None = Field(default=None, ge=1, description="which column of a table, from 1", examples=[2])
    partial: bool = Field(
        default=False, description="accept a file with more or fewer values than it says", examples=[True]
    )
    start: Annotated[float, Quantity("s")] | None = Field(default=None, description="cut before", examples=["2 s"])
    end: Time | None = Field(default=None, description="cut after", examples=["20 s"])
    factor: Amount | None = Field(default=None, description="multiply by", examples=[1.5])
    pga: Acceleration | None = Field(
        default=None, description="scale to this peak ground acceleration", examples=["0.4 g"]
    )
    sa: Acceleration | None = Field(
        default=None, description="scale to this spectral acceleration at `period`", examples=["1 g"]
    )
    period: Time | None = Field(default=None, description="the period of `sa`", examples=["0.5 s"])


class MotionPart(ComponentPart):
    """The motion of the ground: along x, or by components in tables [motion.x], [motion.y] and [motion.z].

    Beside components `start`, `end` and `factor` are for all of them.
    """

    x: ComponentPart | None = Field(default=None, description="along x", examples=[{"record": "east.AT2"}])
    y: ComponentPart | None = Field(default=None, description="along y", examples=[{"record": "north.AT2"}])
    z: ComponentPart | None = Field(default=None, description="upwards", examples=[{"record": "up.AT2"}])

    @property
    def components(self) -> dict[str, ComponentPart]:
        """The components that are given."""
        return {axis: part for axis in "xyz" if (part := getattr(self, axis)) is not None}
