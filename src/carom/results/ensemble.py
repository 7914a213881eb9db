"""What happened in many runs: peaks, impacts, energies and how each ended, labelled by what was varied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from carom.registry import late
from carom.results.outcome import OUTCOMES, Outcome, words_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import xarray as xr

__all__ = ["Coordinate", "Ensemble"]

PEAKS = {"displacement": "m", "velocity": "m/s", "acceleration": "m/s2"}
"""The three peaks of a degree of freedom."""
ACCOUNT = {
    "impacts": "1", "peak_force": "N", "impulse": "N s", "input_energy": "J", "kinetic_energy": "J",
    "strain_energy": "J", "damping_energy": "J", "contact_energy": "J", "guarded_impacts": "1", "closed_at_end": "1",
    "unheld_overlap": "m", "steps": "1", "rejected_steps": "1",
}  # fmt: skip
"""What a run says of itself."""


class Coordinate(NamedTuple):
    """The values of one varied thing, along one dimension."""

    dim: str
    values: npt.NDArray[Any]
    unit: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Ensemble:
    """Many runs, in SI units; displacement and velocity relative to the ground, acceleration absolute.

    Runs that failed have NaN for all but their status and steps; nothing is counted that did not finish.
    """

    dims: Mapping[str, int]
    """Dimensions and their sizes: names of varied things in the order given, then ``run`` for paired ones."""
    coordinates: Mapping[str, Coordinate]
    """The varied values."""
    dofs: tuple[str, ...]
    extremes: npt.NDArray[np.float64]
    """Largest |displacement|, |velocity|, |acceleration|, shape (*dims, dofs, 3)."""
    account: Mapping[str, npt.NDArray[np.float64]]
    """Impacts, peak force, impulse, energies at the end and steps of each run, shape (*dims)."""
    codes: npt.NDArray[np.int8]
    """How each ended, as a position in `carom.results.OUTCOMES`, shape (*dims)."""
    twin_dims: tuple[str, ...]
    """The dimensions on which runs without pounding depend."""
    twin: npt.NDArray[np.float64] | None
    """The same largest values without pounding, shape (*twin_dims, dofs, 3); None where not asked for."""
    evidence: Mapping[str, Any]
    """Runs, wall time, runs per second, tolerance, device, versions."""
    gauges: tuple[str, ...] = ()
    """What problems with seats read besides."""
    gauge_values: npt.NDArray[np.float64] | None = None
    """Least and largest value of each gauge and when it first left its limits [s], NaN where it did not, shape
    (*dims, gauges, 3)."""

    @property
    def size(self) -> int:
        """Number of runs."""
        return int(self.codes.size)

    @cached_property
    def outcomes(self) -> dict[Outcome, int]:
        """How many runs ended how."""
        import numpy as np

        counts = np.bincount(self.codes.ravel(), minlength=len(OUTCOMES))
        return {outcome: int(count) for outcome, count in zip(OUTCOMES, counts, strict=True) if count}

    @property
    def failed(self) -> int:
        """Number of runs that could not keep their promise."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.failed)

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """How each run ended, in one word, shape (*dims)."""

        return words_of(self.codes)

    @cached_property
    def dataset(self) -> xr.Dataset:
        """All of it, labelled.

        Peaks over the varied dimensions and dof; impacts, peak_force, impulse, energies, steps and status over the
        varied dimensions; with a twin its peaks (``twin_displacement`` …) and what pounding makes of them
        (``displacement_ratio`` …, pounding over twin).
        """
        import numpy as np
        import xarray as xr

        runs = tuple(self.dims)
        variables: dict[str, Any] = {
            name: ((*runs, "dof"), self.extremes[..., i], {"units": unit})
            for i, (name, unit) in enumerate(PEAKS.items())
        }
        variables |= {name: (runs, values, {"units": ACCOUNT[name]}) for name, values in self.account.items()}
        variables["status"] = (runs, self.status)
        coordinates: dict[str, Any] = {
            name: (c.dim, c.values, {"units": c.unit} if c.unit else {}) for name, c in self.coordinates.items()
        }
        found = xr.Dataset(variables, coords={**coordinates, "dof": list(self.dofs)})
        if self.gauge_values is not None:
            found = found.assign_coords(gauge=list(self.gauges))
            for i, name in enumerate(("gauge_least", "gauge_largest", "gauge_left")):
                found[name] = (*runs, "gauge"), self.gauge_values[..., i]
        if self.twin is not None:
            for i, (name, unit) in enumerate(PEAKS.items()):
                alone = xr.DataArray(self.twin[..., i], dims=(*self.twin_dims, "dof"), attrs={"units": unit})
                found[f"twin_{name}"] = alone
                with np.errstate(divide="ignore", invalid="ignore"):
                    found[f"{name}_ratio"] = (found[name] / alone).transpose(*runs, "dof")
        return found

    def _repr_html_(self) -> str:
        return str(late("carom.reports.notebook:ensemble")(self))

    def __repr__(self) -> str:
        dims = " × ".join(f"{name} {size}" for name, size in self.dims.items())
        return f"<Ensemble: {self.size} runs ({dims}); {self.failed} failed>"
