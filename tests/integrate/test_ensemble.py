"""Ensembles against `carom.simulate`, run by run; the twin against problems without contacts; refusals."""

from __future__ import annotations

import doctest
import importlib
import logging

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import carom
from carom.errors import InputError, UnknownNameError
from carom.integrate.ensembles import batches, variation
from carom.results import Outcome

DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(DEFAULT.acceleration[150:330], dt=DEFAULT.dt, source="short")
LONGER = carom.Motion(DEFAULT.acceleration[500:750], dt=DEFAULT.dt, source="longer")
HERTZDAMP = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
LEFT = carom.Oscillator(mass=4600, period=0.3, damping_ratio=0.02, name="left")
RIGHT = carom.Oscillator(mass=3500, period=0.16, damping_ratio=0.02, name="right")


def pair(gap: float = 0.004, motion: carom.Motion | None = SHAKE, law=HERTZDAMP, **more) -> carom.Problem:
    return carom.Problem([LEFT, RIGHT], [carom.Contact("left", "right", gap=gap, law=law)], motion=motion, **more)


def agrees(many, single: carom.results.Simulation, /, *, rtol: float = 1e-10, **where) -> None:
    """Every output of one run of an ensemble is that of the single run, but for rounding."""
    one = many.dataset.isel(**where)
    for name in ("displacement", "velocity", "acceleration"):
        np.testing.assert_allclose(one[name], single.peaks[name], rtol=rtol, err_msg=name)
    assert int(one.impacts) == single.table["start"].size
    assert int(one.steps) == single.evidence["contact_steps"]
    assert int(one.rejected_steps) == single.evidence["rejected_steps"]
    assert str(one.status.values) == single.outcome.word
    expected = {
        "peak_force": single.table["peak_force"].max(initial=0.0),
        **{f"{part}_energy": single.ledger[part][-1] for part in ("input", "kinetic", "strain", "damping", "contact")},
    }
    whole = rtol * single.ledger["input"].max()  # what an elastic contact leaves of it is rounding
    for name, value in expected.items():
        np.testing.assert_allclose(one[name], value, rtol=rtol, atol=whole, err_msg=name)
    np.testing.assert_allclose(
        one.impulse, single.table["impulse"].sum(), rtol=max(rtol, 1e-14)
    )  # summed in another order


GAPS = st.floats(0.0005, 0.02)
LAWS = [
    HERTZDAMP,
    carom.law("kelvin-voigt", stiffness=8e7, restitution=0.5),
    carom.law("jankowski-2005", stiffness=2e9, restitution=0.7),
    carom.law("hertz", stiffness=1e9),
]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_run_is_that_of_simulate(data) -> None:
    law = data.draw(st.sampled_from(LAWS))
    choices = {
        "gap": st.lists(GAPS, min_size=1, max_size=3),
        "left.mass": st.lists(st.floats(500, 20000), min_size=1, max_size=2),
        "right.period": st.lists(st.floats(0.05, 0.5), min_size=1, max_size=2),
        "left.damping_ratio": st.lists(st.floats(0.0, 0.2), min_size=1, max_size=2),
        "law": st.lists(st.sampled_from(LAWS), min_size=1, max_size=3),
        "motion": st.lists(st.sampled_from([SHAKE, LONGER]), min_size=1, max_size=2),
        "scale": st.lists(st.floats(-2.0, 2.0), min_size=1, max_size=2),
    }
    names = data.draw(st.lists(st.sampled_from(sorted(choices)), min_size=1, max_size=3, unique=True))
    vary = {name: data.draw(choices[name]) for name in names}
    rtol = data.draw(st.sampled_from([1e-4, 1e-6]))
    problem = pair(law=law)
    many = carom.ensemble(problem, vary=vary, rtol=rtol)
    assert many.failed == 0
    assert list(many.dims) == names
    longest = max(motion.duration for motion in vary.get("motion", [SHAKE]))
    where = {name: data.draw(st.integers(0, len(values) - 1)) for name, values in vary.items()}
    chosen = {name: vary[name][i] for name, i in where.items()}
    agrees(many, carom.simulate(changed(problem, chosen), rtol=rtol, duration=longest), **where)


