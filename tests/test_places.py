"""Where contacts may be: points, directions, two places of one structure; and what results keep of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom
from carom.studies.single.scene import scene_of

LAW = carom.law("kelvin-voigt", stiffness=2e7, restitution=0.6)
SHAKE = carom.motions.harmonic(amplitude=4.0, frequency=1.6, duration=2.0, dt=0.01)


def slab(**more: object) -> carom.Structure:
    """A slab that moves along x and y and turns, with two corners."""
    corners = {
        "north-east": carom.Point((3.0, 2.0, 4.0), x={"ux": 1.0, "rz": -2.0}, y={"uy": 1.0, "rz": 3.0}),
        "south-west": carom.Point((-3.0, -2.0, 4.0), x={"ux": 1.0, "rz": 2.0}, y={"uy": 1.0, "rz": -3.0}),
    }
    given = {
        "mass_matrix": [2e4, 2e4, 9e4], "stiffness_matrix": np.diag([8e6, 6e6, 4e7]), "damping_ratio": 0.03,
        "dofs": ["ux", "uy", "rz"], "influence": [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 0]], "points": corners,
        "name": "slab",
    }  # fmt: skip
    return carom.Structure(**(given | more))


def test_a_point_is_read_along_any_direction() -> None:
    structure = slab()
    row, share = structure.read("north-east", "y")
    np.testing.assert_array_equal(row, [0.0, 1.0, 3.0])
    np.testing.assert_array_equal(share, [0.0, 1.0, 0.0])
    np.testing.assert_array_equal(structure.read("north-east").row, [1.0, 0.0, -2.0])
    row, share = structure.read("north-east", (0.8, -0.6))
    np.testing.assert_allclose(row, [0.8, -0.6, -3.4], rtol=1e-15)
    np.testing.assert_allclose(share, [0.8, -0.6, 0.0], rtol=1e-15)
    np.testing.assert_array_equal(structure.read("south-west", "-x").row, [-1.0, 0.0, -2.0])
    assert structure.points["north-east"].position == (3.0, 2.0, 4.0)
    again = pickle.loads(pickle.dumps(structure))
    assert again == structure == structure.replace()
    assert hash(again) == hash(structure)
    assert structure != slab(points={})


def test_the_ground_share_of_a_point_is_geometric() -> None:
    """A column at half height follows half of its floor, and all of the ground."""
    tower = carom.ShearBuilding(masses=[1e4, 1e4], stiffnesses=1e6, heights="3 m", name="tower")
    row, share = tower.read("1.5 m")
    np.testing.assert_array_equal(row, [0.5, 0.0])
    np.testing.assert_array_equal(share, [1.0, 0.0, 0.0])
    assert tower.location("1.5 m").position == (0.0, 0.0, 1.5)
    np.testing.assert_array_equal(tower.read({"floor 1": 0.5}).share, [0.5, 0.0, 0.0])


def test_a_point_along_a_direction_is_a_place_by_weights() -> None:
    wall = carom.Wall(name="wall")
    speeds = {"slab": (0.3, -0.4, 0.1)}

    def run(place: object) -> carom.Simulation:
        contact = carom.Contact(place, "wall", gap=0.01, law=LAW)
        return carom.simulate(carom.Problem([slab(), wall], [contact], initial_velocity=speeds), duration=1.0)

    by_point, by_weights = run(("slab", "north-east", (0.6, 0.8))), run(("slab", {"ux": 0.6, "uy": 0.8, "rz": 1.2}))
    assert by_point.table["start"].size > 0
    np.testing.assert_allclose(by_point.extremes, by_weights.extremes, rtol=1e-12)


@pytest.mark.parametrize("angle", [0.3, 1.9, -2.4])
def test_a_turned_scene_gives_the_same_forces(angle: float) -> None:
    """Two masses in the plane that meet along a line, and the same turned by any angle."""

    def mass(name: str, stiffness: float) -> carom.Structure:
        return carom.Structure(
            [2e4, 2e4], np.diag([stiffness] * 2), damping_ratio=0.02, dofs=["x", "y"], name=name,
            influence=[[1.0, 0, 0], [0, 1.0, 0]], points={"edge": carom.Point(x="x", y="y")},
        )  # fmt: skip

    def run(along: float) -> carom.Simulation:
        n = np.array([np.cos(along), np.sin(along)])
        contact = carom.Contact(("a", "edge", n), ("b", "edge"), gap=0.005, law=LAW)
        speeds = {"a": tuple(0.5 * n), "b": tuple(-0.2 * n)}
        problem = carom.Problem([mass("a", 8e6), mass("b", 3e6)], [contact], initial_velocity=speeds)
        return carom.simulate(problem, duration=1.5)

    straight, turned = run(0.0), run(angle)
    assert straight.table["start"].size > 2
    np.testing.assert_allclose(turned.table["peak_force"], straight.table["peak_force"], rtol=1e-9)
    np.testing.assert_allclose(turned.table["start"], straight.table["start"], rtol=1e-9)


@pytest.mark.parametrize("how", [{"path": "general"}, {"scheme": "newmark", "dt": 1e-4}])
def test_an_expansion_joint_lies_on_one_structure(how: dict[str, object]) -> None:
    """Two halves of a deck as one structure do what two oscillators do."""
    m, k, ratios = (2e5, 3e5), (8e6, 4e6), (0.03, 0.03)
    halves = [
        carom.Oscillator(mass=m[i], stiffness=k[i], damping_ratio=ratios[i], name=name) for i, name in enumerate("ab")
    ]
    apart = carom.Problem(halves, [carom.Contact("a", "b", gap=0.01, law=LAW)], motion=SHAKE)
    deck = carom.Structure(list(m), np.diag(k), damping_ratio=0.03, dofs=["a", "b"], name="deck")
    joined = carom.Problem([deck], [carom.Contact(("deck", "a"), ("deck", "b"), gap=0.01, law=LAW)], motion=SHAKE)
    assert joined.flat().effective_mass[0] == pytest.approx(apart.flat().effective_mass[0], rel=1e-15)
    one, two = carom.simulate(joined, **how), carom.simulate(apart, **how)
    assert one.table["start"].size > 1
    np.testing.assert_allclose(one.extremes, two.extremes, rtol=1e-9)
    np.testing.assert_allclose(one.table["peak_force"], two.table["peak_force"], rtol=1e-9)


def test_an_expansion_joint_in_ensembles_and_impulses() -> None:
    deck = carom.Structure([2e5, 3e5], np.diag([8e6, 4e6]), damping_ratio=0.03, dofs=["a", "b"], name="deck")
    problem = carom.Problem([deck], [carom.Contact(("deck", "a"), ("deck", "b"), gap=0.01, law=LAW)], motion=SHAKE)
    many = carom.ensemble(problem, vary={"gap": [0.005, 0.01]})
    np.testing.assert_allclose(many.extremes[1], carom.simulate(problem).extremes, rtol=1e-9)
    rigid = problem.replace(law=carom.law("newton", restitution=0.6))
    by_events, by_steps = carom.simulate(rigid), carom.simulate(rigid, scheme="moreau-jean", dt=1e-4)
    np.testing.assert_allclose(by_steps.extremes[:, 0], by_events.extremes[:, 0], rtol=2e-2)


def test_effective_mass_of_two_places_of_one_structure_counts_what_they_share() -> None:
    mass = np.array([[3.0, 0.5], [0.5, 2.0]])
    deck = carom.Structure(mass, np.diag([50.0, 70.0]), dofs=["a", "b"], name="deck")
    flat = carom.Problem([deck], [carom.Contact(("deck", "a"), ("deck", "b"), gap=0.01, law=LAW)]).flat()
    h = np.array([1.0, -1.0])
    assert flat.effective_mass[0] == pytest.approx(1.0 / (h @ np.linalg.solve(mass, h)), rel=1e-14)


@pytest.mark.parametrize("how", [{}, {"scheme": "newmark", "dt": 2e-5}, {"scheme": "moreau-jean", "dt": 2e-5}])
def test_dashpots_between_two_points(how: dict[str, object]) -> None:
    """One dashpot beside classical damping, against the equations of motion in physical coordinates."""
    m, k, c, beta = np.diag([2e4, 1e4]), np.array([[9e6, -4e6], [-4e6, 4e6]]), 6e4, 1e-3
    towers = carom.Structure(
        m, k, damping=carom.Rayleigh(0.0, beta), dofs=["a", "b"], dashpots=[(("a", "b"), c)], name="towers"
    )
    row = np.array([1.0, -1.0])
    whole = beta * k + c * np.outer(row, row)
    np.testing.assert_allclose(towers.damping_matrix, whole, rtol=1e-12, atol=1e-6)
    assert not towers.classical
    assert carom.Problem([towers]).flat().dashpots == pytest.approx([c * (1 / 2e4 + 1 / 1e4)], rel=1e-12)

    def motion(_t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[2:], np.linalg.solve(m, -whole @ y[2:] - k @ y[:2])])

    run = carom.simulate(carom.Problem([towers], initial_velocity={"towers": (0.4, -0.7)}), duration=0.5, **how)
    exact = solve_ivp(motion, (0.0, 0.5), [0.0, 0.0, 0.4, -0.7], t_eval=run.time, rtol=1e-11, atol=1e-13).y[:2].T
    np.testing.assert_allclose(run.displacement, exact, atol=1e-6 * np.abs(exact).max())


def test_a_dashpot_is_one_row_however_many_modes_there_are() -> None:
    """A full matrix of the same damping needs as many dashpots as modes."""
    n = 12
    stiffness = 4e6 * (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    given = {"mass_matrix": np.full(n, 1e4), "stiffness_matrix": stiffness, "name": "tower"}
    row = np.zeros(n)
    row[[2, 7]] = 1.0, -1.0
    damped = carom.Structure(**given, dashpots=[(row, 5e4)])
    full = carom.Structure(**given, damping=5e4 * np.outer(row, row))
    assert carom.Problem([damped]).flat().dashpot_reach.shape == (1, n)
    assert carom.Problem([full]).flat().dashpot_reach.shape[0] > 5
    wall, speeds = carom.Wall(name="wall"), {"tower": tuple(0.1 * np.arange(n))}
    runs = [
        carom.simulate(
            carom.Problem(
                [one, wall], [carom.Contact(("tower", n), "wall", gap=0.02, law=LAW)], initial_velocity=speeds
            ),
            duration=1.0, rtol=1e-8,
        )
        for one in (damped, full)
    ]  # fmt: skip
    assert runs[0].table["start"].size > 0
    np.testing.assert_allclose(runs[0].extremes, runs[1].extremes, rtol=1e-6)


def test_contact_points_are_outputs() -> None:
    left = carom.ShearBuilding(masses=[1e4] * 3, stiffnesses=8e6, heights="3 m", damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=2e4, period=0.3, damping_ratio=0.02, name="right")
    problem = carom.Problem([left, right], [carom.Contact(("left", "7.5 m"), "right", gap=0.01, law=LAW)], motion=SHAKE)
    run = carom.simulate(problem)
    assert run.dofs == ("left floor 1", "left floor 2", "left floor 3", "right", "left at 7.5 m")
    for values in (run.displacement, run.velocity, run.acceleration):
        np.testing.assert_allclose(values[:, 4], 0.5 * (values[:, 1] + values[:, 2]), rtol=1e-9, atol=1e-9)
    sampled = np.abs(run.displacement).max(axis=0)
    assert np.all(run.extremes[:, 0] >= sampled * (1.0 - 1e-12))
    assert run.extremes[4, 0] == pytest.approx(sampled[4], rel=1e-2)
    twin = carom.simulate(problem.without_contacts())
    assert twin.dofs == run.dofs
    low = problem.replace(contacts=[carom.Contact(("left", "1.5 m"), "right", gap=0.01, law=LAW)])
    assert low.flat().output_labels == run.dofs[:4]  # it rides on the ground by more than its floor does
    with pytest.raises(carom.InputError, match="`outputs` of Problem must be places that ride on the ground"):
        problem.replace(outputs=[("left", "1.5 m")])
    asked = problem.replace(contacts=(), outputs=[("left", "4 m")])
    assert asked.flat().output_labels[4:] == ("left at 4 m",)


def test_large_structures_keep_what_is_asked_for() -> None:
    n = 120
    stiffness = 4e8 * (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    given = {"mass_matrix": np.full(n, 1e4), "stiffness_matrix": stiffness, "damping_ratio": 0.05, "name": "tower"}
    wall = carom.Wall(name="wall")
    contact = carom.Contact(("tower", "dof 120"), "wall", gap=0.01, law=LAW)
    speeds = {"tower": tuple(np.linspace(0.0, 1.0, n))}
    kept = {"drift": ("dof 60", "dof 1"), "top": "dof 120"}
    few, some = (carom.Structure(**given, **more) for more in ({}, {"outputs": kept}))
    every = carom.Structure(**given, outputs=[f"dof {i}" for i in range(1, n + 1)])
    runs = [
        carom.simulate(carom.Problem([one, wall], [contact], initial_velocity=speeds), duration=0.2)
        for one in (few, some, every)
    ]
    assert runs[0].dofs == ("tower dof 120",)
    assert runs[1].dofs == ("tower drift", "tower top")
    assert len(runs[2].dofs) == n
    np.testing.assert_allclose(runs[0].extremes[0], runs[2].extremes[-1], rtol=1e-9)
    np.testing.assert_allclose(runs[1].extremes[1], runs[2].extremes[-1], rtol=1e-9)
    drift = runs[2].displacement[:, 59] - runs[2].displacement[:, 0]
    np.testing.assert_allclose(runs[1].displacement[:, 0], drift, atol=1e-12)


def test_a_law_takes_the_nodal_mass_that_a_paper_states() -> None:
    a = carom.Oscillator(mass=2e4, period=0.5, damping_ratio=0.02, name="a")
    b = carom.Oscillator(mass=3e4, period=0.3, damping_ratio=0.02, name="b")
    plain = carom.Problem([a, b], [carom.Contact("a", "b", gap=0.01, law=LAW)], motion=SHAKE)
    nodal = plain.replace(contacts=[carom.Contact("a", "b", gap=0.01, law=LAW, mass="5 t")])
    flat = nodal.flat()
    np.testing.assert_array_equal(flat.laws[0], LAW.power_form(5e3).packed())
    assert flat.effective_mass[0] == plain.flat().effective_mass[0]
    run = carom.simulate(nodal)
    np.testing.assert_allclose(carom.ensemble(nodal, vary={"gap": [0.01]}).extremes[0], run.extremes, rtol=1e-9)
    assert np.abs(run.extremes / carom.simulate(plain).extremes - 1.0).max() > 1e-4
    with pytest.raises(carom.InputError, match="`mass` of Contact must"):
        carom.Contact("a", "b", gap=0.01, law=LAW, mass=-1.0)


REFUSED = [
    (lambda: slab().read("north-east", (0.0, 0.0, 0.0)), "`direction` of Structure 'slab' must not have the length"),
    (lambda: slab().read("north-east", "up"), "`direction` of Structure 'slab' must be 'x', 'y' or 'z'"),
    (lambda: slab().read("ux", "y"), "must be left out where a place is a degree of freedom, or weights"),
    (lambda: slab().read("nowhere"), "place on Structure 'slab'"),
    (lambda: slab(points={"ux": carom.Point(x="ux")}), "must not be called like a degree of freedom"),
    (lambda: slab(points={"corner": 3}), "`points` of Structure 'slab' must map names to points"),
    (lambda: carom.Point((1.0, 2.0), x="ux"), "`position` of Point must be three coordinates"),
    (lambda: carom.Point((1.0, 2.0, 3.0)), "must say for one direction at least how the point moves"),
    (lambda: slab(dashpots=[("ux", -1.0)]), "`dashpots` of Structure 'slab' must"),
    (lambda: slab(dashpots=[(("ux", "ux"), 1.0)]), "must join two different places"),
    (lambda: slab(dashpots=5.0), "must be a list of pairs: a place, or two, and a constant"),
    (lambda: slab(influence=[[1.0, 0.0]] * 3), "or three: along x, y and z"),
    (lambda: slab(outputs="ux"), "must be a list of degrees of freedom and points"),
    (
        lambda: carom.Problem([slab()], [carom.Contact(("slab", "ux"), ("slab", "ux"), gap=0.1, law=LAW)]),
        "Contact joins 'slab' with itself.",
    ),
    (
        lambda: carom.Problem(
            [slab(), carom.Wall(moving=False)], [carom.Contact(("slab", "uy"), "wall", gap=0.1, law=LAW)]
        ),
        "must be x for a wall fixed in space",
    ),
]


@pytest.mark.parametrize(("build", "text"), REFUSED, ids=range(len(REFUSED)))
def test_refusals(build, text: str) -> None:
    with pytest.raises(carom.InputError) as refused:
        build()
    assert text in str(refused.value)


def test_springs_of_a_structure_given_by_matrices() -> None:
    """A yielding storey of a building, and the same as a structure of matrices with a joint beside K."""
    m, k = [2e4, 1e4], [8e6, 5e6]
    rule = carom.Bilinear("5 mm", hardening=0.1)
    tower = carom.ShearBuilding(masses=m, stiffnesses=k, storeys=(rule, rule), damping_ratio=0.03, name="tower")
    given = carom.Structure(
        tower.mass_matrix, tower.stiffness_matrix, damping_ratio=0.03, name="tower", dofs=["low", "high"],
        springs=[("low", rule.bound_to(k[0])), (("high", "low"), rule.bound_to(k[1]))],
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(given)) == given == given.replace()
    runs = [carom.simulate(carom.Problem([one], motion=SHAKE), scheme="newmark", dt=1e-3) for one in (tower, given)]
    np.testing.assert_allclose(runs[1].displacement, runs[0].displacement, atol=1e-12)
    assert np.abs(runs[0].displacement).max() > 0.01
    with pytest.raises(carom.InputError, match="whose stiffness it does not know yet"):
        given.replace(springs=[("low", rule)])
    with pytest.raises(carom.InputError, match="`springs` of Structure 'tower' must be a list of pairs"):
        given.replace(springs=[("low", 3.0)])


def test_a_report_of_a_large_structure_shows_what_was_kept(tmp_path) -> None:
    n = 110
    stiffness = 4e7 * (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    tower = carom.Structure(np.full(n, 1e4), stiffness, damping_ratio=0.05, name="tower", outputs=["dof 7"])
    contact = carom.Contact(("tower", {"dof 110": 1.0}), "wall", gap=0.001, law=LAW)
    speeds = {"tower": tuple(np.linspace(0.0, 1.0, n))}
    problem = carom.Problem([tower, carom.Wall(name="wall")], [contact], initial_velocity=speeds)
    flat = problem.flat()
    assert flat.output_labels == ("tower dof 7", "tower at 1.0 dof 110")
    assert np.flatnonzero(flat.dof_output >= 0).tolist() == [6, 109]
    run = carom.simulate(problem, duration=0.3)
    assert run.table["start"].size > 0
    scene = scene_of(problem)
    assert scene.standings[0].dofs == (0, 1)
    assert scene.standings[0].floors == ("dof 7", "dof 110")
    assert run.report(tmp_path / "out", checks=False).is_file()


def test_a_report_of_an_expansion_joint_says_what_touches(tmp_path) -> None:
    deck = carom.Structure([2e5, 3e5], np.diag([8e6, 4e6]), damping_ratio=0.03, dofs=["a", "b"], name="deck")
    contact = carom.Contact(("deck", "a"), ("deck", "b"), gap=0.01, law=LAW)
    run = carom.simulate(carom.Problem([deck], [contact], motion=SHAKE))
    page = run.report(tmp_path / "out", checks=False).read_text(encoding="utf-8")
    assert "two places of deck touch" in page
    assert "deck and deck" not in page


def test_without_contacts_points_keep_the_direction_of_the_other_side() -> None:
    """A point that takes its direction from the other side is kept along it where nothing meets any more."""
    pair = [
        carom.Structure(
            [1.0, 1.0], np.eye(2), dofs=["x", "y"], influence=[[1, 0, 0], [0, 1, 0]], outputs=["x"], name=name,
            points={"tip": carom.Point((0, 0, 0), x="x", y="y")},
        )
        for name in ("a", "b")
    ]  # fmt: skip
    law = carom.law("hertz", stiffness=1e6)
    problem = carom.Problem(pair, [carom.Contact(("a", "tip", "y"), ("b", "tip"), gap=0.1, law=law)])
    kept, free = problem.flat(), problem.without_contacts().flat()
    np.testing.assert_array_equal(kept.outputs, free.outputs)
    assert kept.outputs.shape[0] == 4
