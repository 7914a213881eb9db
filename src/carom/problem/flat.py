"""A problem as the plain arrays that every integrator and device takes.

q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,    overlap = reach·q − gap,    u = shapes·q
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "FlatProblem"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FlatProblem:
    """A problem as C-contiguous, read-only arrays: N modes, C contacts, D degrees of freedom, S supports, T samples."""

    omega: Array
    """ω [rad/s], shape (N,); exactly 0 for rigid modes."""
    sigma: Array
    """σ = ζω [1/s], shape (N,); half the diagonal of `damping` where that couples modes."""
    participation: Array
    """Shape (N,): the modal load of the ground is −participation · a_g of the mode's support."""
    load: Array
    """Constant modal loads, shape (N,)."""
    modal_mass: Array
    """Shape (N,): 1, or 0 for modes that only describe a prescribed motion and carry no energy."""
    mode_structure: Integers
    """Index of the structure of each mode, shape (N,); −1 for the ground displacement of a support."""
    support: Integers
    """Index of the support whose acceleration drives each mode, shape (N,)."""
    classical: bool
    """Whether damping leaves all modes uncoupled."""
    damping: Array
    """ΦᵀCΦ [1/s], shape (N, N), block diagonal by structure; shape (0, 0) where damping is classical."""
    reach: Array
    """Shape (C, N): overlap = reach·q − gap."""
    push: Array
    """Shape (C, N): a contact force F loads the modes with −push·F; `reach` without the prescribed motions."""
    slide: Array
    """Shape (C, N): rate of sliding = slide·q̇; zero for contacts without a tangent."""
    gap: Array
    """Distances at rest [m], shape (C,)."""
    laws: Array
    """Coefficients of the laws, shape (C, 8), in the order of `carom.kernels.laws.power_law`; NaN for a user's function
    and for an impulse."""
    mobility: Array
    """r M⁻¹ rᵀ [1/kg] of both sides of each contact, shape (C, 2)."""
    effective_mass: Array
    """(H M⁻¹ Hᵀ)⁻¹ [kg], shape (C,): one over the sum of the two mobilities."""
    q0: Array
    """Initial modal displacements, shape (N,)."""
    v0: Array
    """Initial modal velocities, shape (N,)."""
    shapes: Array
    """Shape (D, N): u = shapes·q; structures in order, floors upwards."""
    dof_structure: Integers
    """Index of the structure of each degree of freedom, shape (D,)."""
    dof_labels: tuple[str, ...]
    contact_labels: tuple[str, ...]
    ground: Array
    """Ground acceleration [m/s²] of each support, shape (S, T), on one time base; T = 0 without motion."""
    dt: float
    """Time between samples of `ground` [s]; 0 without motion."""
    start: float
    """Time of the first sample [s]."""
    spring_reach: Array
    """Shape (P, N): deformations of the joints inside structures, joint by joint, d = spring_reach·q."""
    springs: Array
    """What the rules of the J joints take, shape (J, …), as wide as the one that takes most."""
    spring_rows: Integers
    """How many rows of `spring_reach` each joint has, shape (J,)."""
    spring_rules: tuple[str, ...]
    """The rule of each joint, by its name in `carom.joints`."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, np.ndarray):
                kind = np.float64 if value.dtype.kind == "f" else np.int64
                locked = np.array(value, dtype=kind, order="C")
                locked.flags.writeable = False
                object.__setattr__(self, entry.name, locked)
