"""Decks seen from above: where they are, what touches, whether it sticks or slides, and how hard."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.animation import FuncAnimation
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from carom.errors import InputError
from carom.plots.sheet import legend_above, sheet, single
from carom.plots.style import GREY, INK, SERIES, style
from carom.results import Simulation, Width
from carom.results.space.deck_plan import DeckPlan
from carom.results.space.scene_record import SceneRecord
from carom.units import si

__all__ = ["DeckView", "animate_decks", "plot_bearings", "plot_decks", "plot_unseating"]

Array = npt.NDArray[np.float64]

SWAY = 0.12
"""Largest displacement as drawn, of the length of the longest deck."""
MARGIN = 0.2
"""Around the bridge, of the width of a deck."""
ARROW = 0.22
"""Of the longest deck's length: the arrow of the largest force."""
STATES = {1: ("sticks", "#0072B2"), 2: ("slides", "#D55E00"), 3: ("touches", "#009E73")}
"""What a closed contact is, and its colour."""
FILL = "#e8edf2"


class DeckView:
    """Where things are drawn: displacements and gaps enlarged alike, so that touching is seen."""

    def __init__(self, run: Simulation) -> None:
        self.run = run
        self.plan, self.record = _parts(run)
        decks = self.plan.decks
        size = max((float(np.ptp(np.array(one.corners), axis=0).max()) for one in decks), default=1.0)
        largest = float(max((self._peak(k) for k in range(len(decks))), default=0.0))
        self.size = size
        self.amplification = max(round_figure(SWAY * size / largest), 1.0) if largest > 0.0 else 1.0
        self.apart, self.lines_apart = self._spread()
        points = np.vstack(
            [self.corners(k, None) for k in range(len(decks))] + [self.face(f) for f in range(len(self.plan.faces))]
        )
        self.low, self.high = points.min(axis=0), points.max(axis=0)

    def corners(self, deck: int, sample: int | None) -> Array:
        """Return the corners of a deck as drawn, (V, 2), at rest or at a sample."""
        return self.point(deck, np.array(self.plan.decks[deck].corners), sample)

    def point(self, deck: int, arms: Array, sample: int | None) -> Array:
        """Return points of a deck, given from its centre of mass, as drawn."""
        one = self.plan.decks[deck]
        rest: Array = np.array(one.centre) + arms + self.apart[deck]
        if sample is None:
            return rest
        ux, uy, turned = self.run.displacement[sample, list(one.dofs)]
        c, s = math.cos(turned), math.sin(turned)
        moved = arms @ np.array([[c, s], [-s, c]]) - arms + (ux, uy)
        found: Array = rest + self.amplification * moved
        return found

    def face(self, line: int) -> Array:
        """Return both ends of an abutment's face as drawn."""
        found: Array = np.array(self.plan.faces[line].ends) + self.lines_apart[line]
        return found

    def normal(self, node: Any, sample: int) -> Array:
        """Return the outward normal of the edge that a node strikes."""
        found = np.array(node.normal)
        if node.face < 0:
            return found
        turned = float(self.run.displacement[sample, self.plan.decks[node.face].dofs[2]])
        c, s = math.cos(turned), math.sin(turned)
        rotated: Array = np.array([[c, -s], [s, c]]) @ found
        return rotated

    def _peak(self, deck: int) -> float:
        dofs = list(self.plan.decks[deck].dofs[:2])
        finite = self.run.displacement[:, dofs]
        return float(np.hypot(*np.nan_to_num(finite).T).max(initial=0.0))

    def _spread(self) -> tuple[Array, Array]:
        """Return how far decks and abutments are drawn from where they stand: gaps are as enlarged as motions."""
        decks, faces = np.zeros((len(self.plan.decks), 2)), np.zeros((len(self.plan.faces), 2))
        placed = {0} if len(decks) else set()
        lined: set[int] = set()
        widened = [
            (node, (self.amplification - 1.0) * float(self.run.gap[0, node.column]) * np.array(node.normal))
            for node in self.plan.nodes
        ]
        for _ in range(len(decks) + len(faces)):
            for node, away in widened:  # the node's deck stands `away` before the face that it strikes
                if node.deck < 0:
                    continue
                if node.face >= 0 and node.face in placed and node.deck not in placed:
                    decks[node.deck] = decks[node.face] + away
                    placed.add(node.deck)
                elif node.face >= 0 and node.deck in placed and node.face not in placed:
                    decks[node.face] = decks[node.deck] - away
                    placed.add(node.face)
                elif node.line >= 0 and node.deck in placed and node.line not in lined:
                    faces[node.line] = decks[node.deck] - away
                    lined.add(node.line)
        return decks, faces


