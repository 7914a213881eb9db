"""Bodies in space in perspective: where they are, what touches, whether it sticks or slides, and how hard."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from carom.errors import InputError
from carom.plots.sheet import sheet
from carom.plots.space.decks import STATES
from carom.plots.style import GREY, INK, style
from carom.results import Simulation, Width
from carom.results.space.body_forms import BodyForm
from carom.results.space.scene_record import SceneRecord

__all__ = ["paths", "plot_girders"]

Array = npt.NDArray[np.float64]

VIEW = (-65.0, 22.0)
"""From where is looked: degrees from x towards y, and above the ground."""
AWAY = 2.2
"""How far the eye stands from the middle, in sizes of the scene."""
SWAY = 0.02
"""Largest displacement as drawn, of the size of the scene, where that enlarges it."""
ARROW = 0.12
"""The arrow of the largest force, of the size of the scene."""
LIGHT = np.array([-0.35, -0.5, 0.79])
"""Whence light falls."""
MOVING, STANDING = np.array([0.83, 0.87, 0.92]), np.array([0.86, 0.85, 0.82])
LEAST_HEIGHT, MOST_HEIGHT = 50.0, 130.0
"""Of the picture [mm]."""


class Perspective:
    """An eye that looks at the middle of a box."""

    def __init__(self, low: Array, high: Array, view: tuple[float, float]) -> None:
        self.size = float(np.linalg.norm(high - low))
        turn, lift = math.radians(view[0]), math.radians(view[1])
        back = np.array([math.cos(turn) * math.cos(lift), math.sin(turn) * math.cos(lift), math.sin(lift)])
        right = np.array([-math.sin(turn), math.cos(turn), 0.0])
        self.axes = np.array([right, np.cross(back, right), back])
        self.eye = 0.5 * (low + high) + AWAY * self.size * back

    def seen(self, points: Array) -> tuple[Array, Array]:
        """Return where points are on the sheet, (N, 2), as long as they are in the middle; and how far away, (N,)."""
        x, y, z = self.axes @ (points - self.eye).T
        return np.stack([x, y], axis=1) * (AWAY * self.size / -z)[:, None], -z


def paths(form: BodyForm, record: SceneRecord, samples: Any) -> Array:
    """Return how far the points of a body have moved at samples, whatever it has turned, (T, P, 3)."""
    rest = np.array(form.points)
    if form.body < 0 or record.centre is None or record.turned is None:
        return np.zeros((len(samples), *rest.shape))
    start, centre = record.centre[0, form.body], record.centre[samples, form.body]
    w, vector = record.turned[samples, form.body, :1], record.turned[samples, form.body, 1:]
    arms = rest - start
    first = np.cross(vector[:, None, :], arms[None, :, :])
    turned = 2.0 * (w[:, :, None] * first + np.cross(vector[:, None, :], first))
    found: Array = (centre - start)[:, None, :] + turned
    return found


def placed(form: BodyForm, record: SceneRecord, sample: int, scale: float) -> Array:
    """Return the points of a body at a sample, its displacements enlarged, (P, 3)."""
    found: Array = np.array(form.points) + scale * paths(form, record, [sample])[0]
    return found


def plot_girders(
    run: Simulation, axes: Axes | None = None, *, time: float | None = None, scale: float | None = None,
    view: tuple[float, float] = VIEW,
) -> Axes:  # fmt: skip
    """Draw bodies in space in perspective at a time [s], by default at the largest contact force; return the axes.

    Contacts that are closed are coloured by what they do: stick, slide, or touch without friction; arrows are forces on
    the nodes. `scale` is how many times displacements are enlarged, `view` from where is looked: degrees from x towards
    y, and above the ground.
    """
    record, forms = run.scene_record, run.body_forms
    if record is None or record.centre is None or not forms:
        raise InputError("plot_girders needs a run with bodies in space (carom.Girder, carom.RigidBody); it has none.")
    sample = _sample(run, time)
    every = np.vstack([np.array(form.points) for form in forms])
    eye = Perspective(every.min(axis=0), every.max(axis=0), view)
    factor = _scale(run, forms, eye.size) if scale is None else float(scale)
    now = [placed(form, record, sample, factor) for form in forms]
    flat, _ = eye.seen(np.vstack(now))
    low, high = flat.min(axis=0), flat.max(axis=0)
    margin = 0.06 * eye.size
    width, tall = (high - low + 2.0 * margin).tolist()
    with style():
        if axes is None:
            axes = sheet(1, height=float(np.clip(165.0 * tall / width, LEAST_HEIGHT, MOST_HEIGHT)), width=Width.DOUBLE)[
                0
            ]
        axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")
        axes.axis("off")
        _faces(axes, eye, forms, now)
        _contacts(axes, eye, record, sample, (forms, now))
        _names(axes, eye, forms, now)
        said = f"{run.time[sample]:.3f} s" + (f", displacements × {factor:g}" if factor != 1.0 else "")
        axes.set_title(said, loc="left")
    return axes


def _faces(axes: Axes, eye: Perspective, forms: tuple[BodyForm, ...], now: list[Array]) -> None:
    """Draw all faces, the farthest first."""
    drawn = []
    for form, points in zip(forms, now, strict=True):
        colour = STANDING if form.body < 0 else MOVING
        for corners in form.faces:
            face = points[list(corners)]
            across = np.cross(face[2] - face[0], face[-1] - face[1]) if len(face) > 3 else np.cross(
                face[1] - face[0], face[2] - face[0]
            )  # fmt: skip
            normal = across / max(float(np.linalg.norm(across)), 1e-300)
            on_sheet, far = eye.seen(face)
            bright = 0.72 + 0.28 * max(float(normal @ LIGHT), 0.0)
            drawn.append((float(far.mean()), on_sheet, tuple(np.clip(bright * colour, 0.0, 1.0).tolist())))
    drawn.sort(key=lambda one: -one[0])
    axes.add_collection(
        PolyCollection(
            [one[1] for one in drawn], facecolors=[(*one[2], 0.92) for one in drawn], edgecolors=INK, linewidths=0.5,
            zorder=2,
        )
    )  # fmt: skip


def _contacts(
    axes: Axes, eye: Perspective, record: SceneRecord, sample: int,
    bodies: tuple[tuple[BodyForm, ...], list[Array]],
) -> None:  # fmt: skip
    """Draw closed contacts by their state, and the forces on their nodes as arrows."""
    assert record.foot is not None
    assert record.pushed is not None
    largest = float(np.nanmax(np.linalg.norm(record.pushed, axis=2), initial=0.0)) or 1.0
    seen = set()
    forms, now = bodies
    for c in range(record.state.shape[1]):
        state = int(record.state[sample, c])
        if state not in STATES:
            continue
        seen.add(state)
        place = record.foot[sample, c]
        at = [(np.array(form.nodes[c]), points) for form, points in zip(forms, now, strict=True) if c in form.nodes]
        place = at[0][1][int(at[0][0])] if at else place  # as its body is drawn
        ends, _ = eye.seen(np.array([place, place + ARROW * eye.size * record.pushed[sample, c] / largest]))
        colour = STATES[state][1]
        axes.plot(*ends[0], "o", markersize=3.6, color=colour, zorder=6)
        if float(np.hypot(*(ends[1] - ends[0]))) > 0.01 * eye.size:
            arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 0.9, "mutation_scale": 6.0}
            axes.annotate("", ends[1], ends[0], arrowprops=arrow, zorder=5)
    for state in sorted(seen):
        axes.plot([], [], "o", color=STATES[state][1], markersize=4.0, label=STATES[state][0])
    if seen:
        axes.legend(loc="upper right", ncols=3, fontsize=6.5)


def _names(axes: Axes, eye: Perspective, forms: tuple[BodyForm, ...], now: list[Array]) -> None:
    """Write names at the middles of bodies, but where they are crowded only those that move."""
    for form, points in zip(forms, now, strict=True):
        at, _ = eye.seen(points.mean(axis=0)[None, :])
        colour = GREY if form.body < 0 else INK
        axes.text(
            float(at[0, 0]), float(at[0, 1]), form.name, ha="center", va="center", fontsize=6.0, color=colour, zorder=7
        )


def _scale(run: Simulation, forms: tuple[BodyForm, ...], size: float) -> float:
    """Return how many times displacements are enlarged so that they are seen: a round number, at least one."""
    record = run.scene_record
    assert record is not None
    assert record.centre is not None
    moving = [form.body for form in forms if form.body >= 0]
    moved = np.linalg.norm(record.centre[:, moving] - record.centre[0, moving], axis=2)
    largest = float(np.nanmax(moved, initial=0.0))
    if largest <= 0.0:
        return 1.0
    wanted = SWAY * size / largest
    power = 10.0 ** math.floor(math.log10(wanted))
    return max(next(step * power for step in (5.0, 2.0, 1.0) if step * power <= wanted * (1.0 + 1e-9)), 1.0)


def _sample(run: Simulation, time: float | None) -> int:
    if time is not None:
        return int(np.abs(run.time - time).argmin())
    forces = np.nan_to_num(run.force)
    return int(np.unravel_index(forces.argmax(), forces.shape)[0]) if forces.size else 0
