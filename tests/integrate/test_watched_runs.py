"""What an event-driven run once got wrong in silence, with the numbers that were seen then.

The true values are those of the judge (`tests/judge`), an integrator that shares nothing with the engine.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import carom
from carom.integrate.ensembles import batches
from carom.laws import laws

WALL = carom.Wall("wall")


def two_against_a_wall(order: tuple[int, int]) -> carom.Problem:
    """Two oscillators that strike one wall and know nothing of each other."""
    law = carom.law("kelvin-voigt", stiffness=1e9, restitution=0.6)
    both = [
        carom.Oscillator(mass=1000.0, period=period, damping_ratio=0.02, name=name)
        for name, period in (("x", 0.03), ("y", 0.5))
    ]
    contacts = [carom.Contact("x", "wall", gap=1e-3, law=law), carom.Contact("y", "wall", gap=2e-3, law=law)]
    return carom.Problem(
        [*both, WALL], [contacts[i] for i in order], initial_velocity={"x": 1.0, "y": 1.0}, allow_overlap=False
    )


def test_the_order_of_contacts_decides_nothing() -> None:
    """2.910 mm in both orders, once 4.629 mm in one of them; and the same impacts, none of which gains energy."""
    options = {"duration": 0.4, "sampling": 0.02, "rtol": 1e-9}
    one, two = (carom.simulate(two_against_a_wall(order), **options) for order in ((0, 1), (1, 0)))
    for run in (one, two):
        assert run.extremes[0, 0] == pytest.approx(2.90979e-3, rel=1e-5)
        assert run.table["energy_lost"].min() > 0.0
        assert (np.diff(run.table["start"]) >= 0.0).all()
    assert (one.table["contact"] == 1.0 - two.table["contact"]).all()
    for name in one.table.keys() - {"contact"}:
        np.testing.assert_allclose(one.table[name], two.table[name], rtol=1e-7, err_msg=name)


def test_nor_in_an_ensemble() -> None:
    for order in ((0, 1), (1, 0)):
        many = carom.ensemble(
            two_against_a_wall(order), vary={"gap:x | wall": [1e-3]}, duration=0.4, sampling=0.02, rtol=1e-9
        )
        assert many.extremes[0, 0, 0] == pytest.approx(2.90979e-3, rel=1e-5)
        assert many.evidence["smallest_energy_lost"] > 0.0


def shaken_chain() -> carom.Problem:
    """A light body between two heavy ones."""
    time = np.arange(601) * 0.01
    motion = carom.Motion(4.0 * np.sin(3.0 * math.pi * time) * np.exp(-time / 3.0), dt=0.01)
    law = carom.law("kelvin-voigt", stiffness=1e10, restitution=0.7)
    row = [
        carom.Oscillator(mass=mass, period=period, damping_ratio=0.05, name=name)
        for name, mass, period in (("a", 1e5, 0.4), ("b", 100.0, 0.06), ("c", 1e5, 0.99))
    ]
    contacts = [carom.Contact(*pair, gap=1.3e-3, law=law) for pair in itertools.pairwise("abc")]
    return carom.Problem(row, contacts, motion=motion)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-10])
def test_a_light_body_between_heavy_ones_gains_nothing(rtol: float) -> None:
    """An impact once lost −2,292 J at every tolerance."""
    run = carom.simulate(shaken_chain(), rtol=rtol)
    supply = float(run.ledger["input"].max())
    assert run.table["energy_lost"].min() > -1e-6 * supply
    assert run.evidence["smallest_energy_lost"] == run.table["energy_lost"].min()
    assert np.abs(run.ledger["residual"]).max() < 10.0 * rtol * supply


@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
@pytest.mark.parametrize("law", ["mahmoud-jankowski-2011", "jankowski-2005"])
def test_a_resting_contact_hides_no_other(law: str, rtol: float) -> None:
    """A body that gravity holds against the wall that an oscillator strikes; with the first law it was 0.09362 m."""
    contact = carom.law(law, stiffness=2e10, restitution=0.65)
    oscillator = carom.Oscillator(mass=1e4, period=0.6, damping_ratio=0.05, name="oscillator")
    body = carom.Body(mass=1e5, gravity=9.81, name="body")
    hit = carom.Contact("oscillator", "wall", gap=0.009, law=contact)
    rest = carom.Contact("body", "wall", gap=0.0, law=contact)
    motion = carom.motions.get("default")
    alone = carom.simulate(carom.Problem([oscillator, WALL], [hit], motion=motion), rtol=rtol)
    beside = carom.simulate(carom.Problem([oscillator, body, WALL], [hit, rest], motion=motion), rtol=rtol)
    expected = {"mahmoud-jankowski-2011": 0.04474, "jankowski-2005": 0.04815}[law]
    assert beside.extremes[0, 0] == pytest.approx(expected, rel=2e-4)
    assert beside.extremes[0, 0] == pytest.approx(alone.extremes[0, 0], rel=1e2 * rtol)


@pytest.fixture
def _own_names():
    laws.names()  # which finds the members, lest they go with what a test adds
    before = dict(laws._members), dict(laws._aliases), dict(laws._lookup)
    yield
    laws._members, laws._aliases, laws._lookup = before


@pytest.mark.usefixtures("_own_names")
def test_a_function_leaves_dashpots_alone() -> None:
    """Damping that couples modes, and a contact 10 m away: the law's form cannot matter; once it did, 145-fold."""
    tower = carom.Structure(
        mass_matrix=np.diag([2e4, 1e4]), stiffness_matrix=np.array([[3e6, -1e6], [-1e6, 1e6]]),
        damping=np.array([[4e4, -5e3], [-5e3, 1.2e5]]), name="tower",
    )  # fmt: skip

    @carom.register_law("pad-far-away")
    def pad(overlap: float, rate: float) -> float:
        return 2e7 * overlap + 1e4 * overlap * rate

    forms = (carom.law("pad-far-away"), carom.law("hertz", stiffness=2e7))
    runs = [
        carom.simulate(
            carom.Problem(
                [tower, WALL], [carom.Contact(("tower", 2), "wall", gap=10.0, law=law)],
                motion=carom.motions.get("default"),
            )
        )
        for law in forms
    ]  # fmt: skip
    np.testing.assert_allclose(runs[0].extremes, runs[1].extremes, rtol=1e-6)
    assert runs[0].table["start"].size == 0


