"""Which input matters: Sobol's indices, Morris' elementary effects, and how far each input alone swings the output.

The estimators are SALib's. A sample's output is its mean over motions and factors, so that indices say what the
parameters do and not what the motions do. Sobol's indices need the sampler ``saltelli``, Morris' effects ``morris``; of
any other sample of independent parameters first-order indices are estimated by random balance designs (RBD-FAST).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import SHARE, Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, finished, numbers_of, with_unit
from carom.studies.extra import needs
from carom.studies.section import Picture, Section

__all__ = [
    "Indices", "MorrisEffects", "Sensitivity", "Tornado", "given_data_indices", "morris_effects", "sobol_indices",
    "tornado",
]  # fmt: skip

OWNER = "sensitivity"
Rows = tuple[tuple[str | float, ...], ...]
RESAMPLES = 100
AT_ONCE = 4_000_000
"""Numbers that a resampling may hold: fewer resamples where there are more samples."""
LEAST = 65
"""Fewest samples for random balance designs with ten harmonics."""


@dataclass(frozen=True, eq=False)
class Indices:
    """Shares of the output's variance; errors are half-widths of the confidence interval."""

    names: tuple[str, ...]
    first: Array
    """What an input explains alone."""
    first_error: Array
    total: Array | None
    """What it explains with all its interactions; None where the sample cannot tell."""
    total_error: Array | None
    confidence: float
    samples: int
    lost: int
    """Samples, or blocks of them, left out since a run failed."""
    method: str


@dataclass(frozen=True, eq=False)
class MorrisEffects:
    """Elementary effects: change of the output for a step over the input's whole range."""

    names: tuple[str, ...]
    mean: Array
    """μ: its sign says whether the output rises."""
    size: Array
    """μ*: mean of |effect|."""
    size_error: Array
    spread: Array
    """σ: large where the effect depends on the other inputs, or is not straight."""
    confidence: float
    trajectories: int
    lost: int


@dataclass(frozen=True, eq=False)
class Tornado:
    """Mean output where an input is low and where it is high, the others being as they come."""

    names: tuple[str, ...]
    low: Array
    high: Array
    mean: float
    share: float
    """Share of the samples that count as low, and as high."""

    @property
    def order(self) -> npt.NDArray[np.int64]:
        """Inputs by how far they move the mean output to either side, or between sides, largest first."""
        moved = np.maximum(
            np.abs(self.high - self.low), np.abs([self.low - self.mean, self.high - self.mean]).max(axis=0)
        )
        return np.argsort(-moved, kind="stable")


