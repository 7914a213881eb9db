"""Buildings that sway and touch: displacements and gaps enlarged alike, impacts flashed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from carom.plots.runs.geometry import Sketch
from carom.plots.sheet import fitted, look_of, points_per_unit, single
from carom.plots.space.slab_animation import animation_in_space
from carom.plots.style import GREY, INK, style
from carom.results import Pounding, Standing, Width

__all__ = ["animate", "busy_window", "save_gif"]

LONGEST = 8.0
"""Seconds of motion shown."""
AFTERGLOW = 0.12
"""Seconds for which an impact is seen."""


def busy_window(result: Pounding, longest: float = LONGEST) -> tuple[float, float]:
    """Return the times [s] worth watching: from shortly before the first impact, or around the largest displacement."""
    time, starts = result.run.time, result.run.table["start"]
    if starts.size:
        begin = float(starts.min()) - 0.5
    else:
        at = np.unravel_index(np.argmax(np.abs(result.run.displacement)), result.run.displacement.shape)[0]
        begin = float(time[at]) - 0.5 * longest
    begin = min(max(begin, float(time[0])), max(float(time[-1]) - longest, float(time[0])))
    return begin, min(begin + longest, float(time[-1]))


def animate(
    result: Pounding, axes: Axes | None = None, *, window: tuple[float, float] | None = None, rate: float = 20.0
) -> FuncAnimation:
    """Return an animation in real time at `rate` frames per second, for a notebook or a file."""
    with style():
        begin, end = window or busy_window(result)
        times = np.arange(begin, end, 1.0 / rate)
        frames = np.clip(np.searchsorted(result.run.time, times), 0, result.run.time.size - 1)
        if result.scene.in_space:
            return animation_in_space(result, frames.tolist(), rate)
        axes = single(axes, width=Width.SINGLE, height=62.0)
        picture = _Picture(result, axes)
        figure = axes.figure
        assert isinstance(figure, Figure)
        return FuncAnimation(figure, picture.show, frames=frames.tolist(), interval=1e3 / rate, blit=False)


def save_gif(
    result: Pounding, path: str | Path, *, window: tuple[float, float] | None = None, rate: float = 20.0
) -> Path:
    """Write the animation as a GIF; return its path."""
    with style():
        animate(result, window=window, rate=rate).save(Path(path), writer=PillowWriter(fps=int(rate)), dpi=130)
    return Path(path)


class _Picture:
    """The moving parts of the picture."""

    def __init__(self, result: Pounding, axes: Axes) -> None:
        self.result, self.sketch = result, Sketch(result, swaying=True)
        sketch = self.sketch
        margin = 0.4 * sketch.bay
        axes.axhline(0.0, color=INK, linewidth=0.8)
        axes.set(xlim=(-margin, sketch.width + margin), ylim=(-0.16 * sketch.tall, 1.12 * sketch.tall), aspect="equal")
        axes.axis("off")
        self.parts = [self._structure(axes, i, one) for i, one in enumerate(result.scene.standings)]
        self.flashes = axes.scatter([], [], s=[], color="#E69F00", edgecolors=INK, zorder=5, linewidths=0.6)
        self.clock = axes.text(0.02, 0.98, "", transform=axes.transAxes, ha="left", va="top", fontsize=7.0)
        scale = f"displacements and gaps × {sketch.amplification:.0f}"
        axes.text(0.98, 0.98, scale, transform=axes.transAxes, ha="right", va="top", fontsize=6.0, color=GREY)

    def _structure(self, axes: Axes, i: int, standing: Standing) -> list[tuple[object, object]]:
        left, bay = self.sketch.lefts[i], self.sketch.bay
        name, size = fitted(standing.name, points_per_unit(axes) * bay)
        axes.text(left + 0.5 * bay, -0.04 * self.sketch.tall, name, ha="center", va="top", fontsize=size)
        if not standing.moving:
            tall = self.sketch.wall_height(self.result, standing)
            axes.fill_between([left, left + bay], 0.0, tall, color="#d9d9d9")
        colour = look_of(self.result, standing)["color"]
        return [
            (
                axes.plot([], [], color=INK, linewidth=0.8, zorder=2)[0],
                axes.plot([], [], color=colour, linewidth=3.0, solid_capstyle="butt", zorder=3)[0],
            )
            for _ in standing.dofs
            if standing.moving
        ]

    def show(self, frame: int) -> None:
        """Move everything to where it is at a sample."""
        run, sketch = self.result.run, self.sketch
        shift = sketch.amplification * run.displacement[frame]
        for i, (standing, parts) in enumerate(zip(self.result.scene.standings, self.parts, strict=True)):
            below, base = 0.0, 0.0
            for dof, level, (columns, slab) in zip(standing.dofs, standing.levels, parts, strict=False):
                x = sketch.lefts[i] + shift[dof]
                lefts = [sketch.lefts[i] + share * sketch.bay for share in (0.06, 0.94)]
                xs = [p for left in lefts for p in (left + base, left + shift[dof], np.nan)]
                if standing.kind != "body":
                    columns.set_data(xs, [below, level, np.nan] * 2)  # type: ignore[attr-defined]
                slab.set_data([x, x + sketch.bay], [level, level])  # type: ignore[attr-defined]
                below, base = level, float(shift[dof])
        places, sizes = self._flashes(frame, shift)
        self.flashes.set_offsets(places)
        self.flashes.set_sizes(sizes)
        self.clock.set_text(f"{run.time[frame]:.2f} s")

    def _flashes(
        self, frame: int, shift: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return where impacts of this moment or just past are seen, and how large."""
        run, now = self.result.run, self.result.run.time[frame]
        table = run.table
        since = now - table["start"]
        fresh = np.flatnonzero((since >= 0.0) & (since <= table["duration"] + AFTERGLOW))
        places, sizes = np.zeros((fresh.size, 2)), np.zeros(fresh.size)
        for k, row in enumerate(fresh):
            touch = self.result.scene.touches[int(table["contact"][row])]
            standing = self.result.scene.standings[touch.left]
            dof = (
                standing.dofs[int(np.argmin(np.abs(np.array(standing.levels) - touch.left_level)))]
                if standing.dofs
                else None
            )
            edge = self.sketch.sides(touch)[0] + (0.0 if dof is None else float(shift[dof]))
            places[k] = edge, touch.left_level
            sizes[k] = 20.0 + 160.0 * self.result.blows[row] / self.result.blows.max()
        return places, sizes
