"""Any linear structure, by its matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import linalg

from carom.errors import refusal
from carom.structures.base import Damped
from carom.structures.damping import Damping
from carom.structures.matrices import Array, frozen, square
from carom.units import array, require

__all__ = ["Structure"]


@dataclass(frozen=True, eq=False, repr=False)
class Structure(Damped):
    """M ü + C u̇ + K u = −M ι a_g + p, with named degrees of freedom.

    M must be positive definite (degrees of freedom without mass are condensed first), K may have rigid
    modes. `influence` ι says how each degree of freedom moves with the ground, all ones by default; a
    rotation has 0.

    Examples
    --------
    >>> import carom
    >>> bridge = carom.Structure([2.0, 1.0], [[3.0, -1.0], [-1.0, 1.0]], dofs=["pier", "deck"], name="bridge")
    >>> bridge.row("deck")
    array([0., 1.])
    """

    mass_matrix: Array = None  # type: ignore[assignment]
    """M [kg], symmetric, positive definite; a row of numbers is its diagonal."""
    stiffness_matrix: Array = None  # type: ignore[assignment]
    """K [N/m], symmetric, without negative directions."""
    damping_ratio: float | tuple[float, ...] | None = None
    """ζ [–], ≥ 0: the same in every mode, or one per mode, lowest first."""
    damping: Damping | Array | None = None
    """`Rayleigh`, `Caughey` or a matrix C [N·s/m], classical or not."""
    influence: Array = None  # type: ignore[assignment]
    """ι [–], one per degree of freedom."""
    load: Array = None  # type: ignore[assignment]
    """Constant forces p [N], one per degree of freedom."""
    dofs: tuple[str, ...] | None = None
    """Names of the degrees of freedom; ``dof 1``, ``dof 2``, … by default."""
    name: str = ""

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        for needed in ("mass_matrix", "stiffness_matrix"):
            require(getattr(self, needed), needed, self.owner, "Give both matrices, in kg and N/m.")
        mass = array(self.mass_matrix, "kg", name="mass_matrix", owner=self.owner)
        mass = np.diag(np.atleast_1d(mass)) if mass.ndim <= 1 else mass
        n = mass.shape[0]
        mass = square(mass, n, name="mass_matrix", owner=self.owner)
        stiffness = array(self.stiffness_matrix, "N/m", name="stiffness_matrix", owner=self.owner)
        stiffness = square(np.atleast_2d(stiffness), n, name="stiffness_matrix", owner=self.owner)
        if linalg.eigvalsh(mass)[0] <= 1e-14 * np.abs(mass).max():
            raise refusal(
                "mass_matrix", self.owner, "must be positive definite", float(linalg.eigvalsh(mass)[0]),
                "Condense degrees of freedom without mass first.",
            )  # fmt: skip
        put(self, "mass_matrix", frozen(mass))
        put(self, "stiffness_matrix", frozen(stiffness))
        put(self, "influence", self._vector("influence", "", 1.0, n))
        put(self, "load", self._vector("load", "N", 0.0, n))
        put(self, "dofs", self._names(n))
        self._take_damping(n)
        self.modes()  # refuses what cannot be

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Names of the degrees of freedom, as given."""
        return cast("tuple[str, ...]", self.dofs)

    def ground_share(self, row: Array) -> float:
        """Return r·ι: nothing for a place that moves across the ground motion."""
        return float(row @ self.influence)

    def _vector(self, name: str, unit: str, default: float, n: int) -> Array:
        given = getattr(self, name)
        if given is None:
            return frozen(np.full(n, default))
        values = array(given, unit, name=name, owner=self.owner)
        if values.shape != (n,):
            raise refusal(name, self.owner, f"must be one number for each of {n} degrees of freedom", given)
        return frozen(values.copy())

    def _names(self, n: int) -> tuple[str, ...]:
        if self.dofs is None:
            return tuple(f"dof {i}" for i in range(1, n + 1))
        given: Any = self.dofs
        if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != n:
            raise refusal("dofs", self.owner, f"must be {n} names, one for each degree of freedom", given)
        if not all(isinstance(dof, str) and dof.strip() for dof in given) or len(set(given)) < n:
            raise refusal("dofs", self.owner, "must be different, non-empty names", given)
        return tuple(given)

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        return f"<Structure{label}: {len(self.dof_names)} degrees of freedom>"
