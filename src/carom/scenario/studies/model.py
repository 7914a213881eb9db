"""What a study file may hold: a scenario, what varies in it, the motions, the outputs and the questions.

The classes are the format, as in `carom.scenario.model`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag
from pydantic_core import core_schema

from carom.errors import refusal
from carom.scenario.motions.motion_parts import GeneratedPart
from carom.scenario.parts import Part
from carom.scenario.quantities import Quantity, Time
from carom.units import POSITIVE, Range

__all__ = [
    "DISTRIBUTIONS", "OUTPUTS", "CorrelationPart", "FilterPart", "MotionsPart", "ParameterPart", "RangePart", "RunPart",
    "SamplerPart", "StudyFile", "TargetPart", "study_json_schema",
]  # fmt: skip

STUDY_SCHEMA_NAME = "carom-study.schema.json"
"""The schema's name where it stands beside a study."""

DISTRIBUTIONS = {
    "uniform": ({"low", "high"}, set()),
    "log-uniform": ({"low", "high"}, set()),
    "triangular": ({"low", "mode", "high"}, set()),
    "normal": ({"mean", "std"}, {"low", "high"}),
    "lognormal": ({"median", "dispersion"}, {"low", "high"}),
}
"""By name: the numbers that a distribution needs, and those that cut it."""

OUTPUTS = {
    "displacement": "largest |displacement| of each structure, relative to the ground",
    "velocity": "largest |velocity| of each structure, relative to the ground",
    "acceleration": "largest |absolute acceleration| of each structure",
    "floors": "the same peaks of every floor",
    "drift": "largest storey drift of each structure",
    "drift_ratio": "largest storey drift over storey height of each structure whose heights are known",
    "ductility": "largest storey drift over yield drift of each structure that yields",
    "base_shear": "largest force of the lowest storey of each structure, without what damping adds",
    "opening": "how far a gap opens beyond its size at rest, for seats; the widest, and of several contacts each",
    "unseating": "how far ends of decks moved off each seat and along it, and how far the deck turned; the largest "
    "share of a seat that was used, `seat_used`, and whether one was lost, `unseated`",
    "impacts": "number of impacts, those that last to the end included",
    "closed_at_end": "number of contacts that are closed when the run ends",
    "peak_force": "largest contact force",
    "impulse": "sum of all contact impulses",
    "energies": "input, kinetic, strain, damping and contact energy at the end",
    "no_pounding": "the chosen peaks of the same structures without contact",
    "steps": "steps in contact and those rejected",
}
"""What may be kept of a run."""


