"""A problem as the plain arrays that every integrator and device takes.

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F − Σ c bᵀ b q̇ − joints
    overlap = reach·q − gap,    slip rate = slide·q̇,    outputs u = outputs·q

Participation and a_g have three components; each mode hears of them one row of numbers (`drives`, `driven`).

It is complete: whoever integrates it needs nothing of the objects that it was made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carom.laws.base import FunctionLaw
from carom.problem.ground.drives import Drives, Riders, along_directions, drives_of, moving_along
from carom.problem.scenes.scene import FlatScene

__all__ = ["Array", "FlatProblem"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FlatProblem:
    """A problem as C-contiguous, read-only arrays.

    N modes, C contacts, O outputs, D degrees of freedom, S supports, R dashpots, T samples.
    """

    omega: Array
    """ω [rad/s], shape (N,); exactly 0 for rigid modes."""
    sigma: Array
    """σ = ζω [1/s], shape (N,): damping that leaves the modes uncoupled."""
    participation: Array
    """Shape (N, 3): the modal load of the ground is −participation · a_g of the mode's support, in x, y and z."""
    load: Array
    """Constant modal loads, shape (N,)."""
    modal_mass: Array
    """Shape (N,): 1, or 0 for modes that only describe a prescribed motion and carry no energy."""
    mode_structure: Integers
    """Index of the structure of each mode, shape (N,); −1 for the ground displacement of a support."""
    support: Integers
    """Index of the support whose acceleration drives each mode, shape (N,)."""
    q0: Array
    """Initial modal displacements, shape (N,)."""
    v0: Array
    """Initial modal velocities, shape (N,)."""

    ground: Array
    """Ground acceleration [m/s²] of each support in x, y and z, shape (S, 3, T), on one time base; T = 0 without
    motion."""
    dt: float
    """Time between samples of `ground` [s]; 0 without motion."""
    start: float
    """Time of the first sample [s]."""

    dashpot_reach: Array
    """b, shape (R, N): dashpots beyond σ are stretched at the rates b·q̇. Rows have the length one over modes that
    forces move; behind these is what they read of prescribed motions."""
    dashpots: Array
    """Their constants c [1/s], shape (R,); some are negative where a full matrix couples modes."""

    reach: Array
    """Shape (C, N): overlap = reach·q − gap."""
    push: Array
    """Shape (C, N): a contact force F loads the modes with −push·F; `reach` without the prescribed motions."""
    slide: Array
    """Shape (C, N): rate of sliding = slide·q̇; zero for contacts without a tangent."""
    gap: Array
    """Distances at rest [m], shape (C,)."""
    mobility: Array
    """r M⁻¹ rᵀ [1/kg] of both sides of each contact, shape (C, 2)."""
    effective_mass: Array
    """(H M⁻¹ Hᵀ)⁻¹ [kg], shape (C,): one over the sum of the two mobilities."""
    contact_labels: tuple[str, ...]

    law_names: tuple[str, ...]
    """What the laws are called, one for each contact."""
    laws: Array
    """Coefficients of laws of the power form, shape (C, 8), in the order of `carom.kernels.laws.power_law`; NaN for
    others."""
    functions: tuple[FunctionLaw | None, ...]
    """The laws that are functions of a user's, one for each contact, or None."""
    hypothesis: Integers
    """Which hypothesis of `carom.kernels.rigid.impulses.impulses` a law has, shape (C,); −1 for laws with a force."""
    restitution: Array
    """e of impulsive laws, one row for each contact: how many pairs, then speed and e of each; shape (C, 0) without."""
    friction: Array
    """Coulomb's coefficient of impulsive laws, shape (C,)."""

    spring_reach: Array
    """Shape (P, N): deformations of the joints inside structures, joint by joint, d = spring_reach·q."""
    springs: Array
    """What the rules of the J joints take, shape (J, …), as wide as the one that takes most."""
    spring_rows: Integers
    """How many rows of `spring_reach` each joint has, shape (J,)."""
    spring_rules: tuple[str, ...]
    """The rule of each joint, by its name in `carom.joints`."""

    outputs: Array
    """Shape (O, N): u = outputs·q, what results keep; structures in order, floors upwards, then contact points."""
    output_ground: Array
    """Shape (O, 3): what the modes leave out of the ground's acceleration in an absolute one; zero where they are all
    there."""
    output_structure: Integers
    """Index of the structure of each output, shape (O,)."""
    output_labels: tuple[str, ...]
    output_units: tuple[str, ...]
    """m, rad of rotations, N and N m of storey shears and member forces, of each output."""
    structure_names: tuple[str, ...]
    dof_structure: Integers
    """Index of the structure of each degree of freedom, shape (D,); structures in order."""
    dof_output: Integers
    """Which output each degree of freedom is, shape (D,); −1 where results do not keep it."""
    scene: FlatScene | None = None
    """Friction of contacts with a force, bodies that turn, faces, joints between anchors; None without any of them."""

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                kind = np.float64 if value.dtype.kind == "f" else np.int64
                locked = np.array(value, dtype=kind, order="C")
                locked.flags.writeable = False
                object.__setattr__(self, name, locked)

    @property
    def classical(self) -> bool:
        """Whether damping leaves all modes uncoupled."""
        return not self.dashpots.size

    @cached_property
    def damping(self) -> Array:
        """ΦᵀCΦ [1/s], shape (N, N), dashpots included: the force on each mode, none on prescribed motions, by the rate
        of each. Shape (0, 0) where they are none."""
        if self.classical:
            return np.zeros((0, 0))
        between: Array = (self.dashpot_reach * self.modal_mass).T @ (self.dashpots[:, None] * self.dashpot_reach)
        return np.diag(2.0 * self.sigma) + between

    @cached_property
    def impulsive(self) -> bool:
        """Whether its contacts have impulsive laws."""
        return bool((self.hypothesis >= 0).any())

    @cached_property
    def output_order(self) -> Integers | None:
        """The outputs structure by structure; None where that is their order already: contact points stand behind."""
        if (self.output_structure[1:] >= self.output_structure[:-1]).all():
            return None
        return self.output_structure.argsort(kind="stable")

    @cached_property
    def components(self) -> tuple[int, ...]:
        """Which of x, y and z (0, 1, 2) the ground moves along and some mode answers; x where none does."""
        if not self.ground[:, 1:].any():
            return (0,)
        heard = np.zeros(3, dtype=bool)
        for s, components in enumerate(self.ground):
            heard |= components.any(axis=1) & self.participation[self.support == s].any(axis=0)
        return tuple(np.flatnonzero(heard).tolist()) or (0,)

    @cached_property
    def drives(self) -> Drives:
        """Which rows of `driven` drive the modes, and which ones outputs ride on."""
        under = self.support[(self.outputs != 0.0).argmax(axis=1)]
        found = drives_of(
            Riders(self.participation, self.support, self.mode_structure),
            Riders(self.outputs, under, self.output_structure),
            moving_along(self.ground),
        )
        for array in found:  # as all arrays here: kernels are compiled for arrays that cannot be written to
            array.flags.writeable = False
        return found

    @cached_property
    def driven(self) -> Array:
        """Shape (G, T): accelerations of the ground along the directions in which it drives modes [m/s²]."""
        return along_directions(self.ground, self.drives.support, self.drives.direction)
