"""The result of one impact, or of many at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from carom.results.outcome import Outcome, words_of
from carom.units import array

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import xarray as xr

__all__ = ["Impact", "Impacts"]


@dataclass(frozen=True, slots=True)
class Impact:
    """What happened in one impact, in SI units."""

    law: Any
    """The law that was used, with its damping as used."""
    mass: float
    """Effective mass [kg]."""
    velocity: float
    """Rate at first touch, v0 [m/s]."""
    peak_force: float
    """Largest force, at its true extreme [N]."""
    peak_overlap: float
    """Largest overlap [m]."""
    duration: float
    """From first touch to the end of contact [s]; infinite where it does not end."""
    restitution: float
    """Achieved restitution: rate at separation over rate at touch."""
    energy_lost: float
    """Work that the contact kept, of the kinetic energy at touch [J]."""
    approach_loss: float
    """Energy dissipated while the bodies approach [J]."""
    restitution_loss: float
    """Energy dissipated while they separate [J]."""
    end_overlap: float
    """Overlap left where contact ended at F = 0 [m]; otherwise zero."""
    peak_force_time: float
    """[s] after first touch."""
    peak_overlap_time: float
    """[s] after first touch; infinite where the body only sinks towards its place of rest."""
    outcome: Outcome
    steps: int
    rejected: int
    notes: tuple[str, ...] = ()
    """What the user should know: validity left, damping found by calibration, …"""
    _follow: Callable[[Any], Any] | None = field(default=None, repr=False, compare=False)
    _followed: float = field(default=0.0, repr=False, compare=False)

    @property
    def status(self) -> str:
        """How the contact ended, in one word."""
        return self.outcome.word

    @property
    def dissipation_ratio(self) -> float:
        """Dissipation in restitution over dissipation in approach, the α of papi2022 (22); NaN if elastic."""
        if self.approach_loss <= 0.0:
            return float("nan")
        return self.restitution_loss / self.approach_loss

    @property
    def history(self) -> xr.Dataset:
        """Overlap, rate and force at 401 equal times from touch to the end of contact (see `sample`).

        Where contact does not end: for twice the time that it took to know, or as far as it can be followed.
        """
        import numpy as np

        if np.isfinite(self.duration):
            return self.sample(np.linspace(0.0, self.duration, 401))
        found = self.sample(np.linspace(0.0, 2.0 * self._followed, 401))
        followed = found.time.values[np.isfinite(found.force.values)]
        return found if followed.size == 401 else self.sample(np.linspace(0.0, followed[-1], 401))

    def sample(self, times: npt.ArrayLike) -> xr.Dataset:
        """Return overlap [m], rate [m/s] and force [N] at increasing times [s], as exact as the result itself.

        After the contact has ended overlap and force are zero and the rate is that of separation; NaN beyond what was
        followed of a contact that does not end.
        """
        import xarray as xr

        if self._follow is None:
            raise AttributeError("this impact was made by hand and has no history")
        t = array(times, "s", name="times", owner="sample")
        rows = self._follow(t)
        return xr.Dataset(
            {
                "overlap": ("time", rows[:, 0], {"units": "m"}),
                "rate": ("time", rows[:, 1], {"units": "m/s"}),
                "force": ("time", rows[:, 2], {"units": "N"}),
            },
            coords={"time": ("time", t, {"units": "s"})},
            attrs={"law": self.law.name, "status": self.status},
        )


@dataclass(frozen=True, slots=True)
class Impacts:
    """What happened in many impacts: the fields of `Impact` as arrays of one shape."""

    peak_force: npt.NDArray[np.float64]
    peak_overlap: npt.NDArray[np.float64]
    duration: npt.NDArray[np.float64]
    restitution: npt.NDArray[np.float64]
    energy_lost: npt.NDArray[np.float64]
    approach_loss: npt.NDArray[np.float64]
    restitution_loss: npt.NDArray[np.float64]
    end_overlap: npt.NDArray[np.float64]
    codes: npt.NDArray[np.int8]
    """How each ended, as a position in `carom.results.OUTCOMES`."""

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """How each contact ended, in one word."""
        return words_of(self.codes)

    @property
    def dissipation_ratio(self) -> npt.NDArray[np.float64]:
        """Dissipation in restitution over dissipation in approach; NaN where nothing was dissipated."""
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = self.restitution_loss / self.approach_loss
        return np.where(self.approach_loss > 0.0, ratio, np.nan)

    def __len__(self) -> int:
        return len(self.peak_force)
