"""A study at a glance: how its runs ended, what was sampled, how the outputs are distributed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.results import Curve, FigureData, Kind, Panel, Table, Width
from carom.studies.analyses import StudyTable
from carom.studies.files.parts import word_counts
from carom.studies.files.store import Store
from carom.studies.outputs import GUARDED, UNHELD
from carom.studies.section import Section
from carom.studies.statuses import FAILED, FINISHED
from carom.units import si, standard_gravity

__all__ = ["all_failed", "counts_of", "outputs_section", "sample_section", "status_words"]

UNITS = {
    "m": ("mm", 1e3), "m/s2": ("g", 1.0 / standard_gravity), "kg": ("t", 1e-3), "N": ("kN", 1e-3),
    "N s": ("kN s", 1e-3), "J": ("kJ", 1e-3), "N/m": ("kN/mm", 1e-6),
}  # fmt: skip
"""By SI unit: the unit in which engineers say it, and how many of it one SI unit is."""
QUANTILES = (0.05, 0.16, 0.5, 0.84, 0.95)
MOST_PANELS = 9
BINS = 60
FEW_VALUES = 12
"""Different values that are drawn one by one."""
FEW_LOOKED_AT = 1 << 14
Array = npt.NDArray[np.float64]


def counts_of(store: Store) -> dict[str, int]:
    """Return how many runs ended how."""
    if not store.manifest["parts"]:
        return {}
    store.check()
    return word_counts(store.paths, "status")


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
    if len(store.authors) > 1:
        told = "; ".join(f"{count} by {author}" for author, count in store.authors.items())
        found.append(f"Runs of several versions stand side by side, whose numbers may differ: {told}.")
    return found


def all_failed(store: Store) -> str:
    """Return that no run finished, and what most of them say; nothing where one did or none is there."""
    counts = counts_of(store)
    if not counts or FINISHED in counts:
        return ""
    commonest = next(iter(word_counts(store.paths, "message")))
    return f"All {store.stored} runs failed. Most say: {commonest}"


def sample_section(table: StudyTable, samples: Mapping[str, npt.NDArray[Any]]) -> Section:
    """Return what was drawn: the distribution of every parameter."""
    numbers = {name: values for name, values in samples.items() if values.dtype.kind in "fi"}
    rows = [_row(table, name, values) for name, values in numbers.items()]
    for name, values in samples.items():
        if name not in numbers:
            words, counts = np.unique([str(value) for value in values], return_counts=True)
            told = ", ".join(f"{word}: {count}" for word, count in zip(words[:8], counts[:8], strict=True))
            rows.append((f"{name}: {told}", *[None] * (len(QUANTILES) + 2)))
    several = [name for name, values in numbers.items() if np.unique(values).size > 1][:MOST_PANELS]
    drawn = {name: _histogram(numbers[name]) for name in several}
    return Section(
        "The sample",
        figures=_panels(table, drawn, "sample", "What was sampled"),
        tables=(Table("sample", "Parameters", _head("parameter"), tuple(rows)),) if rows else (),
    )


def outputs_section(table: StudyTable) -> Section:
    """Return the distributions of the outputs over the runs that finished."""
    finished = table.finished
    share = float(finished.mean()) if finished.size else 0.0
    rows: list[tuple[str | float | None, ...]] = []
    drawn: dict[str, Curve] = {}
    noted = {GUARDED: 0.0, UNHELD: 0.0}
    for name in table.outputs:
        values = np.asarray(table[name])[finished] if share < 1.0 else np.asarray(table[name])
        if name in noted:
            noted[name] = float(values.sum())
            if not noted[name]:
                continue
        rows.append(_row(table, name, values))
        if len(drawn) < MOST_PANELS and not name.startswith("no_pounding."):
            drawn[name] = _histogram(values)
        _forget(table, name)
    figures = _panels(table, drawn, "outputs", "Distribution of the outputs")
    words = [f"Over the {int(finished.sum())} runs that {FINISHED}."]
    if "impacts" in table.outputs and finished.any():
        touched = float(np.mean(np.asarray(table["impacts"])[finished] > 0.0))
        words.append(f"The structures touch in {100.0 * touched:.3g} % of the runs.")
        if touched and "peak_force" in table.outputs:
            forces = np.asarray(table["peak_force"])[finished & (np.asarray(table["impacts"]) > 0.0)]
            words += [_forces(forces)] if np.isfinite(forces).all() else []  # impulses take no time
    if noted[GUARDED]:
        words.append(
            f"The guard on v0 changed the damping of {noted[GUARDED]:.0f} impacts, in {_share(table, GUARDED)} of the "
            'runs: they began too slowly for χ = d·K/v0 as published. v0 = "published" in the law leaves it so.'
        )
    if noted[UNHELD]:
        deepest = float(np.asarray(table[UNHELD])[finished].max())
        words.append(
            f"In {_share(table, UNHELD)} of the runs bodies were pressed together again after the force of their "
            f"contact had ended, by {si(deepest, 'm', 3)} at most, and nothing held them: a contact without tension "
            "closes again only once they have been apart. Do not rely on these runs; tension = true in the law, or a "
            "stiffer or less damped one, avoids it."
        )
    return Section("Outputs", tuple(words), figures, (Table("outputs", "Outputs", _head("output"), tuple(rows)),))


def _share(table: StudyTable, name: str) -> str:
    """Return in what share of the runs that finished something was noted."""
    return f"{100.0 * float(np.mean(np.asarray(table[name])[table.finished] > 0.0)):.3g} %"


def _forces(hit: Array) -> str:
    median, high = np.quantile(hit, (0.5, 0.84))
    return (
        f"Where they do, the largest force is {si(float(median), 'N', 3)} in the median, "
        f"{si(float(high), 'N', 3)} at the 84th percentile, {si(float(hit.max()), 'N', 3)} at most."
    )


def _head(first: str) -> tuple[str, ...]:
    return (first, "smallest", *(f"{100 * q:g} %" for q in QUANTILES), "largest")


def _row(table: StudyTable, name: str, values: Array) -> tuple[str | float | None, ...]:
    unit, factor = UNITS.get(table.units.get(name, ""), (table.units.get(name, ""), 1.0))
    label = f"{name} [{unit}]" if unit else name
    if not values.size:
        return (label, *[None] * (len(QUANTILES) + 2))
    order = factor * np.quantile(values, (0.0, *QUANTILES, 1.0))
    return (label, *(float(value) for value in order))


def _panels(table: StudyTable, drawn: Mapping[str, Curve], name: str, title: str) -> tuple[FigureData, ...]:
    if not drawn:
        return ()
    panels = []
    for column, curve in drawn.items():
        factor, unit = _scale(curve, table.units.get(column, ""))
        words = _words(column) if column in table.outputs else column
        label = f"{words} [{unit}]" if unit else words
        shown = replace(curve, x=factor * np.asarray(curve.x), label=words)
        top = 1.08 * float(np.max(curve.y, initial=0.0)) or None
        panels.append(Panel(label, "Share [%]", (shown,), ylim=(0.0, top)))
    columns = min(3, len(panels))
    width = Width.SINGLE if columns == 1 else Width.DOUBLE
    return (
        FigureData(name, title, table.title, tuple(panels), columns=columns, width=width, aspect=0.62, plain=True),
    )  # fmt: skip


def _words(column: str) -> str:
    """Return a column's name as people say it: ``displacement.left`` as Displacement, left."""
    kind, _, whose = column.partition(".")
    return ", ".join(part for part in (kind.replace("_", " ").capitalize(), whose) if part)


