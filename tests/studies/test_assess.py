"""Run and twin: held against runs made one by one, closed forms and each other."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.studies.single.assess import study_pounding
from carom.studies.single.cautions import achieved_restitution, contact_stiffness
from carom.studies.single.scene import scene_of

MOTION = carom.motions.get("default").trimmed(end=8.0)


def neighbours(law: carom.laws.CompliantLaw, gap: float = 0.02) -> carom.Problem:
    tower = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=[2e8] * 3, heights=3.0, damping_ratio=0.05, name="tower")
    annex = carom.ShearBuilding(masses=[2e5] * 2, stiffnesses=[4e8] * 2, heights=3.0, damping_ratio=0.05, name="annex")
    return carom.Problem([tower, annex], [carom.facing("tower", "annex", gap=gap, law=law)], motion=MOTION)


STIFF = carom.law("kelvin-voigt", stiffness=5e9, restitution=0.65)


def test_twin_is_the_run_without_contacts() -> None:
    problem = neighbours(STIFF)
    result = study_pounding(problem, checks=False)
    alone = carom.simulate(carom.Problem([problem.structures[0]], motion=MOTION))
    np.testing.assert_allclose(result.twin.extremes[:3], alone.extremes, rtol=1e-12)
    np.testing.assert_array_equal(result.run.extremes, carom.simulate(problem).extremes)
    assert result.pounds
    assert sum(result.per_contact.values()) == result.count == result.run.table["start"].size


def test_the_needed_gap_is_just_enough() -> None:
    """With the gaps that the twin closes nothing touches; with gaps a thousandth narrower something does."""
    result = study_pounding(neighbours(STIFF), checks=False)
    needed = result.needed_gaps
    assert needed.shape == (2,)
    assert needed.max() > 0.02
    assert carom.simulate(neighbours(STIFF, gap=1.0001 * needed.max())).impact_count == 0
    assert carom.simulate(neighbours(STIFF, gap=0.999 * needed.max())).impact_count > 0
    assert result.as_dict()["needed_gap"] == dict(zip(result.run.contacts, needed.tolist(), strict=True))


def test_the_needed_gap_beside_a_wall_fixed_in_space() -> None:
    """What the ground does under one side counts too, though no history of a structure holds it."""
    pier = carom.Oscillator(mass=1e3, period=0.5, damping_ratio=0.02, name="pier")
    wall = carom.Wall(name="wall", moving=False)

    def problem(gap: float) -> carom.Problem:
        return carom.Problem([pier, wall], [carom.Contact("pier", "wall", gap=gap, law=STIFF)], motion=MOTION)

    needed = float(study_pounding(problem(0.02), checks=False).needed_gaps[0])
    assert carom.simulate(problem(1.0001 * needed)).impact_count == 0
    assert carom.simulate(problem(0.999 * needed)).impact_count > 0


def test_drifts_are_differences_of_floors() -> None:
    result = study_pounding(neighbours(STIFF), checks=False)
    tower = result.scene.standings[0]
    u = result.run.displacement
    np.testing.assert_array_equal(result.drifts(tower)[:, 1], u[:, 1] - u[:, 0])
    assert result.peak_drifts(tower)[0] == result.run.extremes[0, 0] >= np.abs(u[:, 0]).max()
    np.testing.assert_array_equal(result.peak_drifts(tower), result.run.peaks.drift[list(tower.dofs)])


def test_close_up_is_the_impact_of_the_table() -> None:
    """The restarted run must find the impact again: same peak force, same peak overlap."""
    for law in (STIFF, carom.law("jankowski-2005", stiffness=5e10, restitution=0.65)):
        result = study_pounding(neighbours(law), checks=False)
        assert result.loops
        for loop in result.loops:
            assert loop.time.size >= 100
            assert loop.force.max() == pytest.approx(result.run.table["peak_force"][loop.impact], rel=2e-3)
            assert loop.overlap.max() == pytest.approx(result.run.table["peak_overlap"][loop.impact], rel=2e-3)
        # the area of the loop is what the contact took
        hardest = result.loops[0]
        area = -np.trapezoid(hardest.overlap, hardest.force)
        assert abs(area) == pytest.approx(result.run.table["energy_lost"][hardest.impact], rel=0.03)


def test_close_up_where_the_state_does_not_tell_all() -> None:
    """A wall fixed in space: the ground's own displacement is not in the histories; the samples serve."""
    body = carom.Oscillator(mass=1e3, period=0.5, damping_ratio=0.02, name="pier")
    contact = carom.Contact("pier", "wall", gap=0.02, law=carom.law("linear", stiffness=1e6))
    problem = carom.Problem([body, carom.Wall("wall", moving=False)], [contact], motion=MOTION)
    result = study_pounding(problem, checks=False)
    assert result.loops[0].force.max() <= result.run.table["peak_force"].max()


