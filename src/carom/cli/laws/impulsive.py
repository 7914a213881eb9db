"""The impulsive laws in `carom laws`: a short list, and one in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom.laws import ImpulsiveLaw

__all__ = ["entry", "print_list", "print_one"]


def entry(kind: type[ImpulsiveLaw]) -> dict[str, Any]:
    """Return what programs see of an impulsive law."""
    return {"name": kind.name, "aliases": list(kind.aliases), "formula": kind.formula, "source": str(kind.source)}


def print_list(kinds: list[type[ImpulsiveLaw]]) -> None:
    """Print the list that follows the laws with a stiffness."""
    from rich.table import Table

    from carom.cli.terminal.console import terminal

    table = Table(title="\nImpulsive laws, without a stiffness", title_justify="left", box=None, pad_edge=False)
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("impulse p and gap rate ġ")
    for kind in kinds:
        table.add_row(kind.name, kind.formula)
    terminal().print(table)


def print_one(kind: type[ImpulsiveLaw]) -> None:
    """Print one law in full."""
    import inspect

    from carom.cli.terminal.console import terminal

    console = terminal()
    console.print(f"[bold]{kind.name}[/bold]  {kind.title}")
    if kind.aliases:
        console.print(f"also: {', '.join(kind.aliases)}", style="dim")
    console.print(f"\n  {kind.formula}\n", markup=False)
    console.print(inspect.cleandoc(kind.__doc__ or ""), markup=False)
    console.print(
        "\n[bold]Parameters[/bold]\nrestitution  0 ≤ e ≤ 1: a number, pairs (velocity, e) or a function of velocity"
        "\nfriction     μ ≥ 0, Coulomb's, for contacts with a tangent; default 0"
    )
    console.print(f"\n[bold]Source[/bold]\n{kind.source.reference}")
    console.print(f"Equations: {kind.source.equations}. Verified by: {kind.source.verified}.", markup=False)
    for note in kind.source.notes:
        console.print(f"Note: {note}", markup=False)
