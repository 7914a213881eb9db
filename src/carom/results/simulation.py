"""What happened to structures side by side: histories, impacts, peaks, energy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from carom.errors import InputError
from carom.registry import late
from carom.results.frame import Frame
from carom.results.outcome import Outcome
from carom.results.space.body_forms import BodyForm
from carom.results.space.deck_plan import DeckPlan
from carom.results.space.scene_record import SceneRecord
from carom.units import si, standard_gravity

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt
    import xarray as xr

    from carom.results.assessment import Pounding
    from carom.results.space.scene import Standing

_study = late("carom.studies.single.assess:study_pounding")
_write = late("carom.reports.runs.run:write_stated")

__all__ = ["FRICTION_IMPULSES", "IMPACT_FLAGS", "IMPACT_UNITS", "LateSimulation", "Simulation"]


IMPACT_UNITS = {
    "start": "s",
    "duration": "s",
    "approach_velocity": "m/s",
    "separation_velocity": "m/s",
    "peak_force": "N",
    "peak_overlap": "m",
    "impulse": "N s",
    "energy_lost": "J",
}
"""Columns of the table of impacts, besides the contact and the flags."""
FRICTION_IMPULSES = ("friction_impulse", "second_friction_impulse")
"""Columns of the impacts of rigid contacts with one tangent or two [N s]."""
IMPACT_FLAGS = {
    "ended": "True: the bodies parted; False: they were in contact when the run ended",
    "guarded": "True: the guard on v0 changed the damping",
}
"""What is true or false of an impact; 1 or 0 in the table."""


PEAKS = {"displacement": "m", "velocity": "m/s", "acceleration": "m/s2"}
"""What `Simulation.extremes` holds, in order."""


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """One run, in SI units; displacement and velocity relative to the ground, acceleration absolute."""

    time: npt.NDArray[np.float64]
    """Samples of the record's time base [s], shape (T,)."""
    displacement: npt.NDArray[np.float64]
    """[m], shape (T, D)."""
    velocity: npt.NDArray[np.float64]
    """[m/s], shape (T, D)."""
    acceleration: npt.NDArray[np.float64]
    """Absolute [m/s²], shape (T, D)."""
    force: npt.NDArray[np.float64]
    """Contact forces [N], shape (T, C)."""
    gap: npt.NDArray[np.float64]
    """Distances left [m], negative while overlapping, shape (T, C)."""
    table: Mapping[str, npt.NDArray[np.float64]]
    """The impacts, one array per column."""
    extremes: npt.NDArray[np.float64]
    """Largest |displacement|, |velocity|, |acceleration|, shape (D, 3)."""
    ledger: Mapping[str, npt.NDArray[np.float64]]
    """Energy over time [J]: input, kinetic, strain, damping, contact, residual."""
    dofs: tuple[str, ...]
    contacts: tuple[str, ...]
    outcome: Outcome
    evidence: Mapping[str, Any]
    """Steps, rejected steps, wall time, versions: what stands behind the numbers."""
    frames: tuple[Frame, ...] = field(default_factory=tuple)  # with no value of the class: `LateSimulation` has it late
    """Structures of storeys, whose drifts and base shears are among the peaks."""
    scene_record: SceneRecord | None = field(default_factory=lambda: None)
    """Friction, joints and gauges of a run with friction of laws with a force, or with bodies that turn."""
    deck_plan: DeckPlan | None = field(default_factory=lambda: None)
    """Decks as they stand at rest, with their contacts, bearings and seats; None where there are none."""
    body_forms: tuple[BodyForm, ...] = field(default_factory=tuple)
    """Bodies in space as they stand at the start, for pictures; empty where there are none."""

    @cached_property
    def history(self) -> xr.Dataset:
        """Displacement, velocity, acceleration (time, dof), force and gap (time, contact)."""
        import xarray as xr

        over_dofs = {
            "displacement": (self.displacement, "m"),
            "velocity": (self.velocity, "m/s"),
            "acceleration": (self.acceleration, "m/s2"),
        }
        over_contacts = {"force": (self.force, "N"), "gap": (self.gap, "m")}
        variables: dict[str, Any] = {
            name: (("time", "dof"), values, {"units": unit}) for name, (values, unit) in over_dofs.items()
        }
        variables |= {
            name: (("time", "contact"), values, {"units": unit}) for name, (values, unit) in over_contacts.items()
        }
        coordinates = {
            "time": ("time", self.time, {"units": "s"}),
            "dof": list(self.dofs),
            "contact": list(self.contacts),
        }
        return xr.Dataset(variables, coords=coordinates)

    @cached_property
    def impacts(self) -> xr.Dataset:
        """One entry per impact, by start: contact, start, duration, velocities, peaks, impulse, loss, two flags.

        A contact that was closed when the run ended is an impact too: its `ended` is False, its separation velocity
        NaN, and duration, impulse and loss are those so far. `guarded` says where the guard on v0 changed the damping.
        """
        import numpy as np
        import xarray as xr

        names = np.array(self.contacts, dtype=object)[self.table["contact"].astype(int)]
        variables: dict[str, Any] = {"contact": ("impact", names)}
        variables |= {name: ("impact", self.table[name], {"units": unit}) for name, unit in IMPACT_UNITS.items()}
        variables |= {
            name: ("impact", self.table[name] != 0.0, {"long_name": words})
            for name, words in IMPACT_FLAGS.items()
            if name in self.table  # files of earlier versions do not say what was guarded
        }
        for name in FRICTION_IMPULSES:
            if name in self.table:  # contacts with tangents
                variables[name] = ("impact", self.table[name], {"units": "N s"})
        return xr.Dataset(variables)

    @property
    def in_contact(self) -> npt.NDArray[np.bool_]:
        """Which impacts had not ended when the run did, one entry per row of the table."""
        import numpy as np

        lasting: npt.NDArray[np.bool_] = self.table.get("ended", np.ones_like(self.table["start"])) == 0.0
        return lasting

    @cached_property
    def peaks(self) -> xr.Dataset:
        """True extremes of |displacement|, |velocity| and |acceleration| over dof; of frames more.

        Of a frame's floors also `drift`, the largest drift of the storey below, where heights are known `drift_ratio`,
        its share of the storey's height, and where storeys yield `ductility`, drift over yield drift; over structure
        `base_shear`. Drifts above the lowest storey are read off the histories, between samples by cubics.
        """
        import xarray as xr

        variables: dict[str, Any] = {
            name: (dims, values, {"units": unit}) for name, (dims, values, unit) in self.peak_values.items()
        }
        coordinates = {"dof": list(self.dofs)}
        if self.frames:
            coordinates["structure"] = [frame.name for frame in self.frames]
        return xr.Dataset(variables, coords=coordinates)

    @cached_property
    def peak_values(self) -> dict[str, tuple[str, npt.NDArray[np.float64], str]]:
        """The peaks as plain arrays: name to dimension, values and unit."""
        import numpy as np

        found: dict[str, tuple[str, npt.NDArray[np.float64], str]] = {
            name: ("dof", self.extremes[:, i], unit) for i, (name, unit) in enumerate(PEAKS.items())
        }
        if not self.frames:
            return found
        drift, ratio, ductility = (np.full(len(self.dofs), np.nan) for _ in range(3))
        for frame in self.frames:
            dofs = list(frame.dofs)
            drift[dofs] = self.drifts(frame)
            ratio[dofs] = drift[dofs] / frame.storey_heights if frame.storey_heights else np.nan
            ductility[dofs] = drift[dofs] / frame.yield_drifts if frame.yield_drifts else np.nan
        found["drift"] = "dof", drift, "m"
        if np.isfinite(ratio).any():
            found["drift_ratio"] = "dof", ratio, "1"
        if any(frame.yield_drifts for frame in self.frames):
            found["ductility"] = "dof", np.where(ductility > 0.0, ductility, np.nan), "1"
        found["base_shear"] = "structure", np.array([frame.base_shear for frame in self.frames]), "N"
        return found

    def drifts(self, frame: Frame | Standing) -> npt.NDArray[np.float64]:
        """Return the largest |drift| [m] of each storey.

        Of the lowest it is the true extreme; of others it is read off the history, between samples by the cubic through
        drift and rate at both ends.
        """
        import numpy as np

        from carom.results.crests import largest_between

        dofs = list(frame.dofs)
        if len(dofs) < 2:
            return self.extremes[dofs, 0]
        drift, rate = (np.diff(moved[:, dofs], axis=1) for moved in (self.displacement, self.velocity))
        return np.concatenate([self.extremes[dofs[:1], 0], largest_between(drift, rate, self.time)])

    @property
    def impact_count(self) -> int:
        """Number of impacts, contacts closed at the end included."""
        return int(self.table["start"].size)

    @property
    def peak_force(self) -> float:
        """Largest contact force [N]; 0 where nothing touched, NaN where impacts take no time."""
        return float(self.table["peak_force"].max(initial=0.0))

    def _repr_html_(self) -> str:
        return str(late("carom.reports.notebook:simulation")(self))

    def __repr__(self) -> str:
        return f"<Simulation: {self.impact_count} impacts at {len(self.contacts)} contacts; {self.outcome.word}>"

    def __str__(self) -> str:
        """Return the run in a few lines."""
        count, force = self.impact_count, self.peak_force
        hits = "no contacts" if not self.contacts else "no impact" if not count else "1 impact" if count == 1 else ""
        hits = hits or f"{count} impacts"
        most = f", largest force {si(force, 'N', 4)}" if count and force == force else ""
        lines = [f"{self.outcome.text}, {self.time[0]:g} s to {self.time[-1]:g} s, {hits}{most}"]
        for frame in self.frames:
            u, _, a = self.extremes[list(frame.dofs)].max(axis=0).tolist()
            lines.append(
                f"  {frame.name}: displacement {si(u, 'm', 4)}, acceleration {a / standard_gravity:.3g} g, "
                f"drift {si(float(self.drifts(frame).max()), 'm', 4)}, base shear {si(frame.base_shear, 'N', 4)}"
            )
        return "\n".join([*lines, *(f"  ! {caution}" for caution in self.evidence.get("unlikely", ()))])

    @cached_property
    def unseating(self) -> xr.Dataset:
        """What became of every seat: how far its end moved along and across and turned, unseated or not, and when.

        Variables over seat: `seat_length`, `along`, `across`, `rotation`, `seat_left`, `unseated`, `when`, `corner`,
        and histories at samples (`carom.results.space.unseating`).
        """
        from carom.results.space.unseating import unseating_of

        if self.scene_record is None or self.deck_plan is None or not self.deck_plan.seats:
            raise InputError(
                'unseating needs seats. State them: carom.Problem(…, seats=[carom.Seat(("span 1", "e"), "pier 1", '
                'length="60 cm")]).'
            )
        return unseating_of(self.scene_record, self.deck_plan, self.time)

    @cached_property
    def energy(self) -> xr.Dataset:
        """The ledger over time: energy at the start + input = kinetic + strain + damping + contact + residual."""
        import xarray as xr

        variables: dict[str, Any] = {name: ("time", values, {"units": "J"}) for name, values in self.ledger.items()}
        return xr.Dataset(variables, coords={"time": ("time", self.time, {"units": "s"})})

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write all of it to one netCDF-4 file (.nc), whole or not at all; `carom.load` brings it back exactly."""
        from carom.results.files.store import save

        return save(self, path)

    def provide(self, name: str, make: Callable[[], Any]) -> None:
        """Add what another room works out of a run, such as its frames."""
        object.__setattr__(self, name, make())

    def remember(self, problem: object, options: Mapping[str, Any]) -> None:
        """Keep what was run and how, for `report`; it goes neither to files nor to other processes."""
        object.__setattr__(self, "_stated", (problem, dict(options)))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is kept for reports and pictures: laws that are functions cannot go to another process."""
        return {name: value for name, value in vars(self).items() if name not in ("_stated", "_assessed")}

    def report(self, folder: str | os.PathLike[str] = "out", *, title: str = "", checks: bool = True) -> Path:
        """Write what `carom run` writes: report.html, response.nc, impacts.csv and summary.json, all or none.

        Runs the problem without contact too and, unless `checks` is False, with other gaps, contact stiffnesses,
        restitutions and a tighter tolerance, to tell how firm the numbers are. Returns the path of the page.
        """
        from pathlib import Path

        result = self._assess("report", title=title, checks=checks)
        _write(*vars(self)["_stated"], result, Path(folder))
        return Path(folder) / "report.html"

    def assessed(self) -> Pounding:
        """Return this run beside the same structures without contact, as pictures take it; worked out once."""
        if "_assessed" not in vars(self):
            object.__setattr__(self, "_assessed", self._assess("assessed", title="", checks=False))
        found: Pounding = vars(self)["_assessed"]
        return found

    def _assess(self, owner: str, *, title: str, checks: bool) -> Pounding:
        """Run the problem without contact too, and whatever else is asked for."""
        if "_stated" not in vars(self):
            raise InputError(
                f"{owner} needs the problem of a run, and this run came from a file, a copy or another process without "
                "it. Run the problem here: carom.simulate(problem)."
            )
        if self.outcome.failed:
            raise InputError(f"{owner} needs a run that finished; this one did not: {self.outcome.text}.")
        problem, options = vars(self)["_stated"]
        names = " and ".join(one.name for one in problem.structures)
        found: Pounding = _study(problem, title=title or names, checks=checks, run=self, **options)
        return found


NOTHING_LATE: Mapping[str, Callable[[], Any]] = {
    "scene_record": lambda: None, "deck_plan": lambda: None, "body_forms": tuple,
}  # fmt: skip
"""What a run has where nobody says otherwise."""


class LateSimulation(Simulation):
    """A run whose arrays are worked out when they are first asked for: who wants peaks does not wait for histories."""

    def __init__(self, late: Mapping[str, Callable[[], Any]] | None = None, /, **known: Any) -> None:
        object.__setattr__(self, "_late", {**NOTHING_LATE, **(late or {})})
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def provide(self, name: str, make: Callable[[], Any]) -> None:
        """Add what another room works out of a run, when it is first asked for."""
        self.__dict__["_late"][name] = make

    def __getattr__(self, name: str) -> Any:
        late = self.__dict__.get("_late", {})
        if name not in late:
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")
        value = late.pop(name)()
        object.__setattr__(self, name, value)
        return value

    def __reduce__(self) -> tuple[type[Simulation], tuple[Any, ...]]:
        """Work everything out before it goes to a file or to another process."""
        return Simulation, tuple(getattr(self, one.name) for one in fields(Simulation))
