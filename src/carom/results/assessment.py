"""What pounding does: one run with contact, its twin without, and how firm the numbers are."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from carom.results.simulation import Simulation
from carom.results.space.scene import Scene, Standing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

__all__ = ["Asked", "BaseShear", "Firmness", "FloorSpectra", "Loop", "Pounding", "SlabSpectra", "column_shear"]


@dataclass(frozen=True)
class Asked:
    """A result that was asked for by name."""

    label: str
    output: int
    """Its position among the results."""
    unit: str
    """m, rad, N or N m."""


@dataclass(frozen=True)
class BaseShear:
    """The force that the ground and a structure exchange along an axis."""

    structure: str
    axis: str
    output: int
    """Its position among the results."""


@dataclass(frozen=True, eq=False)
class Loop:
    """The hardest impact of one contact, followed closely."""

    contact: str
    impact: int
    """Its row in the table of impacts."""
    time: Array
    """[s] since touch."""
    overlap: Array
    """[m]."""
    force: Array
    """[N]."""


@dataclass(frozen=True, eq=False)
class FloorSpectra:
    """Pseudo-spectra of the floors' absolute accelerations, over (degree of freedom, period)."""

    periods: Array
    """[s]."""
    damping: float
    psa: Array
    """Pseudo-acceleration with pounding [m/s²]."""
    psv: Array
    """Pseudo-velocity with pounding [m/s]."""
    psa_without: Array
    psv_without: Array


@dataclass(frozen=True, eq=False)
class SlabSpectra:
    """Pseudo-spectra of one slab of a structure in space: of its centre, then of its corners."""

    standing: int
    """Whose slab, as a position in the scene."""
    level: int
    """Which of its levels."""
    axis: int
    """Along which direction: 0, x, or 1, y."""
    names: tuple[str, ...]
    """Of the points."""
    spectra: FloorSpectra
    """Over (point, period)."""


@dataclass(frozen=True)
class Firmness:
    """How far the results move when one input does; changes are relative to the largest value."""

    what: str
    """What was changed, in words."""
    displacement: float
    """Largest change of a structure's peak displacement."""
    acceleration: float
    """Largest change of a structure's peak acceleration."""
    force: float
    """Change of the largest contact force; of the largest impulse where contacts are rigid."""
    blow: float
    """That force [N] or impulse [N s] itself."""
    impacts: int
    """Impacts more or fewer."""

    @property
    def largest(self) -> float:
        """The largest of the three changes."""
        return max(self.displacement, self.acceleration, self.force)


def column_shear(scene: Scene, run: Simulation) -> dict[str, float]:
    """Return the largest shear force [N] that each contact between slabs leaves in the columns it strikes.

    At the nearer end of columns that slabs hold against rotation, as in a shear building: F·s²(3 − 2s) at the upper
    one, s the share of the storey's height, what is left of F at the lower. The storey's own shear comes on top.
    """
    found = {}
    for c, touch in enumerate(scene.touches):
        struck = None if touch.rigid else scene.struck_column(touch)
        if struck is not None:
            s = struck[1]
            upper = s * s * (3.0 - 2.0 * s)
            force = run.table["peak_force"][run.table["contact"] == c].max(initial=0.0)
            found[touch.label] = float(force) * max(upper, 1.0 - upper)
    return found