def changed(problem: carom.Problem, values: dict) -> carom.Problem:
    """The same changes, made by hand to one problem."""
    values = dict(values)
    motion = values.pop("motion", problem.motion)
    if "scale" in values:
        motion = motion.scaled(factor=values.pop("scale")) if values["scale"] else still(motion, values)
    problem = problem.replace(motion=motion)
    for name in ("gap", "law"):
        if name in values:
            problem = problem.replace(**{name: values.pop(name)})
    for parameter in [name for name in values if "." not in name]:
        problem = problem.replace(law=problem.pairs[0].law.replace(**{parameter: values.pop(parameter)}))
    structures = {s.name: s for s in problem.structures}
    for name, value in values.items():
        structure, _, entry = name.partition(".")
        structures[structure] = structures[structure].replace(**{entry: value})
    return problem.replace(structures=tuple(structures.values()))


def still(motion: carom.Motion, values: dict) -> carom.Motion:
    values.pop("scale")
    return motion.replace(acceleration=np.zeros(motion.npts))


@pytest.mark.parametrize("law", LAWS[:3], ids=lambda law: law.name)
def test_parameters_of_laws_are_those_of_single_laws(law) -> None:
    vary = {
        "restitution": np.linspace(0.3, 0.95, 4),
        "stiffness": [law.stiffness, "3e9 N/m^1.5"][: 2 if law.n > 1 else 1],
    }
    vary["left.mass"] = [3000.0, 4600.0]
    problem = pair(law=law)
    many = carom.ensemble(problem, vary=vary)
    for i, e in enumerate(vary["restitution"]):
        for j, k in enumerate(vary["stiffness"]):
            for m, mass in enumerate(vary["left.mass"]):
                run = carom.simulate(changed(problem, {"restitution": float(e), "stiffness": k, "left.mass": mass}))
                # powers of arrays and of single numbers may differ in the last digit
                agrees(many, run, rtol=1e-9, restitution=i, stiffness=j, **{"left.mass": m})


def test_paired_values_beside_an_outer_product() -> None:
    rng = np.random.default_rng(7)
    gaps, masses, factors = rng.uniform(0.002, 0.01, 9), rng.choice([3000.0, 4600.0], 9), rng.uniform(0.5, 1.5, 9)
    problem = pair()
    many = carom.ensemble(problem, vary={"law": LAWS[:2]}, zip={"gap": gaps, "left.mass": masses, "scale": factors})
    assert many.dims == {"law": 2, "run": 9}
    assert many.evidence["structures"] == 2  # two masses, however many runs
    np.testing.assert_array_equal(many.dataset.gap, gaps)
    assert list(many.dataset.law.values) == ["lankarani-nikravesh-1990", "kelvin-voigt"]
    for i, law in enumerate(LAWS[:2]):
        for j in range(9):
            values = {"law": law, "gap": gaps[j], "left.mass": masses[j], "scale": factors[j]}
            agrees(many, carom.simulate(changed(problem, values)), law=i, run=j)


def test_single_contacts_of_buildings_with_facing_floors() -> None:
    tall = carom.ShearBuilding(masses=[2e4] * 4, stiffnesses=[3e7] * 4, damping_ratio=0.05, name="tall")
    low = carom.ShearBuilding(masses=[2e4] * 3, stiffnesses=[6e7] * 3, damping_ratio=0.05, name="low")
    problem = carom.Problem([tall, low], [carom.facing("tall", "low", gap=0.006, law=HERTZDAMP)], motion=SHAKE)
    label = problem.flat().contact_labels[1]
    soft = [(2e7, 3e7, 3e7, 3e7), (3e7,) * 4]
    vary = {"gap:2": [0.004, 0.008], f"restitution:{label}": [0.3, 0.6], "tall.stiffnesses": soft}
    many = carom.ensemble(problem, vary=vary)
    assert list(many.dataset["tall.stiffnesses"].values) == [0, 1]
    for i, gap in enumerate(vary["gap:2"]):
        for j, e in enumerate((0.3, 0.6)):
            for k, stiffnesses in enumerate(soft):
                contacts = [
                    carom.Contact(
                        ("tall", f), ("low", f), gap=gap if f == 3 else 0.006,
                        law=HERTZDAMP.replace(restitution=e if f == 2 else 0.6),
                    )
                    for f in (1, 2, 3)
                ]  # fmt: skip
                single = carom.Problem([tall.replace(stiffnesses=stiffnesses), low], contacts, motion=SHAKE)
                run = carom.simulate(single)
                agrees(many, run, rtol=1e-9, **{"gap:2": i, f"restitution:{label}": j, "tall.stiffnesses": k})


