"""Pictures of decks from above: what is drawn is where the run has it; states by colour; refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom import plots
from carom.plots.space.decks import STATES, DeckView, round_figure


@pytest.fixture(scope="module")
def run() -> carom.results.Simulation:
    decks = [
        carom.Deck(length=20, width=8, skew="25 deg", mass=2e5, at=(20.04 * i, 0), name=name)
        for i, name in enumerate(("one", "two"))
    ]
    west = carom.Abutment.beside(decks[0], "w", gap="4 cm", name="west")
    pad = carom.joints.Elastomeric("1 MN/m", "20 kN*s/m")
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.8)
    friction = carom.Friction(0.3)
    problem = carom.Problem(
        [west, *decks],
        [carom.facing(a, b, law=law, friction=friction) for a, b in (("west", "one"), ("one", "two"))],
        bearings=[carom.Bearing((one.name, c), "ground", rule=pad) for one in decks for c in one.corner_names],
        seats=[carom.Seat(("two", "e"), "ground", length="5 cm")],
        initial_velocity={"two": (-1.0, 0.2, 0.0)},
    )
    return carom.simulate(problem, duration=2.0, sampling=1e-3)


def test_the_moment_of_the_largest_force(run: carom.results.Simulation) -> None:
    axes = plots.plot_decks(run)
    words = [text.get_text() for text in axes.texts]
    sample = int(np.unravel_index(np.nan_to_num(run.force).argmax(), run.force.shape)[0])
    assert any(f"t = {run.time[sample]:.3f} s" in one for one in words)
    assert {"one", "two"} <= set(words)
    coloured = {line.get_color() for line in axes.lines}
    assert coloured & {colour for _, colour in STATES.values()}


def test_motions_and_gaps_are_enlarged_alike(run: carom.results.Simulation) -> None:
    """Where decks touch, they touch in the picture: along the normal, to the overlap enlarged."""
    view = DeckView(run)
    assert view.amplification == round_figure(view.amplification) > 1.0
    for node in view.plan.nodes:
        if node.face < 0 or node.deck < 0:
            continue
        closed = np.flatnonzero(run.force[:, node.column] > 0.0)
        if not closed.size:
            continue
        sample = int(closed[closed.size // 2])
        place = view.point(node.deck, np.array([node.at]), sample)[0]
        edge = view.corners(node.face, sample)
        spans = np.roll(edge, -1, axis=0) - edge
        normals = np.stack([spans[:, 1], -spans[:, 0]], axis=1) / np.hypot(*spans.T)[:, None]
        nearest = np.abs(((place - edge) * normals).sum(axis=1)).min()
        assert nearest < 0.02 * view.amplification
        return
    pytest.fail("nothing touched")


def test_seats_bearings_and_films(run: carom.results.Simulation, tmp_path: Path) -> None:
    axes = plots.plot_unseating(run)
    assert len(axes.lines) >= 2
    panels = plots.plot_bearings(run, ["two ne | ground"])
    np.testing.assert_allclose(panels[0].lines[0].get_xdata(), 1e3 * run.scene_record.joint_deformation[:, 12])
    assert run.scene_record.joints[12] == "two ne | ground"
    film = plots.animate_decks(run, window=(0.0, 0.2), rate=10.0)
    film.save(tmp_path / "decks.gif", writer="pillow")
    assert (tmp_path / "decks.gif").stat().st_size > 1000
    with pytest.raises(carom.InputError, match="found none of these bearings"):
        plots.plot_bearings(run, ["nobody"])


def test_a_run_without_decks_is_refused() -> None:
    mass = carom.Oscillator(mass=1.0, period=1.0)
    other = carom.simulate(carom.Problem([mass], initial_velocity={0: 1.0}), duration=1.0)
    with pytest.raises(carom.InputError, match="need a run with decks"):
        plots.plot_decks(other)