def leaning(law: str = "kelvin-voigt", **more: object) -> carom.Problem:
    """A building that the ground pushes against a wall and holds there for 99 % of the time, by 116 kN."""
    push = np.concatenate([[0.0], np.full(1000, -1.16)])
    building = carom.Oscillator(mass=1e5, period=2.0, damping_ratio=0.05, name="building")
    contact = carom.Contact(
        "building", "wall", gap=1e-4, law=carom.law(law, stiffness=1e9, restitution=0.3, **more)
    )  # fmt: skip
    return carom.Problem([building, WALL], [contact], motion=carom.Motion(push, dt=0.01))


def test_contact_that_lasts_is_an_impact() -> None:
    """Its row has all but a separation: it has not parted."""
    run = carom.simulate(leaning())
    table, last = run.impacts, run.impacts.isel(impact=-1)
    assert table.ended.dtype == bool
    assert table.ended.values.tolist() == [True] * (table.sizes["impact"] - 1) + [False]
    assert np.isnan(float(last.separation_velocity))
    assert float(last.start + last.duration) == pytest.approx(10.0, abs=1e-12)
    assert float(last.duration) > 0.95 * 10.0
    assert float(last.impulse) / float(last.duration) == pytest.approx(1.16e5, rel=0.03)
    assert run.evidence["closed_at_end"] == 1
    assert run.evidence["impacts"] == table.sizes["impact"]


