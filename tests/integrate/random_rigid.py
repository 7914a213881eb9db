"""Random problems of rigid contact: rows of neighbours, walls and bodies, one to several contacts, every hypothesis."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import carom

DEFAULT = np.asarray(carom.motions.get("default").acceleration)
HYPOTHESES = ("newton", "poisson", "stronge")


def random_neighbour(rng: np.random.Generator, name: str) -> carom.Structure:
    """An oscillator, a free body or a shear building, some of them undamped."""
    kind, mass = int(rng.integers(0, 4)), float(10 ** rng.uniform(2.0, 5.5))
    ratio = float(rng.choice([0.0, rng.uniform(0.0, 0.1)]))
    if kind == 0:
        return carom.Body(mass=mass, gravity=float(rng.choice([0.0, rng.uniform(-3.0, 3.0)])), name=name)
    if kind == 1:
        storeys, frequency = int(rng.integers(2, 6)), rng.uniform(5.0, 60.0)
        masses = [float(mass * rng.uniform(0.3, 1.0)) for _ in range(storeys)]
        return carom.ShearBuilding(
            masses=masses, stiffnesses=[mass * frequency**2] * storeys, damping_ratio=ratio, name=name
        )
    return carom.Oscillator(mass=mass, period=float(rng.uniform(0.05, 1.5)), damping_ratio=ratio, name=name)


def random_rigid(seed: int, *, law: str | None = None) -> carom.Problem:
    """Two to five neighbours in a row, perhaps between walls; floors of buildings of one height meet one by one."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 6))
    row: list = [random_neighbour(rng, f"s{i}") for i in range(count)]
    twins = rng.random() < 0.25
    if twins and count > 1 and isinstance(row[0], carom.ShearBuilding):  # floors meet floors
        masses = np.asarray(row[0].masses) * rng.uniform(0.5, 2.0)
        stiffnesses = np.asarray(row[0].stiffnesses) * rng.uniform(0.5, 2.0)
        row[1] = carom.ShearBuilding(
            masses=masses.tolist(), stiffnesses=stiffnesses.tolist(), damping_ratio=0.03, name="s1"
        )
    if count == 1 or rng.random() < 0.4:
        row.insert(0, carom.Ground(name="left"))
    if rng.random() < 0.3:
        row.append(carom.Ground(name="right"))
    name = law or str(rng.choice(HYPOTHESES))
    alike = float(rng.choice([0.0, rng.uniform(0.1, 0.95), rng.uniform(0.1, 0.95), 1.0]))
    together = rng.random() < 0.3
    contacts = []
    for a, b in pairwise(row):
        e = alike if rng.random() < 0.8 or name == "newton" else float(rng.uniform(0.0, 1.0))
        gap = 0.0 if together else float(rng.choice([0.0, 1e-9, 10 ** rng.uniform(-6, -3), rng.uniform(0.0, 0.03)]))
        built = carom.law(name, restitution=e)
        high = [len(s.masses) if isinstance(s, carom.ShearBuilding) else 0 for s in (a, b)]
        if high[0] and high[0] == high[1]:
            contacts += [carom.Contact((a.name, i), (b.name, i), gap=gap, law=built) for i in range(1, high[0] + 1)]
            continue
        floors = [int(rng.integers(1, top + 1)) if top else 0 for top in high]
        places = [(s.name, floor) if floor else s.name for s, floor in zip((a, b), floors, strict=True)]
        contacts.append(carom.Contact(*places, gap=gap, law=built))
    thrown = {
        s.name: (rng.uniform(-1.0, 1.0, len(s.masses)) if isinstance(s, carom.ShearBuilding) else rng.uniform(-1, 1))
        for s in row
        if not isinstance(s, carom.Ground) and rng.random() < 0.5
    }
    dt = float(rng.choice([0.002, 0.005, 0.01, 0.02]))
    start, length = int(rng.integers(0, 900)), int(rng.integers(60, 200))
    shaken = DEFAULT[start : start + length] * float(rng.choice([0.0, rng.uniform(0.3, 3.0)]))
    return carom.Problem(row, contacts, motion=carom.Motion(shaken, dt=dt), initial_velocity=thrown)


def scale_of(run: carom.Simulation) -> float:
    """Energy [J] by which errors of a run are judged: what was there and came in."""
    held = run.ledger["kinetic"] + run.ledger["strain"]
    return float(max(np.abs(run.ledger["input"]).max(), held.max(), 1e-300))


def random_rough(seed: int, *, law: str | None = None) -> carom.Problem:
    """One to three bodies of two directions, on springs or free, that rub against walls and each other."""
    rng = np.random.default_rng(seed)
    count, name = int(rng.integers(1, 4)), law or str(rng.choice(HYPOTHESES))
    row: list = [carom.Wall(name="wall")]
    for i in range(count):
        mass = float(10 ** rng.uniform(2.0, 4.0))
        turned = np.diag(rng.uniform(0.0, 1.0, 2) * (rng.random() < 0.7) * mass * rng.uniform(5.0, 50.0) ** 2)
        turned[0, 1] = turned[1, 0] = 0.3 * float(np.sqrt(turned[0, 0] * turned[1, 1]))
        row.append(
            carom.Structure(
                [mass, mass], turned, damping_ratio=0.02 if turned.any() else 0.0, dofs=["x", "y"], name=f"s{i}",
                influence=[1.0, float(rng.choice([0.0, 0.5]))], load=[float(rng.uniform(-3.0, 3.0)) * mass, 0.0],
            )
        )  # fmt: skip
    if rng.random() < 0.5:
        row.append(carom.Wall(name="end"))
    e = float(rng.choice([0.0, rng.uniform(0.1, 0.9), 1.0]))
    contacts = []
    for a, b in pairwise(row):
        angle = float(rng.choice([0.0, rng.uniform(-0.8, 0.8)]))
        normal = {"x": float(np.cos(angle)), "y": float(np.sin(angle))}
        along = {"x": -float(np.sin(angle)), "y": float(np.cos(angle))}
        mu = float(rng.choice([0.0, rng.uniform(0.05, 1.0)]))
        gap = float(rng.choice([0.0, 10 ** rng.uniform(-6, -2)]))
        places = [s.name if isinstance(s, carom.Wall) else (s.name, normal) for s in (a, b)]
        contacts.append(carom.Contact(*places, gap=gap, law=carom.law(name, restitution=e, friction=mu), tangent=along))
    thrown = {s.name: rng.uniform(-1.0, 1.0, 2) for s in row if not isinstance(s, carom.Wall) and rng.random() < 0.6}
    dt, start = float(rng.choice([0.005, 0.01, 0.02])), int(rng.integers(0, 900))
    shaken = DEFAULT[start : start + int(rng.integers(60, 150))] * float(rng.choice([0.0, rng.uniform(0.3, 3.0)]))
    return carom.Problem(row, contacts, motion=carom.Motion(shaken, dt=dt), initial_velocity=thrown)
