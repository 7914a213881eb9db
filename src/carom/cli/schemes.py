"""`carom schemes`: how time can be advanced, and what each method is worth, computed from its coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from carom.integrate.tableaux import Tableau

__all__ = ["schemes"]

TAKES = {
    "compliant": "forces",
    "impulsive": "impulses",
    "friction": "friction",
    "yielding": "yielding",
    "coupled_damping": "coupled damping",
    "functions": "own laws",
    "ensembles": "ensembles",
    "gpu": "GPU",
}
"""What a scheme may take or run on, and the heads of the columns that say so."""


def schemes(
    name: Annotated[str | None, typer.Argument(help="Name or alias of one scheme, to show it in full.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the schemes of carom.simulate, or show one in full.

    Of a Runge-Kutta method everything is computed from its coefficients: simplifying conditions, order, stability.
    """
    from carom.cli.terminal.console import print_json
    from carom.integrate.schemes import schemes as registry
    from carom.integrate.tableaux import tableaux

    methods = {method.name: method for method in tableaux}
    if name is None:
        names = sorted(registry.names(), key=lambda one: (one in methods, one))
        if json:
            print_json({"schemes": [_entry(one, methods.get(one)) for one in names]})
        else:
            _print_catalogue(names, methods)
        return
    found = registry.name_of(name)
    if json:
        print_json(_entry(found, methods.get(found)))
    elif found in methods:
        _print_method(methods[found])
    else:
        _print_other(found)


def _entry(name: str, method: Tableau | None) -> dict[str, Any]:
    from carom.integrate.schemes import schemes as registry
    from carom.integrate.schemes.base import can_of, order_of

    scheme = registry.get(name)
    entry = {
        "name": name, "aliases": list(registry.aliases(name)), "about": _about(name), "options": _options(name),
        "order": order_of(scheme), "can": can_of(scheme).as_dict(),
    }  # fmt: skip
    return entry if method is None else entry | method.as_dict()


def _about(name: str) -> str:
    from carom.integrate.schemes import schemes as registry

    return (registry.get(name).__doc__ or "").strip().splitlines()[0]


def _options(name: str) -> list[str]:
    from carom.integrate.schemes import schemes as registry
    from carom.integrate.schemes.base import options_of

    return options_of(registry.get(name))


def _taken(name: str) -> list[str]:
    """Return what a scheme takes, a word for each of TAKES."""
    from carom.integrate.schemes import schemes as registry
    from carom.integrate.schemes.base import can_of

    can = can_of(registry.get(name)).as_dict()
    return [_yes(bool(can[feature])) for feature in TAKES]


def _yes(held: bool, no: str = "–") -> str:
    return "yes" if held else no


def _size(value: float) -> str:
    return "∞" if value == float("inf") else f"{value:.3g}"


def _print_catalogue(names: list[str], methods: dict[str, Tableau]) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal

    console = terminal()
    others = [name for name in names if name not in methods]
    about = Table(title="Schemes for structures", title_justify="left", box=None, pad_edge=False)
    about.add_column("name", style="bold", no_wrap=True)
    about.add_column("what it is")
    takes = Table(title="\nWhat they take, and what runs them", title_justify="left", box=None, pad_edge=False)
    takes.add_column("name", style="bold", no_wrap=True)
    for title in TAKES.values():
        takes.add_column(title, justify="center")
    for name in others:
        about.add_row(name, _about(name))
        takes.add_row(name, *_taken(name))
    takes.add_row("Runge-Kutta", *_taken(next(iter(methods))))
    console.print(about)
    console.print(takes)
    table = Table(title="\nRunge-Kutta methods", title_justify="left", box=None, pad_edge=False)
    table.add_column("name", style="bold", no_wrap=True)
    for title in ("s", "order", "B", "C", "D", "stiffly acc.", "A", "L", "algebraic", "|R(∞)|"):
        table.add_column(title, justify="right", no_wrap=True)
    for name in names:
        if name in methods:
            m = methods[name]
            table.add_row(
                name, str(m.stages), str(m.order), str(m.quadrature), str(m.stage_order), str(m.adjoint_order),
                _yes(m.stiffly_accurate), _yes(m.a_stable), _yes(m.l_stable), _yes(m.algebraically_stable),
                _size(m.at_infinity),
            )  # fmt: skip
    console.print(table)
    console.print("\nComputed from the coefficients. `carom schemes NAME` shows one in full.", style="dim")


def _print_method(method: Tableau) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal

    console = terminal()
    console.print(f"[bold]{method.name}[/bold]  {method.title}")
    if method.aliases:
        console.print(f"also: {', '.join(method.aliases)}", style="dim")
    table = Table(box=None, pad_edge=False, title="\nCoefficients", title_justify="left", title_style="bold")
    table.add_column("c", justify="right")
    for j in range(method.stages):
        table.add_column(f"a·{j + 1}", justify="right")
    for c, row in zip(method.c, method.a, strict=True):
        table.add_row(f"{c:.10f}", *(f"{x:.10f}" if x else "0" for x in row))
    table.add_row("b", *(f"{x:.10f}" for x in method.b))
    console.print(table)
    m = method.algebraic_matrix
    smallest = float(min(method.b.min(), _smallest(m)))
    console.print(f"\n[bold]Computed from them[/bold]\norder {method.order}, {method.kind}")
    console.print(f"B({method.quadrature}), C({method.stage_order}), D({method.adjoint_order})")
    console.print(f"stiffly accurate: {_yes(method.stiffly_accurate, 'no')}")
    console.print(f"A-stable: {_yes(method.a_stable, 'no')}; L-stable: {_yes(method.l_stable, 'no')}; ", end="")
    console.print(f"|R(∞)| = {_size(method.at_infinity)}")
    console.print(f"algebraically stable: {_yes(method.algebraically_stable, 'no')} ", end="")
    console.print(f"(smallest of b and of the eigenvalues of M: {0.0 if abs(smallest) < 1e-13 else smallest:.3g})")
    console.print(f"\n[bold]Source[/bold]\n{method.source}")


def _smallest(matrix: Any) -> float:
    import numpy as np

    return float(np.linalg.eigvalsh(matrix).min())


def _print_other(name: str) -> None:
    import inspect

    from carom.cli.terminal.console import terminal
    from carom.integrate.schemes import schemes as registry

    console = terminal()
    console.print(f"[bold]{name}[/bold]")
    if registry.aliases(name):
        console.print(f"also: {', '.join(registry.aliases(name))}", style="dim")
    console.print(f"\n{inspect.getdoc(registry.get(name))}", markup=False)
    told = [TAKES[feature] for feature, held in zip(TAKES, _taken(name), strict=True) if held == "yes"]
    console.print(f"\nTakes: {', '.join(told)}")
    if options := _options(name):
        console.print(f"Options: {', '.join(options)}")