def test_released_from_rest_without_a_motion() -> None:
    problem = pair(motion=None)
    starts = ["-24 mm", -0.01]
    vary = {"left.initial_displacement": starts, "gap": [0.0, 0.002], "right.period": [0.16, 0.1]}
    many = carom.ensemble(problem, vary=vary, duration=1.0, sampling=0.002)
    for i, start in enumerate(starts):
        for j, gap in enumerate(vary["gap"]):
            for k, period in enumerate(vary["right.period"]):
                single = changed(problem, {"gap": gap, "right.period": period}).replace(
                    initial_displacement={"left": start}
                )
                run = carom.simulate(single, duration=1.0, sampling=0.002)
                agrees(many, run, **{"left.initial_displacement": i, "gap": j, "right.period": k})
    default = carom.ensemble(problem, vary={**vary, "right.period": [0.1]}, duration=1.0)
    single = changed(problem, {"gap": 0.0, "right.period": 0.1}).replace(initial_displacement={"left": "-24 mm"})
    agrees(
        default, carom.simulate(single, duration=1.0), **{"left.initial_displacement": 0, "gap": 0, "right.period": 0}
    )


def test_several_supports_share_a_scale() -> None:
    late = {"left": SHAKE, "right": (SHAKE, 0.05)}
    problem = pair(motion=None).replace(motion=late)
    many = carom.ensemble(problem, vary={"gap": [0.002, 0.006], "scale": [0.7, 1.0]})
    for i, gap in enumerate((0.002, 0.006)):
        agrees(many, carom.simulate(problem.replace(gap=gap)), gap=i, scale=1)
        half = SHAKE.scaled(factor=0.7)
        agrees(
            many, carom.simulate(problem.replace(gap=gap, motion={"left": half, "right": (half, 0.05)})), gap=i, scale=0
        )


def test_a_wall_fixed_in_space_and_its_twin() -> None:
    problem = carom.Problem(
        [LEFT, carom.Wall(name="wall", moving=False)],
        [carom.Contact("left", "wall", gap=0.01, law=HERTZDAMP)],
        motion=SHAKE,
    )
    many = carom.ensemble(problem, vary={"gap": [0.005, 0.01]}, twin=True)
    agrees(many, carom.simulate(problem.replace(gap=0.005)), gap=0)
    alone = carom.simulate(problem.replace(contacts=()))
    np.testing.assert_allclose(
        many.dataset.twin_displacement.sel(dof="left"), alone.peaks.displacement.sel(dof="left"), rtol=1e-12
    )


