"""Bodies in perspective: where points are drawn, what is told of contacts, what goes to files."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import carom
from carom import plots
from carom.plots.space.girders import Perspective, paths
from carom.structures.solids.rotations import matrix_of

mpl.use("Agg")


@pytest.fixture(scope="module")
def run() -> carom.results.Simulation:
    """A box that falls on a floor askew, and slides."""
    law = carom.law("kelvin-voigt", stiffness=1e7, restitution=0.3)
    box = carom.Girder(length=2, width=1, depth=0.5, mass=500, position=(0, 0, 0.6), orientation=(0.2, 0.1, 0),
                       velocity=(1, 0, 0), name="box")  # fmt: skip
    floor = carom.FixedBody.plate((0, 0, 0), size=6, name="floor")
    corners = [f"{corner} bottom" for corner in ("sw", "se", "ne", "nw")]
    contacts = [
        carom.Contact(("box", at), "floor", face="face", law=law, friction=carom.Friction(0.3)) for at in corners
    ]
    return carom.simulate(carom.Problem([box, floor], contacts), duration=0.8, sampling=0.01, rtol=1e-5)


def test_points_move_as_the_body_does(run: carom.results.Simulation) -> None:
    box, floor = run.body_forms
    assert (box.name, box.body, floor.body, len(box.faces), len(floor.faces)) == ("box", 0, -1, 6, 1)
    assert list(box.nodes) == [0, 1, 2, 3]
    record, samples = run.scene_record, np.array([0, 20, 79])
    assert record is not None
    moved = paths(box, record, samples)
    start = record.centre[0, 0]
    for k, sample in enumerate(samples):
        wanted = record.centre[sample, 0] + (np.array(box.points) - start) @ matrix_of(record.turned[sample, 0]).T
        np.testing.assert_allclose(moved[k], wanted - np.array(box.points), atol=1e-12)
    lows = (np.array(box.points) + moved[:, :, :])[:, list(box.nodes.values()), 2]
    np.testing.assert_allclose(lows, run.gap[samples], atol=1e-9)


def test_an_eye_sees_near_things_larger() -> None:
    eye = Perspective(np.array([-1.0, -1.0, -1.0]), np.array([1.0, 1.0, 1.0]), (-90.0, 0.0))
    at, far = eye.seen(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    np.testing.assert_allclose(at[[0, 1, 4]], [[0, 0], [1, 0], [0, 1]], atol=1e-12)
    assert at[2, 0] > at[1, 0] > at[3, 0]
    assert far[2] < far[1] < far[3]


def test_pictures(run: carom.results.Simulation, tmp_path: Path) -> None:
    axes = plots.plot_girders(run)
    assert {text.get_text() for text in axes.texts} >= {"box", "floor"}
    states = {text.get_text() for text in axes.get_legend().get_texts()}
    assert states <= {"sticks", "slides"}
    assert states
    run.save(tmp_path / "run.nc")
    again = carom.load(tmp_path / "run.nc")
    assert again.body_forms == run.body_forms
    other = plots.plot_girders(again, time=0.5, scale=2.0, view=(0, 10))
    assert other.get_title(loc="left") == "0.500 s, displacements × 2"
    with pytest.raises(carom.InputError, match="bodies in space"):
        plots.plot_girders(carom.simulate(carom.Problem([carom.Oscillator(mass=1.0, stiffness=1.0)]), duration=1.0))