def test_without_a_motion() -> None:
    ball = carom.Body(mass=1.0, name="ball")
    law = carom.law("hertz", stiffness=1e8)
    contact = carom.Contact("ball", "wall", gap=0.1, law=law)
    problem = carom.Problem([ball, carom.Wall("wall")], [contact], initial_velocity={"ball": 1.0})
    result = study_pounding(problem, duration=0.3, sampling=1e-3)
    assert result.count == 1
    assert result.loops[0].force.max() == pytest.approx(result.max_force, rel=1e-3)
    assert result.twin.displacement[-1, 0] == pytest.approx(0.3)


def test_floor_spectra_are_those_of_the_floor() -> None:
    """A rigid floor feels the ground: its spectrum is the record's."""
    stiff = carom.Oscillator(mass=1e3, period=1e-3, damping_ratio=0.05, name="rock")
    result = study_pounding(carom.Problem([stiff], motion=MOTION))
    ground = carom.response_spectrum(MOTION, result.spectra.periods, 0.05)
    late = result.spectra.periods > 0.2
    np.testing.assert_allclose(result.spectra.psa[0][late], ground.psa[late], rtol=1e-3)
    np.testing.assert_allclose(result.spectra.psv[0][late], ground.psv[late], rtol=1e-3)


def test_soft_contacts_wrong_restitution_and_validity_are_said() -> None:
    result = study_pounding(neighbours(carom.law("hertzdamp", stiffness=1e9, restitution=0.5)))
    said = " ".join(result.cautions)
    assert "Stiffness: 2 contacts are below 10 times the stiffer structure" in said
    assert "least at 'tower floor 1 | annex floor 1'" in said
    assert "is meant for restitution in [0.7, 1]; 0.5 was asked for" in said
    assert "achieves 0.7" in said  # 3(1−e²)/4 at e = 0.5 gives back 0.70
    assert contact_stiffness(carom.law("hertz", stiffness=4.0), 0.25) == 2.0


@pytest.mark.parametrize("name", ["kelvin-voigt", "hertzdamp", "jankowski-2005", "tsuji-1992", "ye-2009"])
def test_what_a_law_achieves_is_what_a_single_impact_gives(name: str) -> None:
    linear = carom.laws.laws.get(name).n == 1.0
    law = carom.law(name, stiffness=5e9 if linear else 5e10, restitution=0.55)
    problem = neighbours(law)
    run = carom.simulate(problem)
    speed = float(np.median(run.table["approach_velocity"][run.table["contact"] == 1]))
    hit = carom.impact(law, masses=(2e5, 2e5), velocity=speed)
    assert achieved_restitution(problem, run, 1) == pytest.approx(hit.restitution, rel=1e-5)


def test_firmness_is_measured() -> None:
    result = study_pounding(neighbours(STIFF))
    wider, narrower = result.sensitivity
    assert "wider" in wider.what
    again = carom.simulate(neighbours(STIFF, gap=0.02 * 0.99))
    force = again.table["peak_force"].max() / result.max_force - 1.0
    assert narrower.force == pytest.approx(abs(force), rel=1e-6)
    assert narrower.impacts == again.table["start"].size - result.count
    assert result.tolerance is not None
    assert result.tolerance.largest < 1e-3


def test_contact_stiffness_is_varied_over_the_advised_range_and_restitution_by_a_tenth() -> None:
    """The witnesses are the adviser asked by hand, and single runs."""
    result = study_pounding(neighbours(STIFF))
    low, high, less, more = result.contact_inputs
    speed = float(np.median(result.run.table["approach_velocity"][result.run.table["contact"] == 1]))
    stiffest = max(max(one.stiffnesses) for one in neighbours(STIFF).structures)
    advice = carom.stiffness.advise(
        exponent=1.0, materials=("concrete",) * 2, masses=(2e5, 2e5), velocity=speed, structure_stiffness=stiffest
    )
    assert low.what == f"contact stiffness of {advice.low:.3g} N/m, the adviser's least"
    assert high.what == f"contact stiffness of {advice.high:.3g} N/m, the adviser's largest"
    assert less.what == "restitution 0.1 lower"
    again = carom.simulate(neighbours(STIFF.replace(restitution=STIFF.restitution + 0.1)))
    assert more.blow == again.table["peak_force"].max()
    assert more.impacts == again.table["start"].size - result.count
    assert low.blow < result.max_force
    assert any(told.startswith("Contact stiffness: over the adviser's range for concrete") for told in result.cautions)
    assert study_pounding(neighbours(STIFF), checks=False).contact_inputs == ()


