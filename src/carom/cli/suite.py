"""`carom separation`, `carom ida`, `carom force-spectra`, `carom steady`: questions to a scenario in many motions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from carom.errors import InputError, refusal

if TYPE_CHECKING:
    from carom.motions import Motion
    from carom.problem import Problem
    from carom.studies.section import Section

__all__ = ["force_spectra", "ida", "separation", "show_section", "steady"]

MOST_ROWS = 40
"""Rows of a table that are printed."""

Scenario = Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML); its own motion is not used.")]
Motions = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[MOTION]...", help="Record files, folders, globs in quotes or built-in names, instead of --suite."
    ),
]
Scale = Annotated[str | None, typer.Option(help="Factor on all motions.")]
Pga = Annotated[str | None, typer.Option(help='Scale all motions to this peak ground acceleration: "0.3 g".')]
Sa = Annotated[str | None, typer.Option(help='Scale all motions to this spectral acceleration at --period: "0.5 g".')]
Period = Annotated[str | None, typer.Option(help="Period of --sa [s].")]
Suite = Annotated[str, typer.Option(help="Built-in suite, where no motions are named.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Write tables (CSV) and figures (PNG, PDF) there.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def separation(
    scenario: Scenario,
    motions: Motions = None,
    suite: Suite = "thirty",
    contact: Annotated[
        str | None, typer.Option(help="Label of one contact, or its number from 0. [default: all contacts]")
    ] = None,
    scale: Scale = None,
    pga: Pga = None,
    sa: Sa = None,
    period: Period = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Find the gap that each motion needs at every contact, beside absolute sum, SRSS (EC8, ASCE 7) and DDC."""
    from carom.studies.analyses.separation import separation as found

    stated = _stated(scenario, motions, suite)
    shaken = _scaled(stated.motions, "separation", scale, pga, sa, period)
    section = found(stated.problem, shaken, contact=contact, **stated.how).section()
    show_section(stated.cautioned(section, max(motion.pga for motion in shaken)), out, json)


def ida(
    scenario: Scenario,
    motions: Motions = None,
    suite: Suite = "thirty",
    demand: Annotated[
        str, typer.Option(help="An output of studies by its column: peak_force, impacts, drift.left, …")
    ] = "peak_force",
    limit: Annotated[
        str | None, typer.Option(help='Demand at which the hunt ends, in SI units or with its unit: "500 kN".')
    ] = None,
    intensity: Annotated[str | None, typer.Option(help="pga, or sa at --period. [default: pga]")] = None,
    period: Annotated[str | None, typer.Option(help="Period of the spectral acceleration [s].")] = None,
    ceiling: Annotated[str | None, typer.Option(help="Highest intensity. [default: 2 g]")] = None,
    pga: Annotated[str | None, typer.Option(help='Short for --intensity pga --ceiling "0.3 g".')] = None,
    sa: Annotated[str | None, typer.Option(help='Short for --intensity sa --ceiling "0.5 g"; with --period.')] = None,
    runs: Annotated[int, typer.Option(help="Runs of each motion.")] = 14,
    out: Out = None,
    json: Json = False,
) -> None:
    """Scale every motion up step by step: incremental dynamic analysis, hunt and fill."""
    from carom.studies.analyses.incremental import incremental
    from carom.units import standard_gravity

    given = {"intensity": intensity, "ceiling": ceiling, "pga": pga, "sa": sa}
    said = [f"--{name}" for name, value in given.items() if value is not None]
    if (pga is not None or sa is not None) and len(said) > 1:
        raise InputError(f"ida takes --pga or --sa alone, or --intensity and --ceiling. Got {' and '.join(said)}.")
    if pga is not None:
        intensity, ceiling = "pga", pga
    elif sa is not None:
        intensity, ceiling = "sa", sa
    stated = _stated(scenario, motions, suite)
    result = incremental(
        stated.problem, stated.motions, demand=demand, limit=_number(limit), intensity=intensity or "pga",
        period=period, ceiling=ceiling or "2 g", runs=runs, **stated.how,
    )  # fmt: skip
    reached = max(float(curve.intensity.max(initial=0.0)) for curve in result.curves)
    strongest = None if intensity == "sa" else standard_gravity * reached
    show_section(stated.cautioned(result.section(), strongest), out, json)


