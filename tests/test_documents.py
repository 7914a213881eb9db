"""The examples of README, CONTRIBUTING and the pages of docs run as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import carom
from carom.laws import laws
from carom.scenario.study_model import OUTPUTS

ROOT = Path(__file__).parents[1]


@pytest.fixture
def _own_names():
    laws.names()  # which finds the members, lest they go with what a test adds
    before = dict(laws._members), dict(laws._aliases), dict(laws._lookup)
    yield
    laws._members, laws._aliases, laws._lookup = before


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
    (example,) = examples("CONTRIBUTING.md")
    scope: dict[str, object] = {}
    exec(example, scope)
    assert scope["hit"].status == "separated"


def test_analyses() -> None:
    (example,) = examples("docs/analyses.md")
    scope: dict[str, object] = {}
    exec(example, scope)
    assert len(scope["table"]) == 6
    assert scope["found"].section().tables[0].rows


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


def test_the_outputs_of_studies_are_listed_once_and_all() -> None:
    text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", text.partition("## Outputs")[2].partition("\n## ")[0], re.MULTILINE)
    assert dict(rows) == OUTPUTS
