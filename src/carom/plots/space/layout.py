"""Where structures in space are drawn: as they stand, with gaps that can be seen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from carom.results import Form, Pounding, Scene

__all__ = ["Layout", "form_of"]

Array = npt.NDArray[np.float64]

SEEN = 0.05
"""Smallest gap of a still picture, as a share of the structures' size in plan."""
SWAY = 0.1
"""Largest displacement of a moving picture, likewise."""
LEAST_GAP = 1e-6
"""Smaller gaps [m] are none, and cannot be enlarged."""
CLOSE = 1e-9
"""Sides that stand so near to their drawn gap [m] need not be turned."""
MOST_TURN = 0.35
"""Unequal gaps are drawn by turning a structure by less [rad]."""


def form_of(result: Pounding, i: int) -> Form:
    """Return how a structure of a scene in space stands."""
    form = result.scene.standings[i].form
    assert form is not None  # all have one in space
    return form


class Layout:
    """Points of all structures, drawn with enlarged gaps."""

    def __init__(self, result: Pounding, *, swaying: bool = False) -> None:
        scene = result.scene
        self.forms = [form_of(result, i) for i in range(len(scene.standings))]
        self.size = max(form.extent for form in self.forms) or 1.0
        gaps = [touch.gap for touch in scene.touches if touch.gap > LEAST_GAP]
        largest = max((float(result.run.extremes[list(one.sliding), 0].max()) for one in scene.shaken), default=0.0)
        still = SEEN * self.size / min(gaps) if gaps else 1.0
        sway = SWAY * self.size / largest if largest > 0.0 else still
        self.amplification = sway if swaying else max(still, 1.0)
        """How much gaps are enlarged, and displacements of what moves."""
        self._scene = scene
        self.positions = self.at(self.amplification)
        """Of each structure, shape (P, 3) [m]."""

    def at(self, factor: float) -> list[Array]:
        """Return the points of each structure, with gaps so many times as wide."""
        return _spread(self._scene, self.forms, factor)

    @property
    def box(self) -> Array:
        """Least and largest x, y and z, shape (2, 3) [m]."""
        every = np.vstack(self.positions)
        return np.array([every.min(axis=0), np.maximum(every.max(axis=0), every.min(axis=0) + 0.1 * self.size)])

    def meeting(self, scene: Scene, contact: int) -> tuple[Array, Array]:
        """Return where both sides of a contact are drawn."""
        touch = scene.touches[contact]
        left, right = self.positions[touch.left][touch.points[0]], self.positions[touch.right][touch.points[1]]
        return left, right


def _spread(scene: Scene, forms: list[Form], factor: float) -> list[Array]:
    """Return the points of each structure, moved so that every gap is drawn so many times as wide.

    The first stays; each next one is shifted as little as it takes, and turned where its gaps are unequal.
    """
    placed: dict[int, Array] = {}
    while len(placed) < len(forms):
        start = next(i for i in range(len(forms)) if i not in placed)
        placed[start] = forms[start].positions
        while True:
            free = next((j for i in placed for j in _neighbours(scene, i) if j not in placed), None)
            if free is None:
                break
            placed[free] = _moved(scene, forms, placed, free, factor)
    return [placed[i] for i in range(len(forms))]


def _neighbours(scene: Scene, i: int) -> Iterator[int]:
    for touch in scene.touches:
        if i in (touch.left, touch.right):
            yield touch.right if touch.left == i else touch.left


def _moved(scene: Scene, forms: list[Form], placed: dict[int, Array], free: int, factor: float) -> Array:
    """Return the points of a structure beside those that have their place."""
    own = forms[free].positions
    middle = own.mean(axis=0)
    ways, arms, lacks = [], [], []
    for touch in scene.touches:
        sides = touch.left, touch.right
        if free not in sides or sides[0] == sides[1]:
            continue
        side = sides.index(free)
        other = sides[1 - side]
        if other not in placed:
            continue
        way = np.array(touch.normal) * (1.0 if side else -1.0)  # from the other one to this one
        at, from_ = own[touch.points[side]], placed[other][touch.points[1 - side]]
        ways.append(way)
        arms.append(way[1] * (at - middle)[0] - way[0] * (at - middle)[1])
        lacks.append(factor * touch.gap - way @ (at - from_))
    shift = np.linalg.lstsq(np.array(ways), np.array(lacks), rcond=None)[0]
    left = np.array(lacks) - np.array(ways) @ shift
    if len(ways) > 1 and np.abs(left).max() > CLOSE:
        size = forms[free].extent or 1.0
        both = np.column_stack([np.array(ways), np.array(arms) / size])
        *more, turn = np.linalg.lstsq(both, left, rcond=None)[0]
        turn /= size
        if abs(turn) < MOST_TURN:
            c, s = np.cos(turn), np.sin(turn)
            own = (own - middle) @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) + middle
            shift = shift + np.array(more)
    found: Array = own + shift
    return found
