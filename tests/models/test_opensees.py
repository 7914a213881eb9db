"""Models from a live OpenSees: its own eigenvalues and motions are the witnesses."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import carom
from carom.errors import ValidityWarning
from tests.models import opensees_models
from tests.models.opensees_models import MODELS, eigenvalues

ops = pytest.importorskip("openseespy.opensees", reason="openseespy is not installed", exc_type=ImportError)


@pytest.fixture(autouse=True)
def _empty_domain():
    ops.wipe()
    yield
    ops.wipe()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("build", MODELS, ids=lambda build: build.__name__)
def test_frequencies_are_those_of_opensees(build, seed):
    build(ops, np.random.default_rng([seed, 1]))
    found = carom.from_opensees(ops, name="model")
    squares = (2.0 * np.pi * found.frequencies) ** 2
    assert squares.size > 0
    count = squares.size
    theirs = eigenvalues(ops, count)
    finite = theirs[np.isfinite(theirs) & (theirs < 1e12)][:count]
    assert finite.size == count
    assert squares == pytest.approx(finite, rel=1e-8)


def motion_of_opensees(node, dof, axis, motion, dt):
    """Return a history [m] of OpenSees by average acceleration, every sample of the record."""
    ops.wipeAnalysis()
    ops.timeSeries("Path", 1, "-dt", motion.dt, "-values", *motion.acceleration.tolist())
    ops.pattern("UniformExcitation", 1, axis, "-accel", 1)
    ops.constraints("Transformation")
    ops.numberer("RCM")
    ops.system("FullGeneral")
    ops.algorithm("Linear")
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient", "-noWarnings")
    parts, found = round(motion.dt / dt), [0.0]
    for _ in range(motion.npts - 1):
        assert ops.analyze(parts, motion.dt / parts) == 0
        found.append(ops.nodeDisp(node, dof))
    return np.array(found)


@pytest.mark.parametrize(
    ("build", "node", "dof", "axis", "along", "modal"),
    [
        (opensees_models.nodal_masses, 101, 1, 1, "x", False),
        (opensees_models.nodal_masses, 101, 1, 1, "x", True),
        (opensees_models.diaphragms, 12, 2, 2, "y", False),
        (opensees_models.truss, 5, 2, 1, "y", False),
        (opensees_models.dampers, 4, 1, 1, "x", False),
        (opensees_models.links, 6, 1, 1, "x", False),
    ],
)
def test_a_shaken_model_moves_as_in_opensees(build, node, dof, axis, along, modal):
    """Damping, ground and rows of nodes together: the difference falls with the square of OpenSees' step."""

    def make():
        ops.wipe()
        build(ops, np.random.default_rng(7))
        if modal:
            ops.rayleigh(0.0, 0.0, 0.0, 0.0)
            ops.eigen("-fullGenLapack", 2)
            ops.modalDamping(0.04, 0.06)

    make()
    tower = carom.from_opensees(ops, name="tower", points={"there": node})
    motion = carom.Motion(np.append(0.0, 3.0 * np.random.default_rng(8).normal(size=30)), 0.02)
    if axis == 2:
        tower = tower.replace(influence=tower.influence[:, [1, 0, 2]])  # shaken along y
    tower = tower.replace(outputs={"there": tower.read("there", along).row})
    ours = carom.simulate(carom.Problem([tower], motion=motion), sampling=motion.dt)
    history = ours.history.displacement.sel(dof="tower there").interp(time=motion.time).values
    errors = []
    for dt in (4e-4, 2e-4):
        make()
        theirs = motion_of_opensees(node, dof, axis, motion, dt)
        errors.append(float(np.abs(theirs - history).max() / np.abs(history).max()))
    assert errors[1] < 2e-2, errors
    assert 3.8 < errors[0] / errors[1] < 4.2, errors


def cantilever(mass_of_node, *mass_of_member):
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Linear", 1)
    ops.node(1, 0.0, 0.0)
    ops.node(2, 0.0, 3.0)
    ops.fix(1, 1, 1, 1)
    ops.mass(2, mass_of_node, mass_of_node, 0.0)
    ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e11, 1e-4, 1, *mass_of_member)


def test_masses_of_members_are_masses_of_nodes():
    """Lumped, they are the same model, the forces of the ground included."""
    cantilever(450.0)
    nodes = carom.from_opensees(ops)
    cantilever(0.0, "-mass", 300.0)
    members = carom.from_opensees(ops)
    assert np.array_equal(nodes.mass_matrix, members.mass_matrix)
    assert np.array_equal(nodes.influence, members.influence)
    assert nodes.stiffness_matrix == pytest.approx(members.stiffness_matrix, rel=1e-14)


