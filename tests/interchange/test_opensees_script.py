"""Problems written for OpenSees: the model's matrices, its materials, its remarks; and runs where it is installed."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from benchmarks._opensees import cases
from scipy import linalg

import carom
from carom.interchange.opensees_comparison import compare_opensees
from carom.interchange.opensees_materials import contact_material
from carom.interchange.opensees_model import model_of
from carom.interchange.opensees_script import opensees_script
from carom.laws import DampedLaw

LAW = carom.law("kelvin-voigt", stiffness="50 MN/m", restitution=0.65)
needs_opensees = pytest.mark.skipif(
    importlib.util.find_spec("openseespy") is None, reason="openseespy is not installed"
)


def matrices(model):
    """Assemble M, C and K of a model over its nodes, fixed ones left out."""
    n = len(model.masses)
    mass, damping, stiffness = np.diag(model.masses), np.zeros((n, n)), np.zeros((n, n))

    def add(matrix, a, b, value):
        for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            matrix[i - 1, j - 1] += sign * value

    for a, b, k, c in model.springs:
        add(stiffness, a, b, k)
        add(damping, a, b, c)
    for a, b, m in model.inerters:
        add(mass, a, b, m)
    free = [i for i in range(n) if i + 1 not in model.fixed]
    return tuple(matrix[np.ix_(free, free)] for matrix in (mass, damping, stiffness)), free


def random_structure(chance, name):
    """A structure with full matrices, dampers that couple its modes, and points that read several of its dofs."""
    n = int(chance.integers(3, 6))
    half = chance.normal(size=(3, n, n))
    mass, damping, stiffness = (part @ part.T + np.eye(n) for part in half)
    weights = {f"dof {i + 1}": float(w) for i, w in enumerate(chance.uniform(-1, 1, n))}
    return carom.Structure(
        2e3 * mass, 1e6 * stiffness, damping=3e3 * damping, influence=chance.normal(size=(n, 3)),
        points={"face": carom.Point((0, 0, 3), x=weights), "side": carom.Point((1, 0, 3), x="dof 2")}, name=name,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_the_model_is_the_structure(seed):
    chance = np.random.default_rng([seed, 5])
    left, right = random_structure(chance, "left"), random_structure(chance, "right")
    motion = {axis: carom.Motion(chance.normal(size=5), 0.02) for axis in "xz"}
    start = {"left": chance.normal(size=len(left.dof_names)) * 1e-3}
    problem = carom.Problem(
        [left, right],
        [carom.Contact(("left", "face", "x"), ("right", "face", "x"), gap=0.05, law=LAW),
         carom.Contact(("left", "side", "x"), ("right", "side", "x"), gap=0.05, law=LAW)],
        motion=motion, initial_displacement=start,
    )  # fmt: skip
    model = model_of(problem)
    (mass, damping, stiffness), free = matrices(model)
    whole = [
        linalg.block_diag(*(getattr(s, f"{what}_matrix") for s in (left, right)))
        for what in ("mass", "damping", "stiffness")
    ]
    back = np.zeros((len(model.recover), len(model.masses)))
    for i, entry in enumerate(model.recover):
        for node, weight in entry:
            back[i, node - 1] = weight
    back = back[:, free]
    for found, given in zip((mass, damping, stiffness), whole, strict=True):
        assert found == pytest.approx(back.T @ given @ back, rel=1e-9, abs=1e-9 * np.abs(found).max())
    # contacts: what nodes move by is what places read
    moved = chance.normal(size=back.shape[0])
    at_nodes = np.linalg.solve(back, moved)
    nodes = np.zeros(len(model.masses))
    nodes[free] = at_nodes
    for (a, b, _), point in zip(model.contacts, ("face", "side"), strict=True):
        n = len(left.dof_names)
        sides = left.read(point, "x").row @ moved[:n], right.read(point, "x").row @ moved[n:]
        assert nodes[a - 1] - nodes[b - 1] == pytest.approx(sides[0] - sides[1])
    # the ground and the start
    ground = np.zeros((len(model.masses), len(model.series)))
    for which, node, force in model.loads:
        ground[node - 1, which] = force
    influence = np.concatenate([left.influence, right.influence])[:, [0, 2]]
    assert ground[free] == pytest.approx(-back.T @ whole[0] @ influence)
    state = {node: values for node, *values in model.start}
    begin = np.array([state.get(i + 1, (0.0, 0.0, 0.0)) for i in free])
    u = np.concatenate([start["left"], np.zeros(len(right.dof_names))])
    assert back @ begin[:, 0] == pytest.approx(u)
    a = np.array([motion[axis].acceleration[0] for axis in "xz"])
    assert back @ begin[:, 2] == pytest.approx(np.linalg.solve(whole[0], -whole[2] @ u) - influence @ a)


@pytest.mark.parametrize("name", carom.laws.laws.names())
def test_every_law_has_a_material_that_says_what_it_cannot_do(name):
    """An exact one has the law's own force; any other says whose restitution it has."""
    kind = carom.laws.laws.get(name)
    given = {"restitution": 0.65} if issubclass(kind, DampedLaw) else {}
    law = carom.law(name, stiffness=1e8 if kind.n == 1.0 else 2e9, **given)
    if given and law.empirical:
        law = law.calibrated(mass=2000.0, velocity=0.5)
    contact = carom.Contact("a", "b", gap=0.01, law=law)
    found = contact_material(contact, 3, 2000.0)
    words = found.words
    assert words[1] == 3
    assert -0.01 in words
    overlap, rate, v0 = 1e-3, 0.2, 0.5
    force = {
        "Hertzdamp": lambda: (words[2] + words[2] * words[3] / v0 * rate) * overlap ** words[5],
        "JankowskiImpact": lambda: (
            words[2] * overlap ** words[6]
            + 2.0 * words[3] * np.sqrt(words[2] * overlap ** (words[6] - 1.0) * words[4]) * rate
        ),
        "ViscoelasticGap": lambda: words[2] * overlap + words[3] * rate,
    }[words[0]]()
    if found.exact:
        assert force == pytest.approx(law.force(overlap, rate, mass=2000.0, velocity=v0), rel=1e-12)
    else:
        assert any("restitution that the law achieves" in said or "lets go" in said for said in found.cannot)


