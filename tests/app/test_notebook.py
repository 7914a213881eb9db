"""The explorer in a notebook: a problem's controls, and messages to and fro as the page sends them."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

import carom
from carom.app.notebook import answered
from carom.app.problems import ProblemExplorer
from tests.app.test_explorer import read


def problem() -> carom.Problem:
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
    tall = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=[2e8] * 3, damping_ratio=0.05, name="tall")
    low = carom.Oscillator(mass=3e5, period=0.3, damping_ratio=0.03, name="low")
    contacts = [carom.Contact(("tall", 1), "low", gap="1 cm", law=law)]
    motion = carom.motions.get("default").scaled(pga="0.5 g").trimmed(0.0, 8.0)
    return carom.Problem([tall, low], contacts, motion=motion)


@pytest.fixture(scope="module")
def explorer() -> ProblemExplorer:
    return ProblemExplorer(problem())


def test_controls_are_those_of_the_problem(explorer: ProblemExplorer) -> None:
    told, _ = read(answered(explorer, {"kind": "told", "number": 4}))
    assert told["number"] == 4
    assert told["title"] == "tall beside low"
    paths = {one["path"]: one for one in told["controls"]}
    assert {
        "contacts.0.gap", "laws.lankarani-nikravesh-1990.stiffness", "laws.lankarani-nikravesh-1990.restitution",
        "structures.tall.masses", "structures.tall.stiffnesses", "structures.low.mass", "structures.low.damping_ratio",
    } <= set(paths)  # fmt: skip
    assert "structures.low.stiffness" not in paths  # it was given by its period
    assert paths["contacts.0.gap"]["value"] == 0.01
    assert paths["structures.tall.masses"]["listed"]


def test_what_is_moved_is_what_simulate_gets(explorer: ProblemExplorer) -> None:
    moved = {
        "contacts.0.gap": 0.005, "structures.tall.masses": 1.2, "structures.low.damping_ratio": 0.1,
        "laws.lankarani-nikravesh-1990.stiffness": 1e9,
    }  # fmt: skip
    said, arrays = read(answered(explorer, {"kind": "run", "number": 1, "moved": moved, "pga": 0.4}))
    base = problem()
    tall = carom.ShearBuilding(masses=[2.4e5] * 3, stiffnesses=[2e8] * 3, damping_ratio=0.05, name="tall")
    low = carom.Oscillator(mass=3e5, period=0.3, damping_ratio=0.1, name="low")
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.6)
    contacts = [carom.Contact(("tall", 1), "low", gap=0.005, law=law)]
    run = carom.simulate(carom.Problem([tall, low], contacts, motion=base.motion.scaled(pga="0.4 g")), rtol=1e-5)
    assert said["kind"] == "answer"
    assert said["impacts"] == run.impact_count > 0
    np.testing.assert_allclose(said["force"], run.peak_force, rtol=1e-3)
    np.testing.assert_allclose(np.abs(arrays["tops"][0]).max(), np.abs(run.history.displacement[:, 2]).max(), rtol=2e-3)
    details, _ = read(answered(explorer, {"kind": "details", "number": 2}))
    assert details["number"] == 2


def test_another_law_has_equal_force_at_a_millimetre(explorer: ProblemExplorer) -> None:
    changed = explorer.problem({"laws": {"lankarani-nikravesh-1990": "kelvin-voigt"}}).pairs[0].law
    assert changed.name == "kelvin-voigt"
    np.testing.assert_allclose(changed.stiffness * 1e-3, 2e9 * 1e-3**1.5)
    assert changed.restitution == 0.6


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"kind": "exec", "number": 3}, "no wish"),
        ("run", "no wish"),
        ({"kind": "run", "number": 3, "moved": {"structures.tall.name": 3}}, "must name a control"),
        ({"kind": "run", "number": 3, "laws": {"lankarani-nikravesh-1990": "none"}}, "none"),
        ({"kind": "run", "number": 3, "moved": 5}, "must be a table"),
    ],
)
def test_what_makes_no_sense_is_told(explorer: ProblemExplorer, wish: Any, words: str) -> None:
    said, _ = read(answered(explorer, wish))
    assert said["kind"] == "refused"
    assert words in said["words"]


def test_without_anywidget_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(carom.CaromError, match=r"pip install 'carom\[notebook\]'"):
        carom.explore(problem())


def test_messages_of_the_widget() -> None:
    pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")
    widget = carom.explore(problem(), title="Two")
    sent: list[tuple[Any, Any]] = []
    widget.send = lambda content, buffers: sent.append((content, buffers))
    widget._handle_custom_msg({"kind": "told", "number": 1}, [])
    widget._handle_custom_msg({"kind": "run", "number": 2, "moved": {}}, [])
    told, answer = (read(buffers[0])[0] for _, buffers in sent)
    assert told["title"] == "Two"
    assert answer["kind"] == "answer"
    assert answer["number"] == 2
    assert "export default { render: notebookView };" in widget._esm
    with pytest.raises(carom.InputError, match=r"must be a carom\.Problem"):
        carom.explore("scenario.toml")