def _draw_decks(view: DeckView, axes: Axes, sample: int) -> None:
    """Draw everything as it is at a sample into an empty panel."""
    for deck, one in enumerate(view.plan.decks):
        rest, now = view.corners(deck, None), view.corners(deck, sample)
        axes.plot(*np.vstack([rest, rest[:1]]).T, color=GREY, linewidth=0.6, linestyle=(0, (2.4, 1.4)), zorder=1)
        axes.fill(*now.T, facecolor=FILL, edgecolor=INK, linewidth=0.9, zorder=2)
        x, y = now.mean(axis=0).tolist()
        axes.text(x, y, one.name, ha="center", va="center", fontsize=6.5, zorder=4)
    _draw_ground(view, axes)
    for bearing in view.plan.bearings:
        if bearing.deck >= 0:
            place = view.point(bearing.deck, np.array([bearing.at]), sample)[0]
            axes.plot(*place, "s", markersize=2.2, color=INK, markerfacecolor="white", markeredgewidth=0.5, zorder=3)
    _draw_contacts(view, axes, sample)


def _draw_ground(view: DeckView, axes: Axes) -> None:
    """Draw the faces of abutments, hatched behind."""
    for line, face in enumerate(view.plan.faces):
        ends = view.face(line)
        along = (ends[1] - ends[0]) / np.hypot(*(ends[1] - ends[0]))
        behind = -0.06 * view.size * np.array([along[1], -along[0]])
        outline = np.vstack([ends, ends[::-1] + behind])
        hatch = "...." if face.soil else "xxxx"
        axes.fill(*outline.T, facecolor="#e6e6e6", edgecolor=GREY, hatch=hatch, linewidth=0.0, zorder=0)
        axes.plot(*ends.T, color=INK, linewidth=1.4, zorder=1)


def _draw_contacts(view: DeckView, axes: Axes, sample: int) -> None:
    """Draw closed contacts by their state, and what they do to the deck whose corner it is, as arrows."""
    largest = float(np.nanmax(view.run.force, initial=0.0)) or 1.0
    for node in view.plan.nodes:
        state = int(view.record.state[sample, node.column])
        if state not in STATES or node.deck < 0:
            continue
        place = view.point(node.deck, np.array([node.at]), sample)[0]
        normal = view.normal(node, sample)
        along = np.array([-normal[1], normal[0]])
        friction = float(view.record.friction[sample, node.column, 0])
        force = float(view.run.force[sample, node.column]) * normal - friction * along
        colour = STATES[state][1]
        axes.plot(*place, "o", markersize=5.0, color=colour, zorder=6)
        arrow = ARROW * view.size * force / largest
        if np.hypot(*arrow) > 0.01 * view.size:
            axes.annotate(
                "", place + arrow, place, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.1}, zorder=5
            )  # fmt: skip


def _panel(view: DeckView, axes: Axes) -> None:
    """Set limits and scale of a panel."""
    margin = _margin(view)
    low, high = view.low - margin, view.high + margin
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.axis("off")


def plot_decks(run: Simulation, axes: Axes | None = None, *, time: float | None = None) -> Axes:
    """Draw decks from above at a time [s], by default at the largest contact force; return the axes.

    Displacements and gaps are enlarged alike. Closed contacts are coloured by what they do: stick, slide, or touch
    without friction; arrows are the forces on the corners that strike.
    """
    view = DeckView(run)
    with style():
        axes = single(axes, width=Width.DOUBLE, height=_height(view))
        _panel(view, axes)
        sample = _sample(run, time)
        _draw_decks(view, axes, sample)
        said = f"t = {run.time[sample]:.3f} s; displacements and gaps × {view.amplification:g}"
        axes.text(0.0, 1.0, said, transform=axes.transAxes, ha="left", va="top", fontsize=6.5, color=GREY)
        seen = {int(view.record.state[sample, node.column]) for node in view.plan.nodes}
        for state, (word, colour) in STATES.items():
            if state in seen:
                axes.plot([], [], "o", color=colour, markersize=4.0, label=word)
        if seen & set(STATES):
            axes.legend(loc="upper right", ncols=3, fontsize=6.5)
    return axes


def animate_decks(run: Simulation, *, window: tuple[float, float] | None = None, rate: float = 25.0) -> FuncAnimation:
    """Return an animation of the decks from above in real time, for a notebook or a file."""
    view = DeckView(run)
    begin, end = window or _busy(run)
    times = np.arange(begin, end, 1.0 / rate)
    frames = np.clip(np.searchsorted(run.time, times), 0, run.time.size - 1).tolist()
    with style():
        axes = single(None, width=Width.DOUBLE, height=_height(view))
    figure = axes.figure
    assert isinstance(figure, Figure)

    def show(frame: int) -> None:
        with style():
            axes.clear()
            _panel(view, axes)
            _draw_decks(view, axes, frame)
            said = f"{run.time[frame]:.2f} s; displacements and gaps × {view.amplification:g}"
            axes.text(0.0, 1.0, said, transform=axes.transAxes, ha="left", va="top", fontsize=6.5, color=GREY)

    return FuncAnimation(figure, show, frames=frames, interval=1e3 / rate, blit=False)