def sobol_indices(values: npt.ArrayLike, names: Sequence[str], *, confidence: float = 0.95, seed: int = 0) -> Indices:
    """Return first-order and total indices from outputs in the order of Saltelli's design (without second order).

    Blocks of len(names) + 2 samples in which a value is missing are left out.
    """
    y = _row(values)
    block = len(names) + 2
    if not names or y.size % block:
        raise refusal(
            "values", OWNER, f"must come in blocks of {block}: the design of {len(names)} inputs", y.size,
            "Sample with `saltelli`.",
        )  # fmt: skip
    blocks = y.reshape(-1, block)
    there = np.isfinite(blocks).all(axis=1)
    kept = blocks[there]
    if kept.shape[0] < 8:
        raise InputError(f"{OWNER} finds {kept.shape[0]} whole blocks of samples; at least 8 are needed.")
    _refuse_constant(kept)
    resamples = int(np.clip(AT_ONCE // kept.shape[0], 10, RESAMPLES))
    found = needs("SALib.analyze.sobol").analyze(
        _problem(names), kept.ravel(), calc_second_order=False, num_resamples=resamples, conf_level=confidence,
        seed=seed + 1,
    )  # fmt: skip
    first, first_error, total, total_error = (np.asarray(found[key]) for key in ("S1", "S1_conf", "ST", "ST_conf"))
    return Indices(
        tuple(names), first, first_error, total, total_error, confidence, int(kept.size), int((~there).sum()),
        "Sobol's indices by Saltelli's design",
    )  # fmt: skip


def given_data_indices(
    points: npt.ArrayLike, values: npt.ArrayLike, names: Sequence[str], *, confidence: float = 0.95, seed: int = 0
) -> Indices:
    """Return first-order indices of any sample of independent inputs, points shaped (samples, inputs)."""
    x, y = np.asarray(points, dtype=np.float64), _row(values)
    if x.shape != (y.size, len(names)):
        raise refusal("points", OWNER, f"must be shaped ({y.size}, {len(names)})", x.shape)
    there = np.isfinite(y) & np.isfinite(x).all(axis=1)
    x, y = x[there], y[there]
    if y.size < LEAST:
        raise InputError(f"{OWNER} finds {y.size} samples with an output; at least {LEAST} are needed.")
    _refuse_constant(y)
    resamples = int(np.clip(AT_ONCE // (8 * y.size), 10, RESAMPLES))
    found = needs("SALib.analyze.rbd_fast").analyze(
        _problem(names), x, y, num_resamples=resamples, conf_level=confidence, seed=seed + 1
    )
    return Indices(
        tuple(names), np.asarray(found["S1"]), np.asarray(found["S1_conf"]), None, None, confidence, int(y.size),
        int((~there).sum()), "first-order indices by random balance designs",
    )  # fmt: skip


def morris_effects(
    points: npt.ArrayLike, values: npt.ArrayLike, names: Sequence[str], *, levels: int = 4, confidence: float = 0.95,
    seed: int = 0,
) -> MorrisEffects:  # fmt: skip
    """Return elementary effects from trajectories; points in the unit cube, on a grid, shaped (samples, inputs)."""
    x, y = np.asarray(points, dtype=np.float64), _row(values)
    block = len(names) + 1
    if x.shape != (y.size, len(names)) or y.size % block:
        raise refusal("points", OWNER, f"must be trajectories of {block} points", x.shape, "Sample with `morris`.")
    there = np.isfinite(y.reshape(-1, block)).all(axis=1)
    rows = np.repeat(there, block)
    if there.sum() < 2:
        raise InputError(f"{OWNER} finds {int(there.sum())} whole trajectories; at least 2 are needed.")
    found = needs("SALib.analyze.morris").analyze(
        _problem(names), x[rows], y[rows], num_levels=levels, conf_level=confidence, seed=seed + 1
    )
    mean, size, error, spread = (
        np.asarray(found[key], dtype=np.float64) for key in ("mu", "mu_star", "mu_star_conf", "sigma")
    )
    return MorrisEffects(
        tuple(names), mean, size, error, spread, confidence, int(there.sum()), int((~there).sum())
    )  # fmt: skip


def tornado(points: npt.ArrayLike, values: npt.ArrayLike, names: Sequence[str], *, share: float = 0.1) -> Tornado:
    """Return the mean output where each input is among the lowest and among the highest share of its values."""
    x, y = np.asarray(points, dtype=np.float64), _row(values)
    if x.shape != (y.size, len(names)):
        raise refusal("points", OWNER, f"must be shaped ({y.size}, {len(names)})", x.shape)
    if not 0.0 < share <= 0.5:
        raise refusal("share", OWNER, "must lie in (0, 0.5]", share)
    there = np.isfinite(y)
    x, y = x[there], y[there]
    if y.size < 2:
        raise InputError(f"{OWNER} finds {y.size} samples with an output; at least 2 are needed.")
    low, high = np.empty(len(names)), np.empty(len(names))
    for i, column in enumerate(x.T):
        ends = np.quantile(column, [share, 1.0 - share])
        low[i], high[i] = y[column <= ends[0]].mean(), y[column >= ends[1]].mean()
    return Tornado(tuple(names), low, high, float(y.mean()), share)


def _row(values: npt.ArrayLike) -> Array:
    y = np.asarray(values, dtype=np.float64)
    if y.ndim != 1 or not y.size:
        raise refusal("values", OWNER, "must be a row of outputs, at least one", y.shape)
    return y


def _refuse_constant(y: Array) -> None:
    if not np.ptp(y) > 0.0:
        raise InputError(f"{OWNER} finds the same output in all samples: no input matters. Choose another output.")


def _problem(names: Sequence[str]) -> dict[str, Any]:
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


# of a study -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """What the parameters of a study do to one output."""

    output: str
    """With its unit."""
    indices: Indices | None
    effects: MorrisEffects | None
    swing: Tornado
    incomplete: int
    """Samples of which a run failed."""

    def section(self) -> Section:
        """Return indices or effects, and the tornado."""
        words, cautions = [], []
        tables = [self.swing_table()]
        if self.indices is not None:
            words.append(f"{self.indices.method[0].upper()}{self.indices.method[1:]}, {self.indices.samples} samples.")
            tables.insert(0, self.index_table())
            rest = 1.0 - float(self.indices.first.sum())
            if rest > 0.1:
                words.append(f"Together the inputs alone explain {100 * (1 - rest):.3g} % of the variance.")
            if self.indices.total is None:
                cautions.append("Interactions are not told apart: sample with `saltelli` for total indices.")
            if float(np.max(self.indices.first_error)) > 0.1:
                cautions.append("The intervals are wide: take more samples.")
        if self.effects is not None:
            words.append(f"Morris' elementary effects from {self.effects.trajectories} trajectories.")
            tables.insert(0, self.effect_table())
        if self.incomplete:
            cautions.append(f"{self.incomplete} samples with failed runs are left out, with what belongs to them.")
        words.append(
            f"The tornado shows the mean output where an input is among its lowest and its highest "
            f"{100 * self.swing.share:g} %."
        )
        draw = late("carom.plots.studies.sensitivity:plot_sensitivity")
        picture = Picture("sensitivity", draw, self, f"What moves {self.output}.", False)
        return Section("Sensitivity", tuple(words), (picture,), tuple(tables), tuple(cautions))

    def index_table(self) -> Table:
        """Return a row for each input."""
        found = self.indices
        assert found is not None
        columns = [found.first, found.first_error]
        head = ["input", "first order", "±"]
        if found.total is not None and found.total_error is not None:
            columns += [found.total, found.total_error]
            head += ["total", "±"]
        rows: Rows = tuple((name, *(float(c[i]) for c in columns)) for i, name in enumerate(found.names))
        return Table("sensitivity-indices", f"Sensitivity indices of {self.output}", tuple(head), rows)

    def effect_table(self) -> Table:
        """Return a row for each input."""
        found = self.effects
        assert found is not None
        rows: Rows = tuple(
            (name, *(float(c[i]) for c in (found.mean, found.size, found.size_error, found.spread)))
            for i, name in enumerate(found.names)
        )
        head = ("input", "mean effect", "mean of |effect|", "±", "standard deviation")
        return Table("sensitivity-effects", f"Elementary effects on {self.output}", head, rows)

    def swing_table(self) -> Table:
        """Return a row for each input, largest swing first."""
        one = self.swing
        rows = tuple((one.names[i], float(one.low[i]), float(one.high[i]), one.mean) for i in one.order)
        return Table("sensitivity-swing", f"Mean of {self.output}", ("input", "input low", "input high", "all"), rows)


class _Options(NamedTuple):
    output: str
    share: float
    confidence: float
    seed: int

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return (self.output,)


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("sensitivity", options)
    found = _Options(
        asked.text("output", "peak_force"), asked.number("share", 0.1, within=SHARE),
        asked.number("confidence", 0.95, within=SHARE), asked.whole("seed", 0),
    )  # fmt: skip
    asked.done()
    return found


@register_analysis("sensitivity", check=_asked)
def sensitivity(table: StudyTable, options: Mapping[str, Any]) -> Sensitivity:
    """Return what the parameters of a study do to an output.

    Options: ``output`` (default: peak_force), ``share`` (lowest and highest part of an input in the tornado),
    ``confidence``, ``seed``.
    """
    asked = _asked(options)
    names = [name for name in table.parameters if name in table.columns and name not in ("motion", "scale")]
    if not names:
        raise InputError("analysis sensitivity needs a study with parameters that vary.")
    finished(table, "analysis sensitivity", numbers_of(table, asked.output, "analysis sensitivity"))
    values, first, incomplete = _by_sample(table, asked.output)
    kind = _sampler(table)
    points = np.stack([_positions(np.asarray(table[name])[first]) for name in names], axis=1)
    varied = [i for i in range(len(names)) if np.ptp(points[:, i]) > 0.0]
    if not varied:
        raise InputError("analysis sensitivity needs parameters with more than one value.")
    indices, effects = None, None
    if kind == "saltelli":
        indices = sobol_indices(values, names, confidence=asked.confidence, seed=asked.seed)
    elif kind == "morris":
        unit = np.stack([_levels(points[:, i]) for i in range(len(names))], axis=1)
        effects = morris_effects(unit, values, names, confidence=asked.confidence, seed=asked.seed)
    elif kind not in ("grid", "paired") and np.isfinite(values).sum() >= LEAST:
        some = [names[i] for i in varied]
        indices = given_data_indices(points[:, varied], values, some, confidence=asked.confidence, seed=asked.seed)
    swing = tornado(points[:, varied], values, [names[i] for i in varied], share=min(asked.share, 0.5))
    return Sensitivity(with_unit(table, asked.output), indices, effects, swing, incomplete)


def _by_sample(table: StudyTable, output: str) -> tuple[Array, npt.NDArray[np.int64], int]:
    """Return the mean output of every sample, NaN where a run failed, a row of each, and how many are NaN."""
    sample = numbers_of(table, "sample" if "sample" in table.columns else "run", "analysis sensitivity").astype(
        np.int64
    )
    _, first, own = np.unique(sample, return_index=True, return_inverse=True)
    y = np.where(table.finished, numbers_of(table, output, "analysis sensitivity"), np.nan)
    values = np.bincount(own, y) / np.bincount(own)
    return values, first.astype(np.int64), int(np.isnan(values).sum())


def _sampler(table: StudyTable) -> str:
    given = table.study.get("sampler", "")
    return str(given.get("kind", "") if isinstance(given, Mapping) else given).lower()


def _positions(column: npt.NDArray[Any]) -> Array:
    """Return numbers as they are, and words by their place in the alphabet."""
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    met = {value: i for i, value in enumerate(sorted({str(value) for value in column.tolist()}))}
    return np.array([met[str(value)] for value in column.tolist()], dtype=np.float64)


def _levels(column: Array) -> Array:
    """Return values on a grid as evenly spaced levels from 0 to 1."""
    different, place = np.unique(column, return_inverse=True)
    return place / max(different.size - 1, 1)
