"""Members against closed forms: stiffness, mass, geometric stiffness, sections."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.structures.frame import element
from carom.structures.frame.element import Stiffnesses

OF = Stiffnesses(3.0e8, 4.0e6, 7.0e6, 5.0e6, 9.0e7, 8.0e7)
PLAIN = OF._replace(shear_y=math.inf, shear_z=math.inf)
LENGTH = 2.5
MATERIAL = carom.Material(2e11, 0.3, 7850.0)


def rigid_motions() -> np.ndarray:
    """Three shifts and three turns about the start, as twelve displacements each."""
    found = np.zeros((6, 12))
    for way in range(3):
        found[way, [way, way + 6]] = 1.0
        turn = np.eye(3)[way]
        found[3 + way, [3 + way, 9 + way]] = 1.0
        found[3 + way, 6:9] = np.cross(turn, [LENGTH, 0.0, 0.0])
    return found


@pytest.mark.parametrize("of", [OF, PLAIN])
def test_rigid_motions_cost_nothing(of: Stiffnesses) -> None:
    k = element.stiffness(LENGTH, of)
    assert np.abs(k @ rigid_motions().T).max() <= 1e-15 * np.abs(k).max() * 10.0
    assert np.linalg.matrix_rank(k, tol=1e-9 * np.abs(k).max()) == 6


@pytest.mark.parametrize("of", [OF, PLAIN])
def test_mass_of_rigid_motions(of: Stiffnesses) -> None:
    """Shifts have the whole mass; turns about the start the second moment of a rod, and of its cross-sections."""
    per_length, about_y, about_z, polar = 40.0, 0.3, 0.2, 0.6
    m = element.mass(LENGTH, per_length, about_y, about_z, polar, of)
    modal = rigid_motions() @ m @ rigid_motions().T
    rod = per_length * LENGTH**3 / 3.0
    expected = [per_length * LENGTH] * 3 + [polar * LENGTH, rod + about_y * LENGTH, rod + about_z * LENGTH]
    np.testing.assert_allclose(np.diag(modal), expected, rtol=1e-13)
    np.testing.assert_allclose(m, m.T, atol=1e-15 * np.abs(m).max())


@pytest.mark.parametrize(("shear", "share"), [(False, 0.0), (True, 1.0)])
def test_cantilever_under_a_force_at_its_tip(shear: bool, share: float) -> None:
    """PL³/3EI, and PL/κGA where shear counts, in both planes; one element is exact."""
    section = carom.Section.rectangle(0.2, 0.3)
    member = carom.Member("foot", "tip", section, MATERIAL, shear=shear)
    frame = carom.Frame(nodes={"foot": (0, 0, 0), "tip": (LENGTH, 0, 0)}, members=[member], supports={"foot": "fixed"})
    force = 1e4
    for axis, inertia in ((1, section.inertia_z), (2, section.inertia_y)):
        loads = np.zeros(3)
        loads[axis] = force
        rest = frame.static({"tip": loads})
        bending = force * LENGTH**3 / (3.0 * MATERIAL.young * inertia)
        by_shear = share * force * LENGTH / (MATERIAL.shear * 5.0 / 6.0 * section.area)
        assert rest.displacements["tip"][axis] == pytest.approx(bending + by_shear, rel=1e-12)
        assert rest.reactions["foot"][axis] == pytest.approx(-force, rel=1e-12)


def test_uniform_load_on_a_held_beam() -> None:
    """Clamped ends carry qL/2 and qL²/12; a hinge at one end qL²/8 at the other and 3qL/8."""
    q = -5e3
    section = carom.Section.rectangle(0.2, 0.3)
    nodes = {"a": (0, 0, 0), "m": (0.5 * LENGTH, 0, 0), "b": (LENGTH, 0, 0)}

    def reactions(released: str) -> np.ndarray:
        frame = carom.Frame(
            nodes=nodes,
            members=[
                carom.Member("a", "m", section, MATERIAL, load=(0, 0, q)),
                carom.Member("m", "b", section, MATERIAL, load=(0, 0, q), released=released),
            ],
            supports={"a": "fixed", "b": "fixed"},
            plane="xz",
        )
        rest = frame.static()
        assert rest.forces["m-b"][10] == pytest.approx(rest.reactions["b"][4], abs=1e-9)
        return np.array([rest.reactions["a"], rest.reactions["b"]])

    clamped = reactions(())
    np.testing.assert_allclose(clamped[:, 2], -q * LENGTH / 2.0, rtol=1e-12)
    np.testing.assert_allclose(np.abs(clamped[:, 4]), -q * LENGTH**2 / 12.0, rtol=1e-12)
    hinged = reactions("end ry")
    assert hinged[1, 2] == pytest.approx(-3.0 * q * LENGTH / 8.0, rel=1e-12)
    assert abs(hinged[0, 4]) == pytest.approx(-q * LENGTH**2 / 8.0, rel=1e-12)
    assert hinged[1, 4] == pytest.approx(0.0, abs=1e-9)


def test_frequencies_of_a_cantilever() -> None:
    """Euler and Bernoulli's ω/√(EI/ρAL⁴), to the last printed digit."""
    section, material = carom.Section(1e4, 1.0, 1.0, 1.0), carom.Material(1.0, shear=1.0, density=1e-4)
    nodes = {f"n{i}": (0.25 * i, 0, 0) for i in range(41)}
    members = [carom.Member(f"n{i}", f"n{i + 1}", section, material) for i in range(40)]
    frame = carom.Frame(nodes=nodes, members=members, supports={"n0": "fixed"}, plane="xz", rotary=False)
    np.testing.assert_allclose(frame.modes().omega[:3] * 100.0, [3.516015, 22.034492, 61.697214], rtol=2e-6)