def test_and_so_it_is_in_an_ensemble() -> None:
    run = carom.simulate(leaning())
    many = carom.ensemble(leaning(), vary={"scale": [1.0, 1e-3]})
    assert many.account["impacts"][0] == run.table["start"].size
    assert many.account["peak_force"][0] == pytest.approx(run.table["peak_force"].max(), rel=1e-4)
    assert many.account["closed_at_end"].tolist() == [1.0, 1.0]
    assert many.evidence["closed_at_end"] == 2
    assert many.evidence["paths"] == {"several modes": 2}
    assert many.evidence["deepest_overlap"] > 0.5


def test_ensembles_tell_which_way_runs_were_computed() -> None:
    """Two modes and a contact are a pair; one that is closed at the start is more than that path takes."""
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
    both = [
        carom.Oscillator(mass=4e3, period=period, damping_ratio=0.05, name=name)
        for name, period in (("a", 0.5), ("b", 0.3))
    ]
    problem = carom.Problem(
        both, [carom.Contact("a", "b", gap=0.01, law=law)], motion=carom.motions.get("default"), allow_overlap=True
    )
    many = carom.ensemble(problem, vary={"gap": [0.01, 0.02, -1e-4]})
    assert many.evidence["paths"] == {"pair": 2, "general": 1}
    assert many.evidence["guarded_impacts"] == many.account["guarded_impacts"].sum()
    alone = carom.ensemble(problem.replace(contacts=()), vary={"scale": [0.5, 1.0]})
    assert alone.evidence["paths"] == {"general": 2}
    assert alone.evidence["smallest_energy_lost"] is alone.evidence["deepest_overlap"] is None