@dataclass(frozen=True, eq=False)
class Pounding:
    """A run, its twin without contact, and what both say."""

    title: str
    scene: Scene
    run: Simulation
    twin: Simulation
    """The same structures shaken alike, passing through each other."""
    needed_gaps: Array
    """Gap [m] of each contact that would have been enough: how far the twin closes it, between samples too."""
    spectra: FloorSpectra | None = None
    slab_spectra: tuple[SlabSpectra, ...] = ()
    """In space: of the slab of each structure whose acceleration contact raises most."""
    loops: tuple[Loop, ...] = ()
    sensitivity: tuple[Firmness, ...] = ()
    """Under gaps a little wider and narrower."""
    contact_inputs: tuple[Firmness, ...] = ()
    """Under contact stiffnesses of the adviser's range, and other restitutions."""
    tolerance: Firmness | None = None
    """Under a tighter tolerance."""
    cautions: tuple[str, ...] = field(default=())
    """What the reader should know before the numbers are used."""
    asked: tuple[Asked, ...] = ()
    """Results that were asked for beside floors and contact points."""
    base: tuple[BaseShear, ...] = ()
    """In space: the shears at the base of structures."""

    @property
    def run_again(self) -> tuple[Firmness, ...]:
        """All that was run again: with other gaps, contact stiffnesses, restitutions, with a tighter tolerance."""
        return *self.sensitivity, *self.contact_inputs, *([self.tolerance] if self.tolerance else [])

    @property
    def pounds(self) -> bool:
        """Whether anything touched."""
        return self.count > 0

    @property
    def count(self) -> int:
        """Number of impacts."""
        return int(self.run.table["start"].size)

    @cached_property
    def per_contact(self) -> dict[str, int]:
        """Impacts of each contact."""
        hits = self.run.table["contact"].astype(int).tolist()
        return {label: hits.count(i) for i, label in enumerate(self.run.contacts)}

    @property
    def max_force(self) -> float:
        """Largest contact force [N]; 0 where nothing touched, NaN where impacts take no time."""
        return float(self.run.table["peak_force"].max(initial=0.0))

    @cached_property
    def column_shear(self) -> dict[str, float]:
        """Largest shear force [N] in the columns that a contact strikes between slabs, of each such contact."""
        return column_shear(self.scene, self.run)

    @property
    def rigid(self) -> bool:
        """Whether contacts are rigid: then impulses tell how hard they were hit, and forces depend on the time step."""
        return any(touch.rigid for touch in self.scene.touches)

    @property
    def blows(self) -> Array:
        """How hard each impact is: its peak force [N], its impulse [N s] where contacts are rigid."""
        blows: Array = self.run.table["impulse" if self.rigid else "peak_force"]
        return blows

    @property
    def blow_unit(self) -> str:
        """Unit of `blows`."""
        return "N s" if self.rigid else "N"

    @property
    def hardest(self) -> int | None:
        """The hardest impact, as a row of the table; None where nothing touched."""
        return int(self.blows.argmax()) if self.pounds else None

    def drifts(self, standing: Standing, *, pounding: bool = True) -> Array:
        """Return the storey drifts uᵢ − uᵢ₋₁ [m] over (time, storey) of one structure."""
        import numpy as np

        simulation = self.run if pounding else self.twin
        return np.diff(simulation.displacement[:, list(standing.dofs)], axis=1, prepend=0.0)

    def peak_drifts(self, standing: Standing, *, pounding: bool = True) -> Array:
        """Return the largest |drift| [m] of each storey, as `run.peaks` has it."""
        return (self.run if pounding else self.twin).drifts(standing)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as files and programs see it; these keys do not change.

        Energy lost to damping includes what storeys took by yielding, so that the balance closes; the evidence says how
        much that was.
        """
        ledger = ("input", "kinetic", "strain", "damping", "contact", "residual")
        energy = {name: float(self.run.ledger[name][-1]) for name in ledger}
        energy["damping"] += self.hysteretic
        return {
            "title": self.title,
            "peaks": self._peaks(self.run),
            "no_pounding": self._peaks(self.twin),
            "impacts": {"count": self.count, "per_contact": self.per_contact},
            "max_force": self.max_force,
            "base_shear": self.base_shear,
            "column_shear": self.column_shear,
            "outputs": {one.label: self._both(one.output) | {"unit": one.unit} for one in self.asked},
            "needed_gap": dict(zip(self.run.contacts, self.needed_gaps.tolist(), strict=True)),
            "energy": energy,
            "outcome": self.run.outcome.word,
            "evidence": self._evidence(),
        }

    @property
    def hysteretic(self) -> float:
        """Energy that yielding storeys took [J]."""
        return float(self.run.ledger["hysteretic"][-1]) if "hysteretic" in self.run.ledger else 0.0

    @property
    def base_shear(self) -> dict[str, dict[str, float]]:
        """Largest force of the lowest storey [N] of every frame, in space along x and y, with contact and without."""
        without = {frame.name: frame.base_shear for frame in self.twin.frames}
        found = {
            frame.name: {"pounding": frame.base_shear, "no_pounding": without[frame.name]} for frame in self.run.frames
        }
        return found | {f"{one.structure} along {one.axis}": self._both(one.output) for one in self.base}

    def _both(self, output: int) -> dict[str, float]:
        """Return the peak of one result with contact and without."""
        return {
            name: float(run.extremes[output, 0]) for name, run in (("pounding", self.run), ("no_pounding", self.twin))
        }

    def _peaks(self, simulation: Simulation) -> dict[str, dict[str, dict[str, float]]]:
        """Return the peaks of every floor; those that it does not have are left out."""
        over_dofs = {name: values for name, (dim, values, _) in simulation.peak_values.items() if dim == "dof"}
        return {
            standing.name: {
                floor: {name: float(values[dof]) for name, values in over_dofs.items() if values[dof] == values[dof]}
                for floor, dof in zip(standing.floors, standing.dofs, strict=True)
            }
            for standing in self.scene.standings
            if standing.dofs
        }

    def _evidence(self) -> dict[str, Any]:
        import numpy as np

        return {
            **{name: fact for name, fact in self.run.evidence.items() if name != "unlikely"},  # among the cautions
            "largest_energy_residual": float(np.abs(self.run.ledger["residual"]).max()),
            **({"hysteretic_energy": self.hysteretic} if "hysteretic" in self.run.ledger else {}),
            "firmness": [vars(one) for one in self.run_again],
            "cautions": list(self.cautions),
        }
