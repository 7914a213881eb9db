"""Who stands beside whom: slabs, columns, gaps."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from carom.plots.sheet import fitted, look_of, points_per_unit, single
from carom.plots.style import GREY, INK, in_style
from carom.results import Pounding, Standing, Touch, Width
from carom.units import si

__all__ = ["Sketch", "plot_geometry"]

GROUND = 0.05  # thickness of the ground, of the tallest structure
SPACE = 0.16  # distance between neighbours at rest, of the tallest structure
SWAY = 0.3  # largest displacement of a swaying structure, of its width

APART = 3.0
"""Room between the names of neighbours [pt]."""
CROWD = 5
"""Structures up to which heights can be written above them."""


class Sketch:
    """Where structures are drawn: bays of equal width, gaps wide enough to see, heights to scale."""

    def __init__(self, result: Pounding, *, swaying: bool = False) -> None:
        scene = result.scene
        self.tall = max((max(standing.levels, default=0.0) for standing in scene.standings), default=0.0) or 3.0
        self.bay = 0.55 * self.tall
        swayers = scene.shaken if swaying else ()
        largest = max((float(result.run.extremes[list(one.dofs), 0].max()) for one in swayers), default=0.0)
        self.amplification = SWAY * self.bay / largest if largest > 0.0 else 1.0
        """How much displacements are enlarged where the structures sway; gaps are too, so that touching is seen."""
        self.lefts = [0.0]
        for i in range(1, len(scene.standings)):
            gaps = [touch.gap for touch in scene.touches if {touch.left, touch.right} == {i - 1, i}]
            space = self.amplification * min(gaps) if swaying and gaps else SPACE * self.tall
            self.lefts.append(self.lefts[-1] + self.bay + space)
        self.width = self.lefts[-1] + self.bay

    def wall_height(self, result: Pounding, standing: Standing) -> float:
        """Return how high something that does not move is drawn: above the highest place where it is met."""
        here = result.scene.standings.index(standing)
        met = [max(t.left_level, t.right_level) for t in result.scene.touches if here in (t.left, t.right)]
        return 1.06 * max(met, default=0.8 * self.tall)

    def sides(self, touch: Touch) -> tuple[float, float]:
        """Return where the two sides of a contact stand at rest."""
        return self.lefts[touch.left] + self.bay, self.lefts[touch.right]


@in_style
def plot_geometry(result: Pounding, axes: Axes | None = None) -> Axes:
    """Draw the structures with their gaps; heights to scale, gaps not; return the axes."""
    sketch = Sketch(result)
    margin = 0.25 * sketch.bay
    low, high = -GROUND * sketch.tall, 1.1 * sketch.tall
    shape = (high - low) / (sketch.width + 2.0 * margin)
    axes = single(axes, width=Width.SINGLE, height=min(69.0 * shape, 80.0))
    axes.set(xlim=(-margin, sketch.width + margin), ylim=(low, high), aspect="equal")
    for i, standing in enumerate(result.scene.standings):
        _draw(axes, result, standing, sketch.lefts[i], sketch)
    _contacts(axes, result, sketch)
    thickness = GROUND * sketch.tall
    axes.add_patch(
        Rectangle((-margin, -thickness), sketch.width + 2 * margin, thickness, facecolor="none", edgecolor=GREY,
                  hatch="////", linewidth=0.0)
    )  # fmt: skip
    axes.axhline(0.0, color=INK, linewidth=0.8)
    axes.axis("off")
    return axes


def _draw(axes: Axes, result: Pounding, standing: Standing, x: float, sketch: Sketch) -> None:
    colour = look_of(result, standing)["color"]
    if not standing.moving:
        tall = sketch.wall_height(result, standing)
        axes.add_patch(
            Rectangle((x, 0.0), sketch.bay, tall, facecolor="#e6e6e6", edgecolor=INK, hatch="xx", linewidth=0.6)
        )
    for below, level in zip((0.0, *standing.levels), standing.levels, strict=False):
        if standing.moving:
            for column in () if standing.kind == "body" else (x + 0.06 * sketch.bay, x + 0.94 * sketch.bay):
                axes.plot([column, column], [below, level], color=INK, linewidth=0.8, solid_capstyle="butt")
            axes.plot([x, x + sketch.bay], [level, level], color=colour, linewidth=2.6, solid_capstyle="butt")
    crowded = len(result.scene.standings) > CROWD
    if standing.moving and len(standing.levels) > 1 and standing.measured and not crowded:
        axes.annotate(
            f"{standing.levels[-1]:g} m", (x + 0.5 * sketch.bay, standing.levels[-1]), xytext=(0, 3),
            textcoords="offset points", ha="center", va="bottom", fontsize=6.0, color=GREY,
        )  # fmt: skip
    what = f"{len(standing.dofs)} floors" if len(standing.dofs) > 1 else standing.kind
    below = -GROUND * sketch.tall
    room = points_per_unit(axes) * (sketch.bay + SPACE * sketch.tall) - APART
    for said, offset, largest, colour in ((standing.name, -2, 8.0, INK), (what, -12, 6.0, GREY)):
        text, size = fitted(said, room, size=largest, least=min(5.5, largest))
        axes.annotate(
            text, (x + 0.5 * sketch.bay, below), xytext=(0, offset), textcoords="offset points", ha="center", va="top",
            annotation_clip=False, fontsize=size, color=colour,
        )  # fmt: skip


def _contacts(axes: Axes, result: Pounding, sketch: Sketch) -> None:
    """Draw the contacts as small bumpers, filled where something touched; write each pair's gap once."""
    said: set[tuple[int, int, float]] = set()
    for touch in reversed(result.scene.touches):
        left, right = sketch.sides(touch)
        hits = result.per_contact[touch.label]
        face = "#D55E00" if hits else "white"
        level = 0.5 * (touch.left_level + touch.right_level)
        axes.plot(
            [left, right], [touch.left_level, touch.right_level], color=INK, linewidth=0.5, linestyle=(0, (1.5, 1.2))
        )
        axes.plot(
            [0.5 * (left + right)], [level], "o", markersize=3.6, color=INK, markerfacecolor=face, markeredgewidth=0.6
        )
        key = (touch.left, touch.right, touch.gap)
        if key not in said:
            said.add(key)
            size = 6.5 if len(result.scene.standings) <= CROWD else 4.5
            axes.annotate(
                si(touch.gap, "m", 3), (0.5 * (left + right), level), xytext=(0, 5), textcoords="offset points",
                ha="center", va="bottom", fontsize=size,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.8},
            )  # fmt: skip
