"""What is kept of a run: columns by name and unit, filled from an ensemble or from single runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from carom.integrate.frames import frames_of
from carom.motions.quantities import acceleration
from carom.problem import FlatProblem, Problem
from carom.results import OUTCOMES, Ensemble, Simulation
from carom.studies.between import largest_of_each, with_rates
from carom.studies.seat_columns import SEATS, SeatColumns
from carom.units import ANY, Range, number

__all__ = ["FAR", "GUARDED", "TWIN", "UNHELD", "Outputs", "in_unit_of", "unit_of"]

Array = npt.NDArray[np.float64]

PEAKS = {"displacement": "m", "velocity": "m/s", "acceleration": "m/s2"}
ENERGIES = ("input", "kinetic", "strain", "damping", "contact")
ACCOUNT = {"impacts": "", "closed_at_end": "", "peak_force": "N", "impulse": "N s"}
GUARDED = "guarded_impacts"
UNHELD = "unheld_overlap"
"""Kept of every run: how many impacts the guard on v0 changed."""
STOREYS = {"drift": "m", "drift_ratio": "", "ductility": "", "base_shear": "N"}
"""What frames have besides."""
STEPS = ("steps", "rejected_steps")
OPENING = "opening"
UNSEATING = "unseating"
TWIN = "no_pounding"
FAR = 1e3
"""Gap [m] of the runs without contact: it never closes, and it can be seen opening."""


def _kept(flat: FlatProblem, structure: int) -> npt.NDArray[np.int64]:
    """Return which outputs are displacements of a structure: its degrees of freedom, rotations left out.

    Of a structure so large that results do not keep all they are the places that are kept, which ride on the ground.
    """
    moves = np.array(flat.output_units) == "m"
    found = flat.dof_output[flat.dof_structure == structure]
    if (found >= 0).all():
        return np.asarray(found[moves[found]] if moves[found].any() else found, dtype=np.int64)
    rides = flat.outputs @ flat.participation + flat.output_ground
    places = (flat.output_structure == structure) & moves & (np.linalg.norm(rides, axis=1) > 0.5)
    return np.flatnonzero(places).astype(np.int64)


class Outputs:
    """The chosen outputs of a problem."""

    def __init__(self, problem: Problem, chosen: Sequence[str]) -> None:
        flat = problem.flat()
        self._chosen = chosen
        self._labels = flat.output_labels
        self._contacts = flat.contact_labels
        dofs = {name: _kept(flat, i) for i, name in enumerate(problem.names)}
        self._dofs = {name: at for name, at in dofs.items() if at.size}
        self._peaks = [(i, name) for i, name in enumerate(PEAKS) if name in chosen]
        self.twin = TWIN in chosen
        """Whether runs without contact are asked for."""
        frames = frames_of(problem, np.zeros((len(self._labels), 3)))
        having = {
            "drift": [frame.name for frame in frames],
            "drift_ratio": [frame.name for frame in frames if frame.storey_heights],
            "ductility": [frame.name for frame in frames if frame.yield_drifts],
            "base_shear": [frame.name for frame in frames],
        }
        asked = [(kind, name) for kind in STOREYS if kind in chosen for name in having[kind]]
        self._storeys = asked if any(kind != "drift" or self._dofs[name].size > 1 for kind, name in asked) else []
        self._drifts = [] if self._storeys else [name for _, name in asked]  # of one mass: its displacement
        self._seats = SeatColumns(problem) if UNSEATING in chosen else None
        self._opening = OPENING in chosen and bool(self._contacts)
        self.histories = bool(self._storeys) or self._opening
        """Whether runs are looked at one by one: for what frames have besides peaks, and for gaps that open."""

    @property
    def units(self) -> dict[str, str]:
        """Columns and their units, in order."""
        found = {f"{name}.{one}": PEAKS[name] for _, name in self._peaks for one in self._dofs}
        found |= {f"{kind}.{name}": STOREYS[kind] for kind, name in self._storeys}
        found |= {f"drift.{name}": "m" for name in self._drifts}
        if "floors" in self._chosen:
            found |= {f"{name}.{label}": unit for name, unit in PEAKS.items() for label in self._labels}
        if self._opening:
            found |= dict.fromkeys(self._openings(), "m")
        if self._seats is not None:
            found |= self._seats.units
        if self.twin:
            seats = () if self._seats is None else self._seats.units
            found |= {f"{TWIN}.{name}": unit for name, unit in found.items() if name not in seats}
        found |= {name: unit for name, unit in ACCOUNT.items() if name in self._chosen}
        if "energies" in self._chosen:
            found |= {f"{name}_energy": "J" for name in ENERGIES}
        if "steps" in self._chosen:
            found |= dict.fromkeys(STEPS, "")
        return {**found, GUARDED: "", UNHELD: "m"}

    def of_ensemble(self, many: Ensemble) -> tuple[dict[str, Array], npt.NDArray[np.int8]]:
        """Return the columns of an ensemble's runs in their order, and how each ended."""
        found = self._extremes(many.extremes.reshape(many.size, len(self._labels), 3))
        if many.twin is not None:
            shape = [size if dim in many.twin_dims else 1 for dim, size in many.dims.items()]
            twin = many.twin.reshape(*shape, len(self._labels), 3)
            twin = np.broadcast_to(twin, (*many.dims.values(), len(self._labels), 3))
            peaks = self._extremes(twin.reshape(-1, *twin.shape[-2:]))
            found |= {f"{TWIN}.{name}": column for name, column in peaks.items()}
        if self._seats is not None and many.gauge_values is not None:
            values = many.gauge_values.reshape(many.size, -1, 3)
            found |= self._seats.columns(values)
        found |= {name: many.account[name].ravel() for name in self._accounts() if name in many.account}
        return {name: found[name] for name in self.units}, many.codes.ravel()

    def of_run(self, run: Simulation, gaps: Array, twin: Simulation | None) -> tuple[dict[str, float], int]:
        """Return the columns of one run with these gaps at rest [m], and how it ended; its twin's gaps are `FAR`."""
        code = OUTCOMES.index(run.outcome)
        found = self._of_one(run, gaps)
        if twin is not None:
            without = self._of_one(twin, np.full_like(gaps, FAR))
            found |= {f"{TWIN}.{name}": value for name, value in without.items()}
        found |= {
            "impacts": float(run.table["start"].size),
            "peak_force": float(run.table["peak_force"].max(initial=0.0)),
            "impulse": float(run.table["impulse"].sum()),
            "closed_at_end": float(run.in_contact.sum()),
            GUARDED: float(run.table["guarded"].sum()),
            UNHELD: float(run.evidence.get(UNHELD, 0.0)),
            "steps": float(run.evidence.get("contact_steps", np.nan)),
            "rejected_steps": float(run.evidence.get("rejected_steps", np.nan)),
        }
        if "energies" in self._chosen:
            found |= {f"{name}_energy": float(run.ledger[name][-1]) for name in ENERGIES}
        lost = run.outcome.failed
        return {name: np.nan if lost and name not in STEPS else found[name] for name in self.units}, code

    def _of_one(self, run: Simulation, gaps: Array) -> dict[str, float]:
        found = {name: float(column[0]) for name, column in self._extremes(run.extremes[None]).items()}
        if self._seats is not None and (record := run.scene_record) is not None:
            values = np.column_stack([record.gauge_extremes, record.gauge_left])[None]
            lengths = None if run.deck_plan is None else [seat.length for seat in run.deck_plan.seats]
            found |= {name: float(column[0]) for name, column in self._seats.columns(values, lengths).items()}
        if self._opening:
            dt = float(run.time[1] - run.time[0]) if run.time.size > 1 else 1.0
            each = largest_of_each(with_rates(run.gap - gaps, dt), dt).tolist()
            found |= dict(zip(self._openings(), [max(each), *each], strict=False))
        if self._storeys:
            frames = {frame.name: frame for frame in run.frames}
            for kind, name in self._storeys:
                at = list(frames[name].dofs) if kind != "base_shear" else [f.name for f in run.frames].index(name)
                found[f"{kind}.{name}"] = float(np.nanmax(run.peak_values[kind][1][at]))
        return found

    def _extremes(self, extremes: Array) -> dict[str, Array]:
        """Return the columns of peaks, from the largest values of every degree of freedom (run, dof, 3)."""
        found = {
            f"{name}.{one}": _largest(extremes, at, i) for i, name in self._peaks for one, at in self._dofs.items()
        }
        found |= {f"drift.{name}": _largest(extremes, self._dofs[name], 0) for name in self._drifts}
        if "floors" in self._chosen:
            found |= {
                f"{name}.{label}": extremes[:, d, i]
                for i, name in enumerate(PEAKS)
                for d, label in enumerate(self._labels)
            }
        return found

    def _openings(self) -> list[str]:
        """Return the columns of gaps that open: the widest, and where there are several contacts each of them."""
        each = [f"{OPENING}.{label}" for label in self._contacts] if len(self._contacts) > 1 else []
        return [OPENING, *each]

    def _accounts(self) -> list[str]:
        return [*ACCOUNT, *(f"{name}_energy" for name in ENERGIES), *STEPS, GUARDED, UNHELD]


def _largest(extremes: Array, at: npt.NDArray[np.intp], quantity: int) -> Array:
    found: Array = extremes[:, at, quantity].max(axis=1)
    return found


def unit_of(column: str) -> str:
    """Return the unit of an output's column by its name; nothing for what has none or is no output."""
    name = column.removeprefix(f"{TWIN}.").partition(".")[0]
    return "J" if name.endswith("_energy") else {**PEAKS, **ACCOUNT, **STOREYS, **SEATS, OPENING: "m"}.get(name, "")


def in_unit_of(column: str, value: object, *, name: str, owner: str, within: Range = ANY) -> float:
    """Take a number from a user in the unit of an output's column, or a text with a unit of its own."""
    unit = unit_of(column)
    if unit == "m/s2" and isinstance(value, str):
        return acceleration(value, name=name, owner=owner, within=within)
    return number(value, unit, name=name, owner=owner, within=within)