def test_mass_between_supports_and_nodes_is_driven_by_the_ground():
    """Consistent mass: M ι = Mff + Mfs of the textbook's matrices, ρL/420 [156 22L 54 -13L …], in lateral motion."""
    cantilever(0.0, "-mass", 300.0, "-cMass")
    found = carom.from_opensees(ops)
    per = 300.0 * 3.0 / 420.0
    lateral = found.mass_matrix @ found.influence[:, 0]
    assert lateral == pytest.approx([per * (156 + 54), 0.0, per * 3.0 * (22 + 13)], abs=1e-9)


def units_model(force, length):
    """A portal in units of N × force and m × length."""
    stress, mass = 1.0 / (force / length**2), 1.0 / (force / length)
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Linear", 1)
    for tag, x, y in ((1, 0, 0), (2, 0, 3), (3, 5, 3), (4, 5, 0)):
        ops.node(tag, x / length, y / length)
    ops.fix(1, 1, 1, 1)
    ops.fix(4, 1, 1, 1)
    for tag, a, b in ((1, 1, 2), (2, 2, 3), (3, 4, 3)):
        ops.element("elasticBeamColumn", tag, a, b, 0.01 / length**2, 2e11 * stress, 1e-4 / length**4, 1)
    for tag in (2, 3):
        ops.mass(tag, 2e3 * mass, 2e3 * mass, 50.0 * mass / length**2)


@pytest.mark.parametrize(
    ("force", "length", "f", "m"), [("kN", "mm", 1e3, 1e-3), ("kip", "in", 4448.2216152605, 0.0254)]
)
def test_units_of_the_model_change_nothing(force, length, f, m):
    units_model(1.0, 1.0)
    si = carom.from_opensees(ops)
    units_model(f, m)
    other = carom.from_opensees(ops, force=force, length=length)
    assert other.mass_matrix == pytest.approx(si.mass_matrix, rel=1e-12)
    assert other.stiffness_matrix == pytest.approx(si.stiffness_matrix, rel=1e-9, abs=1e-3)
    assert other.influence == pytest.approx(si.influence, abs=1e-12)
    for node in ("node 2", "node 3"):
        assert other.points[node].position == pytest.approx(si.points[node].position)
        assert other.points[node].rows == pytest.approx(si.points[node].rows, abs=1e-12)


def test_axes_of_the_model():
    opensees_models.diaphragms(ops, np.random.default_rng(3))
    z_up = carom.from_opensees(ops)
    y_up = carom.from_opensees(ops, up="y")
    a, b = (model.points["node 11"] for model in (z_up, y_up))
    assert b.position == pytest.approx((a.position[0], -a.position[2], a.position[1]))
    assert np.array_equal(b.rows, a.rows[[0, 2, 1]] * np.array([[1.0], [-1.0], [1.0]]))
    with pytest.raises(carom.InputError, match=r"`up` of from_opensees must be 'y' or 'z'\. Got 'x'"):
        carom.from_opensees(ops, up="x")


def test_the_domain_stays_as_it_is(tmp_path):
    """Constraints, patterns, state, analysis and recorders: the next steps are those that would have been taken."""

    def begin():
        ops.wipe()
        opensees_models.links(ops, np.random.default_rng(5))
        ops.timeSeries("Linear", 1)
        ops.pattern("Plain", 1, 1)
        ops.load(4, 3e4, 0.0, 0.0)
        ops.recorder("Node", "-file", str(tmp_path / "history"), "-precision", 16, "-node", 4, "-dof", 1, 2, "disp")
        ops.recorder("EnvelopeNode", "-file", str(tmp_path / "envelope"), "-node", 4, "-dof", 1, "disp")
        ops.constraints("Transformation")
        ops.numberer("RCM")
        ops.system("BandGeneral")
        ops.algorithm("Linear")
        ops.integrator("Newmark", 0.5, 0.25)
        ops.analysis("Transient")
        assert ops.analyze(5, 0.01) == 0

    def end():
        assert ops.analyze(5, 0.01) == 0
        state = [(ops.nodeDisp(tag), ops.nodeVel(tag), ops.nodeAccel(tag)) for tag in ops.getNodeTags()]
        ops.wipe()
        return state, (tmp_path / "history").read_text(), (tmp_path / "envelope").read_text()

    begin()
    expected = end()
    (tmp_path / "envelope").unlink()
    begin()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        carom.from_opensees(ops)
    assert end() == expected


