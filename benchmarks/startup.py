"""Start-up: import, help, cold compiles of every family of kernels, warm start; each in a fresh process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

TOWERS = """
import numpy as np, carom
def towers(*floors):
    return [
        carom.ShearBuilding(masses=[2e6] * n, stiffnesses=[3e8 * (1 + i)] * n, damping_ratio=0.05, name=f"tower {i}")
        for i, n in enumerate(floors)
    ]
shake = carom.Motion(3.0 * np.sin(np.arange(0.0, 10.0, 0.1)), dt=0.01)
slab = carom.law("hertzdamp", stiffness=2e11, restitution=0.75)
def problem(*floors, law=slab):
    return carom.Problem(towers(*floors), [carom.facing(0, 1, gap=0.01, law=law)], motion=shake)
oscillators = [carom.Oscillator(mass=4e3, period=t, damping_ratio=0.05, name=f"{t} s") for t in (0.6, 0.3)]
pair = carom.Problem(oscillators, [carom.Contact(0, 1, gap=0.01, law=slab)], motion=shake)
hertz = carom.law("hunt-crossley-exact", stiffness=1e9, restitution=0.6)
newton = carom.law("newton", restitution=0.6)
def row(count):
    return carom.Problem(
        towers(*[2] * count), [carom.facing(i, i + 1, gap=0.01, law=slab) for i in range(count - 1)], motion=shake
    )
"""
FAMILIES = {
    "simulate": ["carom.simulate(problem(3, 2))"],
    "simulate, buildings": ["carom.simulate(problem(6, 4))"],
    "simulate, general": ["carom.simulate(problem(6, 4), path='general')"],
    "ensemble of buildings": ["carom.ensemble(problem(6, 4), vary={'gap': [0.01, 0.02]})"],
    "ensemble of pairs": ["carom.ensemble(pair, vary={'gap': [0.01, 0.02]})"],
    "impact, one and many": [
        "carom.impact(hertz, mass=1.0, velocity=1.0)",
        "carom.impact(hertz, mass=1.0, velocity=np.array([1.0, 2.0]))",
    ],
    "response spectrum": ["shake.spectrum()"],
    "generated motion": ["carom.motions.get('default')"],
    "newmark": ["carom.simulate(problem(3, 2), scheme='newmark')"],
    "moreau-jean": ["carom.simulate(problem(3, 2, law=newton), scheme='moreau-jean')"],
    "event, impulsive": ["carom.simulate(problem(3, 2, law=newton))"],
    "many structures": ["carom.simulate(row(14))"],
    "many contacts": ["carom.simulate(problem(30, 29))"],
}
"""What a family's kernels are compiled by; the engine serves single runs and ensembles."""
TOGETHER = (
    "simulate",
    "simulate, buildings",
    "simulate, general",
    "ensemble of buildings",
    "ensemble of pairs",
    "impact, one and many",
    "response spectrum",
    "generated motion",
)
"""All that runs, ensembles, impacts and their motions need."""
START = "carom.simulate(problem(3, 2))"


class Seconds(NamedTuple):
    """How long a process took."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s of wall time, {self.processor:6.2f} s of processor time"


def seconds(arguments: list[str], cache: str | None = None) -> Seconds:
    """Run Python in a process of its own."""
    environment = {**os.environ, **({"CAROM_CACHE": cache} if cache else {})}
    before = os.times()
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    wall = time.perf_counter() - start
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Seconds(wall, spent)


def cold(calls: list[str], beside: str | None = None) -> Seconds:
    """Return what calls take that compile all they need, less what they take with all compiled.

    Nothing is compiled before, or what lies in the folder `beside`.
    """
    program = ["-c", "\n".join([TOWERS, *calls])]
    with tempfile.TemporaryDirectory() as folder:
        if beside is not None:
            shutil.copytree(beside, folder, dirs_exist_ok=True)
        first, second = seconds(program, folder), seconds(program, folder)
    return Seconds(first.wall - second.wall, first.processor - second.processor)


def main() -> None:
    """Measure and print."""
    bare = min(seconds(["-c", "pass"]).wall for _ in range(5))
    imported = min(seconds(["-c", "import carom"]).wall for _ in range(5))
    helped = min(seconds(["-m", "carom.cli", "--help"]).wall for _ in range(5))
    print(f"  python alone {bare:.3f} s, import carom +{imported - bare:.3f} s, carom --help {helped:.3f} s")
    print("  compiling, each family in a fresh process with nothing compiled:")
    found = {}
    for name, calls in FAMILIES.items():
        found[name] = cold(calls)
        print(f"    {name:22s} {found[name]}")
    total = Seconds(*(sum(column) for column in zip(*(found[name] for name in TOGETHER), strict=True)))
    print(f"    {'together':22s} {total}: {'; '.join(TOGETHER)}")
    with tempfile.TemporaryDirectory() as folder:
        every = [TOWERS, *(call for name in TOGETHER for call in FAMILIES[name])]
        one = seconds(["-c", "\n".join(every)], folder)
        print(f"    {'in one process':22s} {one}, imports and runs included")
        print("  compiling, each other family in a fresh process with these compiled:")
        for name in (each for each in FAMILIES if each not in TOGETHER):
            print(f"    {name:22s} {cold(FAMILIES[name], folder)}")
        warm = min(seconds(["-c", "\n".join([TOWERS, START])], folder).wall for _ in range(3))
    print(f"  warm start: {warm:.2f} s for a first run with everything compiled, imports included")
