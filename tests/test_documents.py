"""The examples of README, CONTRIBUTING and the pages of docs run as printed."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import carom
import carom.testing
from carom.joints import joints
from carom.laws import laws
from carom.scenario import read_scenario
from carom.scenario.motions.grounds import ground_of, motion_faults
from carom.scenario.motions.motion_parts import MotionPart
from carom.scenario.studies.model import OUTPUTS, MotionsPart

ROOT = Path(__file__).parents[1]


@pytest.fixture
def _own_names():
    known = laws, joints
    before = []
    for one in known:
        one.names()  # which finds the members, lest they go with what a test adds
        before.append((dict(one._members), dict(one._aliases), dict(one._lookup)))
    yield
    for one, kept in zip(known, before, strict=True):
        one._members, one._aliases, one._lookup = kept


def examples(name: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(), flags=re.M | re.S)


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # it writes a file
    scope: dict[str, object] = {}
    for example in examples("README.md"):
        exec(example, scope)
    hit = scope["hit"]
    assert f"{hit.peak_force:.2f}" == "4811.87"
    assert f"{hit.restitution:.4f}" == "0.9579"
    assert f"{1e6 * hit.duration:.1f}" == "202.5"
    assert f"{1e3 * hit.energy_lost:.2f}" == "5.57"
    motion = scope["gm"]
    assert [f"{x:.4g}" for x in (motion.pga, motion.pgv, motion.measures().arias)] == ["4.903", "0.4098", "2.066"]
    spectrum = carom.response_spectrum(motion, [0.2, 0.5, 1.0], 0.05)
    assert [f"{x:.4g}" for x in spectrum.sa] == ["8.714", "9.495", "3.748"]
    assert scope["run"].outcome.word == "finished"
    assert scope["run"].table["start"].size > 0


@pytest.mark.usefixtures("_own_names")
def test_contributing() -> None:
    law, joint = examples("CONTRIBUTING.md")
    scope: dict[str, object] = {"__name__": "a_module_of_mine"}
    exec(law, scope)
    assert scope["hit"].status == "separated"
    exec(compile(joint, "CONTRIBUTING.md", "exec", dont_inherit=True), scope)  # with its own annotations
    carom.testing.check_joint(scope["PerfectlyPlastic"](0.01).bound_to(4e6), deformation=0.03)
    problem = carom.Problem([scope["tower"]], initial_velocity={"tower": (0.6,)})
    same = problem.replace(structures=[scope["tower"].replace(storeys=carom.Bilinear("1 cm"))])
    ours, theirs = (carom.simulate(one, scheme="newmark", duration=1.0, dt=1e-3) for one in (same, problem))
    assert ours.extremes[0, 0] > 0.015
    np.testing.assert_allclose(theirs.displacement, ours.displacement, rtol=1e-9, atol=1e-12)


def test_analyses() -> None:
    (example,) = examples("docs/analyses.md")
    scope: dict[str, object] = {}
    exec(example, scope)
    assert len(scope["table"]) == 6
    assert scope["found"].section().tables[0].rows


def test_places() -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/places.md"):
        exec(example, scope)
    assert scope["slab"].read("north-east", "y").row.tolist() == [0.0, 1.0, 3.0]
    assert scope["run"].table["start"].size > 0
    assert scope["kept"].flat().output_labels == ("deck opening", "deck east", "deck west")


def test_ground() -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/ground.md"):
        exec(example, scope)
    assert scope["run"].table["start"].size > 0
    assert [support.delay for support in scope["apart"].supports] == [0.0, 0.2]
    assert scope["many"].dataset.sizes["motion"] == 2
    left = scope["leaning"]
    rest = np.linalg.solve(left.stiffness_matrix, left.load)
    np.testing.assert_allclose(scope["loaded"].initial_displacement["left"], rest, rtol=1e-12)
    assert scope["one"].initial_displacement["right"][0] == 0.002


def test_motions(tmp_path: Path) -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/motions.md"):
        exec(example, scope)
    assert len(scope["seven"].motions) == 7
    assert scope["seven"].bound <= scope["seven"].error
    assert scope["matched"].mean_error < 0.05
    assert len(scope["piers"].pairs) == 3
    for toml in re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "motions.md").read_text(encoding="utf-8"), re.S):
        given = tomllib.loads(toml)
        if "motions" in given:
            MotionsPart.model_validate(given["motions"])
        else:
            part = MotionPart.model_validate(given["motion"])
            assert motion_faults(part, "motion") == []
            assert ground_of(part, tmp_path)


def test_frames() -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/frames.md"):
        exec(example, scope)
    assert scope["rest"].reactions["ne0"][2] != 0.0
    assert scope["run"].impact_count > 0
    assert float(np.abs(scope["run"].history.displacement.sel(dof="annex base moment")).max()) > 1e3
    few = scope["few"]
    assert few.structures[0].vectors == 11
    assert few.structures[0].kept_modes < 90 == len(few.structures[0].dof_names)
    assert scope["quick"].evidence["reduced"]["estimate"] == few.reduction.estimate <= 1e-3
    assert scope["tower"].vectors == 2 * (1 + 3 + 2) + 3


def test_torsion() -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/torsion.md"):
        exec(example, scope)
    assert scope["right"].storey_springs[0].centre[0] < 4.5
    assert scope["problem"].flat().gap.tolist() == [0.03, 0.045, 0.03, 0.045]
    run = scope["run"]
    assert run.impact_count > 0
    assert float(run.peaks["displacement"].sel(dof="left floor 3 ne along x")) > 0.01
    assert float(run.peaks["displacement"].sel(dof="left floor 3 rz")) > 1e-4
    assert scope["many"].dataset.peak_force.shape == (3, 3)
    assert scope["many"].dataset.peak_force.values.std() > 0.0


def test_girders() -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/girders.md"):
        exec(example, scope)
    assert scope["run"].outcome.word == "finished"
    assert scope["run"].impact_count > 0


def test_bridges() -> None:
    scope: dict[str, object] = {}
    for example in examples("docs/bridges.md"):
        exec(example, scope)
    unseating = scope["run"].unseating
    assert unseating.sizes["seat"] == 6
    assert float(unseating.rotation.min()) > 1e-3
    assert float(unseating.along.max()) > 0.1


def test_models() -> None:
    opensees, storeys = examples("docs/models.md")
    scope: dict[str, object] = {}
    exec(storeys, scope)
    assert scope["tower"].masses == (200000.0, 200000.0, 180000.0)
    assert scope["tower"].heights == (3.5, 7.0, 10.5)
    toml = re.search(r"```toml\n(.*?)```", (ROOT / "docs" / "models.md").read_text(encoding="utf-8"), re.S)
    assert {table["kind"] for table in tomllib.loads(toml[1])["structures"].values()} == {"matrices", "storeys"}
    if importlib.util.find_spec("openseespy") is None:
        pytest.skip("openseespy is not installed: the first example of docs/models.md was not run")
    import openseespy.opensees as ops

    ops.wipe()
    exec(opensees, scope)
    assert len([line for line in opensees.splitlines() if line.strip()]) <= 20
    assert scope["run"].impact_count > 0
    ops.wipeAnalysis()
    theirs = np.array(ops.eigen("-fullGenLapack", 3))
    np.testing.assert_allclose((2.0 * np.pi * scope["tower"].frequencies[:3]) ** 2, theirs, rtol=1e-8)
    ops.wipe()


def test_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # it writes a file
    for example in examples("docs/space.md"):
        exec(example, {})
    pair, deck, outputs, damper = re.findall(
        r"^```toml\n(.*?)^```", (ROOT / "docs/space.md").read_text(), flags=re.M | re.S
    )
    (tmp_path / "pair.toml").write_text(pair, encoding="utf-8")
    stated = read_scenario(tmp_path / "pair.toml")
    assert stated.notes == ()
    assert [one.gap for one in stated.problem.pairs] == [0.01, 0.015, 0.01, 0.015]
    assert set(stated.ground) == {"x", "y"}
    run = carom.simulate(stated.problem)
    assert run.impact_count > 0
    (tmp_path / "more.toml").write_text(f"{pair}\n{outputs}\n{damper}", encoding="utf-8")
    more = read_scenario(tmp_path / "more.toml").problem
    assert [place.at for place in more.outputs] == [("drift", 2), ("drift", 2, "ne"), ("shear", 1)]
    assert [one.constant for one in more.dampers] == [2e6]
    (tmp_path / "deck.toml").write_text(f'title = "Deck"\n{deck}\n[motion]\nrecord = "default"\n', encoding="utf-8")
    (read,) = read_scenario(tmp_path / "deck.toml").problem.structures
    assert read.read("end", "x").row.tolist() == [0.0, 1.0]


def test_rigid_contact() -> None:
    neighbours = [carom.Oscillator(mass=1e5, period=period, name=name) for name, period in (("a", 0.5), ("b", 0.3))]
    pad = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
    motion = carom.motions.get("default").trimmed(2.0, 4.0)
    problem = carom.Problem(neighbours, [carom.Contact("a", "b", gap=0.01, law=pad)], motion=motion)
    scope: dict[str, object] = {"carom": carom, "problem": problem}
    for example in examples("docs/rigid-contact.md"):
        exec(example, scope)
    assert scope["exact"].table["start"].size > 0
    assert scope["steps"].table["start"].size > 0
    assert scope["oblique"].law.friction == 0.2


def test_pictures_are_there() -> None:
    for picture in re.findall(r"\]\((docs/[^)]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / picture).is_file()


def test_versions_agree() -> None:
    assert f'version = "{carom.__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert f"version: {carom.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f'version = "{carom.__version__}"' in (ROOT / "recipe" / "meta.yaml").read_text()


def test_the_recipe_needs_what_the_package_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    recipe = (ROOT / "recipe" / "meta.yaml").read_text().partition("  run:\n")[2].partition("\n\n")[0]
    listed = {line.strip("- ").replace("-base", "").replace(" ", "") for line in recipe.splitlines()}
    assert listed == {*project["dependencies"], f"python{project['requires-python']}"}


def test_the_outputs_of_studies_are_listed_once_and_all() -> None:
    text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", text.partition("## Outputs")[2].partition("\n## ")[0], re.MULTILINE)
    assert dict(rows) == OUTPUTS


def test_numbers_of_things_that_README_states_are_counted() -> None:
    """Pages state none; these are in README, where a reader weighs the package."""
    from carom.integrate.schemes import schemes
    from carom.laws import impulsive_laws

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    published = sum(laws.get(name).__module__.startswith("carom.") for name in laws.names())  # not those of other tests
    assert f"{published} laws with a stiffness, {len(impulsive_laws.names())} impulsive ones" in text
    assert f"All {published} laws agree" in text
    assert re.search(rf"^carom schemes +# {len(schemes.names())} ways", text, re.M)
    assert text.count("nineteen formats") == 2
    assert len(carom.motions.formats()) == 19
    for page in sorted((ROOT / "docs").rglob("*.md")):
        found = re.findall(r"\b(\d+|\w+teen|twenty\S*|thirty\S*) (formats|laws|schemes|tableaux)\b", page.read_text())
        assert not found, f"{page.name}: {found}"