def test_what_is_said_of_many_runs_does_not_depend_on_how_many_are_looked_at_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some fail and some never touch: neither counts, wherever they stand."""
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
    both = [
        carom.Oscillator(mass=4e3, period=period, damping_ratio=0.05, name=name)
        for name, period in (("a", 0.5), ("b", 0.3))
    ]
    problem = carom.Problem(both, [carom.Contact("a", "b", gap=0.01, law=law)], motion=carom.motions.get("default"))
    gaps = 8 * [0.9, 0.02, 0.01, 1e-4, 0.8, 0.03]
    monkeypatch.setattr(batches, "worker_count", lambda: 1)  # so that six are looked at at once

    def said() -> list[object]:
        many = carom.ensemble(problem, vary={"gap": gaps}, step_limit=500)
        assert 0 < many.failed < len(gaps)
        names = ("guarded_impacts", "closed_at_end", "smallest_energy_lost", "deepest_overlap")
        return [many.evidence[name] for name in names]

    at_once = said()
    assert None not in at_once
    monkeypatch.setattr(batches, "LARGEST_SLICE", 1)
    assert said() == at_once


def test_failed_runs_say_when_and_show_nothing_after() -> None:
    """The message once named the end of the record, and histories went on as zeros."""
    problem = leaning()
    run = carom.simulate(problem, step_limit=4, fail="return")
    assert run.outcome.failed
    reached = run.evidence["reached"]
    assert 0.0 < reached < 1.0
    with pytest.raises(carom.RunError, match=f"at t = {reached:.9g} s"):
        carom.simulate(problem, step_limit=4)
    known = run.time <= reached
    for name in ("displacement", "velocity", "acceleration", "force", "gap"):
        values = getattr(run, name)
        assert np.isfinite(values[known]).all(), name
        assert np.isnan(values[~known]).all(), name
    assert all(np.isnan(values[~known]).all() for values in run.ledger.values())


def test_the_guard_is_told() -> None:
    """A touch without speed: v0 as published would glue; the row, the counts and a caution say that it was changed."""
    body = carom.Oscillator(mass=1e4, period=0.5, damping_ratio=0.05, name="body")

    def run(v0: str) -> carom.results.Simulation:
        law = carom.law("hunt-crossley-1975", stiffness=1e9, restitution=0.8, v0=v0)
        contact = carom.Contact("body", "wall", gap=0.0, law=law)
        return carom.simulate(carom.Problem([body, WALL], [contact], motion=carom.motions.get("default")))

    guarded, published = run("guarded"), run("published")
    count = guarded.evidence["guarded_impacts"]
    assert count == int(guarded.impacts.guarded.sum()) > 0
    assert f"changed {count} of {guarded.evidence['impacts']} impacts" in guarded.evidence["cautions"][0]
    assert published.evidence["guarded_impacts"] == 0
    assert not published.impacts.guarded.any()
    assert "cautions" not in published.evidence


def test_runs_per_second_count_everything() -> None:
    many = carom.ensemble(leaning(), vary={"building.mass": np.linspace(0.9e5, 1.1e5, 5)}, twin=True)
    told = many.evidence
    assert told["runs_per_second"] == pytest.approx((told["runs"] + told["twins"]) / told["wall_time"])
    assert told["assembly_time"] < told["wall_time"]


def test_dashpots_between_modes_never_open_however_heavy_the_structure() -> None:
    """Modes of a heavy structure move by more than its floors do: by the root of its mass."""
    motion = carom.Motion(3.0 * np.sin(6.0 * np.arange(0.0, 6.0, 0.01)), dt=0.01)
    law = carom.law("kelvin-voigt", stiffness=1e8, restitution=0.6)
    found = []
    for size in (1.0, 1e12):
        tower = carom.Structure(
            size * np.diag([2000.0, 1000.0]),
            size * np.array([[9e4, -4e4], [-4e4, 4e4]]),
            damping=size * np.array([[8e2, -1e2], [-1e2, 3e3]]),
            name="tower",
        )
        far = carom.Contact(("tower", 2), "wall", gap=10.0, law=law)
        found.append(carom.simulate(carom.Problem([tower, carom.Wall("wall")], [far], motion=motion)))
    np.testing.assert_allclose(found[1].displacement, found[0].displacement, rtol=0.0, atol=1e-8)


@pytest.mark.parametrize(
    ("name", "n", "d"),
    [("hunt-crossley-1975", 1.5, 1.5 * 0.3), ("flores-2011", 1.5, 1.6 * 0.3 / 0.7), ("ye-2009", 1.0, 1.5 * 0.3 / 0.7)],
)
def test_bodies_pressed_together_at_the_start_part_as_after_an_impact_that_pressed_them(
    name: str, n: float, d: float
) -> None:
    """Released from rest at δ0, F = K δⁿ (1 + d δ̇/v*), v*² = 2U/m. With a = d/v*: v/a − ln(1 + a v)/a² = U/m.

    v* was once zero until they came nearer: no damping while they part, and glue where they do not.
    """
    mass, stiffness, pressed = 800.0, 3e7, 2e-3
    law = carom.law(name, stiffness=stiffness, restitution=0.7)
    held = stiffness * pressed ** (n + 1.0) / (n + 1.0) / mass
    a, v = d / math.sqrt(2.0 * held), -0.5 * math.sqrt(2.0 * held)
    for _ in range(60):  # by Newton: the slope of the left side is v / (1 + a v)
        v -= (v / a - math.log1p(a * v) / a**2 - held) * (1.0 + a * v) / v
    problem = carom.Problem(
        [carom.Body(mass=mass, name="body"), WALL], [carom.Contact("body", "wall", gap=-pressed, law=law)],
        motion=carom.Motion(np.zeros(11), 0.01), allow_overlap=True,
    )  # fmt: skip
    run = carom.simulate(problem, rtol=1e-9)
    assert run.table["separation_velocity"][0] == pytest.approx(-v, rel=1e-8)
    assert run.table["guarded"][0] == 1


def test_bodies_that_nothing_holds_are_told_of() -> None:
    """The force of a light body's contact with the wall ends inside; a heavy one then pushes it through."""
    soft = carom.law("kelvin-voigt", stiffness=1e7, restitution=0.3, tension=False)
    stiff = carom.law("kelvin-voigt", stiffness=1e9, restitution=0.5)
    problem = carom.Problem(
        [carom.Body(mass=1e4, name="heavy"), carom.Body(mass=10.0, name="light"), WALL],
        [carom.Contact("heavy", "light", gap=1e-4, law=stiff), carom.Contact("light", "wall", gap=1e-3, law=soft)],
        motion=carom.Motion(np.zeros(101), 0.01), initial_velocity={"heavy": 0.5, "light": 2.0},
    )  # fmt: skip
    run = carom.simulate(problem)
    (caution,) = run.evidence["cautions"]
    assert "contact 'light | wall' was pressed together again" in caution
    through = float((run.displacement[-1] - problem.contacts[1].gap)[1])
    assert through > 0.1
    assert run.evidence["unheld_overlap"] == pytest.approx(through, rel=1e-6)
    many = carom.ensemble(problem, vary={"scale": [1.0, 1.0]})
    assert many.account["unheld_overlap"] == pytest.approx(2 * [through], rel=1e-5)
    assert many.evidence["unheld_runs"] == 2
    stepped = carom.simulate(problem, scheme="newmark", dt=1e-5)
    assert any("pressed together again" in caution for caution in stepped.evidence["cautions"])
    held = carom.simulate(problem.replace(contacts=[problem.contacts[0], problem.contacts[1].replace(law=stiff)]))
    assert "cautions" not in held.evidence
    assert held.evidence["unheld_overlap"] == 0.0