def test_refusals():
    a, b = (carom.Oscillator(mass=1e3, period=0.5, name=name) for name in "ab")
    motion = carom.motions.get("default")

    def written(contacts=(), structures=(a, b), **options):
        return opensees_script(carom.Problem(structures, contacts, **({"motion": motion} | options)))

    newton = carom.law("newton", restitution=0.5)
    with pytest.raises(carom.InputError, match="no material for newton, an impulse"):
        written([carom.Contact("a", "b", gap=0.01, law=newton)])
    with pytest.raises(carom.InputError, match="closed at the start"):
        written([carom.Contact("a", "b", gap=-0.01, law=LAW)], allow_overlap=True)
    with pytest.raises(carom.InputError, match="ride on the ground differently"):
        written([carom.Contact("a", "b", gap=0.01, law=LAW)], motion={"a": motion, "b": (motion, 0.1)})
    with pytest.raises(carom.InputError, match="`duration` of opensees_script must be said"):
        written(motion=None)
    yields = a.replace(spring=carom.Takeda("1 cm")) if hasattr(a, "spring") else a
    with pytest.raises(carom.InputError, match="no material here for a storey with Takeda"):
        written(structures=(yields, b))


def test_a_script_is_python_and_says_what_differs():
    problem = cases.problem("10 v 8", "hertzdamp", cases.motion("default", 2.0))
    script = opensees_script(problem, dt="0.3 ms", title='Towers "A" and B')
    tree = ast.parse(script.text)
    head = ast.get_docstring(tree)
    assert head.startswith("Towers 'A' and B")
    assert "Hertzdamp takes the rate that scales its damping at the end" in " ".join(head.split())
    assert script.step <= 3e-4
    assert problem.motion.dt / script.step == pytest.approx(round(problem.motion.dt / script.step))


def test_names_of_a_user_are_no_code():
    nasty = 'a""" + open("x", "w").write("y") + r"""'
    a = carom.Oscillator(mass=1e3, period=0.5, name=nasty)
    b = carom.Oscillator(mass=1e3, period=0.3, name="b'\\")
    contacts = [carom.Contact(nasty, "b'\\", gap=0.01, law=carom.law("hertzdamp", stiffness=2e9, restitution=0.6))] * 2
    problem = carom.Problem([a, b], contacts, motion=carom.Motion([0.0, 1.0, 0.0], 0.01))
    text = opensees_script(problem, title=nasty).text
    tree = ast.parse(text)
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "open" not in calls
    stated = [node for node in tree.body if isinstance(node, ast.Assign)]
    names = next(node.value for node in stated if getattr(node.targets[0], "id", "") == "NAMES")
    assert ast.literal_eval(names) == [nasty, "b'\\"]