def test_the_twin_is_the_problem_without_contacts() -> None:
    problem = pair()
    vary = {"gap": [0.001, 0.003, 10.0], "motion": [SHAKE, LONGER], "left.period": [0.3, 0.4]}
    many = carom.ensemble(problem, vary=vary, zip={"scale": [0.5, 1.0, 0.5], "restitution": [0.4, 0.5, 0.6]}, twin=True)
    assert many.twin_dims == ("motion", "left.period", "run")
    assert many.evidence["twins"] == 2 * 2 * 2  # not once per gap, and a scale met twice is run once
    data = many.dataset
    for i, motion in enumerate(vary["motion"]):
        for j, period in enumerate(vary["left.period"]):
            for k, factor in enumerate((0.5, 1.0, 0.5)):
                single = changed(problem, {"motion": motion, "left.period": period, "scale": factor})
                run = carom.simulate(single.replace(contacts=()), duration=LONGER.duration)
                for name in ("displacement", "velocity", "acceleration"):
                    one = data[f"twin_{name}"].isel({"motion": i, "left.period": j, "run": k})
                    np.testing.assert_allclose(one, run.peaks[name], rtol=1e-12)
    for name in ("displacement", "velocity", "acceleration"):
        np.testing.assert_array_equal(data[f"{name}_ratio"].isel(gap=2), 1.0)  # never touched
        assert data[f"{name}_ratio"].dims == (*many.dims, "dof")
    assert float(abs(data.displacement_ratio.isel(gap=0) - 1.0).max()) > 0.01


def test_a_failed_run_says_so_and_leaves_the_others_alone() -> None:
    many = carom.ensemble(pair(), vary={"gap": [0.0005, 10.0]}, step_limit=20)
    assert list(many.status) == ["step-limit", "finished"]
    assert many.outcomes == {Outcome.STEP_LIMIT: 1, Outcome.FINISHED: 1}
    assert many.failed == 1
    failed = many.dataset.isel(gap=0)
    for name in set(many.dataset.data_vars) - {"status", "steps", "rejected_steps"}:
        assert np.isnan(failed[name]).all(), name
    assert np.isfinite(many.dataset.isel(gap=1).displacement).all()
    assert "1 failed" in repr(many)


def test_numbers_out_of_range_are_a_failure() -> None:
    many = carom.ensemble(pair(), vary={"scale": [1.0, 1e307]})
    assert list(many.status) == ["finished", "not-finite"]
    assert np.isnan(many.dataset.displacement.isel(scale=1)).all()


