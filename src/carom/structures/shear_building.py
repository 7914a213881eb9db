"""Storeys that shear: lumped floor masses joined by storey springs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy import linalg

from carom.errors import refusal
from carom.joints import InternalSpring, Joint
from carom.structures.base import upright
from carom.structures.damped import Damped
from carom.structures.damping import Damping
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location, location_along_x
from carom.structures.stacked import StackedModes
from carom.units import NONNEGATIVE, POSITIVE, array, number

__all__ = ["ShearBuilding"]

_RANGES = {"masses": POSITIVE, "stiffnesses": POSITIVE, "damping_ratio": NONNEGATIVE}
"""Of the fields that many buildings may have as arrays."""


@dataclass(frozen=True, eq=False)
class ShearBuilding(Damped):
    """A building of rigid slabs on columns: one displacement per floor, floor 1 the first slab above ground.

    Storey i joins floor i to floor i−1 (the ground for i = 1), so that K is tridiagonal. Give `masses` and
    `stiffnesses` bottom to top; a single value serves all storeys. `heights` are those of the slabs above
    ground, increasing; a single value is the height of every storey. They are needed only to touch the
    columns between floors, where the displacement is linear in height.

    Examples
    --------
    >>> import carom
    >>> tower = carom.ShearBuilding(masses=[2e5] * 8, stiffnesses="300 MN/m", heights="3 m", damping_ratio=0.05)
    >>> tower.periods[:2].round(3)
    array([0.879, 0.296])
    >>> tower.row("4.5 m")
    array([0.5, 0.5, 0. , 0. , 0. , 0. , 0. , 0. ])
    """

    line: ClassVar[bool] = True
    masses: tuple[float, ...]
    """Floor masses [kg], > 0, bottom to top."""
    stiffnesses: tuple[float, ...]
    """Storey stiffnesses [N/m], > 0, bottom to top."""
    heights: tuple[float, ...] | None = None
    """Heights of the slabs above ground [m], increasing."""
    damping_ratio: float | tuple[float, ...] | None = None
    """ζ [–], ≥ 0: the same in every mode, or one per mode, lowest first."""
    damping: Damping | Array | None = None
    """`Rayleigh`, `Caughey` or a matrix C [N·s/m]."""
    name: str = ""
    storeys: InternalSpring | tuple[InternalSpring | None, ...] | None = None
    """What the storeys do beyond k·d, such as `Bilinear`: the same in all, or one (or None) for each, bottom to top."""

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        masses = array(self.masses, "kg", name="masses", owner=self.owner, within=POSITIVE)
        stiffnesses = array(self.stiffnesses, "N/m", name="stiffnesses", owner=self.owner, within=POSITIVE)
        n = max(masses.size, stiffnesses.size)
        for name, values in (("masses", masses), ("stiffnesses", stiffnesses)):
            if values.ndim > 1 or values.size not in (1, n):
                rule = f"must be one number, or one for each of {n} storeys"
                raise refusal(name, self.owner, rule, values.size, "Give as many masses as storey stiffnesses.")
            put(self, name, tuple(np.broadcast_to(values, n).tolist()))
        if self.heights is not None:
            put(self, "heights", self._take_heights(n))
        put(self, "storeys", self._take_storeys(n))
        self._take_damping(n)
        self.modes()  # refuses a damping that cannot be

    def _take_storeys(self, n: int) -> tuple[InternalSpring | None, ...] | None:
        given = self.storeys
        if given is None:
            return None
        found = (given,) * n if isinstance(given, InternalSpring) else tuple(given)
        if len(found) != n or not all(one is None or isinstance(one, InternalSpring) for one in found):
            rule = f"must be a spring such as Bilinear(…), or one (or None) for each of {n} storeys"
            raise refusal("storeys", self.owner, rule, given)
        return found

    @property
    def springs(self) -> tuple[tuple[Array, Joint], ...]:
        """Rows of the drifts, and what acts there beyond k·d."""
        if self.storeys is None or isinstance(self.storeys, InternalSpring):
            return ()
        drifts = np.eye(self.floors) - np.eye(self.floors, k=-1)
        return tuple(
            (frozen(drifts[i : i + 1]), spring.bound_to(self.stiffnesses[i]))
            for i, spring in enumerate(self.storeys)
            if spring is not None
        )

    def _take_heights(self, n: int) -> tuple[float, ...]:
        given = array(self.heights, "m", name="heights", owner=self.owner, within=POSITIVE)
        heights = float(given) * np.arange(1, n + 1) if given.ndim == 0 else given
        if heights.shape != (n,):
            raise refusal(
                "heights", self.owner, f"must be one storey height, or {n} heights above ground", self.heights
            )
        if np.any(np.diff(heights) <= 0.0):
            raise refusal(
                "heights", self.owner, "must increase from floor to floor, they are heights above ground",
                heights.tolist(), "Storey heights become so by numpy.cumsum.",
            )  # fmt: skip
        return tuple(heights.tolist())

    @cached_property
    def dof_names(self) -> tuple[str, ...]:
        """``floor 1``, ``floor 2``, …"""
        return tuple(f"floor {i}" for i in range(1, len(self.masses) + 1))

    @property
    def floors(self) -> int:
        """Number of slabs."""
        return len(self.masses)

    @property
    def floor_heights(self) -> tuple[float, ...] | None:
        """Heights of the slabs above ground [m], where given."""
        return self.heights

    @property
    def points(self) -> Mapping[str, Location]:
        """The floors, by name."""
        return {name: self._floor(i) for i, name in enumerate(self.dof_names)}

    def location(self, place: object = None) -> Location | None:
        """Return a floor, or a point of the columns at a height; weights are no point."""
        if isinstance(place, Mapping):
            return None
        height = self._height(place)
        if height is not None:
            return location_along_x(self.row(place), (0.0, 0.0, height))
        return self._floor(int(np.argmax(self.row(place))))

    def drift_rows(self, storey: int, at: Any = None) -> Array:
        """Return how far a floor moves beyond the one below, along x alone, shape (3, floors)."""
        i = self._taken_storey(storey, self.floors) - 1
        if at is not None:
            raise refusal("place", self.owner, 'must be ("drift", floor): a floor moves as a whole', at)
        rows = np.zeros((3, self.floors))
        rows[0, i] = 1.0
        if i:
            rows[0, i - 1] = -1.0
        return rows

    def above(self, storey: int) -> Array:
        """Return 1 for each floor above a storey, 0 for others."""
        return (np.arange(self.floors) >= self._taken_storey(storey, self.floors) - 1).astype(float)

    def _floor(self, i: int) -> Location:
        height = None if self.heights is None else (0.0, 0.0, self.heights[i])
        return location_along_x(np.eye(self.floors)[i], height)

    @property
    def mass_matrix(self) -> Array:
        """M [kg], diagonal."""
        return frozen(np.diag(self.masses))

    @property
    def stiffness_matrix(self) -> Array:
        """K [N/m], tridiagonal."""
        k = np.array([*self.stiffnesses, 0.0])
        return frozen(np.diag(k[:-1] + k[1:]) - np.diag(k[1:-1], 1) - np.diag(k[1:-1], -1))

    def row(self, place: object = None) -> Array:
        """Return r with u(place) = r·u; `place` is a floor (1 …), its name, or a height [m] such as ``"4.5 m"``.

        Between two floors, or between the ground and the first, displacement is linear in height.
        """
        height = self._height(place)
        if height is None:
            return super().row(place)
        if self.heights is None:
            raise refusal(
                "heights", self.owner, "must be given before a height can be touched", place,
                "Give the heights of its slabs above ground [m].",
            )  # fmt: skip
        top = self.heights[-1]
        if not 0.0 < height <= top:
            raise refusal("height", self.owner, f"must lie in (0, {top:g}] m", place)
        levels = np.array([0.0, *self.heights])
        i = int(np.searchsorted(levels, height))  # levels[i-1] < height ≤ levels[i]
        share = (height - levels[i - 1]) / (levels[i] - levels[i - 1])
        result = np.zeros(len(self.masses) + 1)
        result[i], result[i - 1] = share, 1.0 - share
        return frozen(result[1:].copy())

    def _height(self, place: object) -> float | None:
        """Return the height [m] that `place` says: a float, or text with a unit; None for floors and names."""
        if isinstance(place, (float, np.floating)):
            return number(place, "m", name="height", owner=self.owner)
        if isinstance(place, str) and place not in self.dof_names and place.strip()[:1].isdigit():
            if place.strip().isdigit():
                way_out = "Write a floor as a number without quotes, a height with its unit."
                raise refusal("place", self.owner, self._place_rule(), place, way_out)
            return number(place, "m", name="height", owner=self.owner)
        return None

    def _place_rule(self) -> str:
        return f'must be a floor (1…{self.floors}), a name such as "floor 1", or a height such as "4.5 m"'

    def stacked(self, count: int, changes: Mapping[str, Sequence[Any]]) -> StackedModes | None:
        """Return the modes of many such buildings, all with as many floors as this one."""
        numbers = self._taken(changes, _RANGES)
        if numbers is None or ("damping_ratio" in numbers and self.damping is not None):
            return None
        masses, stiffnesses = (
            numbers.get(name, np.tile(getattr(self, name), (count, 1))).reshape(count, -1)
            for name in ("masses", "stiffnesses")
        )
        ratios = numbers.get("damping_ratio")
        n = max(masses.shape[1], stiffnesses.shape[1])
        sizes = {masses.shape[1], stiffnesses.shape[1], 1 if ratios is None else ratios.size // count}
        if n != self.floors or not sizes <= {1, n}:
            return None
        masses, stiffnesses = (np.broadcast_to(values, (count, n)) for values in (masses, stiffnesses))
        omega, shapes = _shear_modes(masses, stiffnesses)
        sigma = self._stacked_rates(omega, ratios)
        return None if sigma is None else StackedModes(omega, upright(shapes), sigma, masses, np.zeros((count, n)))

    def _eigen(self) -> tuple[Array, Array]:
        omega, shapes = _shear_modes(np.array([self.masses]), np.array([self.stiffnesses]))
        return omega[0], shapes[0]


def _shear_modes(masses: Array, stiffnesses: Array) -> tuple[Array, Array]:
    """Return ω (S, n) and Φ (S, n, n) of S buildings; ω are the singular values of k^½ B m^-½, B the storey drifts.

    Top to bottom this matrix is upper bidiagonal, for which LAPACK finds every singular value to full relative
    accuracy: soft modes beside stiff ones keep the digits that ω² from K and M would lose.
    """
    count, n = masses.shape
    roots, scale = np.sqrt(stiffnesses), 1.0 / np.sqrt(masses)
    downwards, floor = np.zeros((count, n, n)), np.arange(n)
    downwards[:, floor, floor] = (roots * scale)[:, ::-1]
    downwards[:, floor[:-1], floor[1:]] = -(roots[:, 1:] * scale[:, :-1])[:, ::-1]
    np.asarray_chkfinite(downwards)
    gesvd, gesvd_lwork = linalg.get_lapack_funcs(("gesvd", "gesvd_lwork"), (downwards,), ilp64="preferred")
    room = int(gesvd_lwork(n, n)[0])
    omega, turned = np.empty((count, n)), np.empty((count, n, n))
    for i, matrix in enumerate(downwards):
        _, omega[i], turned[i], info = gesvd(matrix, lwork=room)
        if info:
            raise linalg.LinAlgError("The modes of a building did not converge.")
    return omega[:, ::-1].copy(), scale[:, :, None] * turned[:, ::-1, ::-1].transpose(0, 2, 1)
