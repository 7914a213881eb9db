"""What peaks of storeys are made of: which degrees of freedom are a frame's floors, how high, when they yield."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Frame"]


@dataclass(frozen=True)
class Frame:
    """A structure of storeys, or of one mass on a spring, in a run."""

    name: str
    dofs: tuple[int, ...]
    """Its degrees of freedom, as positions in the results; floors upwards."""
    base_shear: float
    """Largest force of the lowest storey's spring [N]; what damping adds is not in it."""
    storey_heights: tuple[float, ...] = ()
    """Height of each storey [m]; none where they are not known."""
    yield_drifts: tuple[float, ...] = ()
    """Drift at which each storey yields [m], infinite where it does not; none where all are elastic."""
