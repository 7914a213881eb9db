"""Wire models in space: points where results and modes put them, contacts filled while closed, forces by colour."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from matplotlib.collections import LineCollection

import carom
from carom import plots
from carom.results import Pounding
from carom.studies.single.assess import study_pounding


@cache
def pounded() -> Pounding:
    parts = {
        "columns": carom.Section.rectangle(0.3, 0.3), "beams": carom.Section.rectangle(0.3, 0.5),
        "material": carom.Material.concrete(), "slab": "600 kg/m^2", "damping_ratio": 0.05,
    }  # fmt: skip
    left = carom.Frame.moment_frame(storeys=["3 m"] * 2, bays=["6 m"], rows=["5 m"], name="left", **parts)
    right = carom.Frame.moment_frame(
        storeys=["3 m"], bays=["6 m"], rows=["5 m"], origin=("6.005 m", 0, 0), name="right", **parts
    )
    law = carom.law("kelvin-voigt", stiffness="2 GN/m", restitution=0.65)
    contact = carom.Contact(("left", "1-0-1", "x"), ("right", "0-0-1", "x"), gap="5 mm", law=law, name="south")
    problem = carom.Problem([left, right], [contact], motion=carom.motions.get("default").trimmed(0.0, 4.0))
    return study_pounding(problem, title="frames", checks=False)


def segments(axes: object) -> list[list[np.ndarray]]:
    found = [one for one in axes.collections if isinstance(one, LineCollection)]
    return [[np.array(part) for part in one.get_segments()] for one in found]


def test_points_are_where_the_run_says() -> None:
    """From above x and y on the page are x and y of the world."""
    result = pounded()
    at, scale = 150, 20.0
    axes = plots.plot_in_space(result, time=float(result.run.time[at]), scale=scale, view=(-90, 90))
    form = result.scene.standings[0].form
    u = {name: result.run.displacement[at, k] for k, name in enumerate(result.run.dofs)}
    corner = np.array([0.0, 0.0]) + scale * np.array([u["left floor 2 ux"], u["left floor 2 uy"]])
    arm = scale * u["left floor 2 rz"] * np.array([2.5, -3.0])  # from the middle of the slab to the corner
    ends = np.concatenate([stroke[[0, -1]] for stroke in segments(axes)[1]])
    assert np.abs(ends - (corner + arm)).max(axis=1).min() < 1e-9
    assert form.member_forces(result.run).shape == (result.run.time.size, len(form.forces.names), 3)
    assert axes.get_title(loc="left") == f"{result.run.time[at]:.3f} s, displacements and gaps × 20"


def test_a_closed_contact_is_filled_and_an_open_one_is_not() -> None:
    result = pounded()
    filled = [line.get_markerfacecolor() for line in plots.plot_in_space(result).lines]
    assert filled.count("#E69F00") == 1
    open_ = [line.get_markerfacecolor() for line in plots.plot_in_space(result, time=0.0).lines]
    assert "#E69F00" not in open_


@pytest.mark.parametrize("by", ["axial force", "shear", "bending moment"])
def test_members_by_force(by: str) -> None:
    result = pounded()
    axes = plots.plot_in_space(result, by=by)
    label = axes.figure.axes[-1].get_ylabel()
    assert label.lower().startswith(by)
    assert "N" in label


def test_refusals() -> None:
    result = pounded()
    for wrong, words in (({"by": "torque"}, "must be one of axial force"), ({"time": 99.0}, "must lie in the run")):
        with pytest.raises(carom.InputError, match=words):
            plots.plot_in_space(result, **wrong)
    along = carom.ShearBuilding(masses=[1e5], stiffnesses=1e7, damping_ratio=0.05, name="line")
    with pytest.raises(carom.InputError, match="must have points that move in space"):
        plots.plot_mode(along)
    frame = carom.Frame.moment_frame(
        storeys=["3 m"], bays=["6 m"], rows=["5 m"], columns=carom.Section.rectangle(0.3, 0.3),
        beams=carom.Section.rectangle(0.3, 0.3), material=carom.Material.steel(), name="frame",
    )  # fmt: skip
    with pytest.raises(carom.InputError, match="whole number in 1…"):
        plots.plot_mode(frame, 0)


def test_a_mode_swings_as_far_as_asked() -> None:
    frame = carom.Frame.moment_frame(
        storeys=["3 m"] * 2, bays=["6 m"], rows=["5 m"], columns=carom.Section.rectangle(0.3, 0.3),
        beams=carom.Section.rectangle(0.3, 0.3), material=carom.Material.steel(), slab=500.0, name="frame",
    )  # fmt: skip
    axes = plots.plot_mode(frame, 1, scale=0.5, view=(-90, 0))
    rest, bent = segments(axes)
    assert axes.get_title(loc="left") == f"Mode 1: {frame.frequencies[0]:.4g} Hz"
    far = max(np.abs(b[[0, -1]] - a[[0, -1]]).max() for a, b in zip(rest, bent, strict=True))
    shapes = np.array([moved[:3] for moved in frame.mode_displacements(1).values()])
    most = np.linalg.norm(shapes, axis=1).max()
    assert far == pytest.approx(0.5 * np.abs(shapes[:, [0, 2]]).max() / most, rel=5e-3)  # a beam bends farther
    animation = plots.animate_mode(frame, 2)
    animation._func(0.5)
    animation._draw_was_started = True  # it was drawn, above: no warning that it never was
