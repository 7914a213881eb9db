"""`python -m tests.judge.scene_check --seed S --count N`: random scenes with friction, carom beside the judge."""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np

import carom
from carom.joints import Elastomeric
from tests.judge.scenes import Scene, SceneJudge, perturbed, random_scene

RTOL = 1e-9
SHARE = 1e-7
"""By how much the start is moved, to tell how much an error grows."""
BOUND = 30.0
BLURRED = 1e-7
"""What the judge itself leaves open: for 1e-8 s after an event it looks for none."""


class Compared(NamedTuple):
    """What came out of both."""

    seed: int
    law: str
    impacts: tuple[int, int]
    error: float
    """Of positions and velocities at samples, relative to the largest of each."""
    allowed: float

    @property
    def agree(self) -> bool:
        """Whether both tell the same."""
        return self.impacts[0] == self.impacts[1] and self.error <= self.allowed


def as_carom(scene: Scene) -> carom.Problem:
    """State a scene to carom."""
    given = {"stiffness": scene.law.stiffness, "tension": scene.law.tension, "v0": "published"}
    if scene.law.restitution is not None:
        given["restitution"] = scene.law.restitution
    law = carom.law(scene.law.name, **given)
    friction = carom.Friction(scene.static, scene.kinetic, stiffness_ratio=scene.ratio, restitution=scene.tangential)
    decks, bearings, start = [], [], {}
    for name, deck in zip("ab", scene.decks, strict=True):
        decks.append(
            carom.Deck(
                length=deck.length, width=deck.width, skew=deck.skew, mass=deck.mass, at=deck.centre, name=name,
                free=deck.pad == 0.0,
            )
        )  # fmt: skip
        start[name] = deck.velocity
        if deck.pad:
            rule = Elastomeric(deck.pad, deck.damping)
            bearings += [carom.Bearing((name, corner), "ground", rule=rule) for corner in ("sw", "se", "ne", "nw")]
    along_x, along_y = (carom.Motion(column, dt=scene.dt) for column in scene.ground.T)
    return carom.Problem(
        decks, [carom.facing("a", "b", law=law, friction=friction)], bearings=bearings, initial_velocity=start,
        motion={"x": along_x, "y": along_y},
    )  # fmt: skip


def compare(seed: int, *, growth: bool = True, samples: int = 41) -> Compared:
    """Run a random scene by both; `growth` asks how much errors grow in it, `samples` how long it lasts."""
    scene = random_scene(seed, samples)
    judge = SceneJudge(scene)
    truth = judge.follow()
    size = np.maximum(np.abs(truth).max(axis=0), 1e-3 * np.abs(truth).max())
    grows = 1.0
    if growth:
        grows = max(1.0, np.abs((SceneJudge(perturbed(scene, SHARE)).follow() - truth) / size).max() / SHARE)
    run = carom.simulate(as_carom(scene), rtol=RTOL)
    error = float(np.abs((np.hstack([run.displacement, run.velocity]) - truth) / size).max())
    allowed = max(BOUND * RTOL, BLURRED) * grows
    return Compared(seed, scene.law.name, (judge.impacts, run.impact_count), error, allowed)


def main() -> int:
    """Compare many; 1 where some disagree."""
    parser = argparse.ArgumentParser(prog="python -m tests.judge.scene_check", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    given = parser.parse_args()
    wrong = 0
    for seed in range(given.seed, given.seed + given.count):
        try:
            found = compare(seed)
        except (RuntimeError, carom.CaromError) as error:
            print(f"{seed}: {str(error)[:200]}", flush=True)
            wrong += isinstance(error, carom.CaromError)
            continue
        wrong += not found.agree
        word, (ours, theirs) = "" if found.agree else "DISAGREE ", found.impacts
        told = f"{ours} and {theirs} impacts, error {found.error:.1e} of {found.allowed:.1e}"
        print(f"{word}{seed} {found.law}: {told}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
