"""A study at a glance: how its runs ended, what was sampled, how the outputs are distributed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.results import Curve, FigureData, Kind, Panel, Width
from carom.studies.analyses import StudyTable
from carom.studies.section import Section, Table
from carom.studies.statuses import FAILED, FINISHED
from carom.studies.store import Store

__all__ = ["counts_of", "outputs_section", "sample_section", "status_words"]

QUANTILES = (0.05, 0.16, 0.5, 0.84, 0.95)
MOST_PANELS = 9
BINS = 60
Array = npt.NDArray[np.float64]


def counts_of(store: Store) -> dict[str, int]:
    """Return how many runs ended how."""
    if not store.manifest["parts"]:
        return {}
    words, counts = np.unique(np.asarray(store.columns()["status"], dtype=str), return_counts=True)
    return dict(zip(words.tolist(), counts.tolist(), strict=True))


def status_words(store: Store, counts: Mapping[str, int]) -> list[str]:
    """Return how far it has come and how runs ended, in sentences; failed runs are counted apart."""
    share = 100.0 * store.stored / store.total
    found = [
        f"All {store.total} runs are there." if store.complete
        else f"{store.stored} of {store.total} runs are there, {share:.3g} %."
    ]  # fmt: skip
    failed = {word: count for word, count in counts.items() if word in FAILED}
    if failed:
        told = ", ".join(f"{count} {word}" for word, count in failed.items())
        found.append(f"{sum(failed.values())} of them failed ({told}); they are in no distribution below.")
    elif counts:
        found.append("No run failed.")
    return found


def sample_section(table: StudyTable, samples: Mapping[str, npt.NDArray[Any]]) -> Section:
    """Return what was drawn: the distribution of every parameter."""
    numbers = {name: values for name, values in samples.items() if values.dtype.kind in "fi"}
    rows = [_row(table, name, values) for name, values in numbers.items()]
    for name, values in samples.items():
        if name not in numbers:
            words, counts = np.unique([str(value) for value in values], return_counts=True)
            told = ", ".join(f"{word}: {count}" for word, count in zip(words[:8], counts[:8], strict=True))
            rows.append((f"{name}: {told}", *[None] * (len(QUANTILES) + 2)))
    several = {name: values for name, values in numbers.items() if np.unique(values).size > 1}
    return Section(
        "The sample",
        figures=_distributions(table, several, "sample", "What was sampled"),
        tables=(Table("sample", "Parameters", _head("parameter"), tuple(rows)),) if rows else (),
    )


def outputs_section(table: StudyTable) -> Section:
    """Return the distributions of the outputs over the runs that finished."""
    finished = table.finished
    share = float(finished.mean()) if finished.size else 0.0
    rows: list[tuple[str | float | None, ...]] = []
    drawn: dict[str, tuple[Array, Array]] = {}
    for name in table.outputs:
        values = np.asarray(table[name])[finished] if share < 1.0 else np.asarray(table[name])
        rows.append(_row(table, name, values))
        if len(drawn) < MOST_PANELS and not name.startswith("no_pounding."):
            drawn[name] = _histogram(values)
        _forget(table, name)
    figures = _panels(table, drawn, "outputs", "Distribution of the outputs")
    words = (f"Over the {int(finished.sum())} runs that {FINISHED}.",)
    return Section("Outputs", words, figures, (Table("outputs", "Outputs", _head("output"), tuple(rows)),))


def _head(first: str) -> tuple[str, ...]:
    return (first, "smallest", *(f"{100 * q:g} %" for q in QUANTILES), "largest")


def _row(table: StudyTable, name: str, values: Array) -> tuple[str | float | None, ...]:
    unit = table.units.get(name, "")
    label = f"{name} [{unit}]" if unit else name
    if not values.size:
        return (label, *[None] * (len(QUANTILES) + 2))
    order = np.quantile(values, (0.0, *QUANTILES, 1.0))
    return (label, *(float(value) for value in order))


def _distributions(table: StudyTable, columns: Mapping[str, Array], name: str, title: str) -> tuple[FigureData, ...]:
    drawn = {column: _histogram(values) for column, values in list(columns.items())[:MOST_PANELS]}
    return _panels(table, drawn, name, title)


def _panels(
    table: StudyTable, drawn: Mapping[str, tuple[Array, Array]], name: str, title: str
) -> tuple[FigureData, ...]:
    if not drawn:
        return ()
    panels = []
    for column, (x, y) in drawn.items():
        unit = table.units.get(column, "")
        label = f"{column} [{unit}]" if unit else column
        curve = Curve(x, y, label=column, kind=Kind.LINE)
        panels.append(Panel(label, "Share [%]", (curve,), ylim=(0.0, None)))
    columns = min(3, len(panels))
    width = Width.SINGLE if columns == 1 else Width.DOUBLE
    return (FigureData(name, title, table.title, tuple(panels), columns=columns, width=width, aspect=0.62),)


def _histogram(values: Array) -> tuple[Array, Array]:
    """Return the outline of a histogram: shares [%] of the values between edges, the outermost half a per mille cut."""
    if not values.size:
        return np.zeros(2), np.zeros(2)
    low, high = np.quantile(values, (0.0005, 0.9995))
    different = np.unique(values[: 1 << 14])
    bins = BINS if different.size > BINS else max(4, different.size)
    counts, edges = np.histogram(values, bins=bins, range=(low, high) if high > low else None)
    return np.repeat(edges, 2)[1:-1], np.repeat(100.0 * counts / values.size, 2)


def _forget(table: StudyTable, name: str) -> None:
    forget = getattr(table.columns, "forget", None)
    if forget is not None:
        forget(name)
