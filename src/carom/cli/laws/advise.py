"""`carom advise`: which contact stiffness?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.errors import InputError, refusal

if TYPE_CHECKING:
    from carom.laws.stiffness import Advice, Material

__all__ = ["advise"]


def advise(
    law: Annotated[
        str, typer.Option(help="Law that the stiffness is for; `carom laws` lists them.")
    ] = "hunt-crossley-1975",
    material: Annotated[
        list[str] | None,
        typer.Option(help="Concrete, C30/37, masonry, steel, aluminium or timber; twice where the two bodies differ."),
    ] = None,
    masses: Annotated[str | None, typer.Option(help='Masses that meet [kg]: "240 t, 180 t".')] = None,
    velocity: Annotated[str | None, typer.Option(help='Expected velocity of impact [m/s]: "0.5 m/s".')] = None,
    slab_area: Annotated[str | None, typer.Option(help='Area of the face that is hit [m^2]: "3 m^2".')] = None,
    slab_length: Annotated[str | None, typer.Option(help='Length of the slab behind it [m]: "18 m".')] = None,
    structure_stiffness: Annotated[
        str | None, typer.Option(help='Stiffness of one or both structures [N/m]: "420 kN/mm, 380 kN/mm".')
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Estimate the contact stiffness from whatever is known of the two bodies.

    Materials with masses, materials with a slab, or the structures' own stiffness; each with where it comes from.
    """
    from carom.cli.terminal.quantities import numbers
    from carom.laws.catalogue import laws
    from carom.laws.stiffness import advise as advised
    from carom.laws.stiffness import material as material_of
    from carom.units import POSITIVE

    if (slab_area is None) != (slab_length is None):
        raise InputError("advise needs --slab-area and --slab-length together: the estimate is E A / L.")
    if structure_stiffness is None and (material is None or (masses is None and slab_area is None)):
        raise InputError(
            "advise needs --material with --masses, --material with --slab-area and --slab-length, or "
            "--structure-stiffness."
        )
    if material is not None and len(material) > 2:
        raise refusal("material", "advise", "must be given once or twice, for the two bodies", material)
    exponent = laws.get(law).n
    if exponent not in (1.0, 1.5):
        way_out = "Name a law with 1 or 1.5, such as kelvin-voigt or hertz."
        raise refusal("law", "advise", "must have the exponent 1 or 1.5", f"{law}, n = {exponent:g}", way_out)
    given: dict[str, Any] = {"exponent": exponent, "velocity": velocity}
    bodies = {} if material is None else {name: material_of(name) for name in material}
    if material is not None:
        given["materials"] = (material[0], material[-1])
    if masses is not None:
        given["masses"] = numbers(masses, "kg", name="masses", owner="advise", within=POSITIVE)
    if slab_area is not None:
        given["slab"] = {"area": slab_area, "length": slab_length}
    if structure_stiffness is not None:
        stiffnesses = numbers(structure_stiffness, "N/m", name="structure_stiffness", owner="advise", within=POSITIVE)
        given["structure_stiffness"] = stiffnesses
    found = advised(**given)
    if json:
        _print_json(law, found, bodies)
    else:
        _print_table(law, found, bodies)


def _print_json(law: str, found: Advice, bodies: dict[str, Material]) -> None:
    from carom.cli.terminal.console import print_json

    print_json(
        {
            "law": law, "exponent": found.exponent, "unit": found.unit, "low": found.low, "high": found.high,
            "estimates": [vars(bound) for bound in found.bounds], "peak_force_ratio": found.peak_force_ratio,
            "peak_forces": found.peak_forces, "materials": {name: vars(body) for name, body in bodies.items()},
        }
    )  # fmt: skip


def _print_table(law: str, found: Advice, bodies: dict[str, Material]) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal

    console = terminal()
    console.print(f"Contact stiffness for {law}, n = {found.exponent:g}", style="bold", markup=False)
    for name, body in bodies.items():
        taken = f"E = {body.young / 1e9:.3g} GPa, ν = {body.poisson:g}, {body.density:g} kg/m³"
        console.print(f"{name} taken as {taken}", markup=False)
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column("stiffness", justify="right", no_wrap=True)
    table.add_column("source")
    for bound in found.bounds:
        table.add_row(f"{bound.stiffness:.3g} {found.unit}", f"{bound.source}{'; ' + bound.note if bound.note else ''}")
    console.print(table)
    for line in found.consequences:
        console.print(line, markup=False)