def plot_unseating(run: Simulation, axes: Axes | None = None) -> Axes:
    """Draw how far the ends of decks moved off their seats over time, with the lengths of these; return the axes."""
    table = run.unseating
    with style():
        owned = axes is None
        axes = single(axes, width=Width.DOUBLE, height=45.0)
        for k, name in enumerate(table.seat.values.tolist()):
            look = SERIES[k % len(SERIES)]
            moved = table.along_history.sel(seat=name).max("corner_of_end")
            axes.plot(run.time, 1e3 * moved, color=look.colour, linestyle=look.dashes, linewidth=0.9, label=str(name))
            when = float(table.when.sel(seat=name))
            if not math.isnan(when):
                length = float(table.seat_length.sel(seat=name))
                axes.plot([when], [1e3 * length], "x", color=look.colour, markersize=6.0)
        for length in sorted(set(table.seat_length.values.tolist())):
            axes.axhline(1e3 * length, color=INK, linewidth=0.7, linestyle=(0, (4, 2)))
            said = f"seat {si(length, 'm', 3)}"
            axes.annotate(said, (run.time[-1], 1e3 * length), xytext=(-2, 2), textcoords="offset points", ha="right",
                          va="bottom", fontsize=6.5)  # fmt: skip
        axes.axhline(0.0, color=GREY, linewidth=0.5)
        axes.set(xlabel="time [s]", ylabel="off the seat [mm]", xlim=(run.time[0], run.time[-1]))
        legend_above(axes, owned=owned)
    return axes


def plot_bearings(run: Simulation, names: list[str] | None = None) -> list[Axes]:
    """Draw force over deformation along the first direction of bearings, by default of the four that move farthest."""
    _, record = _parts(run)
    rows = [j for j, label in enumerate(record.joints) if j == 0 or label != record.joints[j - 1]]
    if names is not None:
        rows = [j for j in rows if record.joints[j] in names]
    else:
        rows = sorted(rows, key=lambda j: -float(np.nanmax(np.abs(record.joint_deformation[:, j]), initial=0.0)))[:4]
    if not rows:
        raise InputError("plot_bearings found none of these bearings. Names are those of res.scene_record.joints.")
    panels = sheet(-(-len(rows) // 2), min(len(rows), 2), height=40.0)
    for axes, j in zip(panels, rows, strict=False):
        with style():
            axes.plot(1e3 * record.joint_deformation[:, j], 1e-3 * record.joint_force[:, j], color=SERIES[0].colour,
                      linewidth=0.7)  # fmt: skip
            axes.set(xlabel="deformation [mm]", ylabel="force [kN]", title=record.joints[j])
            axes.axhline(0.0, color=GREY, linewidth=0.4)
            axes.axvline(0.0, color=GREY, linewidth=0.4)
    for axes in panels[len(rows) :]:
        axes.axis("off")
    return panels


def round_figure(value: float) -> float:
    """Return the largest of 1, 2, 5 times a power of ten that is not larger."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= value * (1.0 + 1e-9))


def _parts(run: Simulation) -> tuple[DeckPlan, SceneRecord]:
    if run.deck_plan is None or run.scene_record is None:
        raise InputError("Pictures of decks need a run with decks (carom.Deck); this one has none.")
    return run.deck_plan, run.scene_record


def _sample(run: Simulation, time: float | None) -> int:
    """Return the sample at a time; None: that of the largest contact force, or displacement where nothing touched."""
    if time is not None:
        return int(np.abs(run.time - time).argmin())
    forces = np.nan_to_num(run.force)
    if forces.size and forces.max() > 0.0:
        return int(np.unravel_index(forces.argmax(), forces.shape)[0])
    moved = np.abs(np.nan_to_num(run.displacement))
    return int(np.unravel_index(moved.argmax(), moved.shape)[0])


def _busy(run: Simulation, longest: float = 8.0) -> tuple[float, float]:
    start = float(run.table["start"].min(initial=np.inf))
    begin = max(float(run.time[0]), min(start - 0.5, float(run.time[-1]) - longest))
    return begin, min(begin + longest, float(run.time[-1]))


def _height(view: DeckView) -> float:
    """Return how high a panel of the full width must be [mm]."""
    span = view.high - view.low
    margin = _margin(view)
    return float(np.clip(159.0 * (span[1] + 2 * margin) / (span[0] + 2 * margin), 30.0, 120.0))


def _margin(view: DeckView) -> float:
    """Return the room that is left around the bridge [m]: decks sway into it."""
    return MARGIN * float(np.ptp(view.corners(0, None), axis=0).min()) + 1.1 * SWAY * view.size
