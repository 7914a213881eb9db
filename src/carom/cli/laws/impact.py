"""`carom impact`: one impact from the command line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from carom.results import Impact

__all__ = ["impact"]


def impact(
    law: Annotated[str, typer.Option(help="Name of the law; `carom laws` lists them.")],
    stiffness: Annotated[
        str | None, typer.Option(help='Contact stiffness, SI or with a unit: "2.46e10 N/m^1.5".')
    ] = None,
    restitution: Annotated[str | None, typer.Option(help="Restitution coefficient asked for, 0 < e <= 1.")] = None,
    damping: Annotated[str | None, typer.Option(help="The law's own damping parameter, instead of e.")] = None,
    mass: Annotated[str | None, typer.Option(help="Mass of a body that meets a fixed one [kg].")] = None,
    masses: Annotated[
        str | None, typer.Option(help='Two masses [kg], "4600,3500" or "4.6 t, 3.5 t", instead of --mass.')
    ] = None,
    velocity: Annotated[str | None, typer.Option(help="Velocity at first touch [m/s].")] = None,
    drop: Annotated[str | None, typer.Option(help='Height of fall, such as "2 in", instead of --velocity.')] = None,
    gravity: Annotated[str, typer.Option(help="Gravity during contact [m/s^2].")] = "0",
    pendulum_length: Annotated[str | None, typer.Option(help="Length of the striker's pendulum [m].")] = None,
    tension: Annotated[bool, typer.Option(help="Follow the law to zero overlap, or end where it would pull.")] = True,
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Solve damping so that achieved e = asked e.")] = False,
    wave_speed: Annotated[
        str | None, typer.Option(help="Wave speed of the softer body [m/s], to check validity.")
    ] = None,
    yield_force: Annotated[str | None, typer.Option(help="Force at first yield [N], to check validity.")] = None,
    rtol: Annotated[str, typer.Option(help="Tolerance of a step.")] = "1e-9",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Follow one impact from first touch to the end of contact."""
    import carom
    from carom.cli.terminal.quantities import numbers
    from carom.units import POSITIVE

    given = {"stiffness": stiffness, "restitution": restitution, "damping": damping}
    values = {name: value for name, value in given.items() if value is not None}
    chosen = carom.law(law, tension=tension, **values)
    pair = None if masses is None else numbers(masses, "kg", name="masses", owner="impact", within=POSITIVE)
    conditions: dict[str, Any] = {
        "mass": mass,
        "masses": pair,
        "velocity": velocity,
        "drop": drop,
        "gravity": gravity,
        "pendulum_length": pendulum_length,
        "rtol": rtol,
    }
    if calibrate:
        chosen = chosen.calibrated(**conditions)
    hit = carom.impact(chosen, **conditions, wave_speed=wave_speed, yield_force=yield_force)
    if json:
        _print_json(hit)
    else:
        _print_table(hit)


def _print_json(hit: Impact) -> None:
    from carom.cli.terminal.console import print_json

    names = ("peak_force", "peak_overlap", "duration", "restitution", "energy_lost", "status")
    print_json({"law": hit.law.name, **{name: getattr(hit, name) for name in names}, "notes": list(hit.notes)})


def _print_table(hit: Impact) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal
    from carom.units import si

    asked = getattr(hit.law, "restitution", None)
    kinetic = 0.5 * hit.mass * hit.velocity**2
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column("quantity")
    table.add_column("value", justify="right")
    table.add_column("remark")
    table.add_row("peak force", si(hit.peak_force, "N"), f"{si(hit.peak_force_time, 's')} after touch")
    reached = (
        f"{si(hit.peak_overlap_time, 's')} after touch" if hit.peak_overlap_time < math.inf else "approached slowly"
    )
    table.add_row("peak overlap", si(hit.peak_overlap, "m"), reached)
    table.add_row("duration", si(hit.duration, "s"), "")
    table.add_row("restitution", f"{hit.restitution:.6f}", "" if asked is None else f"asked for {asked:g}")
    share = f"{100 * hit.energy_lost / kinetic:.4g} % of the kinetic energy" if kinetic > 0 else ""
    table.add_row("energy lost", si(hit.energy_lost, "J"), share)
    if hit.approach_loss > 0:
        table.add_row("dissipation", f"{hit.dissipation_ratio:.4f}", "in restitution over in approach")
    if hit.end_overlap > 0:
        table.add_row("overlap left", si(hit.end_overlap, "m"), "contact ended at F = 0")
    console = terminal()
    console.print(f"[bold]{hit.law.title}[/bold]: {hit.outcome.text}")
    console.print(table)
    for note in hit.notes:
        console.print(f"Note: {note}")
