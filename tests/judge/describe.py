"""A pounding problem as plain numbers: what the judge reads, and what is translated for carom."""

from __future__ import annotations

from dataclasses import dataclass

GROUND = -1
"""In place of a degree of freedom: a side that does not move relative to the ground."""


@dataclass(frozen=True)
class Structure:
    """Masses on storey springs, a free body, or a wall; SI units, bottom to top."""

    kind: str
    """``oscillator``, ``building``, ``general``, ``body``, ``wall`` (on the ground) or ``fixed wall`` (in space)."""
    masses: tuple[float, ...] = ()
    """[kg]."""
    stiffnesses: tuple[float, ...] = ()
    """Of the storeys [N/m]; a free body has 0."""
    ratios: tuple[float, ...] | None = None
    """Damping ratio of each mode [–], lowest first."""
    rayleigh: tuple[float, float] | None = None
    """α [1/s] and β [s] in C = αM + βK."""
    matrix: tuple[tuple[float, ...], ...] | None = None
    """C [N·s/m]."""
    load: tuple[float, ...] | None = None
    """Constant forces [N]."""
    displacement: tuple[float, ...] | None = None
    """At the start [m]."""
    velocity: tuple[float, ...] | None = None
    """At the start [m/s]."""
    influence: tuple[tuple[float, float, float], ...] | None = None
    """How much each degree of freedom takes along of the ground along x, y and z; None: all of x alone."""

    @property
    def dofs(self) -> int:
        """Number of displacements; a wall on the ground has none."""
        return 1 if self.kind == "fixed wall" else len(self.masses)


@dataclass(frozen=True)
class Law:
    """A law by its name in the catalogue, or a function by its name in `laws.FUNCTIONS`."""

    name: str
    stiffness: float = 1.0
    """K [N/m^n]."""
    restitution: float | None = None
    damping: float | None = None
    tension: bool = True
    published: bool = False
    """Whether v* = v0, as published."""
    function: bool = False


@dataclass(frozen=True)
class Contact:
    """The left side may push the right side: overlap = u_left − u_right − gap."""

    left: tuple[int, int]
    """Structure from 0, floor from 1."""
    right: tuple[int, int]
    gap: float
    """[m]."""
    law: Law


@dataclass(frozen=True)
class Damper:
    """A dashpot between two places: F = c (u̇_left − u̇_right)."""

    left: tuple[int, int]
    """Structure from 0, floor from 1."""
    right: tuple[int, int]
    constant: float
    """c [N·s/m]."""


@dataclass(frozen=True)
class Description:
    """Structures, contacts and a record of ground acceleration."""

    structures: tuple[Structure, ...]
    contacts: tuple[Contact, ...]
    ground: tuple[float, ...]
    """[m/s²], straight lines between samples."""
    dt: float
    """[s]."""
    across: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    """The same along y and z, where the ground moves so."""
    dampers: tuple[Damper, ...] = ()

    @property
    def firsts(self) -> list[int]:
        """Index of the first degree of freedom of each structure."""
        found, total = [], 0
        for structure in self.structures:
            found.append(total)
            total += structure.dofs
        return found

    def dof(self, place: tuple[int, int]) -> int:
        """Index of a place's degree of freedom, or GROUND."""
        structure = self.structures[place[0]]
        return self.firsts[place[0]] + place[1] - 1 if structure.dofs else GROUND
