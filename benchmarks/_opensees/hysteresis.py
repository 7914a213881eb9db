"""Storeys driven along cyclic paths: our rules beside OpenSees' Steel01, BoucWen and Hysteretic.

OpenSees solves Bouc-Wen's equation by backward Euler over each committed strain, so that its answer is of first order
in the increments: two of them are extrapolated. Hysteretic without pinching and damage is Takeda's rule. There is no
Masing rule to compare: RambergOsgoodSteel was taken out of OpenSees as unreliable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import carom
from carom.interchange.opensees_materials import storey_material
from carom.joints import Driven, InternalSpring

STIFFNESS, YIELD = 4e5, 0.01
CORNERS = YIELD * np.array([3.0, -2.0, 2.5, -0.5, 1.5, -4.0, 4.0, 0.0])
"""Where the paths turn [m]: loops inside loops, then a larger one."""
WIDER = YIELD * np.array([2.0, 1.2, -1.5, -1.0, 3.0, -3.0, 4.0, 2.5, 5.0])
"""Each turn outside the ones before, and a little unloading."""
STOREYS: dict[str, InternalSpring] = {
    "Bilinear, Steel01": carom.Bilinear(YIELD, 0.05),
    "BoucWen n 1": carom.BoucWen(YIELD, 0.05),
    "BoucWen n 2, β 0.3": carom.BoucWen(YIELD, 0.1, beta=0.3, exponent=2.0),
}


def path(corners: np.ndarray, parts: int) -> np.ndarray:
    """Return the drifts of a path, each stretch in so many parts."""
    starts = np.append(0.0, corners[:-1])
    return np.concatenate([np.linspace(a, b, parts + 1)[1:] for a, b in zip(starts, corners, strict=True)])


def ours(storey: InternalSpring, drifts: np.ndarray) -> np.ndarray:
    """Return the forces [N] of a storey along a path."""
    joint = Driven(storey.bound_to(STIFFNESS))
    return np.array([STIFFNESS * drift + joint.move_to(drift)[0] for drift in drifts])


def theirs(words: tuple[Any, ...], drifts: np.ndarray) -> np.ndarray:
    """Return the stresses of an OpenSees material along a path of committed strains."""
    import openseespy.opensees as ops

    ops.wipe()
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    ops.uniaxialMaterial(*words)
    ops.testUniaxialMaterial(words[1])
    found = []
    for drift in drifts:
        ops.setStrain(float(drift))
        found.append(ops.getStress())
    ops.wipe()
    return np.array(found)


def at_corners(words: tuple[Any, ...], corners: np.ndarray, parts: int) -> np.ndarray:
    return theirs(words, path(corners, parts))[parts - 1 :: parts]


def main() -> None:
    """Drive and print: forces at the corners in units of k d_y, and the largest difference."""
    print("storeys driven along a cyclic path: forces at its corners over k·d_y")
    unit = STIFFNESS * YIELD
    for name, storey in STOREYS.items():
        words = storey_material(storey, 1, STIFFNESS)
        coarse, fine = (at_corners(words, CORNERS, parts) for parts in (2000, 4000))
        show(name, ours(storey, path(CORNERS, 50))[49::50] / unit, (2.0 * fine - coarse) / unit)
    storey = carom.Takeda(YIELD, hardening=0.05, unloading=0.5)
    skeleton = (unit, YIELD, 1.95 * unit, 20.0 * YIELD, -unit, -YIELD, -1.95 * unit, -20.0 * YIELD)
    for title, corners in (("Takeda, Hysteretic", WIDER), ("with inner loops", CORNERS)):
        fine = at_corners(("Hysteretic", 1, *skeleton, 1.0, 1.0, 0.0, 0.0, 0.5), corners, 4000)
        show(title, ours(storey, path(corners, 50))[49::50] / unit, fine / unit)


def show(title: str, found: np.ndarray, expected: np.ndarray) -> None:
    for who, forces in (("carom", found), ("OpenSees", expected)):
        print(f"  {title:20} {who:8} " + " ".join(f"{force:9.6f}" for force in forces))
    print(f"  {'':20} apart by {np.abs(found - expected).max():.1e}")
