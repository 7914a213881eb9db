"""What is read of OpenSees' printed constraints, without OpenSees: numbers are exact, strangers refused."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.models import opensees
from carom.models.opensees_constraints import constraints_of
from carom.models.opensees_domain import OpenSeesDomain, settled

TEXT = """
SP_Constraints: numConstraints: 3

numComponents: 3
SP_Constraint: 0\t Node: 1 DOF: 1 ref value: 0 current value: 0 initial value: 0
SP_Constraint: 1\t Node: 1 DOF: 2 ref value: 0 current value: 0 initial value: 0
SP_Constraint: 2\t Node: 1 DOF: 3 ref value: 0 current value: 0 initial value: 0

Pressure_Constraints: numConstraints: 0

MP_Constraints: numConstraints: 1

numComponents: 1
MP_Constraint: 0
\tNode Constrained: 3 node Retained: 2
 constrained dof: 1 2 3 
 retained dof: 1 2 3 
 constraint matrix: 
1 0 -0.333333 
0 1 0.142857 
0 0 1 


LOAD PATTERNS: numPatterns: 1
  Single Point Constraints: 
SP_Constraint: 6\t Node: 3 DOF: 3 ref value: 0.01 current value: 0.01 initial value: 0
ImposedMotionSP: 7\t Node: 1 DOF: 0
"""  # noqa: W291


def domain(text=TEXT, **changes):
    """Two masses on a column of unit springs, as a reader would send it."""
    size = 9
    stiffness = np.diag(np.r_[np.ones(6), np.zeros(3)]) * 100.0
    fields = {
        "dimensions": 2, "tags": [1, 2, 3], "coordinates": {1: (0.0, 0.0), 2: (0.0, 3.0), 3: (1 / 7, 3.0 + 1 / 3)},
        "equations": {1: [0, 1, 2], 2: [3, 4, 5], 3: [6, 7, 8]},
        "mass": np.diag(np.r_[np.zeros(3), 2.0, 2.0, 0.5, np.zeros(3)]),
        "damping": np.zeros((size, size)), "stiffness": stiffness, "elements": {4: ("ElasticBeam2d", [1, 2])},
        "text": text,
    }  # fmt: skip
    return OpenSeesDomain(**(fields | changes))


def test_arms_have_all_digits_of_the_coordinates():
    found = constraints_of(domain())
    assert found.held == [0, 1, 2, 8, 0]
    assert found.moved == ["node 3 dof 3", "node 1 dof 1"]
    ((at, to, matrix),) = found.followed
    assert (at, to) == ([6, 7, 8], [3, 4, 5])
    assert matrix == pytest.approx(np.array([[1, 0, -1 / 3], [0, 1, 1 / 7], [0, 0, 1]]), abs=1e-15)


@pytest.mark.parametrize("arm", [1.0000049, 9.9999949, 0.10000049, 123456.49])
def test_arms_are_known_by_their_first_six_digits(arm):
    text = TEXT.replace("-0.333333", f"-{arm:.6g}").replace("0.142857", "0")
    places = {1: (0.0, 0.0), 2: (0.0, 0.0), 3: (0.0, arm)}
    ((_, _, matrix),) = constraints_of(domain(text, coordinates=places)).followed
    assert matrix[0, 2] == -arm
    text = text.replace(f"-{arm:.6g}", f"-{arm * 1.0001:.6g}")
    with pytest.raises(carom.InputError, match="neither an equal displacement"):
        constraints_of(domain(text, coordinates=places))


def test_equal_displacements():
    text = TEXT.replace("1 0 -0.333333", "1 0 0").replace("0 1 0.142857", "0 1 0")
    ((_, _, matrix),) = constraints_of(domain(text)).followed
    assert np.array_equal(matrix, np.eye(3))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 1 0.142857", "0 1 0.142", "constraint of node 3 to node 2 .* is of a kind that is not known"),
        ("MP_Constraint: 0", "MP_Joint2D: 0", "1 of 1 multi-point constraints .* of a kind that is not known"),
        (
            "Pressure_Constraints: numConstraints: 0",
            "Pressure_Constraints: numConstraints: 2",
            "2 pressure constraints",
        ),
        ("Pressure_Constraints: numConstraints: 0", "EQ_Constraints: numConstraints: 1", "1 eq constraints"),
    ],
)
def test_constraints_that_are_not_known_are_refused(old, new, message):
    with pytest.raises(carom.InputError, match=message):
        constraints_of(domain(TEXT.replace(old, new)))


def imported(monkeypatch, given, **options):
    monkeypatch.setattr(opensees, "read_copy", lambda _: given)
    module = type("ops", (), {"getNodeTags": 0, "printA": 0, "nodeDOFs": 0})
    return carom.from_opensees(module, **options)


def test_a_domain_becomes_a_structure(monkeypatch):
    text = TEXT.split("LOAD PATTERNS")[0]
    found = imported(monkeypatch, domain(text), points={"tip": 3}, name="mast")
    assert found.dof_names == ("node 2 dof 1", "node 2 dof 2", "node 2 dof 3")
    assert (2 * np.pi * found.frequencies) ** 2 == pytest.approx([50.0, 50.0, 200.0])
    assert found.points["tip"].position == pytest.approx((1 / 7, 0.0, 3.0 + 1 / 3))
    assert found.points["tip"].rows == pytest.approx(np.array([[1, 0, -1 / 3], [0, 0, 0], [0, 1, 1 / 7]]))
    assert found.influence == pytest.approx(np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0]]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"patterns": [3]}, r"load patterns \(3\) are left out"),
        ({"displacement": 0.1}, "count from its present state"),
        ({"damped": [4]}, "damping objects of elements 4 are left out"),
        ({"velocity": 0.1}, "velocities are left out"),
        ({"bent": True}, "tangent of its present state, which differs from the initial one"),
    ],
)
def test_what_is_left_out_is_said(monkeypatch, changes, message):
    with pytest.warns(carom.CaromWarning, match=message):
        imported(monkeypatch, domain(TEXT.split("LOAD PATTERNS")[0], **changes))


def test_what_is_not_linear_is_refused_by_element(monkeypatch):
    text = TEXT.split("LOAD PATTERNS")[0]
    bent = {"elements": {4: ("ForceBeamColumn2d", [1, 2])}, "changing": [(1, 2), (2, 2)]}
    with pytest.raises(carom.InputError, match=r"at elements 4 \(ForceBeamColumn2d\)\. .* linearised=True"):
        imported(monkeypatch, domain(text, **bent))
    with pytest.warns(carom.CaromWarning, match="taken by the tangent"):
        imported(monkeypatch, domain(text, **bent), linearised=True)
    described = {
        "properties": {"crdTransformations": [{"name": "1", "type": "PDeltaCrdTransf2d"}]},
        "geometry": {"elements": [{"name": 4, "crdTransformation": "1"}]},
    }
    with pytest.warns(carom.CaromWarning, match="P-Δ and corotational geometry"):
        imported(monkeypatch, domain(text, changing=[(1, 2)], described=described))
    with pytest.raises(carom.InputError, match="cannot be shown to be linear"):
        imported(monkeypatch, domain(text, probed=False))


def test_a_reader_that_ends_says_what_opensees_said():
    with pytest.raises(carom.InputError, match="cannot be read: WARNING bad element"):
        settled([], "hello\nWARNING bad element\n")
    with pytest.raises(carom.InputError, match="cannot be read: there is no node"):
        settled(["there is no node"], "")
