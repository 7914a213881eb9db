"""Models of PyNite: by PyNite itself where it is installed, and by a stand-in that answers as it does."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import carom

WAYS = ("DX", "DY", "DZ", "RX", "RY", "RZ")
FREE = {f"support_{way}": False for way in WAYS} | {f"Enforced{way}": None for way in WAYS}
FREE |= {f"spring_{way}": [None, None, None] for way in WAYS}


class Part:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class FEModel3D:
    """A post of 3 m along y: PyNite's words, a stiffness of its own, and small masses where there are none."""

    __module__ = "stand_in.FEModel3D"

    def __init__(self, mass=500.0, **changes):
        held = FREE | {f"support_{way}": True for way in WAYS}
        self.nodes = {
            "A": Part(name="A", ID=0, X=0, Y=0, Z=0, **held),
            "B": Part(name="B", ID=1, X=0, Y=3, Z=1, **(FREE | changes)),
        }
        self.members, self.springs, self.load_combos, self.mass = {}, {}, {"Combo 1": None}, mass

    def Ke(self, combo, check_stability):
        assert not check_stability
        k = np.zeros((12, 12))
        k[6:, 6:] = np.diag([4e5, 9e5, 4e5, 3e4, 3e4, 3e4])
        k[6, 11] = k[11, 6] = 5e4
        return k

    def M(self, combo, direction, gravity):
        m = np.zeros(12)
        m[6:9] = self.mass * 9.80665 / gravity
        return np.diag(np.where(m == 0.0, 1e-6 * m[6], m))


@pytest.fixture(autouse=True)
def _package(monkeypatch):
    module = types.ModuleType("stand_in.Analysis")
    module._prepare_model = lambda model: None
    monkeypatch.setitem(sys.modules, "stand_in", types.ModuleType("stand_in"))
    monkeypatch.setitem(sys.modules, "stand_in.Analysis", module)


def test_matrices_masses_and_axes():
    found = carom.from_pynite(FEModel3D(), damping_ratio=0.03, name="post")
    squares = np.sort([4e5 - 5e4**2 / 3e4, 9e5, 4e5]) / 500.0
    assert (2 * np.pi * found.frequencies) ** 2 == pytest.approx(squares)
    assert found.points["B"].position == (0.0, -1.0, 3.0)
    assert found.points["B"].rows @ found.influence == pytest.approx(np.eye(3))
    assert found.damping_ratio == 0.03


def test_units():
    """Weights in N over gravity in in/s² are masses in N s²/in; stiffnesses along y are N/in."""
    si, inches = carom.from_pynite(FEModel3D()), carom.from_pynite(FEModel3D(), length="in")
    assert inches.mass_matrix == pytest.approx(si.mass_matrix)
    assert inches.stiffness_matrix[1, 1] == pytest.approx(9e5 / 0.0254)
    assert inches.points["B"].position == pytest.approx((0.0, -0.0254, 3 * 0.0254))


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (lambda: 42, {}, "must be a Pynite.FEModel3D"),
        (FEModel3D, {"mass_combo": "D"}, r"`mass_combo` .* must be a load combination of the model \(Combo 1\)"),
        (FEModel3D, {"mass_direction": "z"}, "must be 'X', 'Y' or 'Z'"),
        (FEModel3D, {"up": "x"}, "must be 'y' or 'z'"),
        (lambda: FEModel3D(spring_DX=[1e5, "+", True]), {}, "not linear: .* at support B DX"),
    ],
)
def test_refusals(model, options, message):
    with pytest.raises(carom.InputError, match=message):
        carom.from_pynite(model(), **options)


def test_what_is_taken_otherwise_is_said():
    with pytest.warns(carom.CaromWarning, match="taken as if they always acted: support B DX"):
        carom.from_pynite(FEModel3D(spring_DX=[1e5, "+", True]), linearised=True)
    with pytest.warns(carom.CaromWarning, match="enforced displacements are left out, their places are supports: B RX"):
        carom.from_pynite(FEModel3D(EnforcedRX=0.01))


def shed(weight):
    from Pynite import FEModel3D as Model

    model = Model()
    model.add_material("steel", 2e11, 8e10, 0.3, 7850 * 9.80665)
    model.add_section("column", 0.01, 1e-4, 2e-4, 1e-5)
    for i, (x, z) in enumerate(((0, 0), (6, 0), (6, 5), (0, 5))):
        model.add_node(f"base {i}", x, 0, z)
        model.add_node(f"top {i}", x, 4, z)
        model.def_support(f"base {i}", *[True] * 6)
        model.add_member(f"column {i}", f"base {i}", f"top {i}", "steel", "column")
    for i in range(4):
        model.add_member(f"beam {i}", f"top {i}", f"top {(i + 1) % 4}", "steel", "column")
        model.add_node_load(f"top {i}", "FY", -2e4 * (1 + i), case="D")
    if weight:
        model.add_member_self_weight("FY", -1.0, case="D")
    model.add_load_combo("mass", {"D": 1.0})
    return model


@pytest.mark.parametrize(("weight", "close"), [(True, 1e-8), (False, 1e-6)])
def test_frequencies_are_those_of_pynite(weight, close):
    """Without weight of members PyNite puts small masses where there are none, and is off by their share."""
    pytest.importorskip("Pynite", reason="PyNite (PyNiteFEA) is not installed")
    model = shed(weight)
    found = carom.from_pynite(model, mass_combo="mass")
    model.analyze_modal(6, "mass", "Y", 9.80665)
    assert found.frequencies[:6] == pytest.approx(np.sort(model.frequencies), rel=close)