def force_spectra(
    scenario: Scenario,
    left: Annotated[
        str, typer.Option(help='Periods of the first structure [s]: "0.1:2:20" or "100 ms:2 s:20", from, to, how many.')
    ],
    right: Annotated[str, typer.Option(help='Periods of the second structure [s]: "0.1:2:20".')],
    motions: Motions = None,
    suite: Suite = "thirty",
    scale: Scale = None,
    pga: Pga = None,
    sa: Sa = None,
    period: Period = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Find the peak pounding force over the periods of two neighbours: pounding force response spectra."""
    from carom.cli.terminal.quantities import spread
    from carom.studies.analyses.force_spectra import force_spectra as found

    stated = _stated(scenario, motions, suite)
    if stated.how["scheme"] != "event":
        raise refusal(
            "analysis.scheme", scenario.name, "must be event for force spectra, which linear structures have",
            stated.how["scheme"], "A study over two periods with [analyses.force-spectra] takes any scheme.",
        )  # fmt: skip
    periods = [spread(text, "s", name=name, owner="force-spectra") for name, text in (("left", left), ("right", right))]
    shaken = _scaled(stated.motions, "force-spectra", scale, pga, sa, period)
    section = found(stated.problem, shaken, *periods, rtol=1e-4).section()
    show_section(stated.cautioned(section, max(motion.pga for motion in shaken)), out, json)


def steady(
    scenario: Scenario,
    frequencies: Annotated[str, typer.Option(help='Frequencies of the sine [Hz]: "2:4:41", from, to, how many.')],
    amplitude: Annotated[str, typer.Option(help='Amplitude of its acceleration: "2.6 m/s^2", "0.3 g".')],
    contact: Annotated[
        str | None, typer.Option(help="Label of one contact, or its number from 0. [default: the one hit fastest]")
    ] = None,
    cycles: Annotated[int, typer.Option(help="Cycles read at the end of each run.")] = 10,
    out: Out = None,
    json: Json = False,
) -> None:
    """Find the impact velocity in the steady state under sines, frequency by frequency."""
    from carom.cli.terminal.quantities import spread
    from carom.studies.analyses.steady import steady_impacts

    stated = _stated(scenario, ["default"], "thirty")
    asked = spread(frequencies, "Hz", name="frequencies", owner="steady")
    result = steady_impacts(stated.problem, asked, amplitude, contact=contact, cycles=cycles, **stated.how)
    show_section(stated.cautioned(result.section(), result.amplitude), out, json)


def show_section(section: Section, out: Path | None, json: bool) -> None:
    """Print a section, and write its files where a folder is named."""
    from carom.cli.terminal.console import print_json, print_table, terminal
    from carom.reports.section import section_data, write_section

    written = [] if out is None else write_section(section, out)
    if json:
        print_json({**section_data(section), "files": written})
        return
    console = terminal()
    for line in section.paragraphs:
        console.print(line, markup=False)
    for caution in section.cautions:
        console.print(f"! {caution}", style="yellow", markup=False)
    for table in section.tables:
        if len(table.rows) > MOST_ROWS:
            continue  # whoever wants so many rows wants them as a file
        print_table(console, table)
    if out is None and any(len(table.rows) > MOST_ROWS for table in section.tables):
        console.print("--out DIR writes the tables too long to show here, and the figures.", markup=False)
    if written:
        console.print(f"→ {out}: {', '.join(written)}", markup=False)


def _number(text: str | None) -> float | str | None:
    """Return a number without a unit as one, anything else as it is."""
    try:
        return text if text is None else float(text)
    except ValueError:
        return text


class _Stated(NamedTuple):
    """What a scenario states, and the motions that take the place of its own."""

    problem: Problem
    motions: list[Motion]
    how: dict[str, Any]
    """Scheme and options."""
    cautions: tuple[str, ...]

    def cautioned(self, section: Section, strongest: float | None) -> Section:
        """Return a section with what is unlikely in the scenario, and in the largest PGA [m/s²] where known."""
        from dataclasses import replace

        from carom.problem.plausibility import unlikely_intensity

        shaken = () if strongest is None else unlikely_intensity(strongest)
        return replace(section, cautions=(*self.cautions, *shaken, *section.cautions))


def _stated(scenario: Path, motions: list[str] | None, suite: str) -> _Stated:
    from carom.motions import suite as built_in
    from carom.problem.plausibility import unlikely_step
    from carom.scenario import read_scenario
    from carom.scenario.motions.grounds import refined
    from carom.scenario.studies.motions import records_of

    stated = read_scenario(scenario, motion="default")  # its motion is not used, but it is whole with one
    found = list(records_of(motions, Path()) if motions else built_in(suite))
    others = [axis for axis in stated.ground if axis != "x"]
    left_out = [f"Motion: a suite shakes along x alone; that along {axis} is left out." for axis in others]
    unlikely = (*left_out, *stated.problem.replace(motion=None).unlikely, *unlikely_step(found))
    if stated.analysis.scheme != "event":  # some step from sample to sample: as closely as in `carom run`
        found = [refined(motion, stated.analysis) for motion in found]
    return _Stated(stated.problem, found, stated.analysis.simulation, (*stated.notes, *unlikely))


def _scaled(
    motions: list[Motion], owner: str, scale: str | None, pga: str | None, sa: str | None, period: str | None
) -> list[Motion]:
    """Return the motions, all by one factor or all to one intensity where one is asked for."""
    from carom.units import POSITIVE, number

    given = {f"--{name}": value for name, value in (("scale", scale), ("pga", pga), ("sa", sa)) if value is not None}
    if len(given) > 1:
        raise InputError(f"{owner} takes one of --scale, --pga and --sa. Got {' and '.join(given)}.")
    if (sa is None) != (period is None):
        raise InputError(f'{owner} needs --sa and --period together, such as --sa "0.5 g" --period 0.6.')
    if scale is not None:
        factor = number(scale, "", name="scale", owner=owner, within=POSITIVE)
        return [motion.scaled(factor=factor) for motion in motions]
    return [motion.scaled(pga=pga, sa=sa, period=period) for motion in motions] if given else motions