def test_a_pair_whose_contact_ended_inside_is_told_of() -> None:
    """An ordinary pair: the ground brings them together again before they are apart. Every path says so."""
    law = carom.law("kelvin-voigt", stiffness=3.9e7, restitution=0.2, tension=False)
    problem = carom.Problem(
        [
            carom.Oscillator(mass=1200.0, period=0.22, damping_ratio=0.05, name="a"),
            carom.Oscillator(mass=1e4, period=0.425, damping_ratio=0.05, name="b"),
        ],
        [carom.Contact("a", "b", gap=1e-3, law=law)],
        motion=carom.motions.get("default"),
    )
    run = carom.simulate(problem, path="general")
    many = carom.ensemble(problem, vary={"gap": [1e-3]})
    quick = carom.simulate(problem)
    assert many.evidence["paths"] == {"pair": 1}
    assert quick.evidence["path"] == "pair"
    assert "cautions" in quick.evidence
    for found in (many.account["unheld_overlap"][0], quick.evidence["unheld_overlap"]):
        assert found == pytest.approx(run.evidence["unheld_overlap"], rel=1e-4)
    assert run.evidence["unheld_overlap"] > 1e-3


def beside_an_impact(gap: float | None) -> carom.Problem:
    """A tower set in motion, and two oscillators that strike each other beside it; without a gap it stands alone."""
    tower = carom.ShearBuilding(masses=[300.0] * 6, stiffnesses=[5e6] * 6, damping_ratio=0.02, name="tower")
    law = carom.law("hunt-crossley-1975", stiffness=3.2e7, restitution=0.6)
    start = {"tower": [-0.08, 0.33, 0.04, 0.19, -0.11, -0.35]}
    if gap is None:
        far = carom.Contact(("tower", "floor 6"), "wall", gap=10.0, law=law)
        return carom.Problem([tower, WALL], [far], initial_velocity=start)
    left = carom.Oscillator(mass=500.0, period=1.0, damping_ratio=0.02, name="left")
    right = carom.Oscillator(mass=500.0, period=1.3, damping_ratio=0.02, name="right")
    contact = carom.Contact("left", "right", gap=gap, law=law)
    return carom.Problem([tower, left, right], [contact], initial_velocity={**start, "left": 0.3})


