"""What a run of a scene tells beyond histories and impacts: friction, joints, gauges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["STATES", "SceneRecord"]

STATES: Mapping[int, str] = {0: "open", 1: "sticks", 2: "slides", 3: "closed", 4: "past"}
"""What a contact is at a sample; "past": overlap without a force, for the node came in past an end of the face, or the
force has ended before the overlap."""


@dataclass(frozen=True, eq=False)
class SceneRecord:
    """T samples, C contacts, P rows of joints, G gauges."""

    friction: npt.NDArray[np.float64]
    """Tangential force on the left side or the node, against its slip, along both tangents [N], shape (T, C, 2)."""
    slip: npt.NDArray[np.float64]
    """Rates of slip along both tangents [m/s], shape (T, C, 2); NaN where a contact is open."""
    state: npt.NDArray[np.int64]
    """What each contact is (`STATES`), shape (T, C)."""
    place: npt.NDArray[np.float64]
    """Where on its edge a contact is, 0 at a to 1 at b, shape (T, C); NaN of contacts without a face."""
    joint_force: npt.NDArray[np.float64]
    """Forces of joints, row by row [N, or N·m], shape (T, P)."""
    joint_deformation: npt.NDArray[np.float64]
    """[m, or rad], shape (T, P)."""
    joint_peaks: npt.NDArray[np.float64]
    """Largest |force| and |deformation| of each row at steps, shape (P, 2)."""
    joints: tuple[str, ...]
    """The joints, one label for each row."""
    gauge: npt.NDArray[np.float64]
    """What gauges read, shape (T, G)."""
    gauge_extremes: npt.NDArray[np.float64]
    """Their true least and largest values, shape (G, 2)."""
    gauge_left: npt.NDArray[np.float64]
    """When each first left its limits [s], NaN where it did not, shape (G,)."""
    gauges: tuple[str, ...]
    foot: npt.NDArray[np.float64] | None = None
    """In space: where each node stands over the plane of its face, in the world [m], shape (T, C, 3)."""
    pushed: npt.NDArray[np.float64] | None = None
    """In space: the whole force on the node, along the axes of the world [N], shape (T, C, 3)."""
    centre: npt.NDArray[np.float64] | None = None
    """In space: where the centre of mass of each body is, relative to the ground [m], shape (T, B, 3)."""
    turned: npt.NDArray[np.float64] | None = None
    """In space: how far each body has turned since the start, as quaternions (w, x, y, z), shape (T, B, 4). A point
    that stood at x₀ is at centre(t) + R(t) (x₀ − centre(0))."""
    bodies: tuple[str, ...] = ()
    """In space: the bodies."""