@needs_opensees
@pytest.mark.parametrize("law", cases.LAWS)
def test_opensees_agrees_within_its_step_error(law):
    """Every law that OpenSees solves, in a script that runs by itself."""
    problem = cases.problem("two", law, cases.motion("default", 4.0))
    found = compare_opensees(problem, step=1e-4)
    assert found.exact
    assert found.coarse.failures + found.fine.failures == 0
    assert np.abs(found.force).max() > 0.0
    assert found.agrees, found.verdict
    assert found.difference(found.fine).max() < 5e-3


@needs_opensees
def test_matrices_points_and_three_directions_agree():
    chance = np.random.default_rng(11)
    left, right = random_structure(chance, "left"), random_structure(chance, "right")
    acceleration = 20.0 * np.sin(np.arange(0.0, 2.0, 0.01) * 12.0)
    problem = carom.Problem(
        [left, right], [carom.Contact(("left", "face", "x"), ("right", "face", "x"), gap=1e-4, law=LAW)],
        motion={"x": carom.Motion(acceleration, 0.01), "y": carom.Motion(acceleration[::-1].copy(), 0.01)},
    )  # fmt: skip
    found = compare_opensees(problem, step=2e-4)
    assert found.force.max() > 0.0
    assert found.agrees, found.verdict


@needs_opensees
def test_storeys_that_yield_agree():
    problem = cases.problem("two", "hertz", cases.motion("default", 4.0))
    structures = [problem.structures[0].replace(spring=carom.Bilinear("5 mm", 0.05)), problem.structures[1]]
    found = compare_opensees(problem.replace(structures=structures), step=2e-4, scheme="newmark")
    assert found.agrees, found.verdict
    assert "and that of carom" in found.verdict
    assert found.difference(found.fine).max() < 5e-3, found.verdict


@needs_opensees
def test_steps_that_do_not_converge_are_counted_and_said():
    """Contact a hundred times as stiff as the step's inertia, 4m/Δt²: the iteration of OpenSees diverges."""
    stiff = carom.law("kelvin-voigt", stiffness=1e11, restitution=0.65)
    problem = cases.problem("two", "kelvin-voigt", cases.motion("default", 4.0)).replace(law=stiff)
    found = compare_opensees(problem, step=5e-3)
    failures = found.coarse.failures + found.fine.failures
    assert failures > 0
    assert not found.agrees
    assert f"{failures} of {found.coarse.steps + found.fine.steps} steps of OpenSees did not converge." in found.verdict


@needs_opensees
def test_an_exported_script_prints_its_peaks(tmp_path):
    script = opensees_script(cases.problem("two", "linear", cases.motion("default", 1.0)), dt=1e-3)
    (tmp_path / "run.py").write_text(script.text, encoding="utf-8")
    run = subprocess.run([sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "structure 0: largest displacement" in run.stdout
    assert "0 of 1000 steps did not converge" in run.stdout
    assert (tmp_path / "opensees-results.npz").exists()


@needs_opensees
def test_what_does_not_move_does_not_differ():
    """A symmetric frame shaken along x and y does not turn, and its rotation is rounding in both."""
    section = carom.Section.rectangle(0.35, 0.35)
    frame = carom.Frame.moment_frame(
        storeys=["3 m"], bays=["6 m"], rows=["5 m"], columns=section, beams=section,
        material=carom.Material.concrete(), slab="600 kg/m^2", damping_ratio=0.05, name="frame",
    )  # fmt: skip
    motion = carom.motions.get("default").trimmed(2.0, 2.3)
    found = compare_opensees(carom.Problem([frame], motion={"x": motion, "y": motion.scaled(factor=0.5)}), step=5e-4)
    turn = found.names.index("frame floor 1 rz")
    assert np.abs(found.displacement[:, turn]).max() < 1e-12
    assert found.agrees, found.verdict
