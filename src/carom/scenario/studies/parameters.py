"""What varies in a study: where in the scenario, and its values or its distribution, in SI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, UnknownNameError, refusal
from carom.scenario.studies.model import DISTRIBUTIONS, CorrelationPart, ParameterPart
from carom.scenario.studies.motions import spread
from carom.scenario.studies.paths import Place, places_at

__all__ = ["Parameter", "correlation_of", "parameter_of"]


@dataclass(frozen=True)
class Parameter:
    """One thing that varies."""

    name: str
    places: tuple[Place, ...]
    unit: str
    """Unit of its values; empty: none."""
    values: tuple[Any, ...] | None = None
    """Its values; None: it has a distribution."""
    distribution: str = ""
    numbers: tuple[tuple[str, float], ...] = ()
    """What the distribution is made of: ``(("median", 0.03), ("dispersion", 0.3))``."""
    levels: int | None = None
    factors: tuple[Any, ...] | None = None
    """What each place holds in the scenario, where values are factors on it."""

    @property
    def is_number(self) -> bool:
        """Whether its values are plain numbers."""
        if self.values is None:
            return True
        return all(isinstance(one, int | float) and not isinstance(one, bool) for one in self.values)

    def at(self, value: Any) -> list[tuple[Place, Any]]:
        """Return what a value sets where."""
        if self.factors is None:
            return [(place, value) for place in self.places]
        return [(place, _times(value, base)) for place, base in zip(self.places, self.factors, strict=True)]

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "places": [place.path for place in self.places],
            "values": None if self.values is None else list(self.values),
            "distribution": self.distribution,
            "numbers": dict(self.numbers),
            "levels": self.levels,
            "factor": self.factors is not None,
        }


def parameter_of(name: str, part: ParameterPart, tables: Mapping[str, Any], known: Mapping[str, Place]) -> Parameter:
    """Return the parameter that a table states."""
    paths = [name] if part.path is None else [part.path] if isinstance(part.path, str) else list(part.path)
    places = tuple(place for path in paths for place in places_at(known, path))
    if not places:
        raise refusal("path", f"parameter '{name}'", "must name a field of the scenario", part.path)
    given = [form for form in ("values", "range", "distribution") if getattr(part, form) is not None]
    if len(given) != 1:
        raise InputError(f"it needs one of `values`, `range` and `distribution`. Got {' and '.join(given) or 'none'}")
    units = {place.unit for place in places}
    if len(units) > 1:
        listed = ", ".join(f"{place.path} [{place.unit or 'no number'}]" for place in places)
        raise refusal("path", f"parameter '{name}'", "must name places of one unit", listed)
    place = Place(("factor",), "") if part.factor else places[0]
    factors = tuple(_base(tables, one) for one in places) if part.factor else None
    common: dict[str, Any] = {"name": name, "places": places, "unit": place.unit or "", "factors": factors}
    if part.distribution is None:
        _idle(name, part, given[0])
        values = [place.take(one) for one in part.values] if part.values is not None else _ranged(part, place)
        return Parameter(**common, values=tuple(values))
    return Parameter(**common, distribution=part.distribution, numbers=_numbers(name, part, place), levels=part.levels)


def correlation_of(parts: Sequence[CorrelationPart], names: Sequence[str]) -> npt.NDArray[np.float64] | None:
    """Return the correlation matrix of all parameters; None where none are correlated."""
    if not parts:
        return None
    found = np.eye(len(names))
    for part in parts:
        for name in part.parameters:
            if name not in names:
                raise UnknownNameError("parameter", name, names)
        at = [names.index(name) for name in part.parameters]
        size = len(at)
        if (part.matrix is None) == (part.value is None):
            raise InputError("a correlation takes `matrix` or `value`, one of them")
        block = np.full((size, size), part.value) if part.matrix is None else _square(part.matrix, size)
        np.fill_diagonal(block, 1.0)
        found[np.ix_(at, at)] = block
    lowest = float(np.linalg.eigvalsh(found).min())
    if lowest < -1e-12:
        rule = f"must be possible together: their matrix has a negative eigenvalue, {lowest:.3g}"
        raise refusal("matrix", "correlations", rule, found.tolist())
    return found


def _ranged(part: ParameterPart, place: Place) -> list[Any]:
    assert part.range is not None  # one of the three forms was given
    if place.unit is None:
        raise refusal("range", place.path, "is for numbers", part.range.start, "List its `values`.")
    found: list[Any] = spread(part.range, place.take).tolist()
    return found


def _numbers(name: str, part: ParameterPart, place: Place) -> tuple[tuple[str, float], ...]:
    owner = f"parameter '{name}'"
    if place.unit is None:
        raise refusal("distribution", owner, "is for numbers", part.distribution, "List its `values`.")
    needed, may = DISTRIBUTIONS[str(part.distribution)]
    known = ("low", "mode", "high", "mean", "std", "median", "dispersion")
    given = {key: getattr(part, key) for key in known if getattr(part, key) is not None}
    if lacking := sorted(needed - given.keys()):
        raise InputError(f"{part.distribution} needs {', '.join(f'`{key}`' for key in lacking)}")
    if idle := sorted(given.keys() - needed - may):
        raise InputError(f"{part.distribution} does not take {', '.join(f'`{key}`' for key in idle)}. Leave it out")
    found = {key: float(value if key == "dispersion" else place.take(value)) for key, value in given.items()}
    order = [found[key] for key in ("low", "mode", "high") if key in found]
    if order != sorted(order) or ("low" in found and "high" in found and found["low"] >= found["high"]):
        raise refusal("low", owner, "must be below `high`, with `mode` between", given)
    if "std" in found and found["std"] <= 0.0:
        raise refusal("std", owner, "must be positive", given["std"])
    for key in ("median", *(("low",) if part.distribution == "log-uniform" else ())):
        if key in found and found[key] <= 0.0:
            raise refusal(key, owner, "must be positive", given[key])
    return tuple(sorted(found.items()))


def _idle(name: str, part: ParameterPart, form: str) -> None:
    for key in ("low", "mode", "high", "mean", "std", "median", "dispersion", "levels"):
        if getattr(part, key) is not None:
            raise refusal(key, f"parameter '{name}'", f"is for a distribution, not for `{form}`", getattr(part, key))


def _base(tables: Mapping[str, Any], place: Place) -> Any:
    """Return what the scenario says at a place, in SI, for a factor to multiply."""
    found: Any = tables
    try:
        for step in place.steps:
            found = found[step]
    except (KeyError, IndexError):
        raise refusal("path", "a factor", "must be a field that the scenario gives", place.path) from None
    if place.unit is None:
        raise refusal("path", "a factor", "must be a number in the scenario", place.path)
    return place.take(place.within(found))


def _times(factor: float, base: Any) -> Any:
    return [factor * one for one in base] if isinstance(base, list) else factor * base


def _square(matrix: Sequence[Sequence[float]], size: int) -> npt.NDArray[np.float64]:
    if len(matrix) != size or any(len(row) != size for row in matrix):
        raise refusal("matrix", "correlations", f"must have {size} rows and columns, one for each parameter", matrix)
    found = np.array(matrix, dtype=np.float64)
    if not np.array_equal(found, found.T) or (np.abs(found) > 1.0).any() or (np.diag(found) != 1.0).any():
        raise refusal("matrix", "correlations", "must be symmetric, ones on its diagonal, none beyond ±1", matrix)
    return found
