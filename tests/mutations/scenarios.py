"""Scenario files changed at random, checked and, some of them, run."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from carom.reports.runs.inputs import inputs
from carom.scenario.reading import default_text, read_scenario
from carom.scenario.templates.scenario import Answers, scenario_text
from tests.mutations.words import WORK, Depth, called, commanded, mutated
from tests.scenario.malformed import SOUND
from tests.scenario.spatial import SOUND as SPATIAL

RIGID = """
title = "Balls"
[structures.ball]
kind = "body"
mass = "2 kg"
[structures.wall]
kind = "wall"
[laws.steel]
name = "newton"
restitution = 0.8
[[contacts]]
left = "ball"
right = "wall"
gap = "1 cm"
law = "steel"
[initial.ball]
velocity = "0.5 m/s"
[analysis]
scheme = "moreau-jean"
duration = "1 s"
dt = "1 ms"
"""
SHAKEN = """
title = "Late arrival"
[structures.left]
kind = "oscillator"
mass = "4600 kg"
period = "0.6 s"
damping_ratio = "5 %"
[structures.right]
kind = "shear-building"
floors = 3
masses = ["10 t", "10 t", "8 t"]
stiffnesses = "20 kN/mm"
damping = {ratios = [0.05, 0.05], modes = [1, 3]}
storeys = {kind = "bilinear", yield_drift = "2 cm", hardening = 0.05}
delay = "20 ms"
[laws.pad]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65
[[contacts]]
left = {structure = "left"}
right = {structure = "right", floor = 2}
gap = "1 cm"
law = "pad"
label = "roof"
[motion]
harmonic = {frequency = "2 Hz", amplitude = "0.3 g", duration = "2 s"}
[analysis]
scheme = "newmark"
dt = "2 ms"
checks = false
"""


OWN_GROUND = SPATIAL["torsion"][0].replace("[motion]", '[structures.east.motion.y]\nrecord = "default"\n\n[motion]')


@cache
def sources() -> tuple[str, ...]:
    """Sound scenarios to start from."""
    return (
        default_text(),
        SOUND,
        RIGID,
        SHAKEN,
        scenario_text(Answers()),
        *(text for text, _ in SPATIAL.values()),
        OWN_GROUND,
    )


def mutate_scenario(seed: int) -> bytes:
    """Return the scenario file of a seed."""
    chance = random.Random(f"scenario {seed}")
    return mutated(chance.choice(sources()), chance)


def answer_scenario(content: bytes, folder: Path, depth: Depth = Depth.READ) -> str:
    """Read, check or run a scenario file; return what came of it."""
    path = folder / "mutated.toml"
    path.write_bytes(content)
    if depth is Depth.READ:
        return called(lambda: inputs(read_scenario(path)))
    code, _ = commanded(["check", str(path)])
    if code or depth is Depth.TOLD:
        return "refused" if code else "sound"
    code, _ = commanded(["run", str(path), "--out", str(folder / "out"), "--budget", "400MB"], WORK)
    return ("run", "failed", "too much")[code]