def _scale(curve: Curve, unit: str) -> tuple[float, str]:
    """Return factor and unit in which a quantity reads well: newtons and joules by their size."""
    largest = float(np.max(np.abs(curve.x), initial=0.0))
    for power, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if unit in ("N", "N s", "J") and largest >= power:
            return 1.0 / power, sign + unit
    name, factor = UNITS.get(unit, (unit, 1.0))
    return factor, name


def _histogram(values: Array) -> Curve:
    """Return the shares [%] of few different values as points, of many as the outline of a histogram.

    The outermost half per mille is left out: a single stray value would press all others together.
    """
    if not values.size:
        return Curve(np.zeros(2), np.zeros(2))
    different, counts = np.unique(values[:FEW_LOOKED_AT], return_counts=True)
    if different.size <= FEW_VALUES:
        counts = np.array([np.count_nonzero(values == one) for one in different])
        return Curve(different, 100.0 * counts / values.size, kind=Kind.POINTS)
    low, high = np.quantile(values, (0.0005, 0.9995))
    bins = int(min(BINS, max(8, np.sqrt(values.size))))
    counts, edges = np.histogram(values, bins=bins, range=(low, high))
    share = 100.0 * counts / values.size
    return Curve(np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(share, 2), [0.0]]))


def _forget(table: StudyTable, name: str) -> None:
    forget = getattr(table.columns, "forget", None)
    if forget is not None:
        forget(name)
