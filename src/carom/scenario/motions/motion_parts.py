"""What tables of ground motion may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from carom.scenario.parts import Part
from carom.scenario.quantities import Acceleration, Amount, Quantity, Time
from carom.units import ANY, NONNEGATIVE, POSITIVE, Range

__all__ = ["ComponentPart", "GeneratedPart", "HarmonicPart", "MatchPart", "MotionPart", "PulsePart", "SweepPart"]

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


class GeneratedPart(Part):
    """Filtered noise of Rezaeian and Der Kiureghian (2010): of an earthquake, or of its own six parameters.

    Parameters that are given come before those of the earthquake.
    """

    seed: int = Field(ge=0, description="which realisation", examples=[1])
    magnitude: Annotated[float, Quantity("", POSITIVE)] | None = Field(
        default=None, description="moment magnitude, 6 to 7.7", examples=[6.8]
    )
    distance: Annotated[float, Quantity("", POSITIVE)] | None = Field(
        default=None, description="distance to the rupture in kilometres, 10 to 100", examples=[20]
    )
    vs30: Annotated[float, Quantity("m/s", POSITIVE)] | None = Field(
        default=None, description="mean shear-wave velocity of the upper 30 m, from 600 m/s", examples=["760 m/s"]
    )
    fault: Literal["strike-slip", "reverse"] | None = Field(
        default=None, description="how the fault slips; strike-slip without", examples=["reverse"]
    )
    scatter: bool = Field(
        default=False, description="draw the earthquake's parameters too, by the seed; their medians otherwise",
        examples=[True],
    )  # fmt: skip
    arias: Annotated[float, Quantity("m/s", POSITIVE)] | None = Field(
        default=None, description="Arias intensity", examples=["0.6 m/s"]
    )
    d5_95: Time | None = Field(default=None, description="time in which it grows from 5 % to 95 %", examples=["12 s"])
    t_mid: Time | None = Field(default=None, description="when 45 % of it is reached", examples=["8 s"])
    frequency: Frequency | None = Field(default=None, description="rate of up-crossings then", examples=["5 Hz"])
    slope: Annotated[float, Quantity("Hz/s", ANY)] | None = Field(
        default=None, description="its change in time", examples=["-0.1 Hz/s"]
    )
    damping: Annotated[float, Quantity("", Range(0.0, 1.0))] | None = Field(
        default=None, description="damping ratio of the filter: how broad the band is", examples=[0.3]
    )


class PulsePart(Part):
    """The near-fault pulse of Mavroeidis and Papageorgiou (2003)."""

    amplitude: Annotated[float, Quantity("m/s", POSITIVE)] = Field(
        description="A, of the velocity", examples=["80 cm/s"]
    )
    period: Time = Field(description="T_p", examples=["2.5 s"])
    gamma: Annotated[float, Quantity("", Range(1.0, 100.0))] = Field(
        default=2.0, description="how many half cycles", examples=[2.0]
    )
    phase: Annotated[float, Quantity("rad")] = Field(
        default=0.0, description="0 is a symmetric, 90 deg an antisymmetric pulse", examples=["90 deg"]
    )
    before: Annotated[float, Quantity("s", NONNEGATIVE)] = Field(
        default=0.0, description="rest before it", examples=["1 s"]
    )
    after: Annotated[float, Quantity("s", NONNEGATIVE)] = Field(
        default=0.0, description="rest after it", examples=["5 s"]
    )


class MatchPart(Part):
    """A target that the spectrum is matched to by wavelets, within 5 % on average and 15 % at worst."""

    spectrum: str = Field(
        description="a code with its parameters, the file of a table, or a motion",
        examples=["ec8: ag = 0.25 g, ground = C"],
    )
    periods: Annotated[list[float], Quantity("s", POSITIVE, listed=True)] = Field(
        description="shortest and longest period of the range", examples=[["0.2 s", "2 s"]]
    )


class ComponentPart(Part):
    """The motion of the ground along one direction: read, built in or made, then cut, matched and scaled."""

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
    generated: GeneratedPart | None = Field(
        default=None, description="filtered noise, instead of a record",
        examples=[{"seed": 1, "magnitude": 6.8, "distance": 20, "vs30": "760 m/s"}],
    )  # fmt: skip
    pulse: PulsePart | None = Field(
        default=None, description="a near-fault pulse, instead of a record",
        examples=[{"amplitude": "80 cm/s", "period": "2.5 s"}],
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
        default=None, description="time step, where the file does not say it, or of what is made", examples=["0.01 s"]
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
    match: MatchPart | None = Field(
        default=None, description="match its spectrum to a target, after it is cut",
        examples=[{"spectrum": "ec8: ag = 0.25 g, ground = C", "periods": ["0.2 s", "2 s"]}],
    )  # fmt: skip
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
