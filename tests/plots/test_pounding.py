"""Figures of a run: what is drawn is what was computed, and any run can be drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import carom
from carom import plots
from carom.plots.runs.animation import busy_window, save_gif
from carom.results import Pounding
from carom.studies.single.assess import study_pounding

MOTION = carom.motions.get("default").trimmed(end=6.0)
LAW = carom.law("kelvin-voigt", stiffness=5e9, restitution=0.65)

FIGURES: dict[str, Callable[[Pounding], Any]] = {
    "geometry": plots.plot_geometry,
    "displacement": plots.plot_histories,
    "acceleration": lambda result: plots.plot_histories(result, "acceleration"),
    "gap": plots.plot_gap_and_force,
    "loops": plots.plot_loops,
    "phase": plots.plot_phase,
    "timeline": plots.plot_timeline,
    "envelopes": plots.plot_envelopes,
    "psa": plots.plot_floor_spectra,
    "psv": lambda result: plots.plot_floor_spectra(result, "psv"),
    "energy": plots.plot_energy,
}


def tower(name: str, floors: int, stiffness: float, **more: Any) -> carom.ShearBuilding:
    return carom.ShearBuilding(
        masses=[2e5] * floors, stiffnesses=[stiffness] * floors, damping_ratio=0.05, name=name, **more
    )


def problems() -> dict[str, carom.Problem]:
    a, b = tower("a", 4, 2e8, heights=3.0), tower("b", 2, 4e8, heights=3.0)
    pier = carom.Oscillator(mass=1e5, period=0.5, damping_ratio=0.05, name="pier")
    pair = [carom.facing("a", "b", gap=0.02, law=LAW)]
    return {
        "pair": carom.Problem([a, b], pair, motion=MOTION),
        "apart": carom.Problem([a, b], [carom.facing("a", "b", gap=1.0, law=LAW)], motion=MOTION),
        "three": carom.Problem(
            [a, b, pier], [*pair, carom.Contact(("b", 2), "pier", gap=0.01, law=LAW)], motion=MOTION
        ),
        "wall": carom.Problem(
            [pier, carom.Wall("wall")], [carom.Contact("pier", "wall", gap=0.02, law=LAW)], motion=MOTION
        ),
        "alone": carom.Problem([pier], motion=MOTION),
        "eight storeys without heights": carom.Problem(
            [tower("low", 8, 3e8), tower("high", 6, 5e8)],
            [carom.facing("low", "high", gap=0.0, law=LAW)],
            motion=MOTION,
        ),
    }


RESULTS: dict[str, Pounding] = {}


def result_of(name: str) -> Pounding:
    if name not in RESULTS:
        RESULTS[name] = study_pounding(problems()[name], title=name, checks=False)
    return RESULTS[name]


def all_axes(found: Any) -> list[Any]:
    return [found] if hasattr(found, "figure") else list(found)


@pytest.mark.parametrize("name", problems())
@pytest.mark.parametrize("figure", FIGURES)
def test_every_run_can_be_drawn(figure: str, name: str, tmp_path: Path) -> None:
    if figure == "gap" and name == "alone":
        with pytest.raises(carom.InputError, match="no contact"):
            plots.plot_gap_and_force(result_of(name))
        return
    axes = all_axes(FIGURES[figure](result_of(name)))
    canvas = axes[0].figure
    canvas.savefig(tmp_path / "figure.png", dpi=50)
    if figure != "geometry":
        assert "[" in axes[-1].get_xlabel() or "Floor" in axes[-1].get_ylabel()
    width, height = canvas.get_size_inches() * canvas.dpi
    for one in axes:  # nothing sticks out of the sheet, legends included
        box = one.get_tightbbox(canvas.canvas.get_renderer())
        assert box.x0 > -2
        assert box.x1 < width + 2
        assert box.y0 > -2
        assert box.y1 < height + 2


def test_names_of_many_neighbours_do_not_cover_each_other() -> None:
    law = carom.law("kelvin-voigt", stiffness=1e8, restitution=0.6)
    names = [f"building-{letter}" for letter in "ABCDEFGH"]
    row = [carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=[3e8] * 3, damping_ratio=0.05, name=n) for n in names]
    contacts = [carom.facing(a, b, gap=0.02, law=law) for a, b in pairwise(names)]
    result = study_pounding(carom.Problem(row, contacts, motion=MOTION), title="row", checks=False)
    axes = plots.plot_geometry(result)
    told = [text for text in axes.texts if text.get_text()[:2] == "bu"]
    assert len(told) == len(names)
    boxes = [text.get_window_extent(axes.figure.canvas.get_renderer()) for text in told]
    assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
    assert len({text.get_text() for text in told}) == len(names)


def curve(axes: Any, label: str) -> Any:
    return next(line for line in axes.get_lines() if line.get_label() == label)


def test_histories_show_the_top_floor_with_and_without() -> None:
    result = result_of("pair")
    upper, lower = plots.plot_histories(result)
    np.testing.assert_array_equal(curve(upper, "with contact").get_ydata(), 1e3 * result.run.displacement[:, 3])
    np.testing.assert_array_equal(curve(lower, "without contact").get_ydata(), 1e3 * result.twin.displacement[:, 5])
    np.testing.assert_array_equal(curve(upper, "impact").get_xdata(), result.run.table["start"])
    with pytest.raises(carom.InputError, match="Unknown quantity 'jerk'"):
        plots.plot_histories(result, "jerk")


def test_envelopes_show_true_extremes() -> None:
    result = result_of("pair")
    axes = plots.plot_envelopes(result)
    peaks = result.run.peaks
    np.testing.assert_allclose(curve(axes[0], "a, with contact").get_xdata(), 1e3 * peaks.displacement[:4])
    np.testing.assert_allclose(curve(axes[2], "b, with contact").get_xdata(), peaks.acceleration[4:] / 9.80665)
    np.testing.assert_allclose(curve(axes[1], "a, with contact").get_xdata(), 1e3 * peaks.drift[:4])
    drift = np.abs(result.twin.displacement[:, 1] - result.twin.displacement[:, 0]).max()
    assert 0.0 <= curve(axes[1], "a, without contact").get_xdata()[1] / (1e3 * drift) - 1.0 < 1e-3
    np.testing.assert_allclose(curve(axes[0], "a, with contact").get_ydata(), [3, 6, 9, 12])


def test_loops_and_peaks_of_force() -> None:
    result = result_of("pair")
    axes = plots.plot_loops(result)
    assert len([line for line in axes.get_lines() if "s" in line.get_label()]) >= len(result.loops)
    _, lower = plots.plot_gap_and_force(result)
    assert curve(lower, "true peak").get_ydata().max() * 1e6 == pytest.approx(result.max_force)
    label = result.run.contacts[0]
    upper, _ = plots.plot_gap_and_force(result, contact=label)
    assert upper.get_title(loc="left") == label


def test_energy_stacks_up_to_the_input() -> None:
    result = result_of("pair")
    axes = plots.plot_energy(result)
    top = max(path.vertices[:, 1].max() for layer in axes.collections for path in layer.get_paths())
    assert top == pytest.approx(curve(axes, "input").get_ydata().max(), rel=1e-3)


def test_animation(tmp_path: Path) -> None:
    result = result_of("three")
    begin, end = busy_window(result)
    assert begin < result.run.table["start"].min() < end
    path = save_gif(result, tmp_path / "sway.gif", window=(begin, begin + 1.0), rate=10.0)
    with Image.open(path) as picture:
        assert picture.n_frames == 10
    for name in ("wall", "alone", "apart"):
        save_gif(result_of(name), tmp_path / f"{name}.gif", window=(1.0, 1.3), rate=10.0)
