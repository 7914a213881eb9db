"""Frames that pound, against a second computation written from closed forms: three degrees of freedom a slab."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import carom

STEEL = carom.Material.steel()
HEIGHT, LONG, WIDE, DAMPING, STIFFNESS = 3.0, 5.0, 4.0, 0.02, 2e8
CORNERS = {"sw": (0.0, 0.0), "se": (LONG, 0.0), "ne": (LONG, WIDE), "nw": (0.0, WIDE)}


class Shed(NamedTuple):
    """Four columns under an eccentric slab."""

    name: str
    x: float
    column: carom.Section
    centre: tuple[float, float]
    mass: float
    radius: float

    def frame(self) -> carom.Frame:
        nodes = {f"{n}{k}": (self.x + x, y, HEIGHT * k) for n, (x, y) in CORNERS.items() for k in (0, 1)}
        cx, cy = self.centre
        slab = carom.Diaphragm(
            "roof", tuple(f"{n}1" for n in CORNERS), at=(self.x + cx, cy), mass=self.mass, radius=self.radius
        )
        return carom.Frame(
            nodes=nodes, supports={f"{n}0": "fixed" for n in CORNERS}, diaphragms=[slab], lumped=True, name=self.name,
            members=[carom.Member(f"{n}0", f"{n}1", self.column, STEEL, name=f"column-{n}") for n in CORNERS],
            damping_ratio=DAMPING, outputs=[f"{n}1" for n in CORNERS],
        )  # fmt: skip

    def at(self, x: float, y: float) -> np.ndarray:
        """How a point of the slab moves along x and y by ux, uy and rz of its centre of mass; shape (2, 3)."""
        return np.array([[1.0, 0.0, -(y - self.centre[1])], [0.0, 1.0, x - self.centre[0]]])

    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """M, C and K: columns clamped below and free to turn above, 3EI/L³; half of each moves with the slab."""
        half = 0.5 * STEEL.density * self.column.area * HEIGHT
        bending = 3.0 * STEEL.young / HEIGHT**3 * np.diag([self.column.inertia_y, self.column.inertia_z])
        mass = np.diag([self.mass, self.mass, self.mass * self.radius**2])
        stiffness = np.zeros((3, 3))
        for corner in CORNERS.values():
            rows = self.at(*corner)
            mass += half * rows.T @ rows
            stiffness += rows.T @ bending @ rows
            stiffness[2, 2] += STEEL.shear * self.column.torsion / HEIGHT
        squares, shapes = eigh(stiffness, mass)
        damping = mass @ shapes @ np.diag(2.0 * DAMPING * np.sqrt(squares)) @ shapes.T @ mass
        return mass, damping, stiffness


ONE = Shed("one", 0.0, carom.Section.steel("HEA 140"), (2.2, 2.3), 9e3, 1.9)
OTHER = Shed("other", LONG + 0.02, carom.Section.steel("HEB 160"), (2.7, 1.8), 6e3, 1.7)
DIRECTION = (0.8, 0.6, 0.0)


def second_computation(contacts: list[tuple[np.ndarray, float]], motion: carom.Motion, until: float) -> Any:
    """Integrate both with Hertz's law at every contact; rows over the six degrees of freedom."""
    parts = [shed.matrices() for shed in (ONE, OTHER)]
    mass, damping, stiffness = (
        np.block([[parts[0][k], np.zeros((3, 3))], [np.zeros((3, 3)), parts[1][k]]]) for k in range(3)
    )
    inverse, shaken = np.linalg.inv(mass), mass @ np.array([1.0, 0, 0, 1.0, 0, 0])
    at = motion.dt * np.arange(motion.acceleration.size)

    def slope(t: float, state: np.ndarray) -> np.ndarray:
        u, v = state[:6], state[6:]
        force = -damping @ v - stiffness @ u - shaken * np.interp(t, at, motion.acceleration)
        for row, gap in contacts:
            force = force - row * STIFFNESS * max(row @ u - gap, 0.0) ** 1.5
        return np.concatenate([v, inverse @ force])

    times = at[at <= until + 1e-9]
    return times, solve_ivp(
        slope, (0.0, until), np.zeros(12), "DOP853", times, rtol=1e-9, atol=1e-12, max_step=motion.dt / 8.0
    ).y[:6]