def test_order_and_slices_change_nothing(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    gaps = rng.uniform(0.001, 0.01, 40)
    whole = carom.ensemble(pair(), vary={"gap": gaps, "scale": [1.0, 0.5]})
    monkeypatch.setattr(batches, "LARGEST_SLICE", 3)
    turned = carom.ensemble(pair(), vary={"scale": [0.5, 1.0], "gap": gaps[::-1]})
    again = turned.dataset.transpose("gap", "scale", "dof").isel(gap=slice(None, None, -1), scale=[1, 0])
    for name in whole.dataset.data_vars:
        np.testing.assert_array_equal(whole.dataset[name], again[name], err_msg=name)


def test_neighbours_are_alike() -> None:
    axes = (
        variation.axis_of("gap", {"gap": np.array([3.0, 1.0, 2.0])}),
        variation.axis_of("run", {"scale": np.array([2.0, 1.0]), "motion": ["a", "a"]}),
    )
    runs = variation.sorted_runs(axes, ["motion", "scale", "gap"])
    gap, run = np.unravel_index(runs, (3, 2))
    assert [(axes[1].values["scale"][j], axes[0].values["gap"][i]) for i, j in zip(gap, run, strict=True)] == [
        (1.0, 1.0), (1.0, 2.0), (1.0, 3.0), (2.0, 1.0), (2.0, 2.0), (2.0, 3.0)
    ]  # fmt: skip


def test_progress_is_told_and_an_error_in_it_stops(caplog, monkeypatch) -> None:
    told = []
    monkeypatch.setattr(batches, "SILENCE", 0.0)
    with caplog.at_level(logging.INFO, "carom.ensemble"):
        carom.ensemble(pair(), vary={"gap": np.linspace(0.001, 0.01, 30)}, progress=lambda *n: told.append(n))
    assert told[-1] == (30, 30)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert "of 30 runs" in caplog.text

    def stop(done: int, total: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        carom.ensemble(pair(), vary={"gap": np.linspace(0.001, 0.01, 30)}, progress=stop)


def test_evidence_says_what_stands_behind() -> None:
    many = carom.ensemble(pair(), vary={"gap": [0.01, 0.02]}, rtol=1e-5)
    assert many.evidence["runs"] == many.size == 2
    assert many.evidence["rtol"] == 1e-5
    assert many.evidence["runs_per_second"] > 0.0
    assert set(many.evidence["versions"]) == {"python", "numpy", "numba"}


NONCLASSICAL = carom.ShearBuilding(
    masses=[1e3, 1e3], stiffnesses=[1e6, 1e6], damping=np.array([[900.0, -800.0], [-800.0, 800.0]]), name="left"
)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "needs something to vary"),
        ({"vary": [1, 2]}, "`vary` of ensemble must map names to values"),
        ({"vary": {"gap": []}}, "`gap` of ensemble must not be empty"),
        ({"vary": {"gap": 0.01}}, "`gap` of ensemble must be a list of values"),
        ({"vary": {"gap": np.float64(0.01)}}, "must be a list of values"),
        ({"vary": {"gap": np.array(0.01)}}, "must be a list of values"),
        ({"vary": {"gap": [0.01, np.nan]}}, "`gap` of ensemble must be finite everywhere. Got nan."),
        ({"vary": {"gap": [[0.01], [0.02]]}}, "must be a row of values"),
        ({"vary": {"gap": ["20 kg"]}}, "must be convertible to m"),
        ({"vary": {"gap": [-0.01]}}, "overlap at rest"),
        ({"vary": {"gap": [0.01], "left.initial_displacement": [0.0, 0.02]}}, "u_a − u_b = 0.02 m"),
        ({"vary": {"gap": [0.01], "gap:0": [0.02]}}, "both `gap` and `gap:0`"),
        ({"vary": {"gap": [0.01]}, "zip": {"gap": [0.02]}}, "'gap' in both `vary` and `zip`"),
        (
            {"zip": {"gap": [0.01, 0.02], "scale": [1.0]}},
            "`zip` of ensemble must hold equally many .*gap: 2, scale: 1",
        ),
        ({"vary": {"left.mass": [-1.0]}}, "`mass` of Oscillator 'left' must be positive"),
        ({"vary": {"left.mass": [np.nan]}}, "`mass` of Oscillator 'left' must be a finite number"),
        ({"vary": {"restitution": [1.5]}}, r"`restitution` of lankarani-nikravesh-1990 must lie in \(0, 1\]"),
        ({"vary": {"motion": SHAKE}}, r"Write \[motion\]"),
        ({"vary": {"motion": [0.1, 0.2]}}, "each a carom.Motion"),
        ({"vary": {"motion": [SHAKE, SHAKE.resampled(0.02)]}}, r"must have one time step.*motion.resampled\(0.01\)"),
        ({"vary": {"law": ["hertz"]}}, "must be a law with its stiffness"),
        ({"vary": {"gap": [0.01]}, "device": "cuda"}, "needs an NVIDIA GPU"),
        ({"vary": {"gap": [0.01]}, "rtol": 1.0}, "`rtol` of ensemble must lie in"),
        ({"vary": {"gap": [0.01]}, "step_limit": 0}, "whole number of at least 1"),
        ({"vary": {"gap": [0.01]}, "twin": 1}, "`twin` of ensemble must be True or False"),
        ({"vary": {"gap": [0.01]}, "sampling": 0.01}, "takes `sampling` only without a record"),
        ({"vary": {"gap": [0.01]}, "duration": -1.0}, "`duration` of ensemble must be positive"),
    ],
)
def test_refusals(arguments: dict, says: str) -> None:
    with pytest.raises(InputError, match=says):
        carom.ensemble(pair(), **arguments)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gaps", "Unknown name to vary 'gaps'. Did you mean 'gap'.* Known: damping, gap, law, left.damping, .* scale"),
        ("left.weight", "Unknown name to vary 'left.weight'"),
        ("middle.mass", "Unknown name to vary 'middle.mass'"),
        ("gap:3", "Unknown contact '3'. Known: left | right"),
        ("gap:", "Unknown contact ''"),
        (3, "Unknown name to vary 3"),
    ],
)
def test_unknown_names_list_the_known(name: str, says: str) -> None:
    with pytest.raises(UnknownNameError, match=says.replace("|", r"\|")):
        carom.ensemble(pair(), vary={name: [1.0]})


