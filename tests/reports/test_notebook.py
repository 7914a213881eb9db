"""What objects show of themselves in a notebook, and runs that draw themselves."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import carom
from carom import plots


@pytest.fixture(scope="module")
def run():
    left = carom.Oscillator(mass="100 t", period=0.6, damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass="80 t", period=0.35, damping_ratio=0.05, name="<b>right</b>")
    law = carom.law("kelvin-voigt", stiffness="300 MN/m", restitution=0.65)
    contact = carom.Contact("left", "<b>right</b>", gap="2 cm", law=law)
    return carom.simulate(carom.Problem([left, right], [contact], motion=carom.motions.get("default").trimmed(2, 5)))


@pytest.mark.parametrize("kind", ["run", "problem", "law", "motion"])
def test_objects_show_facts_and_a_picture(run, kind: str) -> None:
    problem = vars(run)["_stated"][0]
    shown = {"run": run, "problem": problem, "law": problem.pairs[0].law, "motion": problem.motion}[kind]
    text = shown._repr_html_()
    assert "<svg" in text
    assert "<b>right</b>" not in text  # names are text
    ElementTree.fromstring(text.replace("&nbsp;", " "))


def test_a_run_from_a_file_shows_its_facts(run, tmp_path) -> None:
    text = carom.load(run.save(tmp_path / "run.nc"))._repr_html_()
    assert "impacts" in text
    assert "<svg" not in text


def test_ensembles_show_their_results(run) -> None:
    problem = vars(run)["_stated"][0]
    assert "peak_force" in carom.ensemble(problem, vary={"gap": [0.02, 0.5]})._repr_html_()


def test_in_space_facts_stand_alone() -> None:
    tower = carom.TorsionalBuilding(
        masses=["200 t"], stiffnesses_x="300 MN/m", stiffnesses_y="250 MN/m", torsional_stiffnesses="20 GN m",
        width="12 m", depth="18 m", damping_ratio=0.05, name="tower",
    )  # fmt: skip
    assert "tower" in carom.Problem([tower], motion=carom.motions.get("default"))._repr_html_()


@pytest.mark.parametrize(
    "name", ["plot_gap_and_force", "plot_histories", "plot_energy", "plot_geometry", "plot_timeline"]
)
def test_a_run_is_drawn_beside_its_twin(run, name: str) -> None:
    drawn = getattr(plots, name)(run)
    assert drawn is not None
    assert run.assessed() is run.assessed()
    assert run.assessed().twin.impact_count == 0


def test_a_loaded_run_says_what_a_picture_needs(run, tmp_path) -> None:
    loaded = carom.load(run.save(tmp_path / "run.nc"))
    with pytest.raises(carom.InputError, match="assessed needs the problem of a run"):
        plots.plot_gap_and_force(loaded)
