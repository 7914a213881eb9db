"""What is possible but unlikely is said with what is usual and what may have been meant; nothing is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import carom
from carom.cli import main
from carom.problem.plausibility import USUAL
from carom.scenario import default_scenario, read_scenario
from tests.scenario.malformed import SOUND

SLIPS = {
    "damping": (
        ('damping_ratio = "5 %"', "damping_ratio = 5"),
        "damping ratio of 'tower' is 5 (500 %); usual are 0 to 30 %. Did you mean 5 %?",
    ),
    "gap": (('gap = "2 cm"', "gap = 30"), "is 30 m; usual are 0 to 1 m. Did you mean 30 mm?"),
    "masses": (
        ('masses = "200 t"', "masses = 250"),
        "floor mass of 'tower', floor 1 (and 3 more) is 250 kg (0.25 t); usual are 5 to 10000 t. Did you mean 250 t?",
    ),
    "pga": (
        ('pga = "0.4 g"', "pga = 0.4"),
        "peak ground acceleration of 'default' is 0.4 m/s² (0.041 g); usual are 0.05 to 2 g. Did you mean 0.4 g?",
    ),
    "stiffness": (
        ('stiffness = "2e9 N/m^1.5"', "stiffness = 5e15"),
        "(and 2 more) is 5e15 N/m^1.5; usual are 1e7 to 1e12 N/m^1.5. `carom advise` estimates one.",
    ),
    "period": (
        ('period = "0.4 s"', "period = 400"),
        "fundamental period of 'pier' is 400 s; usual are 0.03 to 10 s. Are masses and stiffnesses",
    ),
}
"""What is written instead of what in the sound scenario, and the words that say so."""


def written(folder: Path, text: str) -> Path:
    path = folder / "scenario.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_units_is_told_and_not_refused(slip: str, tmp_path: Path) -> None:
    (old, new), words = SLIPS[slip]
    cautions = read_scenario(written(tmp_path, SOUND.replace(old, new))).cautions
    assert any(words in caution for caution in cautions), cautions


def test_usual_problems_have_no_cautions(tmp_path: Path) -> None:
    assert default_scenario().cautions == ()
    assert read_scenario(written(tmp_path, SOUND)).cautions == ()


def test_every_slip_makes_some_number_usual() -> None:
    """Each unit on offer is one in which a number outside the usual range would lie inside."""
    for usual in USUAL.values():
        for unit in usual.slips:
            low, high = usual.low / unit.factor, usual.high / unit.factor
            assert high > usual.high or low < usual.low, (usual.quantity, unit.name)


def test_python_problems_say_it_too() -> None:
    left = carom.Oscillator(mass=1e5, period=0.4, damping_ratio=5.0, name="left")
    right = carom.Oscillator(mass=1e5, period=0.8, damping_ratio=0.05, name="right")
    law = carom.law("hertz", stiffness=2e9)
    problem = carom.Problem([left, right], [carom.Contact("left", "right", gap=0.02, law=law)])
    assert problem.unlikely == (
        "Unlikely: damping ratio of 'left' is 5 (500 %); usual are 0 to 30 %. Did you mean 5 %?",
    )
    run = carom.simulate(problem, duration=0.1)
    assert run.evidence["unlikely"] == list(problem.unlikely)
    assert str(run).endswith(f"  ! {problem.unlikely[0]}")
    assert problem.replace(structures=(left.replace(damping_ratio=0.05), right)).unlikely == ()


def test_heights_in_millimetres() -> None:
    tower = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=3e8, heights=3000.0, damping_ratio=0.05, name="tower")
    (said,) = carom.Problem([tower]).unlikely
    assert (
        "storey height of 'tower', storey 1 (and 2 more) is 3000 m; usual are 1.5 to 15 m. Did you mean 3000 mm?"
        in said
    )


def test_check_shows_cautions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (old, new), words = SLIPS["gap"]
    text = SOUND.replace(old, new).replace('["150 t", "150 t"]', '["150 t", "250 tons"]')
    path = written(tmp_path, text)
    assert main(["check", str(path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "can be run, with 2 cautions below" in shown
    assert words in shown
    assert "`structures.annex.masses[2]`: '250 tons' was taken in US short tons" in shown
    assert main(["check", str(path), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["warnings"]) == 2


def test_a_run_carries_cautions_to_summary_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SOUND.replace('pga = "0.4 g"', "pga = 0.4").replace('["150 t", "150 t"]', '["150 t", "250 tons"]')
    text = text.replace("rtol = 1e-6", "rtol = 1e-6\nchecks = false").replace('end = "10 s"', 'end = "3 s"')
    assert main(["run", str(written(tmp_path, text)), "--out", str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    assert "short tons" not in captured.err  # said once, beside the numbers
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    report = " ".join((tmp_path / "out" / "report.html").read_text(encoding="utf-8").replace("\u00a0", " ").split())
    shown = " ".join(captured.out.split())
    for words in ("was taken in US short tons", "Did you mean 0.4 g?"):
        assert words in shown
        assert any(words in caution for caution in summary["evidence"]["cautions"])
        assert words in report


def test_the_step_of_a_record_is_judged_as_it_was_read(tmp_path: Path) -> None:
    rows = "".join(f"{10 * k},{0.1 * (-1) ** k}\n" for k in range(40))
    (tmp_path / "slow.csv").write_text(f"time,acceleration [g]\n{rows}", encoding="utf-8")  # milliseconds, unsaid
    text = SOUND.replace('record = "default"', 'record = "slow.csv"').replace('end = "10 s"', 'end = "30 s"')
    (said,) = read_scenario(written(tmp_path, text)).cautions
    assert "time step of 'slow' is 10 s; usual are 1e-05 to 0.1 s. Did you mean 10 ms?" in said


def test_every_component_of_the_ground_is_looked_at() -> None:
    shake = carom.motions.get("default")
    faint = shake.scaled(pga=0.03).replace(source="faint.AT2")
    told = carom.Problem([carom.Oscillator(mass=1e5, period=0.5, damping_ratio=0.05)], motion={"x": shake, "z": faint})
    (said,) = told.unlikely
    assert said.startswith("Unlikely: peak ground acceleration of 'faint' is 0.03 m/s²")
    assert carom.Problem(told.structures, motion={"x": shake, "y": shake}).unlikely == ()


def test_laws_that_are_functions_have_no_stiffness_to_judge() -> None:
    known = carom.laws.laws
    before = dict(known._members), dict(known._aliases), dict(known._lookup)

    @carom.register_law("a-pad-of-mine")
    def pad(overlap, rate):
        return 2e6 * overlap + 1e3 * rate

    left, right = (carom.Oscillator(mass=1e5, period=0.5, damping_ratio=0.05, name=name) for name in ("left", "right"))
    contact = carom.Contact("left", "right", gap=0.02, law=carom.law("a-pad-of-mine"))
    try:
        assert carom.Problem([left, right], [contact]).unlikely == ()
    finally:
        known._members, known._aliases, known._lookup = before
