"""What `carom motion` prints for people."""

from __future__ import annotations

import math
from typing import Any

from carom.cli.terminal.console import terminal
from carom.units import standard_gravity

__all__ = ["print_infos", "print_spectrum", "print_target"]

_ROWS = (
    ("event", "event", ""), ("station", "station", ""), ("component", "component", ""),
    ("samples", "npts", ""), ("time step", "dt", "s"), ("duration", "duration", "s"),
    ("PGA", "pga", "m/s²"), ("PGA", "pga_g", "g"), ("PGV", "pgv", "m/s"), ("PGD", "pgd", "m"),
    ("Arias intensity", "arias", "m/s"), ("CAV", "cav", "m/s"),
    ("D5–75", "d5_75", "s"), ("D5–95", "d5_95", "s"), ("bracketed, 0.05 g", "bracketed", "s"),
    ("Housner intensity", "housner", "m"),
    ("predominant period", "predominant_period", "s"), ("mean period", "mean_period", "s"),
)  # fmt: skip


def print_infos(found: list[dict[str, Any]]) -> None:
    """Print up to three motions side by side, more as lines of one table."""
    console = terminal()
    if len(found) <= 3:
        console.print(_by_row(found))
        for one in found:
            for step in one["processing"]:
                console.print(f"  {one['name']}: {step}", style="dim", markup=False, soft_wrap=True)
    else:
        console.print(_by_line(found))


def _by_row(found: list[dict[str, Any]]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("")
    table.add_column("")
    for one in found:
        table.add_column(one["name"], justify="right" if len(found) > 1 else "left", overflow="fold")
    for label, key, unit in _ROWS:
        values = [_shown(one[key]) for one in found]
        if any(values):
            table.add_row(label, unit, *values)
    return table


def _by_line(found: list[dict[str, Any]]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    table.add_column("motion", overflow="fold")
    keys = (
        ("npts", "samples"), ("dt", "dt\n(s)"), ("pga_g", "PGA\n(g)"), ("pgv", "PGV\n(m/s)"),
        ("pgd", "PGD\n(m)"), ("arias", "Arias\n(m/s)"), ("d5_95", "D5–95\n(s)"),
        ("mean_period", "T mean\n(s)"),
    )  # fmt: skip
    for _, title in keys:
        table.add_column(title, justify="right")
    for one in found:
        table.add_row(one["name"], *(_shown(one[key], 4 if key == "pga_g" else 3) for key, _ in keys))
    return table


def print_spectrum(one: dict[str, Any], periods: list[float], ratios: list[float]) -> None:
    """Print the spectra of one motion, one table per damping."""
    from rich import box
    from rich.table import Table

    console = terminal()
    for k, ratio in enumerate(ratios):
        title = f"{one['name']}, {100.0 * ratio:g} % damping"
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=title, title_justify="left")
        for heading in ("T (s)", "SD (m)", "SV (m/s)", "SA (m/s²)", "PSV (m/s)", "PSA (m/s²)"):
            table.add_column(heading, justify="right")
        for j, period in enumerate(periods):
            cells = (one[name][k][j] for name in ("sd", "sv", "sa", "psv", "psa"))
            table.add_row(f"{period:.4g}", *(f"{cell:.4g}" for cell in cells))
        console.print(table)


def print_target(name: str, damping: float, periods: list[float], values: list[float]) -> None:
    """Print a target spectrum."""
    from rich import box
    from rich.table import Table

    title = f"{name}, {100.0 * damping:g} % damping"
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=title, title_justify="left")
    for heading in ("T (s)", "PSA (m/s²)", "PSA (g)"):
        table.add_column(heading, justify="right")
    for period, value in zip(periods, values, strict=True):
        table.add_row(f"{period:.4g}", f"{value:.4g}", f"{value / standard_gravity:.4g}")
    terminal().print(table)


def _shown(value: object, digits: int = 4) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.{digits}g}"
    return str(value)