def test_axial_load_changes_the_frequency_of_a_beam() -> None:
    """Simply supported: f/f₀ = √(1 + P/P_E); ten elements leave 1.3e-5 at half of Euler's load."""
    section, material = carom.Section(1e4, 1.0, 1.0, 1.0), carom.Material(1.0, shear=1.0, density=1e-4)

    def frequency(share: float) -> float:
        force = share * math.pi**2 / 100.0
        nodes = {f"n{i}": (float(i), 0, 0) for i in range(11)}
        members = [carom.Member(f"n{i}", f"n{i + 1}", section, material, pretension=force) for i in range(10)]
        held = {"n0": "ux uz", "n10": "uz"}
        frame = carom.Frame(nodes=nodes, members=members, supports=held, plane="xz", rotary=False)
        return float(frame.frequencies[0])

    plain = frequency(0.0)
    assert frequency(-0.5) / plain == pytest.approx(math.sqrt(0.5), rel=2e-5)
    assert frequency(1.0) / plain == pytest.approx(math.sqrt(2.0), rel=2e-5)


def test_a_string_under_tension() -> None:
    """A cable of many links: f_n = n/(2L)·√(T/μ), to second order in the number of links."""
    tension, per_length, links = 4e5, 12.0, 60
    section = carom.Section(1e-3, 1e-8, 1e-8, 1e-8)
    material = carom.Material(2e11, 0.3, per_length / 1e-3)
    nodes = {f"n{i}": (0.5 * i, 0, 0) for i in range(links + 1)}
    members = [
        carom.Member(f"n{i}", f"n{i + 1}", section, material, kind="cable", pretension=tension) for i in range(links)
    ]
    held = {f"n{i}": "uy rx ry rz" for i in range(links + 1)} | {"n0": "fixed", f"n{links}": "fixed"}
    frame = carom.Frame(nodes=nodes, members=members, supports=held)
    expected = math.sqrt(tension / per_length) / (2.0 * 0.5 * links)
    assert frame.frequencies[0] == pytest.approx(expected, rel=1e-3)
    assert frame.frequencies[1] == pytest.approx(2.0 * expected, rel=2e-3)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.1])
