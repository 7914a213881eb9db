"""`carom laws`: the catalogue, and one law in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from carom.laws import CompliantLaw

__all__ = ["laws"]


def laws(
    name: Annotated[str | None, typer.Argument(help="Name or alias of one law, to show it in full.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the contact laws, or show one in full.

    In full: formula, parameters with unit and range, source, misprints, and the restitution achieved for the one asked.
    """
    from carom.cli.laws import impulsive as rigid
    from carom.cli.terminal.console import print_json
    from carom.laws import impulsive_laws
    from carom.laws import laws as registry

    if name is None:
        if json:
            found = {"laws": [_entry(kind) for kind in registry]}
            print_json(found | {"impulsive_laws": [rigid.entry(kind) for kind in impulsive_laws]})
        else:
            _print_catalogue(list(registry))
            rigid.print_list(list(impulsive_laws))
    elif name in impulsive_laws:
        impulsive = impulsive_laws.get(name)
        if json:
            print_json(rigid.entry(impulsive))
        else:
            rigid.print_one(impulsive)
    else:
        kind = registry.get(name)
        if json:
            print_json({**_entry(kind), **_details(kind)})
        else:
            _print_law(kind)


def _entry(kind: type[CompliantLaw]) -> dict[str, Any]:
    from carom.studies.single.achieved import example

    return {
        "name": kind.name,
        "aliases": list(kind.aliases),
        "n": kind.n,
        "m": kind.m,
        "damping": kind.damping_formula,
        "source": str(kind.source),
        "tension": example(kind).pulls,
    }


def _details(kind: type[CompliantLaw]) -> dict[str, Any]:
    asked, achieved = _curve(kind)
    return {
        "title": kind.title,
        "formula": kind.formula,
        "parameters": _parameters(kind),
        "restitution_range": str(kind.restitution_range),
        "intended_restitution": str(kind.intended_restitution or kind.restitution_range),
        "verified": kind.source.verified,
        "notes": list(kind.source.notes),
        "achieved": [{"asked": a, "achieved": b} for a, b in zip(asked, achieved, strict=True)],
    }


def _curve(kind: type[CompliantLaw]) -> tuple[list[float], list[float]]:
    from carom.studies.single.achieved import achieved_restitution

    asked = [0.01, 0.05, *(round(0.1 * k, 1) for k in range(1, 11))]
    achieved = achieved_restitution(kind.name, asked)
    return (asked, [float(e) for e in achieved]) if achieved is not None else ([], [])


def _parameters(kind: type[CompliantLaw]) -> list[dict[str, Any]]:
    from carom.laws.catalogue import parameters
    from carom.studies.single.achieved import example

    sample = example(kind)
    rows = []
    for name, entry in parameters(kind).items():
        about = entry.metadata
        unit = sample.unit_of(name).replace("*", "·") if "unit" in about else ""
        if "within" in about:
            allowed = str(about["within"])
        else:
            allowed = about.get("range") or " | ".join(str(choice).lower() for choice in about["choices"])
        rows.append({"name": name, "unit": unit or "-", "range": allowed, "meaning": about["text"]})
    return rows


def _print_catalogue(kinds: list[type[CompliantLaw]]) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal
    from carom.studies.single.achieved import example

    table = Table(title="Contact laws: F = K δⁿ + χ δᵐ δ̇ in contact", title_justify="left", box=None, pad_edge=False)
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("m", justify="right", no_wrap=True)
    table.add_column("χ")
    table.add_column("pulls", no_wrap=True)
    for kind in sorted(kinds, key=lambda kind: (kind.n, kind.m if kind.m is not None else -1.0, kind.name)):
        m = "–" if kind.m is None else f"{kind.m:g}"
        pulls = "yes" if example(kind).pulls else ""
        table.add_row(kind.name, f"{kind.n:g}", m, kind.damping_formula, pulls)
    console = terminal()
    console.print(table)
    console.print(
        "\n`carom laws NAME` shows one in full. e is the restitution asked for, v0 the rate at first touch; 'pulls': "
        "as published the force turns to tension before separation (tension=False prevents it)."
    )


def _print_law(kind: type[CompliantLaw]) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal
    from carom.studies.single.achieved import example

    console = terminal()
    console.print(f"[bold]{kind.name}[/bold]  {kind.title}")
    if kind.aliases:
        console.print(f"also: {', '.join(kind.aliases)}", style="dim")
    console.print(f"\n  {kind.formula}")
    if kind.m is not None:
        console.print(f"  χ = {kind.damping_formula}")
    pulls = "pulls just before separation, as published" if example(kind).pulls else "never pulls"
    meant = f", meant for e in {kind.intended_restitution}" if kind.intended_restitution else ""
    console.print(f"  {pulls}; e in {kind.restitution_range}{meant}" if kind.m is not None else "  elastic: e = 1")

    table = Table(box=None, pad_edge=False, title="\nParameters", title_justify="left", title_style="bold")
    for column in ("name", "unit", "range", "meaning"):
        table.add_column(column)
    for row in _parameters(kind):
        table.add_row(row["name"], row["unit"], row["range"], row["meaning"])
    console.print(table)

    source = kind.source
    console.print(f"\n[bold]Source[/bold]\n{source.reference}")
    console.print(f"Equations: {source.equations}. Verified by: {source.verified}.")
    for note in source.notes:
        console.print(f"Note: {note}")

    asked, achieved = _curve(kind)
    if not asked:
        if kind.m is not None:
            console.print("\nNo relation between e and damping is published: give damping, or calibrate.")
        return
    table = Table(box=None, pad_edge=False, title="\nRestitution", title_justify="left", title_style="bold")
    table.add_column("asked", justify="right")
    table.add_column("achieved", justify="right")
    table.add_column("0 · · · · 0.5 · · · · 1", no_wrap=True)
    for a, b in zip(asked, achieved, strict=True):
        table.add_row(f"{a:g}", "–" if b != b else f"{b:.4f}", "" if b != b else _bar(a, b))
    console.print(table)
    console.print("│ marks the restitution asked for.", style="dim")


def _bar(asked: float, achieved: float, width: int = 24) -> str:
    """Return a bar as long as the achieved restitution with a mark at the asked one."""
    cells = ["█" if k < round(achieved * width) else " " for k in range(width + 1)]
    cells[round(asked * width)] = "│"
    return "".join(cells).rstrip()
