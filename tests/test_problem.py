"""Problems: the flat arrays against physics written out by hand, several supports, refusals."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import carom
from carom.errors import InputError
from carom.kernels.laws import power_law
from carom.problem import FlatProblem

LAW = carom.law("lankarani-nikravesh-1990", stiffness=2.46e10, restitution=0.6)
LEFT = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.005, name="left")
RIGHT = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.004, name="right")
MOTION = carom.Motion(np.sin(np.arange(50.0)), dt=0.01)
TALL = carom.ShearBuilding([2e5] * 10, 3e8, heights=3.0, damping_ratio=0.05, name="tall")
LOW = carom.ShearBuilding([1.5e5] * 8, 4e8, heights=3.0, damping=carom.Rayleigh(0.2, 1e-3), name="low")


def touch(a: Any, b: Any, gap: float = 0.02, law: Any = LAW) -> carom.Contact:
    return carom.Contact(a, b, gap=gap, law=law)


def pair(**changes: Any) -> carom.Problem:
    values: dict[str, Any] = {"structures": [LEFT, RIGHT], "contacts": [touch("left", "right")], "motion": MOTION}
    return carom.Problem(**(values | changes))


def equations(problem: carom.Problem, u: np.ndarray, v: np.ndarray, force: np.ndarray, a_g: float) -> np.ndarray:
    """Accelerations of all degrees of freedom from the modal arrays."""
    flat = problem.flat()
    q, qd = np.linalg.solve(flat.outputs, u), np.linalg.solve(flat.outputs, v)
    damping = np.diag(2.0 * flat.sigma) if flat.classical else flat.damping
    modal = -damping @ qd - flat.omega**2 * q + flat.load - flat.drives.share * a_g - flat.push.T @ force
    return flat.outputs @ modal


def test_two_oscillators_written_out() -> None:
    problem = pair(initial_displacement={"left": "-24 mm"}, initial_velocity={1: [0.3]})
    flat = problem.flat()
    assert problem.flat() is flat
    np.testing.assert_allclose(flat.omega, [np.sqrt(2.11e6 / 4600), np.sqrt(5.31e6 / 3500)], rtol=1e-15)
    np.testing.assert_allclose(flat.sigma, flat.omega * [0.005, 0.004], rtol=1e-15)
    assert flat.effective_mass[0] == pytest.approx(4600 * 3500 / 8100, rel=1e-15)
    assert 1.0 / np.sum(flat.push**2) == pytest.approx(flat.effective_mass[0], rel=1e-15)
    np.testing.assert_allclose(flat.outputs @ flat.q0, [-0.024, 0.0], rtol=1e-15)
    np.testing.assert_allclose(flat.outputs @ flat.v0, [0.0, 0.3], rtol=1e-15)
    assert flat.output_labels == ("left", "right")
    assert flat.contact_labels == ("left | right",)
    np.testing.assert_array_equal(flat.laws[0], LAW.power_form(flat.effective_mass[0]).packed())
    assert flat.laws.shape == (1, power_law.SIZE)
    np.testing.assert_array_equal(flat.driven, [MOTION.acceleration])
    assert not any(array.flags.writeable for array in flat.drives)
    assert (flat.dt, flat.start) == (0.01, 0.0)
    force, a_g = 1e5, 3.0
    u, v = np.array([0.03, -0.01]), np.array([0.2, 0.5])
    c = [2 * 0.005 * np.sqrt(2.11e6 * 4600), 2 * 0.004 * np.sqrt(5.31e6 * 3500)]
    by_hand = [
        (-c[0] * v[0] - 2.11e6 * u[0] - force) / 4600 - a_g,
        (-c[1] * v[1] - 5.31e6 * u[1] + force) / 3500 - a_g,
    ]
    np.testing.assert_allclose(equations(problem, u, v, np.array([force]), a_g), by_hand, rtol=1e-13)
    q = np.linalg.solve(flat.outputs, u)
    assert (flat.reach @ q - flat.gap)[0] == pytest.approx(0.03 + 0.01 - 0.02, rel=1e-13)


def test_arrays_are_plain_contiguous_and_locked() -> None:
    problem = carom.Problem([TALL, LOW], [carom.facing("tall", "low", gap=0.02, law=LAW)], MOTION)
    flat = problem.flat()
    for entry in dataclasses.fields(FlatProblem):
        value = getattr(flat, entry.name)
        if isinstance(value, np.ndarray):
            assert value.dtype in (np.float64, np.int64)
            assert value.flags.c_contiguous
            assert not value.flags.writeable
    assert flat.reach.shape == flat.push.shape == (8, 18)
    assert flat.damping.shape == (0, 0)
    assert flat.dof_structure.tolist() == flat.mode_structure.tolist() == [0] * 10 + [1] * 8
    assert flat.output_labels[:2] == ("tall floor 1", "tall floor 2")
    assert flat.contact_labels[2] == "tall floor 3 | low floor 3"


def test_ten_against_eight_storeys() -> None:
    problem = carom.Problem([TALL, LOW], [carom.facing(0, 1, gap=0.02, law=LAW)], MOTION)
    flat = problem.flat()
    np.testing.assert_allclose(flat.effective_mass, 2e5 * 1.5e5 / 3.5e5, rtol=1e-15)  # the two floors' masses
    np.testing.assert_allclose(1.0 / np.sum(flat.push**2, axis=1), flat.effective_mass, rtol=1e-13)
    rng = np.random.default_rng(4)
    u, v, force = 0.01 * rng.normal(size=18), 0.1 * rng.normal(size=18), 1e6 * rng.random(8)
    load = np.concatenate([-force, np.zeros(2), force])
    m, c, k = (
        np.block([[getattr(TALL, name), np.zeros((10, 8))], [np.zeros((8, 10)), getattr(LOW, name)]])
        for name in ("mass_matrix", "damping_matrix", "stiffness_matrix")
    )
    by_hand = np.linalg.solve(m, load - c @ v - k @ u) - 2.0
    np.testing.assert_allclose(equations(problem, u, v, force, 2.0), by_hand, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(flat.reach @ np.linalg.solve(flat.outputs, u), u[:8] - u[10:], atol=1e-14)


def test_non_classical_damping_is_carried_in_modal_form() -> None:
    damper = np.zeros((8, 8))
    damper[0, 0] = 5e6
    low = LOW.replace(damping=damper)
    problem = carom.Problem([TALL, low], [touch(("tall", 8), ("low", 8))])
    flat = problem.flat()
    assert not flat.classical
    shapes = low.modes().shapes
    np.testing.assert_allclose(flat.damping[10:, 10:], shapes.T @ damper @ shapes, rtol=1e-12)
    np.testing.assert_allclose(np.diag(flat.damping), 2.0 * flat.sigma, rtol=1e-12)
    assert not flat.damping[:10, 10:].any()
    u, v = np.zeros(18), np.ones(18)
    c = np.concatenate([TALL.damping_matrix @ v[:10] / 2e5, low.damping_matrix @ v[10:] / 1.5e5])
    np.testing.assert_allclose(equations(problem, u, v, np.zeros(1), 0.0), -c, atol=1e-9 * np.abs(c).max())


def test_floor_against_column() -> None:
    short = carom.ShearBuilding([1e5] * 3, 2e8, heights=4.0, name="short")
    flat = carom.Problem([TALL, short], [touch(("tall", 2), ("short", "6 m"))]).flat()
    assert flat.effective_mass[0] == pytest.approx(1.0 / (1 / 2e5 + 0.25 / 1e5 + 0.25 / 1e5), rel=1e-15)
    assert flat.contact_labels == ("tall floor 2 | short at 6 m",)
    u = np.arange(13.0)
    assert flat.reach[0] @ np.linalg.solve(flat.outputs[flat.dof_output], u) == pytest.approx(
        u[1] - 0.5 * (u[10] + u[11]), rel=1e-12
    )


def test_ball_on_the_ground() -> None:
    ball = carom.Body(mass=2.0, gravity="2 m/s^2", name="ball")
    flat = carom.Problem([ball, carom.Ground()], [touch("ball", "ground", gap=1.0)]).flat()
    assert flat.omega.tolist() == [0.0]
    assert flat.effective_mass[0] == pytest.approx(2.0, rel=1e-15)
    assert (flat.outputs @ flat.load)[0] == pytest.approx(2.0, rel=1e-15)
    assert flat.driven.shape == (1, 0)
    assert flat.output_labels == ("ball",)


def test_fixed_wall_moves_against_the_ground_and_feels_nothing() -> None:
    flat = carom.Problem([LEFT, carom.Wall(moving=False)], [touch("left", "wall")], MOTION).flat()
    assert flat.omega[1] == flat.sigma[1] == flat.push[0, 1] == flat.modal_mass[1] == 0.0
    assert flat.drives.share[1] == 1.0  # q̈ = −a_g: q = −u_g
    assert flat.reach[0, 1] == -1.0
    assert flat.effective_mass[0] == pytest.approx(4600.0, rel=1e-15)
    assert flat.output_labels == ("left", "wall")
    moving = carom.Problem([LEFT, carom.Wall()], [touch("left", "wall")], MOTION).flat()
    assert moving.omega.size == 1
    np.testing.assert_array_equal(moving.reach, moving.push)


def test_gravity_and_influence_of_a_general_structure() -> None:
    deck = carom.Structure([2.0, 1.0], [[3.0, -1.0], [-1.0, 1.0]], influence=[1.0, 0.0], load=[4.0, 5.0], name="deck")
    problem = carom.Problem([deck])
    np.testing.assert_allclose(
        equations(problem, np.zeros(2), np.zeros(2), np.zeros(0), 3.0), [4.0 / 2.0 - 3.0, 5.0], rtol=1e-13, atol=1e-13
    )
    assert problem.flat().reach.shape == (0, 2)


# several supports -----------------------------------------------------------------------------------------


def test_supports_add_the_difference_of_ground_displacements() -> None:
    """Free bodies stay where they are in space, whatever their grounds do: the overlap does not change."""
    bodies = [carom.Body(mass=1.0, name="a"), carom.Body(mass=3.0, name="b")]
    flat = carom.Problem(bodies, [touch("a", "b")], {"a": MOTION, "b": (MOTION, "50 ms")}).flat()
    assert flat.support.tolist() == [0, 1, 0, 1]
    assert flat.mode_structure.tolist() == [0, 1, -1, -1]
    assert flat.drives.share[2:].tolist() == [-1.0, -1.0]
    assert flat.reach[0, 2:].tolist() == [1.0, -1.0]
    assert not flat.push[0, 2:].any()
    assert not flat.outputs[:, 2:].any()
    driven = -flat.drives.share[:, None] * flat.driven[flat.drives.which]  # q̈ of free modes
    np.testing.assert_allclose(flat.reach @ driven, 0.0, atol=1e-15)
    np.testing.assert_array_equal(flat.driven[0, :50], MOTION.acceleration)
    np.testing.assert_array_equal(flat.driven[1, 5:], MOTION.acceleration)
    assert not flat.driven[1, :5].any()
    assert not flat.driven[0, 50:].any()
    assert flat.driven.shape == (2, 55)


def test_places_across_the_ground_motion_do_not_ride_on_it() -> None:
    """A degree of freedom with ι = 0 stays, so that beside an oscillator the ground itself closes the gap."""
    deck = carom.Structure(
        [2.0, 1.0, 5.0], np.eye(3), influence=[1.0, 0.0, 0.0], dofs=["along", "across", "turn"], name="deck"
    )
    flat = carom.Problem([LEFT, deck], [touch("left", ("deck", "across"))], MOTION).flat()
    assert flat.mode_structure.tolist() == [0, 1, 1, 1, -1]
    assert flat.reach[0, -1] == 1.0
    assert flat.push[0, -1] == flat.modal_mass[-1] == 0.0
    corner = carom.Problem([LEFT, deck], [touch("left", ("deck", {"along": 1.0, "turn": -2.5}))], MOTION).flat()
    assert corner.omega.size == 4
    assert corner.effective_mass[0] == pytest.approx(1.0 / (1 / 4600 + 1 / 2 + 2.5**2 / 5), rel=1e-14)


def test_three_in_a_row_on_three_supports() -> None:
    middle = carom.ShearBuilding([1e5] * 2, 1e8, heights=3.0, name="middle")
    contacts = [touch("left", ("middle", "1 m")), touch(("middle", 2), "right")]
    motions = {"left": MOTION, "middle": (MOTION, 0.02), "right": (MOTION, 0.04)}
    flat = carom.Problem([LEFT, middle, RIGHT], contacts, motions).flat()
    assert flat.reach[:, 4:].tolist() == [[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]]
    assert flat.support.tolist() == [0, 1, 1, 2, 0, 1, 2]
    apart = carom.Problem([LEFT, middle, RIGHT], contacts[:1], motions | {"left": (MOTION, 0.02)}).flat()
    assert apart.omega.size == 4  # no contact crosses supports


def test_flat_arrays_move_as_absolute_coordinates_do() -> None:
    """Two oscillators on two grounds, a wall fixed in space, a soft elastic contact: the same motion either way."""
    law = carom.law("linear-elastic", stiffness=4e3)
    a = carom.Oscillator(mass=2.0, stiffness=800.0, damping_ratio=0.05, name="a")
    b = carom.Oscillator(mass=3.0, stiffness=300.0, damping_ratio=0.02, name="b")
    motion = carom.Motion(8.0 * np.sin(0.31 * np.arange(60.0)), dt=0.02)
    problem = carom.Problem(
        [a, b, carom.Wall(moving=False)],
        [touch("a", "b", gap=0.01, law=law), touch("b", "wall", gap=0.03, law=law)],
        {"a": motion, "b": (motion, 0.1), "wall": (motion, 0.1)},
    )
    flat = problem.flat()
    times = flat.dt * np.arange(flat.driven.shape[1])
    m, k, c = np.array([2.0, 3.0]), np.array([800.0, 300.0]), 2 * np.array([0.05, 0.02]) * np.sqrt([1600.0, 900.0])

    def springs(overlap: np.ndarray) -> np.ndarray:
        return 4e3 * np.maximum(overlap, 0.0)

    def ground(t: float) -> np.ndarray:
        return np.array([np.interp(t, times, row) for row in flat.driven])

    def modal(t: float, y: np.ndarray) -> np.ndarray:
        q, qd = np.split(y, 2)
        shaken = flat.drives.share * ground(t)[flat.drives.which]
        load = flat.load - shaken - flat.push.T @ springs(flat.reach @ q - flat.gap)
        return np.concatenate([qd, load - 2 * flat.sigma * qd - flat.omega**2 * q])

    def absolute(t: float, y: np.ndarray) -> np.ndarray:
        x, xd, g, gd = np.split(y, 4)
        f = springs(np.array([x[0] - x[1] - 0.01, x[1] - 0.03]))
        xdd = (np.array([-f[0], f[0] - f[1]]) - c * (xd - gd) - k * (x - g)) / m
        return np.concatenate([xd, xdd, gd, ground(t)])

    options = {"t_eval": times, "method": "DOP853", "rtol": 1e-11, "atol": 1e-13, "max_step": 0.002}
    ours = solve_ivp(modal, (0.0, times[-1]), np.concatenate([flat.q0, flat.v0]), **options).y[: flat.omega.size]
    theirs = solve_ivp(absolute, (0.0, times[-1]), np.zeros(8), **options).y
    overlap = np.array([theirs[0] - theirs[1] - 0.01, theirs[1] - 0.03])
    assert (overlap.max(axis=1) > 0.0).all()  # both contacts are felt
    np.testing.assert_allclose(flat.reach @ ours - flat.gap[:, None], overlap, atol=1e-7)
    np.testing.assert_allclose((flat.outputs @ ours)[:2], theirs[:2] - theirs[4:6], atol=1e-7)
    np.testing.assert_allclose((flat.outputs @ ours)[2], -theirs[5], atol=1e-7)


def test_equal_supports_are_one() -> None:
    again = carom.Motion(MOTION.acceleration, dt=0.01)
    flat = pair(motion={"left": MOTION, "right": again}).flat()
    reference = pair().flat()
    for entry in dataclasses.fields(FlatProblem):
        np.testing.assert_array_equal(getattr(flat, entry.name), getattr(reference, entry.name))


def test_motions_share_the_coarsest_base_that_holds_them() -> None:
    coarse = carom.Motion([0.0, 1.0, 0.0], dt=0.02, start=1.0)
    fine = carom.Motion([0.0, 2.0, 4.0, 0.0], dt=0.01, start=1.0)
    flat = pair(motion={"left": coarse, "right": (fine, 0.005)}).flat()
    assert flat.dt == pytest.approx(0.005)
    assert flat.start == 1.0
    np.testing.assert_allclose(flat.driven[0], [0, 0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25, 0])
    np.testing.assert_allclose(flat.driven[1], [0, 0, 1, 2, 3, 4, 2, 0, 0])


def test_a_support_may_rest() -> None:
    flat = pair(motion={"left": None, 1: MOTION}).flat()
    assert not flat.driven[0].any()
    np.testing.assert_array_equal(flat.driven[1], MOTION.acceleration)


@given(st.integers(0, 40), st.sampled_from([1, 2, 3, 4, 5, 8, 10]))
def test_any_delay_on_a_part_of_the_step_is_exact(steps: int, part: int) -> None:
    delay = steps * 0.01 / part
    flat = pair(motion={"left": MOTION, "right": (MOTION, delay)}).flat()
    times = flat.start + flat.dt * np.arange(flat.driven.shape[1])
    inside = (times >= delay - 1e-12) & (times <= delay + MOTION.duration + 1e-12)
    expected = np.interp(times - delay, MOTION.time, MOTION.acceleration)
    np.testing.assert_allclose(flat.driven[-1][inside], expected[inside], atol=1e-9)


# changing and refusing ------------------------------------------------------------------------------------


def test_replace() -> None:
    problem = carom.Problem(
        [TALL, LOW, RIGHT], [carom.facing("tall", "low", gap=0.02, law=LAW), touch(("low", 1), "right")]
    )
    wider = problem.replace(gap="30 mm")
    np.testing.assert_array_equal(wider.flat().gap, np.full(9, 0.03))
    np.testing.assert_array_equal(problem.flat().gap, np.full(9, 0.02))
    hertz = carom.law("hertz", stiffness=1e9)
    assert {contact.law for contact in problem.replace(law=hertz).pairs} == {hertz}
    assert problem.replace(motion=MOTION).flat().driven.shape == (1, 50)
    fewer = problem.replace(structures=[TALL, LOW.replace(masses=[1e5] * 4, stiffnesses=1e8, heights=3.0), RIGHT])
    assert len(fewer.pairs) == 5  # facing floors are worked out anew
    with pytest.raises(InputError, match=r"Unknown field of Problem 'gaps'. Did you mean 'gap'\?"):
        problem.replace(gaps=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.motion = None
    with pytest.raises(TypeError):
        problem.initial_displacement["tall"] = 1.0


def test_pickling_keeps_the_problem() -> None:
    problem = pair(motion={"left": MOTION, "right": (MOTION, 0.1)}, initial_displacement={"left": -0.01})
    again = pickle.loads(pickle.dumps(problem))
    assert again.structures == problem.structures
    np.testing.assert_array_equal(again.flat().q0, problem.flat().q0)
    np.testing.assert_array_equal(again.flat().driven, problem.flat().driven)


def test_unnamed_structures_are_called_by_their_index() -> None:
    problem = carom.Problem([LEFT.replace(name=""), RIGHT.replace(name="")], touch(0, 1))
    assert problem.names == ("structure 0", "structure 1")
    assert problem.flat().contact_labels == ("structure 0 | structure 1",)
    assert problem.structure(1).name == "structure 1"
    assert repr(problem) == "<Problem: structure 0, structure 1; 1 contact; at rest>"


def test_two_contacts_of_one_pair_have_their_own_labels() -> None:
    staged = pair(contacts=[touch("left", "right"), touch("left", "right", gap=0.03)])
    assert staged.flat().contact_labels == ("left | right", "left | right (2)")


def test_a_users_function_is_marked_in_the_arrays() -> None:
    from carom.laws import laws

    before = dict(laws._members), dict(laws._aliases), dict(laws._lookup)
    try:
        carom.register_law("my own")(lambda overlap, rate: 1e6 * overlap)
        problem = pair(contacts=[touch("left", "right", law=carom.law("my own"))])
        assert np.isnan(problem.flat().laws).all()
    finally:
        laws._members, laws._aliases, laws._lookup = before


def test_touching_at_rest_is_no_overlap() -> None:
    pair(contacts=[touch("left", "right", gap=0.0)])
    pair(initial_displacement={"left": 0.3, "right": 0.1}, contacts=[touch("left", "right", gap=0.2)])
    pressed = pair(contacts=[touch("left", "right", gap=-0.001)], allow_overlap=True)
    assert pressed.flat().gap[0] == -0.001


REFUSALS: list[tuple[Callable[[], Any], str]] = [
    (lambda: pair(structures=[]), "`structures` of Problem must not be empty. Got ()."),
    (lambda: pair(structures="left"), "`structures` of Problem must be a list"),
    (lambda: pair(structures=[LEFT, 3]), "`structures` of Problem must be a list, each a structure. Got 3."),
    (lambda: pair(structures=[LEFT, LEFT]), "`name` of each structure must be different. Got 'left'."),
    (lambda: pair(contacts=["left"]), "`contacts` of Problem must be a list, each a Contact or carom.facing(…)."),
    (lambda: pair(contacts=[touch("left", "rigth")]), "Unknown structure 'rigth'. Did you mean 'right'? Known: left,"),
    (lambda: pair(contacts=[touch("left", 2)]), "`index` of a structure must lie in 0…1. Got 2. Known: left, right."),
    (lambda: pair(contacts=[touch("left", 0)]), "Contact joins 'left' with itself."),
    (lambda: pair(contacts=[carom.facing(1, "right", gap=0, law=LAW)]), "Contact joins 'right' with itself."),
    (lambda: pair(structures=[TALL, LOW], contacts=[touch(("tall", 9), ("low", 9))]),
     "`floor` of ShearBuilding 'low' must lie in 1…8. Got 9. The first slab above ground is 1."),
    (lambda: pair(structures=[TALL, LOW], contacts=[touch("tall", ("low", 1))]),
     "`place` of ShearBuilding 'tall' must be said."),
    (lambda: pair(contacts=[touch("left", "right", gap=-0.001)]),
     "`gap` of contact 'left | right' must be at least the initial closing u_a − u_b = 0 m, else the two overlap"),
    (lambda: pair(initial_displacement={"left": 0.024}), "= 0.024 m, else the two overlap at rest. Got 0.02. Widen it"),
    (lambda: pair(structures=[carom.Wall("w"), carom.Ground(), LEFT], contacts=[touch("w", "ground")]),
     "Contact 'w | ground' joins two places that no force moves."),
    (lambda: pair(structures=[carom.Wall()], contacts=()), "Problem needs at least one structure that can be moved"),
    (lambda: pair(initial_displacement=0.02), "`initial_displacement` of Problem must map structures to values."),
    (lambda: pair(initial_velocity={"left": [1, 2]}), "`initial_velocity` of Oscillator 'left' must be one number."),
    (lambda: pair(structures=[TALL], contacts=(), initial_displacement={"tall": 0.1}),
     "`initial_displacement` of ShearBuilding 'tall' must be a list of 10 values, one for each degree of freedom."),
    (lambda: pair(initial_displacement={"left": float("inf")}), "of Oscillator 'left' must be finite everywhere."),
    (lambda: pair(structures=[LEFT, carom.Wall("right", moving=False)], initial_velocity={"right": 1.0}),
     "`initial_velocity` of Problem must not be set for Wall 'right', which nothing moves. Got 1.0."),
    (lambda: pair(initial_displacement={"lft": 0.1}), "Unknown structure 'lft'. Did you mean 'left'?"),
    (lambda: pair(structures=[carom.Body(mass=1.0, gravity=9.81, name="b")], contacts=(), initial_displacement="rest"),
     "`initial_displacement` of Body 'b' must not be 'rest' where no spring holds it against its load. Got 'rest'."),
    (lambda: pair(initial_displacement="at rest"), "`initial_displacement` of Problem must map structures to values."),
    (lambda: pair(initial_velocity="rest"), "`initial_velocity` of Problem must map structures to values."),
    (lambda: pair(allow_overlap=1), "`allow_overlap` of Problem must be True or False. Got 1."),
    (lambda: pair(motion=[0.0, 1.0]), "must be a carom.Motion, a MotionSet, or a mapping from directions or str"),
    (lambda: pair(motion=carom.MotionSet((MOTION.replace(component="x"), MOTION))), "say of all components which axis"),
    (lambda: pair(motion=carom.MotionSet((MOTION.replace(component="W"), MOTION))), "by the axis it is positive along"),
    (lambda: pair(motion={"x": MOTION, "y": None}), "`motion` of Problem must have a carom.Motion along y. Got None."),
    (lambda: pair(motion={"x": MOTION, "left": MOTION}), "must map either directions or structures to motions, not so"),
    (lambda: pair(motion={"w": MOTION, "x": MOTION}), "must map either directions or structures to motions, not some"),
    (lambda: pair(structures=[LEFT.replace(name="x"), RIGHT], contacts=(), motion={"x": MOTION}),
     "`motion` of Problem must not leave open whether 'x' is the direction or the structure. Got ['x']. Give that str"),
    (lambda: pair(motion={}), "`motion` of Problem must say every structure's motion where it says some. Got []."),
    (lambda: pair(motion={"left": {"x": MOTION, "up": MOTION}, "right": None}),
     "`motion` of structure 'left' must be a Motion, a MotionSet, directions to motions"),
    (lambda: pair(motion={"left": ({"x": 3.0}, 0.1), "right": None}), "'left' must have a carom.Motion along x. Got 3"),
    (lambda: pair(motion={"left": MOTION}), "must say every structure's motion where it says some. Got ['left']. Add"),
    (lambda: pair(motion={"left": MOTION, "right": 3.0}), "`motion` of structure 'right' must be a Motion, a MotionSe"),
    (lambda: pair(motion={"left": MOTION, "right": (MOTION, -1)}), "`delay` of the motion of structure 'right' must n"),
    (lambda: pair(motion={"left": MOTION, "right": (MOTION, 0.01 / np.pi)}),
     "`motion` of Problem must have time steps and delays with a common measure."),
    (lambda: pair(motion={"left": MOTION, "right": (MOTION.replace(dt=0.0101), 0.01 / 99)}), "a common measure."),
]  # fmt: skip


@pytest.mark.parametrize(("build", "text"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(build: Callable[[], Any], text: str) -> None:
    with pytest.raises(InputError) as refused:
        build()
    assert text in str(refused.value)
    assert "\n" not in str(refused.value)