@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (0.3, -0.5, 0.8)])
def test_a_turned_frame_has_the_same_frequencies(turn: float, axis: tuple[float, float, float]) -> None:
    """The scene turned as a whole, sections with it."""
    from scipy.spatial.transform import Rotation

    rotation = Rotation.from_rotvec(turn * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    nodes = {"a": (0, 0, 0), "b": (0.3, 0.2, 3), "c": (4, 0.5, 3.2), "d": (4.1, -0.2, 0)}
    section = carom.Section.circle(0.3)
    members = [carom.Member(*ends, section, MATERIAL) for ends in (("a", "b"), ("b", "c"), ("c", "d"))]

    def frequencies(matrix: np.ndarray) -> np.ndarray:
        placed = {name: matrix @ np.array(at, dtype=float) for name, at in nodes.items()}
        return carom.Frame(nodes=placed, members=members, supports={"a": "fixed", "d": "fixed"}).frequencies

    np.testing.assert_allclose(frequencies(rotation), frequencies(np.eye(3)), rtol=1e-10)


# makers print: area [cm²], about y and z [cm⁴], torsion [cm⁴]
PRINTED = {
    "HEA 100": (21.24, 349.2, 133.8, 5.24),
    "HEA 140": (31.42, 1033.0, 389.3, 8.13),
    "HEB 200": (78.08, 5696.0, 2003.0, 59.28),
    "IPE 300": (53.81, 8356.0, 603.8, 20.12),
}


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_european_shapes(name: str) -> None:
    area, about_y, about_z, torsion = PRINTED[name]
    section = carom.Section.steel(name)
    assert section.area * 1e4 == pytest.approx(area, abs=0.006)
    assert section.inertia_y * 1e8 == pytest.approx(about_y, rel=2e-4)
    assert section.inertia_z * 1e8 == pytest.approx(about_z, rel=3e-4)
    assert section.torsion * 1e8 == pytest.approx(torsion, abs=0.006)


def test_every_european_shape_as_makers_print_it() -> None:
    """Mass per metre, second moments and torsion constant of 66 shapes, rounded as tables round them."""
    with (Path(__file__).parents[2] / "reference" / "frames" / "european_printed.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 66
    for row in rows:
        section = carom.Section.steel(row["in_name"])
        computed = (section.area * 7850.0, section.inertia_y * 1e8, section.inertia_z * 1e8, section.torsion * 1e8)
        printed = [float(value) for key, value in row.items() if key.startswith("out_")]
        np.testing.assert_allclose(computed, printed, rtol=8e-3, err_msg=row["in_name"])


def test_american_shapes_are_like_their_outlines() -> None:
    """Printed properties beside three rectangles: no slip of a digit."""
    table = Path(carom.__file__).parent / "structures" / "frame" / "american_shapes.csv"
    with table.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            d, b, web, flange, area, about_y, about_z, torsion = (float(v) for k, v in row.items() if k != "name")
            clear = d - 2.0 * flange
            assert 0.99 < area / (2.0 * b * flange + clear * web) < 1.12, row["name"]
            assert 0.98 < about_y / ((b * d**3 - (b - web) * clear**3) / 12.0) < 1.08, row["name"]
            assert 0.97 < about_z / (flange * b**3 / 6.0) < 1.03, row["name"]
            assert 0.9 < torsion / ((2.0 * b * flange**3 + clear * web**3) / 3.0) < 1.45, row["name"]
            assert area * 3.403 == pytest.approx(float(row["name"].split("X")[1]), rel=0.03), row["name"]  # lb/ft


def test_shapes_by_other_spellings() -> None:
    assert carom.Section.steel("HE 100 A") == carom.Section.steel("hea100")
    wide = carom.Section.steel("W14x176")
    assert wide.area == pytest.approx(51.8 * 0.0254**2)
    assert wide.inertia_y == pytest.approx(2140 * 0.0254**4)
    with pytest.raises(carom.InputError, match="HEA 100"):
        carom.Section.steel("HEA 101")


def test_torsion_of_rectangles() -> None:
    """Timoshenko & Goodier's table: 0.1406 b⁴ for a square, 0.229 for two to one, 0.333 for a strip."""
    assert carom.Section.rectangle(1.0, 1.0).torsion == pytest.approx(0.1406, abs=5e-5)
    assert carom.Section.rectangle(1.0, 2.0).torsion / 2.0 == pytest.approx(0.229, abs=5e-4)
    assert carom.Section.rectangle(100.0, 1.0).torsion / 100.0 == pytest.approx(0.331, abs=5e-4)


def test_hollow_sections() -> None:
    tube = carom.Section.tube(0.2, 0.01)
    assert tube.area == pytest.approx(math.pi * 0.19 * 0.01)
    assert tube.torsion == pytest.approx(2.0 * tube.inertia_y)
    box = carom.Section.box(0.2, 0.1, 0.005)
    assert box.area == pytest.approx(0.2 * 0.1 - 0.19 * 0.09)
    assert box.torsion == pytest.approx(4.0 * (0.195 * 0.095) ** 2 * 0.005 / (2.0 * (0.195 + 0.095)))