def said(**options):
    """Return what an import says."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        carom.from_opensees(ops, name="m", **options)
    return [str(warning.message) for warning in found]


def test_what_is_left_out_is_said():
    cantilever(450.0)
    assert said() == []
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 7, 1)
    ops.load(2, 1e3, 0.0, 0.0)
    assert said() == ["OpenSees model 'm': its load patterns (7) are left out, forces and ground motions alike."]
    ops.sp(2, 3, 0.01)
    assert any("prescribed displacements are left out, their places are supports: node 2 dof 3" in s for s in said())
    ops.setNodeDisp(2, 1, 0.02, "-commit")
    assert any("displacements count from its present state" in s for s in said())
    ops.setNodeVel(2, 1, 0.02, "-commit")
    assert any("its velocities are left out" in s for s in said())


def test_damping_objects_of_elements_are_left_out_and_said():
    """They damp by filters over time: neither C nor what the model prints of itself has them."""
    cantilever(450.0)
    ops.damping("Uniform", 1, 0.05, 0.5, 20.0)
    ops.node(3, 3.0, 0.0)
    ops.fix(3, 1, 1, 1)
    ops.element("elasticBeamColumn", 2, 3, 2, 0.01, 2e11, 1e-4, 1, "-damp", 1)
    assert any("damping objects of elements 2 are left out" in s for s in said())


def test_geometry_that_is_not_linear_is_its_tangent():
    """P-Δ under 100 kN: K = 3 EI/L³ less (6/5) P/L … as OpenSees has it; its own eigenvalue is the witness."""
    cantilever(450.0)
    ops.wipe()
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("PDelta", 1)
    ops.node(1, 0.0, 0.0)
    ops.node(2, 0.0, 3.0)
    ops.fix(1, 1, 1, 1)
    ops.mass(2, 1e3, 1e3, 0.0)
    ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e11, 1e-5, 1)
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 1, 1)
    ops.load(2, 0.0, -1e5, 0.0)
    for words in (("constraints", "Plain"), ("numberer", "Plain"), ("system", "BandGeneral"), ("algorithm", "Linear")):
        getattr(ops, words[0])(words[1])
    ops.integrator("LoadControl", 1.0)
    ops.analysis("Static")
    assert ops.analyze(1) == 0
    with pytest.warns(ValidityWarning, match="P-Δ and corotational geometry is taken by its tangent"):
        found = carom.from_opensees(ops)
    squares = (2.0 * np.pi * found.frequencies) ** 2
    assert squares == pytest.approx(eigenvalues(ops, 2), rel=1e-10)
    plain = 3.0 * 2e11 * 1e-5 / 3.0**3
    assert squares[0] * 1e3 == pytest.approx(plain - 1e5 / 3.0, rel=1e-9)


NOT_LINEAR = {
    "Steel01": lambda: ops.uniaxialMaterial("Steel01", 1, 3e8, 2e11, 0.02),
    "ElasticPPGap": lambda: ops.uniaxialMaterial("ElasticPPGap", 1, 2e11, 1e12, 0.005),
    "ENT": lambda: ops.uniaxialMaterial("ENT", 1, 2e11),
    "Concrete01": lambda: ops.uniaxialMaterial("Concrete01", 1, -3e7, -0.002, -2e7, -0.006),
}


@pytest.mark.parametrize("kind", NOT_LINEAR)
def test_materials_that_are_not_linear_are_refused_by_element(kind):
    cantilever(450.0)
    ops.node(3, 3.0, 0.0)
    ops.fix(3, 1, 1, 1)
    NOT_LINEAR[kind]()
    ops.element("Truss", 8, 3, 2, 1e-3, 1)
    with pytest.raises(carom.InputError, match=r"not linear: .* at elements 8 \(Truss\)\. .*linearised=True"):
        carom.from_opensees(ops)
    assert any("taken by the tangent of the present state" in s for s in said(linearised=True))


def fibres(material, element="forceBeamColumn"):
    """A column of fibres, which works on increments of displacement."""
    cantilever(450.0)
    ops.uniaxialMaterial(material, 1, *{"Steel01": (3e8, 2e11, 0.02), "Elastic": (2e11,)}.get(
        material, (3e8, 2e11, 0.02, 18.0, 0.925, 0.15)))  # fmt: skip
    ops.node(3, 0.0, 6.0)
    ops.mass(3, 450.0, 450.0, 0.0)
    ops.section("Fiber", 1)
    ops.patch("rect", 1, 10, 2, -0.1, -0.1, 0.1, 0.1)
    ops.beamIntegration("Lobatto", 1, 1, 5)
    ops.element(element, 8, 2, 3, 1, 1)


@pytest.mark.parametrize("element", ["forceBeamColumn", "dispBeamColumn"])
def test_fibres_that_yield_are_refused(element):
    fibres("Steel01", element)
    with pytest.raises(carom.InputError, match=r"at elements 8 \((Force|Disp)BeamColumn2d\)"):
        carom.from_opensees(ops)
    fibres("Elastic", element)
    assert said() == []


def test_materials_that_did_nothing_but_need_not_be_linear_are_named():
    fibres("Steel02")
    (words,) = said()
    assert "materials of kinds that need not be linear (Steel02) are defined" in words
    cantilever(450.0)
    ops.node(3, -1.0, 3.0)
    ops.fix(3, 1, 1, 1)
    ops.uniaxialMaterial("ElasticPPGap", 1, 1e8, -1e6, -0.01)  # acts one way, and no more soon after it closes
    ops.element("Truss", 8, 3, 2, 0.01, 1)
    assert "(EPPGap) are defined" in said()[0]


def test_a_damper_that_is_not_linear_is_refused():
    cantilever(450.0)
    ops.node(3, 3.0, 0.0)
    ops.fix(3, 1, 1, 1)
    ops.uniaxialMaterial("Viscous", 1, 1e4, 0.5)
    ops.element("Truss", 8, 3, 2, 1e-3, 1)
    with pytest.raises(carom.InputError, match="stiffness or damping changes"):
        carom.from_opensees(ops)


def test_refusals_are_plain():
    with pytest.raises(carom.InputError, match=r"there is no node: the domain is empty"):
        carom.from_opensees(ops)
    with pytest.raises(carom.InputError, match=r"must be the module openseespy.opensees"):
        carom.from_opensees(42)
    cantilever(0.0)
    with pytest.raises(carom.InputError, match=r"no mass that can move. Give masses to its nodes"):
        carom.from_opensees(ops)
    cantilever(450.0)
    with pytest.raises(carom.InputError, match=r"`points` of from_opensees must name nodes of the model \(1, 2\)"):
        carom.from_opensees(ops, points={"roof": 9})
    with pytest.raises(carom.InputError, match="`force` of from_opensees"):
        carom.from_opensees(ops, force="m")
    ops.node(3, 0.5, 6.0)
    ops.uniaxialMaterial("Elastic", 1, 1e7)
    ops.element("Truss", 2, 2, 3, 1e-3, 1)
    with pytest.raises(carom.InputError, match=r"can move without mass and without stiffness at node 3 dof 1. Hold"):
        carom.from_opensees(ops)
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 4)
    ops.node(1, 0.0, 0.0, 0.0)
    with pytest.raises(carom.InputError, match=r"Node 1 .* has 4 degrees of freedom in 3 dimensions"):
        carom.from_opensees(ops)


def test_a_script_is_read_in_a_process_of_its_own(tmp_path):
    script = tmp_path / "portal.py"
    script.write_text(
        "import openseespy.opensees as ops\n"
        "ops.model('basic', '-ndm', 1, '-ndf', 1)\n"
        "ops.node(1, 0.0); ops.fix(1, 1); ops.node(2, 0.0, '-mass', 4.0)\n"
        "ops.uniaxialMaterial('Elastic', 1, 100.0)\n"
        "ops.element('zeroLength', 1, 1, 2, '-mat', 1, '-dir', 1)\n"
    )
    found = carom.from_opensees(script)
    assert found.frequencies * 2.0 * np.pi == pytest.approx([5.0])
    script.write_text("import openseespy.opensees as ops\nops.no_such_word()\n")
    with pytest.raises(carom.InputError, match="no_such_word"):
        carom.from_opensees(script)
    script.write_text("print('hello')\n")
    with pytest.raises(carom.InputError, match=r"imports neither openseespy.opensees nor PyNite"):
        carom.from_opensees(str(script))
    with pytest.raises(carom.InputError, match=r"is not there"):
        carom.from_opensees(tmp_path / "nothing.py")
