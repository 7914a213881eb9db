"""`python -m tests.space.falling --seed S --count N`: random bodies on a floor; none may fall through or creep.

Each scene is thrown by a seed of its own: a ball or a box, thrown or laid down, on a floor that is level or inclined,
by one of the three hypotheses, event by event and by Moreau-Jean. Looked at are the lowest point of the body, its
energy, and whether what lies below the angle of friction stays where it is. A run that ends as failed is counted too.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np
from tests.space.naive_bodies import matrix_of

import carom

SCHEMES = ("event", "moreau-jean")
STEP = 0.002
DURATION = 0.6
BOTTOM = ("sw bottom", "se bottom", "ne bottom", "nw bottom")


class Seen(NamedTuple):
    """What a run of a scene came to."""

    seed: int
    scheme: str
    told: str
    finished: bool
    depth: float
    """How far the lowest point came below the floor [m]."""
    gained: float
    """The most that kinetic and potential energy grew between samples, as part of the largest."""
    creep: float
    """How far a body moved that was laid down below the angle of friction [m]; 0 of others."""

    @property
    def wrong(self) -> str:
        """What is wrong with it; nothing if empty."""
        deepest = 1e-8 if self.scheme == "event" else 10.0 * STEP**2 * 9.81 + 2.0 * STEP * 5.0
        if not self.finished:
            return "failed"
        if self.depth > deepest:
            return "fell through"
        if self.gained > 1e-7:
            return "gained energy"
        return "crept" if self.creep > 1e-9 else ""


class Thrown(NamedTuple):
    """A scene, with what the checks need of it."""

    problem: carom.Problem
    told: str
    points: np.ndarray
    """Points of the body along its own axes, shape (P, 3)."""
    radius: float
    pull: np.ndarray
    """Gravity [m/s²]."""
    stays: bool
    axes: np.ndarray
    may_create: bool


def thrown(seed: int) -> Thrown:
    """Return the scene of a seed; the floor is z = 0, an incline is in the gravity."""
    rng = np.random.default_rng([seed, 25])
    law = str(rng.choice(["newton", "poisson", "stronge"]))
    e, mu = float(rng.choice([0.0, rng.uniform(0.0, 0.9)])), float(rng.choice([0.0, rng.uniform(0.05, 1.0)]))
    tilt, way = float(rng.choice([0.0, rng.uniform(0.0, 0.7)])), rng.uniform(0.0, 2.0 * np.pi)
    pull = 9.81 * np.array([np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), -np.cos(tilt)])
    laid, is_ball = bool(rng.random() < 0.4), bool(rng.random() < 0.4)
    turn = rng.normal(size=3) * (0.0 if laid else 1.0)
    velocity, spin = (rng.normal(size=3) * (0.0 if laid else 1.0) for _ in range(2))
    rule = carom.law(law, restitution=e, friction=mu)
    floor = carom.FixedBody.plate((0, 0, 0), normal="z", size=100.0, name="floor")
    if is_ball:
        radius, mass = rng.uniform(0.1, 0.5), rng.uniform(0.5, 5.0)
        height = radius + (0.0 if laid else rng.uniform(0.0, 0.3))
        body = carom.RigidBody(
            mass=mass, inertia=[rng.uniform(0.2, 0.6) * mass * radius**2] * 3, radii={"centre": radius}, name="body",
            position=(0, 0, height), velocity=velocity, spin=3.0 * spin, gravity=pull,
        )  # fmt: skip
        names, points = ("centre",), np.zeros((1, 3))
    else:
        size, radius = rng.uniform(0.3, 1.2, size=3), 0.0
        reach = 0.5 * (size[2] if laid else np.linalg.norm(size))
        body = carom.Girder(
            length=size[0], width=size[1], depth=size[2], mass=rng.uniform(1.0, 200.0), orientation=turn, name="body",
            position=(0, 0, reach), velocity=velocity, spin=2.0 * spin, gravity=pull,
        )  # fmt: skip
        names = BOTTOM if laid else tuple(body.marks)
        points = np.array([body.local(name) for name in names])
    problem = carom.Problem([body, floor], [carom.Contact(("body", n), "floor", face="face", law=rule) for n in names])
    stays = laid and not is_ball and np.tan(tilt) < 0.999 * mu and _stands(body, pull)
    told = f"{law} e={e:.3g} mu={mu:.3g} tilt={tilt:.3g} {'laid' if laid else 'thrown'} {'ball' if is_ball else 'box'}"
    return Thrown(problem, told, points, radius, pull, stays, np.array(body.axes), law == "newton" and mu > 0.0)


def _stands(box: carom.Girder, pull: np.ndarray) -> bool:
    """Whether the weight of a box that lies flat passes through its base."""
    foot = -0.5 * box.depth * pull[:2] / pull[2]
    return bool(abs(foot[0]) < 0.499 * box.length and abs(foot[1]) < 0.499 * box.width)


def looked_at(seed: int, scheme: str) -> Seen:
    """Run a scene and look at it."""
    scene = thrown(seed)
    step = {"dt": STEP} if scheme == "moreau-jean" else {"sampling": 0.02}
    run = carom.simulate(scene.problem, scheme=scheme, duration=DURATION, fail="return", **step)
    if run.outcome.failed:
        return Seen(seed, scheme, f"{scene.told}: {run.outcome.text}", False, 0.0, 0.0, 0.0)
    record = run.scene_record
    turned = np.array([matrix_of(quaternion) @ scene.axes for quaternion in record.turned[:, 0]])
    low = record.centre[:, 0, 2] + (turned[:, 2] @ scene.points.T).min(axis=1) - scene.radius
    mass = scene.problem.structures[0].mass
    energy = np.array(run.ledger["kinetic"]) - mass * record.centre[:, 0] @ scene.pull
    size = max(np.abs(run.ledger["kinetic"]).max(), mass * 9.81 * 0.1)
    gained = 0.0 if scene.may_create else float(np.diff(energy).max()) / size
    if scheme == "moreau-jean":  # a step that settles a touch may lift by the overlap that it takes away
        gained = max(gained - mass * 9.81 * STEP * 10.0 / size, 0.0)
    creep = float(np.abs(run.displacement).max()) if scene.stays else 0.0
    return Seen(seed, scheme, scene.told, True, float(-low.min()), gained, creep)


def main() -> int:
    """Look at many scenes; return how many are wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.space.falling", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--scheme", choices=SCHEMES, default=None)
    asked = parser.parse_args()
    wrong: dict[str, int] = {}
    deepest, crept = dict.fromkeys(SCHEMES, 0.0), dict.fromkeys(SCHEMES, 0.0)
    for seed in range(asked.seed * 1_000_000, asked.seed * 1_000_000 + asked.count):
        for scheme in SCHEMES if asked.scheme is None else (asked.scheme,):
            seen = looked_at(seed, scheme)
            deepest[scheme], crept[scheme] = max(deepest[scheme], seen.depth), max(crept[scheme], seen.creep)
            if seen.wrong:
                wrong[f"{scheme}: {seen.wrong}"] = wrong.get(f"{scheme}: {seen.wrong}", 0) + 1
                print(seen.seed, scheme, seen.wrong, f"depth {seen.depth:.3g} gained {seen.gained:.3g}", seen.told)
    print(f"{asked.count} scenes; deepest {deepest}; crept {crept}; wrong {wrong or 'none'}")
    return sum(wrong.values())


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
