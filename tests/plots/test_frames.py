"""Frames as they are drawn: members where they are, bent as closed forms say, slabs and supports."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection

import carom
from carom.plots import plot_frame

STEEL, SECTION = carom.Material.steel(), carom.Section.rectangle(0.2, 0.3)


def tower() -> carom.Frame:
    return carom.Frame.moment_frame(
        storeys=["3 m"] * 2, bays=["6 m"], rows=["5 m"], columns=SECTION, beams=SECTION, material=STEEL,
        slab="500 kg/m^2",
    )  # fmt: skip


def cantilever() -> carom.Frame:
    return carom.Frame(
        nodes={"foot": (0, 0, 0), "tip": (0, 0, 4)}, members=[carom.Member("foot", "tip", SECTION, STEEL)],
        supports={"foot": "fixed"}, plane="xz",
    )  # fmt: skip


def lines(axes: object) -> list[np.ndarray]:
    found = [one for one in axes.collections if isinstance(one, LineCollection)]
    return [np.array(path) for path in found[-1].get_segments()]


def test_a_cantilever_bends_as_a_cubic() -> None:
    """w(z) = P z²(3L − z)/(6EI), ten times as large; and the foot is clamped."""
    frame, force = cantilever(), 2e4
    axes = plot_frame(frame, moved=frame.static({"tip": (force, 0, 0)}), scale=10.0)
    x, z = lines(axes)[0].T
    np.testing.assert_allclose(
        x, 10.0 * force * z**2 * (12.0 - z) / (6.0 * STEEL.young * SECTION.inertia_y), atol=1e-12
    )
    assert axes.get_title(loc="left") == "Displacements × 10"
    assert [line.get_marker() for line in axes.lines] == ["s"]


def test_a_mode_is_drawn_beside_the_frame() -> None:
    frame = tower()
    axes = plot_frame(frame, mode=2)
    assert axes.get_title(loc="left") == f"Mode 2: {frame.frequencies[1]:.4g} Hz"
    assert len(lines(axes)) == len(frame.members)
    slabs = [one for one in axes.collections if isinstance(one, PolyCollection)]
    assert len(slabs[0].get_paths()) == 2
    canvas = axes.figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()
    box = axes.get_tightbbox(canvas.get_renderer())
    assert box is not None
    assert box.x0 >= 0.0
    assert box.x1 <= axes.figure.bbox.x1 + 0.5


def test_members_stand_where_they_are() -> None:
    """Seen from above, a frame in space is its plan."""
    frame = tower()
    axes = plot_frame(frame, view=(-90.0, 90.0))
    drawn = {tuple(np.round(point, 9)) for one in lines(axes) for point in one}
    assert drawn == {(0.0, 0.0), (6.0, 0.0), (0.0, 5.0), (6.0, 5.0)}


def test_a_mode_has_the_modal_mass_one() -> None:
    frame = tower()
    moved = frame.mode_displacements(1)
    u = np.array([moved["0-0-1"][2], moved["0-0-1"][4]])
    rows = [frame.dof_names.index(f"0-0-1 {way}") for way in ("uz", "ry")]
    np.testing.assert_allclose(u, frame.modes().shapes[rows, 0])


def test_refusals() -> None:
    frame = cantilever()
    with pytest.raises(carom.InputError, match="must be left out where `moved` is given"):
        plot_frame(frame, mode=1, moved=frame.static())
    with pytest.raises(carom.InputError, match=r"`mode` of Frame must be a whole number in 1…3. Got 0"):
        plot_frame(frame, mode=0)