@pytest.mark.parametrize(("factor", "told"), [(0.1, "below the range"), (100.0, "more than 10 times above the range")])
def test_a_stiffness_that_nobody_advises_is_told(factor: float, told: str) -> None:
    law = STIFF.replace(stiffness=factor * STIFF.stiffness)
    result = study_pounding(neighbours(law), checks=False)
    (caution,) = [one for one in result.cautions if one.startswith("Contact stiffness:")]
    assert told in caution
    assert f"{law.stiffness:.3g} N/m" in caution
    assert not any(
        one.startswith("Contact stiffness") for one in study_pounding(neighbours(STIFF), checks=False).cautions
    )


def test_rigid_contacts_have_restitution_alone_to_vary() -> None:
    result = study_pounding(neighbours(carom.law("newton", restitution=0.95)))
    assert [one.what for one in result.contact_inputs] == ["restitution 0.1 lower", "restitution 0.1 higher"]


def beside_columns(**laws: carom.laws.CompliantLaw) -> carom.Problem:
    """Slabs at 3 and 6 m beside one at 4 m, which strikes columns a third of the second storey's height up."""
    tower = carom.ShearBuilding(masses=[2e5] * 2, stiffnesses=[2e8] * 2, heights=3.0, damping_ratio=0.05, name="tower")
    annex = carom.ShearBuilding(
        masses=[2e5] * 2, stiffnesses=[4e8] * 2, heights=[3, 4], damping_ratio=0.05, name="annex"
    )
    return carom.Problem(
        [tower, annex], [carom.facing("tower", "annex", gap=5e-3, columns=True, **laws)], motion=MOTION
    )


def test_column_shear_is_that_of_a_beam_with_both_ends_held() -> None:
    """The witness is the stiffness matrix of two beam elements that meet where the force acts."""
    result = study_pounding(beside_columns(law=STIFF), checks=False)
    label = "tower at 4 m | annex floor 2"
    here = result.run.table["contact"] == result.run.contacts.index(label)
    force = result.run.table["peak_force"][here].max()
    lengths, ends = (1.0, 2.0), []
    k = np.zeros((2, 2))  # deflection and rotation where they meet
    for length, side in zip(lengths, (1.0, -1.0), strict=True):
        k += np.array([[12.0 / length**3, -side * 6.0 / length**2], [-side * 6.0 / length**2, 4.0 / length]])
    u, turn = np.linalg.solve(k, [force, 0.0])
    for length, side in zip(lengths, (1.0, -1.0), strict=True):
        ends.append(12.0 * u / length**3 - side * 6.0 * turn / length**2)
    assert sum(ends) == pytest.approx(force)
    assert result.column_shear == {label: pytest.approx(max(ends))}
    assert result.as_dict()["column_shear"] == result.column_shear


def test_columns_may_have_a_law_of_their_own_and_a_caution_tells_where_they_have_not() -> None:
    soft = STIFF.replace(stiffness=5e8)
    problem = beside_columns(law=STIFF, column_law=soft)
    assert [pair.law for pair in problem.pairs] == [STIFF, soft]
    assert [pair.law for pair in problem.replace(law=STIFF).pairs] == [STIFF, STIFF]
    own, shared = (study_pounding(one, checks=False) for one in (problem, problem.replace(law=STIFF)))
    told = [[line for line in one.cautions if line.startswith("Columns: ")] for one in (own, shared)]
    assert all("of shear in a column at 'tower at 4 m | annex floor 2'" in line for (line,) in told)
    assert ["column_law" in line for (line,) in told] == [False, True]
    assert own.column_shear["tower at 4 m | annex floor 2"] < shared.column_shear["tower at 4 m | annex floor 2"]
    with pytest.raises(carom.InputError, match="must be left out where slabs meet slabs only"):
        carom.facing("tower", "annex", gap=0.01, law=STIFF, column_law=soft)


def test_slabs_beside_slabs_strike_no_columns() -> None:
    result = study_pounding(neighbours(STIFF), checks=False)
    assert result.column_shear == {}
    assert not any(line.startswith("Columns") for line in result.cautions)


def test_nothing_touches() -> None:
    result = study_pounding(neighbours(STIFF, gap=1.0))
    assert not result.pounds
    assert (result.max_force, result.hardest, result.loops, result.sensitivity) == (0.0, None, (), ())
    np.testing.assert_allclose(result.run.extremes, result.twin.extremes, rtol=1e-9)


def test_left_to_right() -> None:
    a, b, c = (carom.Oscillator(mass=1.0, period=1.0, name=n) for n in "abc")
    law = carom.law("linear", stiffness=1e3)
    contacts = [carom.Contact("c", "a", gap=0.1, law=law), carom.Contact("b", "c", gap=0.1, law=law)]
    scene = scene_of(carom.Problem([a, b, c], contacts))
    assert [standing.name for standing in scene.standings] == ["b", "c", "a"]
    assert [(touch.left, touch.right) for touch in scene.touches] == [(1, 2), (0, 1)]