def test_unknown_device_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown device 'gpu'.*Known: cpu, cuda"):
        carom.ensemble(pair(), vary={"gap": [0.01]}, device="gpu")


def test_more_refusals() -> None:
    with pytest.raises(InputError, match=r"must be a carom\.Problem"):
        carom.ensemble("problem", vary={"gap": [0.01]})
    with pytest.raises(InputError, match="needs `duration`"):
        carom.ensemble(pair(motion=None), vary={"gap": [0.01]})
    with pytest.raises(InputError, match="must have a motion to scale"):
        carom.ensemble(pair(motion=None), vary={"scale": [0.5]}, duration=1.0)
    with pytest.raises(InputError, match="given its damping, which then counts"):
        carom.ensemble(pair(law=HERTZDAMP.replace(damping=0.4)), vary={"restitution": [0.5]})
    with pytest.raises(UnknownNameError, match="Unknown parameter of hertz 'restitution'"):
        carom.ensemble(pair(law=LAWS[3]), vary={"restitution": [0.5]})
    with pytest.raises(UnknownNameError, match="Unknown name to vary 'gap'"):
        carom.ensemble(carom.Problem([LEFT], motion=SHAKE), vary={"gap": [0.01]})
    coupled = carom.Problem(
        [NONCLASSICAL, RIGHT], [carom.Contact(("left", 1), "right", gap=0.1, law=HERTZDAMP)], motion=SHAKE
    )
    with pytest.raises(
        InputError, match=r"^ensemble does not take damping that couples the modes \(left\)\. carom\.sim"
    ):
        carom.ensemble(coupled, vary={"gap": [0.01]})
    building = carom.ShearBuilding(masses=1e3, stiffnesses=[1e6], damping_ratio=0.02, name="b")
    with pytest.raises(InputError, match="equally many degrees of freedom"):
        carom.ensemble(carom.Problem([building], motion=SHAKE), vary={"b.stiffnesses": [[1e6], [1e6, 1e6]]})


def test_overlap_may_be_allowed_and_pairs_are_judged_as_pairs() -> None:
    agrees(
        carom.ensemble(pair(allow_overlap=True), vary={"gap": [-0.0001]}),
        carom.simulate(pair(gap=-0.0001, allow_overlap=True)),
        gap=0,
    )
    fitting = {"gap": [0.01, 0.03], "left.initial_displacement": [0.0, 0.02]}
    assert carom.ensemble(pair(), zip=fitting).failed == 0
    with pytest.raises(InputError, match="overlap at rest"):
        carom.ensemble(pair(), vary=fitting)


def test_a_motion_set_gives_its_components() -> None:
    both = carom.MotionSet((SHAKE, SHAKE.scaled(factor=0.5)))
    many = carom.ensemble(pair(), vary={"motion": both})
    assert list(many.dataset.motion.values) == ["short", "short (2)"]
    agrees(many, carom.simulate(pair()), motion=0)


def test_compiled_and_plain_kernels_agree(monkeypatch) -> None:
    short = SHAKE.trimmed(end=0.4)
    choices = {"gap": [0.002, 0.02], "scale": [1.0, 3.0]}
    fast = carom.ensemble(pair(motion=short), vary=choices, twin=True)
    monkeypatch.setenv("CAROM_BACKEND", "python")
    plain = carom.ensemble(pair(motion=short), vary=choices, twin=True)
    assert plain.evidence["backend"] == "python"
    assert float(plain.dataset.impacts.max()) > 0
    np.testing.assert_allclose(plain.extremes, fast.extremes, rtol=1e-9)
    np.testing.assert_allclose(plain.dataset.contact_energy, fast.dataset.contact_energy, rtol=1e-9)


def test_the_example_of_the_docstring() -> None:
    module = importlib.import_module("carom.integrate.ensembles.ensemble")
    assert doctest.testmod(module) == (0, 9)