@dataclass(frozen=True)
class Given:
    """A number or text that waits for its unit, which the place in the scenario knows."""

    anything: bool = False

    def take(self, value: object) -> object:
        """Return the value as it is; refuse what can be no value."""
        if self.anything and isinstance(value, bool | list):
            return value
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise refusal("value", "parameter", 'must be a number, or text such as "2 cm"', value)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Take it as it is."""
        return core_schema.no_info_plain_validator_function(self.take)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Any) -> dict[str, Any]:
        """Say what an editor may accept."""
        return {"type": ["number", "string", *(["boolean", "array"] if self.anything else [])]}


def _form(value: Any) -> str:
    return "table" if isinstance(value, dict | Part) else "list" if isinstance(value, list) else "name"


Number = Annotated[Any, Given()]
Value = Annotated[Any, Given(anything=True)]


class RangePart(Part):
    """Values from one end to the other, both included."""

    start: Number = Field(alias="from", description="first value", examples=["1 cm"])
    stop: Number = Field(alias="to", description="last value", examples=["5 cm"])
    count: int = Field(ge=1, le=1_000_000, description="how many", examples=[9])
    spacing: Literal["linear", "log"] = Field(default="linear", description="equal steps or equal ratios")


Paths = Annotated[Annotated[str, Tag("name")] | Annotated[list[str], Tag("list")], Discriminator(_form)]
Scales = Annotated[
    Annotated[Annotated[list[float], Quantity("", POSITIVE, listed=True)], Tag("list")]
    | Annotated[RangePart, Tag("table")],
    Discriminator(_form),
]
Base = Annotated[Annotated[str, Tag("name")] | Annotated[dict[str, Any], Tag("table")], Discriminator(_form)]


class ParameterPart(Part):
    """What varies: a place in the scenario, and its values, a range or a distribution."""

    path: Paths | None = Field(
        default=None, description="the field of the scenario, `*` for all; by default the parameter's own name",
        examples=["contacts.0.gap"],
    )  # fmt: skip
    values: list[Value] | None = Field(
        default=None, min_length=1, description="its values", examples=[["1 cm", "2 cm", "5 cm"]]
    )
    range: RangePart | None = Field(
        default=None, description="values evenly spread", examples=[{"from": "1 cm", "to": "5 cm", "count": 9}]
    )
    distribution: Literal["uniform", "log-uniform", "triangular", "normal", "lognormal"] | None = Field(
        default=None, description="how it is distributed", examples=["lognormal"]
    )
    low: Number | None = Field(default=None, description="smallest value; cuts normal and lognormal", examples=["1 cm"])
    high: Number | None = Field(default=None, description="largest value", examples=["8 cm"])
    mode: Number | None = Field(default=None, description="likeliest value of triangular", examples=["3 cm"])
    mean: Number | None = Field(default=None, description="mean of normal", examples=["3 cm"])
    std: Number | None = Field(default=None, description="standard deviation of normal", examples=["5 mm"])
    median: Number | None = Field(default=None, description="median of lognormal", examples=["3 cm"])
    dispersion: Annotated[float, Quantity("", POSITIVE)] | None = Field(
        default=None, description="standard deviation of the logarithm, of lognormal", examples=[0.3]
    )
    levels: int | None = Field(
        default=None, ge=1, description="in a full grid: this many equally likely values of a distribution",
        examples=[5],
    )  # fmt: skip
    factor: bool = Field(
        default=False, description="whether the values multiply what the scenario says there", examples=[True]
    )


class CorrelationPart(Part):
    """Correlated parameters, by the correlation of the underlying normal variables (Gaussian copula)."""

    parameters: list[str] = Field(min_length=2, description="names of parameters", examples=[["gap", "period"]])
    matrix: list[Annotated[list[float], Quantity("", listed=True)]] | None = Field(
        default=None, description="the correlation matrix, ones on its diagonal", examples=[[[1.0, 0.5], [0.5, 1.0]]]
    )
    value: Annotated[float, Quantity("", Range(-1.0, 1.0))] | None = Field(
        default=None, description="instead of a matrix: the same correlation of every two of them", examples=[0.5]
    )


class SamplerPart(Part):
    """How samples are drawn from the parameters."""

    kind: str = Field(default="grid", description="grid, latin-hypercube, sobol, paired", examples=["latin-hypercube"])
    samples: int | None = Field(
        default=None, ge=1, le=100_000_000, description="how many; grid and paired know it", examples=[1000]
    )
    seed: int = Field(default=0, ge=0, description="of the random numbers", examples=[2026])


class ComponentsPart(Part):
    """A motion of the ground along several directions at once; what is left out is at rest."""

    x: str | None = Field(default=None, description="file or built-in name along x", examples=["east.AT2"])
    y: str | None = Field(default=None, description="along y", examples=["north.AT2"])
    z: str | None = Field(default=None, description="upwards", examples=["up.AT2"])


class FilterPart(Part):
    """Which motions are taken of those that files and folders hold."""

    formats: list[str] = Field(default=[], description="names of formats; all without", examples=[["csmip", "k-net"]])
    component: str | None = Field(
        default=None,
        description="a label, H1, H2, V, horizontal, vertical or all; by default horizontal ones of files with several",
        examples=["horizontal"],
    )
    pga: Annotated[list[float], Quantity("m/s^2", POSITIVE, listed=True)] | None = Field(
        default=None, description="least and largest peak", examples=[["0.1 g", "1 g"]]
    )
    duration: Annotated[list[float], Quantity("s", POSITIVE, listed=True)] | None = Field(
        default=None, description="shortest and longest record", examples=[["10 s", "60 s"]]
    )


class TargetPart(Part):
    """A spectrum that motions are scaled to, and selected by."""

    spectrum: str = Field(
        description="a code with its parameters, the file of a table, or a motion",
        examples=["ec8: ag = 0.25 g, ground = C"],
    )
    periods: Annotated[list[float], Quantity("s", POSITIVE, listed=True)] = Field(
        description="shortest and longest period of the range", examples=[["0.2 s", "2 s"]]
    )
    limits: list[float] = Field(default=[0.25, 4.0], description="least and largest factor", examples=[[0.5, 2.0]])
    select: int | None = Field(
        default=None, ge=1, description="how many motions to select, those whose mean is nearest; all without",
        examples=[7],
    )  # fmt: skip
    match: bool = Field(
        default=False, description="match spectra to it by wavelets, after motions are selected; no components",
        examples=[True],
    )  # fmt: skip


class GeneratedSuitePart(GeneratedPart):
    """Generated motions of one earthquake, or of the same parameters: `seed` and those that follow it."""

    count: int = Field(ge=1, le=10_000, description="how many", examples=[20])


class MotionsPart(Part):
    """The motions of the ground, and to what they are scaled."""

    records: list[str] = Field(
        default=[], description="files, relative to this one, globs, folders or built-in names",
        examples=[["default", "records/*.AT2"]],
    )  # fmt: skip
    components: list[ComponentsPart] = Field(
        default=[], description="motions along several directions, a file for each; scaled as one",
        examples=[[{"x": "east.AT2", "y": "north.AT2", "z": "up.AT2"}]],
    )  # fmt: skip
    suite: str | None = Field(default=None, description="a built-in suite", examples=["thirty"])
    generated: GeneratedSuitePart | None = Field(
        default=None, description="a suite of filtered noise",
        examples=[{"count": 20, "seed": 1, "magnitude": 6.8, "distance": 20, "vs30": "760 m/s", "scatter": True}],
    )  # fmt: skip
    scales: Scales | None = Field(
        default=None, description="factors; every motion by every factor", examples=[[0.5, 1.0, 2.0]]
    )
    pga: Annotated[list[float], Quantity("m/s^2", POSITIVE, listed=True)] | None = Field(
        default=None, description="instead of factors: scale every motion to these PGAs", examples=[["0.2 g", "0.4 g"]]
    )
    sa: Annotated[list[float], Quantity("m/s^2", POSITIVE, listed=True)] | None = Field(
        default=None, description="instead of factors: scale to these spectral accelerations at `period`",
        examples=[["0.5 g", "1 g"]],
    )  # fmt: skip
    period: Time | None = Field(
        default=None, description="period of the spectral acceleration that is noted of every run", examples=["0.5 s"]
    )
    dt: Time | None = Field(default=None, description="time step of files that do not say it", examples=["0.01 s"])
    unit: str | None = Field(default=None, description="unit of files that do not say it", examples=["g"])
    filter: FilterPart | None = Field(
        default=None,
        description="which motions of files and folders are taken; of components all but `component`",
        examples=[{"component": "H1"}],
    )
    target: TargetPart | None = Field(
        default=None,
        description="scale motions to a spectrum first, and select them by it; components by those along x and y",
        examples=[{"spectrum": "ec8: ag = 0.25 g, ground = C", "periods": ["0.2 s", "2 s"], "select": 7}],
    )  # fmt: skip


class RunPart(Part):
    """How every run is computed."""

    rtol: Annotated[float, Quantity("", Range(1e-12, 1e-3, low_open=False, high_open=False))] = Field(
        default=1e-4, description="tolerance of a step in contact", examples=[1e-4]
    )
    duration: Time | None = Field(
        default=None, description="time to run; by default that of each motion", examples=["30 s"]
    )
    step_limit: int = Field(
        default=1_000_000, ge=1, description="largest number of steps in contact of a run", examples=[1_000_000]
    )


class StudyFile(Part):
    """A study of carom: one scenario many times, each run a little different. SI where no unit is said."""

    format: Literal[1] = Field(default=1, description="number of the format of this file", examples=[1])
    title: str = Field(description="one line for the report", examples=["Fragility of two neighbours"])
    description: str = Field(default="", description="a few words more", examples=["Gap and periods uncertain"])
    scenario: Base = Field(
        default="default", description="a scenario file relative to this one, `default`, or its tables themselves",
        examples=["neighbours.toml"],
    )  # fmt: skip
    parameters: dict[str, ParameterPart] = Field(default={}, description="what varies, by names of your own")
    correlations: list[CorrelationPart] = Field(default=[], description="which parameters go together")
    sampler: SamplerPart = Field(default=SamplerPart(), description="how samples are drawn")
    motions: MotionsPart | None = Field(default=None, description="the motions; by default the scenario's")
    outputs: list[Literal[tuple(OUTPUTS)]] = Field(  # type: ignore[valid-type]
        default=["displacement", "acceleration", "impacts", "peak_force"], min_length=1,
        description="what is kept of every run", examples=[["impacts", "peak_force"]],
    )  # fmt: skip
    run: RunPart = Field(default=RunPart(), description="how every run is computed")
    analyses: dict[str, dict[str, Any]] = Field(
        default={}, description="questions put to the runs, each with its options", examples=[{"fragility": {}}]
    )


def study_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a study file."""
    schema = StudyFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": STUDY_SCHEMA_NAME, **schema}