KEYS = [
    "title",
    "peaks",
    "no_pounding",
    "impacts",
    "max_force",
    "base_shear",
    "column_shear",
    "outputs",
    "needed_gap",
    "energy",
    "outcome",
    "evidence",
]


def test_the_shape_for_programs() -> None:
    result = study_pounding(neighbours(STIFF), title="x", checks=False)
    data = result.as_dict()
    assert list(data) == KEYS
    assert list(data["peaks"]) == list(data["no_pounding"]) == ["tower", "annex"]
    assert list(data["peaks"]["tower"]) == ["floor 1", "floor 2", "floor 3"]
    peaks = ["displacement", "velocity", "acceleration", "drift", "drift_ratio"]
    assert list(data["peaks"]["annex"]["floor 1"]) == peaks
    assert data["base_shear"]["annex"]["pounding"] == pytest.approx(4e8 * result.run.extremes[3, 0])
    assert data["base_shear"]["annex"]["no_pounding"] == pytest.approx(4e8 * result.twin.extremes[3, 0])
    assert list(data["impacts"]) == ["count", "per_contact"]
    assert list(data["energy"]) == ["input", "kinetic", "strain", "damping", "contact", "residual"]
    assert data["energy"]["contact"] == pytest.approx(result.run.table["energy_lost"].sum(), rel=1e-6)
    assert data["outcome"] == "finished"


RIGID = carom.law("newton", restitution=0.65)


@pytest.mark.parametrize("options", [{"scheme": "event"}, {"scheme": "moreau-jean", "dt": 0.002}], ids=str)
def test_rigid_contact(options: dict[str, object]) -> None:
    """Impulses tell how hard; forces and accelerations that depend on the step are said to."""
    result = study_pounding(neighbours(RIGID), **options)
    assert result.rigid
    assert result.pounds
    assert result.loops == ()
    np.testing.assert_array_equal(result.blows, result.run.table["impulse"])
    assert sum("depend on it" in caution for caution in result.cautions) == 1
    assert not any(caution.startswith(("Sampling", "Stiffness")) for caution in result.cautions)
    assert (result.tolerance is None) == (options["scheme"] == "event")  # no step to halve between events
    data = result.as_dict()
    assert list(data) == KEYS
    assert data["evidence"]["scheme"] == options["scheme"]


def test_storeys_that_yield_close_the_balance() -> None:
    """What programs read adds up: yielding counts as damping, and the evidence says how much it is."""
    problem = neighbours(STIFF, gap=0.01)
    tower = problem.structures[0].replace(storeys=carom.Bilinear(yield_drift=0.004, hardening=0.1))
    problem = problem.replace(structures=(tower, problem.structures[1]))
    result = study_pounding(problem, scheme="newmark", dt=0.002)
    ledger = result.run.ledger
    assert result.hysteretic == ledger["hysteretic"][-1] > 0.0
    energy = result.as_dict()["energy"]
    assert list(energy) == ["input", "kinetic", "strain", "damping", "contact", "residual"]
    assert energy["input"] == pytest.approx(sum(energy.values()) - energy["input"], rel=1e-9)
    assert energy["damping"] == ledger["damping"][-1] + ledger["hysteretic"][-1]
    assert result.as_dict()["evidence"]["hysteretic_energy"] == result.hysteretic
    assert result.scene.standings[0].yield_drifts == (0.004,) * 3
    assert result.tolerance is not None
    assert result.tolerance.what == "half the time step (1 ms)"


def test_every_run_asks_for_the_same_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ground that may be written is another type to the compiler: a record's may not, nor may any other."""
    from carom.integrate import simulate as module

    seen = []
    run = module.run_scheme
    monkeypatch.setattr(module, "run_scheme", lambda name, task, options: seen.append(task) or run(name, task, options))
    problem = neighbours(STIFF)
    for options in ({}, {"duration": 0.5}, {"sampling": 0.005, "duration": 0.5}):
        carom.simulate(problem, **options)
    carom.simulate(problem.replace(motion=None), duration=0.1)
    assert [task.ground.flags.writeable for task in seen] == [False] * 4


@pytest.mark.parametrize("scheme", ["event"])
def test_rigid_contact_does_not_ignore_storeys_that_yield(scheme: str) -> None:
    problem = neighbours(RIGID)
    tower = problem.structures[0].replace(storeys=carom.Bilinear(yield_drift=0.004))
    problem = problem.replace(structures=(tower, problem.structures[1]))
    with pytest.raises(carom.InputError, match="storeys that yield, or stops"):
        carom.simulate(problem, scheme=scheme)