def test_an_impact_elsewhere_moves_no_peak() -> None:
    """Where a floor was largest in the step to a parting, its acceleration was that of a node: 1.4e-5 short."""
    options = {"duration": 0.06, "sampling": 0.01}
    alone = carom.simulate(beside_an_impact(None), **options).extremes[:6]
    for gap in np.linspace(2.2e-3, 2.3e-3, 11):
        beside = carom.simulate(beside_an_impact(float(gap)), **options)
        assert beside.table["start"].size == 1
        np.testing.assert_allclose(beside.extremes[:6], alone, rtol=1e-7)


def test_a_light_body_squeezed_by_stiff_contacts() -> None:
    """A tower's acceleration is the difference of forces that a body of 30 kg passes on at once: once 2e-4 off."""
    heavy = carom.Oscillator(mass=9e5, stiffness=2.7e8, damping_ratio=0.05, name="heavy")
    light = carom.Oscillator(mass=30.0, stiffness=5e5, damping_ratio=0.05, name="light")
    tower = carom.ShearBuilding(masses=[1e5] * 2, stiffnesses=[2e9] * 2, damping_ratio=0.05, name="tower")
    soft = carom.law("linear", stiffness=1.3e8)
    stiff = carom.law("gharib-hurmuzlu-2012", stiffness=1e11, restitution=0.45)
    contacts = [
        carom.Contact("heavy", "light", gap=1e-4, law=soft),
        carom.Contact("light", ("tower", "floor 2"), gap=2e-4, law=stiff),
    ]
    problem = carom.Problem([heavy, light, tower], contacts, initial_velocity={"heavy": 0.4})
    for rtol in (1e-6, 1e-7):
        run = carom.simulate(problem, duration=0.3, sampling=0.01, rtol=rtol)
        assert run.extremes[3, 2] == pytest.approx(4.32118137, rel=3e-6)


@pytest.mark.parametrize("path", ["quick", "general"])
@pytest.mark.parametrize("period", [0.1, 0.6])  # above and below half a radian in a sample
def test_equal_structures_side_by_side_neither_press_nor_take_for_ever(path: str, period: float) -> None:
    """Their gap is rounding all along: what they do is what one does alone, and the search for touches ends."""
    default = carom.motions.get("default")
    shake = carom.Motion(default.acceleration[100:600], dt=default.dt)
    twins = [carom.Oscillator(mass=4600, period=period, damping_ratio=0.05, name=name) for name in ("left", "right")]
    law = carom.law("hertzdamp", stiffness=5e7, restitution=0.6)
    both = carom.Problem(twins, [carom.Contact(0, 1, gap=0.0, law=law)], motion=shake)
    run = carom.simulate(both, rtol=1e-8, path=path, step_limit=5000)
    alone = carom.simulate(carom.Problem(twins[:1], motion=shake))
    np.testing.assert_allclose(run.extremes, np.vstack([alone.extremes] * 2), rtol=1e-9)


@pytest.mark.parametrize("path", ["quick", "general"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
def test_what_is_left_of_a_shock_dies_out_in_few_steps(path: str, rtol: float) -> None:
    """After the record two structures without a gap lean on each other by picometres, slower than any touch counts.

    Held back as they meet, they were flown on a moment at a time, as if they grazed: 200,000 moments were not enough.
    """
    record = carom.motions.suite("thirty")[0]
    shake = record.padded(after=30.0 - record.duration).scaled(factor=2.1315)
    left = carom.Oscillator(mass=70341.6, period=0.1264193, damping_ratio=0.0614064, name="left")
    right = carom.Oscillator(mass=54248.743, period=0.12253058, damping_ratio=0.00242995, name="right")
    law = carom.law("ye-2009", stiffness=142804453076.0, restitution=0.5739217)
    problem = carom.Problem([left, right], [carom.Contact(0, 1, gap=0.0, law=law)], motion=shake)
    run = carom.simulate(problem, rtol=rtol, path=path, step_limit=20_000)
    assert run.displacement[-1] == pytest.approx(0.0, abs=1e-9)
    assert run.impact_count > 300
