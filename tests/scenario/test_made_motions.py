"""Motions that files state to be made: filtered noise, pulses, matched spectra; and what studies do to components."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.motions import Motion, get, match, mavroeidis_2003, rezaeian_2010, rezaeian_2010_parameters, select, suite
from carom.motions.targets import ec8
from carom.scenario import read_scenario
from carom.scenario.faults import ScenarioError
from carom.scenario.reading import default_text
from carom.scenario.studies.reading import Study, study_of
from tests.studies.example import changed

RECORD = 'record = "default"'
QUAKE = "magnitude = 6.8, distance = 20, vs30 = 760"
ASKED = 'arias = "0.4 m/s", d5_95 = "6 s", t_mid = "4 s", frequency = "4 Hz"'
GOAL = ec8(ag="0.3 g", ground="B")
MATCH = 'match = {spectrum = "ec8: ag = 0.3 g, ground = B", periods = ["0.3 s", "1.5 s"]}'


def scenario(tmp_path: Path, motion: str) -> Motion:
    text = default_text()
    start = text.index("[motion]")
    stop = text.find("\n[", start)
    path = tmp_path / "s.toml"
    path.write_text(f"{text[:start]}[motion]\n{motion}\n{text[stop:] if stop >= 0 else ''}", encoding="utf-8")
    found = read_scenario(path).motion
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            f'generated = {{seed = 3, {QUAKE}, fault = "reverse"}}',
            lambda: rezaeian_2010(
                3, **rezaeian_2010_parameters(magnitude=6.8, distance=20.0, vs30=760.0, fault="reverse")
            ),
        ),
        (
            f"generated = {{seed = 4, {QUAKE}, scatter = true, damping = 0.2}}\ndt = 0.01",
            lambda: rezaeian_2010(
                4, dt=0.01,
                **{**rezaeian_2010_parameters(magnitude=6.8, distance=20.0, vs30=760.0, seed=4), "damping": 0.2},
            ),
        ),
        (
            f"generated = {{seed = 5, {ASKED}}}",
            lambda: rezaeian_2010(5, arias=0.4, d5_95=6.0, t_mid=4.0, frequency=4.0),
        ),
        (
            'pulse = {amplitude = "80 cm/s", period = "2 s", phase = "90 deg", after = "1 s"}',
            lambda: mavroeidis_2003(0.8, 2.0, phase=90.0, after=1.0),
        ),
    ],
)  # fmt: skip
def test_made_motions_are_those_of_python(text: str, made: object, tmp_path: Path) -> None:
    expected = made()
    found = scenario(tmp_path, text)
    assert found.pga == pytest.approx(expected.pga, rel=1e-12)
    assert found.duration == pytest.approx(expected.duration)
    np.testing.assert_allclose(
        np.interp(expected.time, found.time, found.acceleration), expected.acceleration, atol=1e-9
    )


def test_a_matched_motion_is_cut_first_and_scaled_after(tmp_path: Path) -> None:
    found = scenario(tmp_path, f'{RECORD}\nend = "15 s"\n{MATCH}\nfactor = 0.5')
    expected = match(get("default").trimmed(None, 15.0), GOAL, (0.3, 1.5)).motion.scaled(factor=0.5)
    assert found.pga == pytest.approx(expected.pga, rel=1e-12)
    assert "matched to EN 1998-1" in " ".join(found.processing)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{RECORD}\ngenerated = {{seed = 1, {QUAKE}}}", "takes one of `record`, `harmonic`, `sweep`, `generated` and"),
        ("generated = {seed = 1}", "`motion.generated.arias` must be given where no earthquake is"),
        ("generated = {seed = 1, magnitude = 6.5, distance = 20}", "`motion.generated.vs30` must be given beside"),
        ("generated = {seed = 1, magnitude = 5, distance = 20, vs30 = 760}", "The regression knows no others"),
        ('generated = {seed = 1, magnitude = 6.5, distance = 20, vs30 = "300 m/s"}', "knows firm ground alone"),
        (f"generated = {{seed = 1, {ASKED}, scatter = true}}", "is for the parameters of an earthquake"),
        (f'generated = {{seed = 1, {QUAKE}}}\nunit = "g"', "is for files"),
        ('generated = {seed = 1, fault = "normal"}', "strike-slip"),
        (f'{RECORD}\n{MATCH}\npga = "0.3 g"', "`motion.pga` must not scale what is matched to a spectrum"),
        (
            f'{RECORD}\nmatch = {{spectrum = "ec9", periods = [0.2, 1]}}',
            "must be a code (ec8, asce7), a file or a motion",
        ),
        (f'{RECORD}\nmatch = {{spectrum = "ec8: ag = 0.3 g", periods = [1, 0.2]}}', "must be two periods"),
        (f'{RECORD}\nmatch = {{spectrum = "ec8: ag = 0.3 g", periods = [0.2, 90]}}', "must not exceed the record"),
        ('pulse = {amplitude = "80 cm/s", period = "2 s", gamma = 0.5}', "gamma"),
    ],
)
def test_made_motions_that_cannot_be(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario(tmp_path, text)
    assert told in str(caught.value)


def study(folder: Path, text: str) -> Study:
    old = changed()
    start = old.index("[motions]")
    stop = old.find("\n[", start)
    return study_of(f"{old[:start]}[motions]\n{text}\n{old[stop:] if stop >= 0 else ''}", "s.toml", folder)


def motions(found: Study) -> list:
    assert found.motions is not None
    return list(found.motions.motions)


def test_a_study_generates_its_suite(tmp_path: Path) -> None:
    found = motions(study(tmp_path, f"generated = {{count = 3, seed = 8, {QUAKE}, scatter = true}}"))
    for seed, motion in zip((8, 9, 10), found, strict=True):
        how = rezaeian_2010_parameters(magnitude=6.8, distance=20.0, vs30=760.0, seed=seed)
        assert motion.pga == pytest.approx(rezaeian_2010(seed, **how).pga, rel=1e-12)
    assert len({motion.name for motion in found}) == 3


COMPONENTS = '[[motions.components]]\nx = "thirty-05b"\ny = "thirty-05c"\n[[motions.components]]\nx = "thirty-09a"\n'
TARGET = '[motions.target]\nspectrum = "ec8: ag = 0.3 g, ground = B"\nperiods = ["0.3 s", "1.5 s"]\n'


def test_a_target_scales_components_by_one_factor(tmp_path: Path) -> None:
    """ln of target over the geometric mean of both spectra, in the mean over ln T: written out at other periods."""
    two, one = motions(study(tmp_path, COMPONENTS + TARGET))
    thirty = {motion.name: motion for motion in suite("thirty")}
    axis = np.geomspace(0.3, 1.5, 400)
    for found, names in ((two, ("thirty-05b", "thirty-05c")), (one, ("thirty-09a",))):
        before = [thirty[name] for name in names]
        factors = [after.pga / motion.pga for after, motion in zip(found.along.values(), before, strict=True)]
        assert max(factors) == pytest.approx(min(factors), rel=1e-12)
        logs = np.mean([np.log(motion.spectrum(axis, 0.05).psa) for motion in before], axis=0)
        assert np.log(factors[0]) == pytest.approx((np.log(GOAL.sa(axis)) - logs).mean(), abs=0.01)


def test_components_are_selected_beside_motions_and_filtered(tmp_path: Path) -> None:
    found = motions(study(tmp_path, f'suite = "thirty"\n{COMPONENTS}{TARGET}select = 4\n'))
    assert len(found) == 4
    without = motions(study(tmp_path, f'suite = "thirty"\n{TARGET}select = 4\n'))
    alone = select(suite("thirty"), GOAL, (0.3, 1.5), 4).motions
    assert [motion.name for motion in without] == [motion.name for motion in alone]
    weak = motions(study(tmp_path, COMPONENTS + '[motions.filter]\npga = ["0.6 g", "2 g"]'))
    assert [motion.name for motion in weak] == ["thirty-09a"]
    with pytest.raises(ScenarioError, match="`filter` leaves none"):
        study(tmp_path, COMPONENTS + '[motions.filter]\nduration = ["500 s", "600 s"]')
    with pytest.raises(ScenarioError, match="`t_mid` of `generated` of motions must be given where no earthquake is"):
        study(tmp_path, "generated = {count = 2, seed = 1, arias = 1, d5_95 = 5}")
    with pytest.raises(ScenarioError, match=r"`match` of motions\.target is for motions along x"):
        study(tmp_path, COMPONENTS + TARGET + "match = true\n")


def test_a_study_matches_its_motions(tmp_path: Path) -> None:
    (found,) = motions(study(tmp_path, f'records = ["default"]\n{TARGET}match = true\n'))
    axis = np.geomspace(0.3, 1.5, 100)
    ratio = np.abs(carom.response_spectrum(found, axis, 0.05).psa / GOAL.sa(axis) - 1.0)
    assert ratio.mean() < 0.05
    assert ratio.max() < 0.15