def test_corners_edges_and_columns_as_written_out_by_hand() -> None:
    """Unequal gaps at two corners, a corner against an edge at an angle, and a slab against a column between floors."""
    motion, law = carom.motions.get("default"), carom.law("hertz", stiffness=STIFFNESS)
    until = 4.0
    share = 0.6
    bent = 0.5 * (3.0 * share**2 - share**3)  # of a column clamped below, by a force at its top
    contacts = [
        carom.Contact(("one", "se1", "x"), ("other", "sw1", "x"), gap=0.012, law=law),
        carom.Contact(("one", "ne1", "x"), ("other", "nw1", "x"), gap=0.008, law=law),
        carom.Contact(("one", "ne1", DIRECTION), ("other", ("roof", (OTHER.x, 2.5)), DIRECTION), gap=0.01, law=law),
        carom.Contact(("one", ("roof", (LONG, 1.0)), "x"), ("other", ("column-sw", share), "x"), gap=0.007, law=law),
    ]
    run = carom.simulate(carom.Problem([ONE.frame(), OTHER.frame()], contacts, motion=motion.trimmed(end=until)))

    def pair(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.concatenate([one, -other])

    along = np.array(DIRECTION[:2])
    rows = [
        pair(ONE.at(LONG, 0.0)[0], OTHER.at(0.0, 0.0)[0]),
        pair(ONE.at(LONG, WIDE)[0], OTHER.at(0.0, WIDE)[0]),
        pair(along @ ONE.at(LONG, WIDE), along @ OTHER.at(0.0, 2.5)),
        pair(ONE.at(LONG, 1.0)[0], bent * OTHER.at(0.0, 0.0)[0]),
    ]
    times, moved = second_computation(list(zip(rows, (0.012, 0.008, 0.01, 0.007), strict=True)), motion, until)
    assert len(set(run.impacts["contact"].to_numpy().tolist())) == len(contacts)
    for shed, name, own in ((ONE, "ne", slice(0, 3)), (OTHER, "sw", slice(3, 6))):
        for k, axis in enumerate("xy"):
            found = run.history.displacement.sel(dof=f"{shed.name} {name}1 {axis}").to_numpy()[: times.size]
            expected = shed.at(*CORNERS[name])[k] @ moved[own]
            np.testing.assert_allclose(found, expected, atol=1e-4 * np.abs(moved[[0, 3]]).max())


@pytest.mark.parametrize("shed", [ONE, OTHER], ids=lambda shed: shed.name)
def test_frequencies_of_the_sheds(shed: Shed) -> None:
    mass, _, stiffness = shed.matrices()
    expected = np.sqrt(eigh(stiffness, mass, eigvals_only=True)) / (2.0 * np.pi)
    np.testing.assert_allclose(shed.frame().frequencies[:3], expected, rtol=1e-10)


LAW = carom.law("hertz", stiffness=STIFFNESS)


def neighbour(**changes: Any) -> carom.Frame:
    given: dict[str, Any] = {
        "storeys": ["2 m", "1 m"], "bays": ["4 m"], "rows": ["3 m"], "columns": ONE.column,
        "beams": carom.Section.steel("IPE 240"), "material": STEEL, "slab": "500 kg/m^2",
        "origin": (LONG + 0.02, 0.5, 0.0), "name": "neighbour",
    }  # fmt: skip
    return carom.Frame.moment_frame(**(given | changes))


def places(left: carom.Frame, right: carom.Frame, **how: Any) -> list[tuple[Any, Any, Any]]:
    problem = carom.Problem((left, right), (carom.facing(left.name, right.name, gap=0.02, law=LAW, **how),))
    return [(one.a.at, one.b.at, one.a.direction) for one in problem.pairs]


def test_facing_slabs_meet_corner_to_edge() -> None:
    """Where edges overlap for a part only, corners of the shorter meet points of the longer; at one height alone."""
    left, right = ONE.frame(), neighbour()
    assert left.slab_heights == (3.0,)
    assert right.slab_heights == (2.0, 3.0)
    assert places(left, right) == [((1, (5.0, 0.5)), (2, "0-0-2"), "x"), ((1, (5.0, 3.5)), (2, "0-1-2"), "x")]
    north = neighbour(origin=(0.0, WIDE + 0.02, 0.0))
    assert places(left, north)[0] == ((1, (4.0, 4.0)), (2, "1-0-2"), "y")


def test_facing_slabs_strike_columns() -> None:
    """A slab without a partner meets columns where they stand, and only there."""
    left, right = ONE.frame(), neighbour(rows=["4 m"], origin=(LONG + 0.02, 0.0, 0.0))
    assert places(left, right, columns=True) == [
        ((2.0, "column-se"), (1, "0-0-1"), "x"), ((2.0, "column-ne"), (1, "0-1-1"), "x"),
        ((1, "se1"), (2, "0-0-2"), "x"), ((1, "ne1"), (2, "0-1-2"), "x"),
    ]  # fmt: skip
    struck = left.location((2.0, "column-se"))
    same = left.location(("column-se", 2.0 / 3.0))
    assert struck is not None
    assert same is not None
    np.testing.assert_allclose(struck.rows, same.rows, atol=1e-15)
    with pytest.raises(carom.InputError, match=r"`columns` of Frame 'one' must stand.*\(5, 0.5, 2\) m"):
        places(left, neighbour(), columns=True)


def test_plane_frames_face_by_number() -> None:
    """Their slabs move along x alone; a number is that of a slab, never of a degree of freedom."""
    left = neighbour(rows=(), slab="900 kg/m", name="left", origin=(0, 0, 0))
    right = neighbour(rows=(), slab="900 kg/m", name="right", origin=(4.02, 0, 0))
    assert places(left, right) == [(1, 1, None), (2, 2, None)]
    np.testing.assert_array_equal(left.row(2), left.row("floor 2 ux"))
    with pytest.raises(carom.InputError, match=r"`place` of Frame 'left' must be a node, a slab.*Got 3"):
        left.row(3)
    bare = neighbour(rows=(), slab=None, name="bare")
    with pytest.raises(carom.InputError, match=r"`place` of Frame 'bare'.*Got 1"):
        bare.read(1)
