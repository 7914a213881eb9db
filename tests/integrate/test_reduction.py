"""Few modes for a problem: forces of the first impacts against runs with all modes, and what the evidence says."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

import carom
from carom.errors import CaromError
from carom.integrate.modes.reduction_trial import duration_of_impact
from carom.structures import ReducedStructure, base

RECORD = carom.motions.get("default").trimmed(0.0, 8.0)
CONCRETE, STEEL = carom.Material.concrete(), carom.Material.steel()


def plane_pair(seed: int, **more: Any) -> carom.Problem:
    """Return two plane frames of random steel or concrete that meet at floors, 100 to 160 degrees of freedom."""
    rng = np.random.default_rng([22, seed])
    made = []
    for name, storeys in (("a", int(rng.integers(5, 8))), ("b", int(rng.integers(4, 6)))):
        bays = [float(rng.uniform(4.0, 7.0))] * int(rng.integers(2, 4))
        if rng.random() < 0.5:
            side = float(rng.uniform(0.35, 0.55))
            kind = {"columns": carom.Section.rectangle(side, side), "beams": carom.Section.rectangle(0.3, 0.5),
                    "material": CONCRETE}  # fmt: skip
        else:
            kind = {
                "columns": carom.Section.steel("HEB 280"),
                "beams": carom.Section.steel("IPE 360"),
                "material": STEEL,
            }
        mass = float(rng.uniform(3e3, 9e3))
        nodes = [f"{i}-0-{k}" for i in range(len(bays) + 1) for k in range(1, storeys + 1)]
        made.append(carom.Frame.moment_frame(
            storeys=[3.2] * storeys, bays=bays, masses=dict.fromkeys(nodes, mass), damping_ratio=0.04, name=name,
            **kind,
        ))  # fmt: skip
    right = max(int(node.split("-")[0]) for node in made[0].nodes)
    law = carom.law("hertzdamp", stiffness=float(10 ** rng.uniform(8.5, 9.5)), restitution=0.65)
    contacts = [
        carom.Contact(
            ("a", f"{right}-0-{k}", "x"), ("b", f"0-0-{k}", "x"), gap=float(rng.uniform(0.005, 0.015)), law=law
        )
        for k in range(2, 5)
    ]
    return carom.Problem(made, contacts, motion=RECORD, **more)


def impacts_of(run: Any) -> dict[tuple[int, int], float]:
    """Return peak forces by contact and by which of its impacts it was, as they began."""
    met: Counter[int] = Counter()
    found = {}
    for contact, force in zip(run.table["contact"].astype(int).tolist(), run.table["peak_force"], strict=True):
        found[contact, met[contact]] = float(force)
        met[contact] += 1
    return found


def exact_impacts(problem: carom.Problem) -> dict[tuple[int, int], float]:
    return impacts_of(carom.simulate(problem, rtol=1e-9, duration=4.0))


def true_error(exact: dict[tuple[int, int], float], few: carom.Problem, count: int = 8) -> float:
    """Return the largest error of the first peak forces, relative to each, of grazing ones to 1 % of the hardest."""
    first = dict(list(exact.items())[:count])
    assert len(first) == count
    found, least = exact_impacts(few), 0.01 * max(first.values())
    return max(abs(found.get(one, 0.0) - force) / max(force, least) for one, force in first.items())


def cut(problem: carom.Problem, cutoff: float) -> carom.Problem:
    """Return a problem with modes up to a cut-off, put together by hand."""
    places: dict[str, list[Any]] = {name: [] for name in problem.names}
    for contact in problem.pairs:
        for place in (contact.a, contact.b):
            places[place.structure].append((place.at, "x"))
    return problem.replace(structures=[s.reduced(places[s.name], cutoff) for s in problem.structures])


@pytest.mark.parametrize("seed", range(3))
def test_the_cutoff_keeps_the_forces_and_the_estimate_is_their_error(seed: int) -> None:
    whole = plane_pair(seed)
    few = whole.reduced(1e-3)
    found = few.reduction
    assert found is not None
    assert found.estimate is not None
    exact = exact_impacts(whole)
    error = true_error(exact, few)
    assert error <= 1e-3
    assert found.estimate / 10.0 <= error <= 3.0 * found.estimate
    assert found.impacts == 8
    assert found.beside == "all modes"
    assert found.contact_frequency == pytest.approx(0.5 / _longest_contact(whole), rel=0.6)
    kept = sum(s.kept_modes for s in few.structures)
    frequencies = np.sort(np.concatenate([s.frequencies for s in whole.structures]))
    assert kept < frequencies.size
    fewest = next(  # by trial, from below, in steps of a twelfth
        i for i in _counts(10, kept) if true_error(exact, cut(whole, frequencies[i - 1] * (1.0 + 1e-9))) <= 1e-3
    )
    assert kept <= 1.5 * fewest


def test_fewer_than_where_the_search_begins() -> None:
    """Under heavy slabs on slender columns a few modes are enough, far below the frequency of the contact."""
    made = [
        carom.Frame.moment_frame(
            storeys=[3.2] * storeys, bays=[5.0], rows=[4.0], columns=carom.Section.steel(column), slab=700.0,
            beams=carom.Section.steel("IPE 270"), material=STEEL, damping_ratio=0.04, origin=(at, 0, 0), name=name,
        )
        for name, storeys, column, at in (("a", 4, "HEB 160", 0.0), ("b", 3, "HEB 240", 5.01))
    ]  # fmt: skip
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.65)
    whole = carom.Problem(made, [carom.facing("a", "b", gap=0.008, law=law)], motion=RECORD)
    few = whole.reduced(1e-3)
    assert few.reduction is not None
    assert few.reduction.cutoff < 0.1 * few.reduction.contact_frequency
    assert sum(s.kept_modes for s in few.structures) <= 6
    assert true_error(exact_impacts(whole), few) <= 1e-3


def _counts(first: int, last: int) -> list[int]:
    found = [first]
    while found[-1] < last:
        found.append(min(max(found[-1] + 1, round(found[-1] * 13 / 12)), last))
    return found


def _longest_contact(problem: carom.Problem) -> float:
    """Return the duration [s] of an impact of the two bodies in the first contact, at half a metre a second."""
    pair, mass = problem.pairs[0], float(problem.flat().effective_mass[0])
    spring = carom.law("hertz", stiffness=pair.law.stiffness)
    return float(carom.impact(spring, mass=mass, velocity=0.5).duration)


@pytest.mark.parametrize("name", ["hertz", "linear", "lankarani-nikravesh-1990"])
def test_duration_of_an_impact(name: str) -> None:
    """Against the impact itself, without damping."""
    law = carom.law(name, stiffness=3e8, **({"restitution": 1.0} if name.startswith("lan") else {}))
    hit = carom.impact(law, mass=2500.0, velocity=0.7)
    assert duration_of_impact(law, 2500.0, 0.7) == pytest.approx(hit.duration, rel=1e-5)


@pytest.fixture(scope="module")
def whole() -> carom.Problem:
    return plane_pair(1)


@pytest.fixture(scope="module")
def few(whole: carom.Problem) -> carom.Problem:
    return whole.reduced(5e-3)


def test_the_evidence_says_what_is_left_out(whole: carom.Problem, few: carom.Problem) -> None:
    run = carom.simulate(few, rtol=1e-4, duration=2.0)
    told = run.evidence["reduced"]
    a = few.structures[0]
    assert isinstance(a, ReducedStructure)
    assert told["modes"]["a"] == a.kept_modes < told["of"]["a"] == len(a.dof_names)
    assert told["vectors"] == {"a": 2 * 3 + 2, "b": 2 * 3 + 2}  # of a plane frame two of three ground vectors
    assert told["cutoff"] == few.reduction.cutoff
    assert told["estimate"] == few.reduction.estimate <= told["rtol"] == 5e-3
    assert told["peaks"].keys() == {"displacement", "velocity", "acceleration"}
    assert told["changed"] is False
    json.dumps(told)
    assert "reduced" not in carom.simulate(whole, rtol=1e-4, duration=0.5).evidence
    wider = few.replace(gap=0.02)
    assert carom.simulate(wider, rtol=1e-4, duration=0.5).evidence["reduced"]["changed"] is True
    assert few.replace(structures=whole.structures).reduction is None


def test_all_modes_kept_is_the_whole_problem(whole: carom.Problem) -> None:
    top = max(s.frequencies[-1] for s in whole.structures)
    same = whole.reduced(cutoff=top)
    exact, found = (carom.simulate(problem, rtol=1e-9, duration=4.0) for problem in (whole, same))
    np.testing.assert_allclose(found.table["peak_force"], exact.table["peak_force"], rtol=1e-9)
    np.testing.assert_allclose(found.extremes, exact.extremes, rtol=1e-9)
    assert same.reduction.estimate < 1e-6
    assert same.reduction.rtol is None


def test_one_cutoff_is_taken_and_judged(whole: carom.Problem) -> None:
    low = whole.reduced(cutoff="12 Hz")
    assert low.reduction.cutoff == 12.0
    assert all(s.cutoff == 12.0 for s in low.structures)
    error = true_error(exact_impacts(whole), low)
    assert low.reduction.estimate / 10.0 <= error <= 3.0 * low.reduction.estimate
    again = low.reduced(cutoff="30 Hz")  # from all modes, not from those that were left
    assert all(s.kept_modes > t.kept_modes for s, t in zip(again.structures, low.structures, strict=True))


def test_peaks_ask_for_more_modes(whole: carom.Problem, few: carom.Problem) -> None:
    closer = whole.reduced(5e-3, peaks=2e-3)
    assert max(closer.reduction.peaks.values()) <= 2e-3
    assert closer.reduction.cutoff >= few.reduction.cutoff
    exact, found = (carom.simulate(p, rtol=1e-8, duration=2.0).extremes for p in (whole, closer))
    assert (np.abs(found - exact).max(axis=0) <= 2e-2 * exact.max(axis=0)).all()


def test_the_ground_is_whole(whole: carom.Problem, few: carom.Problem) -> None:
    """Nothing is left of it, and at the first instant nothing has moved: accelerations are zero in space."""
    assert not few.flat().output_ground.any()
    step = carom.Motion(np.full(50, 2.0), 0.01)
    for problem in (few, whole):
        run = carom.simulate(problem.replace(motion=step, contacts=()), duration=0.2)
        relative = run.acceleration[0]
        along = np.array([label.endswith("ux") for label in problem.replace(contacts=()).flat().output_labels])
        np.testing.assert_allclose(relative[along], 0.0, atol=1e-9)


def test_where_nothing_meets_gaps_are_closed_for_the_trial(whole: carom.Problem) -> None:
    apart = whole.replace(gap=3.0)
    found = apart.reduced(1e-2).reduction
    assert found.beside == "all modes, gaps closed"
    assert found.impacts == 8
    assert found.estimate <= 1e-2


def test_where_nothing_moves_the_duration_tells(whole: carom.Problem) -> None:
    still = whole.replace(motion=None).reduced()
    assert still.reduction.estimate is None
    assert still.reduction.cutoff == pytest.approx(3.5 * still.reduction.contact_frequency)


def test_a_release_is_kept(whole: carom.Problem) -> None:
    """A frame pulled aside by a force on one floor, and let go."""
    a = whole.structures[0]
    pull = np.linalg.solve(a.stiffness_matrix, -3e5 * a.read("0-0-4", "x").row)
    free = whole.replace(motion=None, initial_displacement={"a": pull})
    few = free.reduced(5e-3)
    exact, found = (impacts_of(carom.simulate(problem, rtol=1e-8, duration=1.0)) for problem in (free, few))
    error = max(abs(found[one] / exact[one] - 1.0) for one in list(exact)[:3])
    assert error < 1e-2
    with pytest.raises(CaromError, match="`initial_displacement` of ReducedStructure 'a' must be among what"):
        few.replace(initial_displacement={"a": np.eye(len(a.dof_names))[7] * 1e-3})


def test_a_contact_elsewhere_is_refused(whole: carom.Problem, few: carom.Problem) -> None:
    elsewhere = carom.Contact(("a", "0-0-1", "x"), ("b", "1-0-1", "x"), gap=1.0, law=whole.pairs[0].law)
    with pytest.raises(CaromError, match="`places` of ReducedStructure 'a' must have those of contact"):
        few.replace(contacts=[elsewhere])


def test_small_structures_stay_as_they_are() -> None:
    a = carom.Oscillator(mass=4600, stiffness=2.11e6, name="a")
    b = carom.ShearBuilding([1e4] * 5, 1e7, name="b")
    law = carom.law("hertz", stiffness=2e9)
    problem = carom.Problem([a, b], [carom.Contact("a", ("b", 2), gap=0.01, law=law)], motion=RECORD)
    assert problem.reduced() is problem


def test_impulses_are_compared_where_contacts_have_no_stiffness(whole: carom.Problem) -> None:
    rigid = whole.replace(law=carom.law("newton", restitution=0.5), motion=RECORD.trimmed(0.0, 4.0))
    found = rigid.reduced(cutoff="40 Hz", impacts=3).reduction
    assert found.contact_frequency is None
    assert found.impacts == 3
    assert found.estimate is not None


def test_ensembles_take_few_modes(few: carom.Problem) -> None:
    gaps = [0.006, 0.012]
    many = carom.ensemble(few, vary={"gap": gaps, "a.damping_ratio": [0.03, 0.05]}, rtol=1e-6, duration=2.0)
    assert many.evidence["reduced"]["estimate"] == few.reduction.estimate
    a, b = few.structures
    for gap in gaps:
        alone = carom.simulate(
            few.replace(structures=[a.replace(damping_ratio=0.03), b]).replace(gap=gap), rtol=1e-6, duration=2.0
        )
        one = many.dataset.sel(gap=gap)["displacement"].isel({"a.damping_ratio": 0})
        np.testing.assert_allclose(one.values, alone.extremes[:, 0], rtol=1e-4)


def test_large_structures_take_few_modes_by_themselves(whole: carom.Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared with are modes up to one and a half times the cut-off, for the others are not known."""
    monkeypatch.setattr(base, "MOST_DENSE", 20)
    large = whole.replace()
    assert large.large
    run = carom.simulate(large, rtol=1e-9, duration=4.0)
    told = run.evidence["reduced"]
    assert "modes up to" in told["beside"]
    assert told["estimate"] <= 1e-3
    assert "modes" not in vars(large.structures[0])
    monkeypatch.undo()
    error = true_error(exact_impacts(whole), large.affordable)
    assert told["estimate"] / 10.0 <= error <= 3.0 * told["estimate"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"rtol": 0.5}, "`rtol` of Problem.reduced must lie in [1e-08, 0.1]. Got 0.5."),
        ({"rtol": "a"}, "`rtol` of Problem.reduced must be"),
        ({"cutoff": -3.0}, "`cutoff` of Problem.reduced must be positive. Got -3."),
        ({"cutoff": 0.01}, "must not lie below the first mode"),
        ({"impacts": 0}, "`impacts` of Problem.reduced must be at least 1 where a trial is to find"),
        ({"impacts": 1.5}, "must be a whole number of at least 1, or 0 beside a `cutoff`."),
        ({"peaks": 2.0}, "`peaks` of Problem.reduced must lie in"),
    ],
)
def test_refusals(whole: carom.Problem, asked: dict[str, Any], told: str) -> None:
    with pytest.raises(CaromError) as caught:
        whole.reduced(**asked)
    assert told in str(caught.value)


def test_without_contacts_a_cutoff_must_be_said(whole: carom.Problem) -> None:
    alone = whole.replace(contacts=())
    with pytest.raises(CaromError, match="finds no contact: nothing tells a cut-off"):
        alone.reduced()
    assert alone.reduced(cutoff="20 Hz").reduction.estimate is None


def test_a_trial_whose_reference_fails_says_so(whole: carom.Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is certified by comparing with nothing."""
    few_steps = lambda problem, **how: carom.simulate(problem, **(how | {"step_limit": 3}))  # noqa: E731
    monkeypatch.setattr("carom.integrate.modes.reduction_trial.simulate", few_steps)
    with pytest.raises(CaromError, match="The run failed"):
        whole.reduced()
