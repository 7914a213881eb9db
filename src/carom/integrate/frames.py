"""The frames of a problem, and what their peaks say of the force at the base."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom.joints import Driven
from carom.problem import Problem
from carom.results.frame import Frame

__all__ = ["frames_of"]


def frames_of(problem: Problem, extremes: npt.NDArray[np.float64]) -> tuple[Frame, ...]:
    """Return the structures of a run that are frames; `extremes` are its peaks, shape (outputs, 3)."""
    found = []
    flat = problem.flat()
    for i, structure in enumerate(problem.structures):
        stiffness: Any = getattr(structure, "stiffnesses", None) or getattr(structure, "stiffness", None)
        if stiffness is None:
            continue
        dofs = tuple(flat.dof_output[flat.dof_structure == i].tolist())
        heights = structure.floor_heights
        found.append(
            Frame(
                name=structure.name,
                dofs=dofs,
                base_shear=_base_shear(structure, float(np.atleast_1d(stiffness)[0]), float(extremes[dofs[0], 0])),
                storey_heights=() if heights is None else tuple(np.diff(heights, prepend=0.0).tolist()),
                yield_drifts=_yield_drifts(structure),
            )
        )
    return tuple(found)


def _base_shear(structure: Any, stiffness: float, drift: float) -> float:
    """Return the largest force of the lowest storey [N], whose drift comes to `drift` either way [m].

    A yielding storey is then as far on its first loading as it ever comes: later cycles end on that curve or below.
    """
    force = stiffness * drift
    for rows, joint in structure.joints:
        if joint.dimension == 1 and rows[0, 0] == 1.0 and not rows[0, 1:].any():
            spring = Driven(joint)
            beyond = (float(spring.try_at(side * drift).force[0]) for side in (1.0, -1.0))
            return max(abs(side * force + r) for side, r in zip((1.0, -1.0), beyond, strict=True))
    return force


def _yield_drifts(structure: Any) -> tuple[float, ...]:
    storeys = getattr(structure, "storeys", None) or (getattr(structure, "spring", None),)
    found = tuple(float(getattr(spring, "yield_drift", np.inf)) for spring in storeys)
    return found if np.isfinite(found).any() else ()
