"""carom beside Siconos: Moreau-Jean stepping, step by step and by the clock; one run.

    python -m benchmarks siconos    (under a minute)

Siconos comes as Debian's python3-siconos for the system's own Python; SICONOS_PYTHON names another interpreter that
has it. Same θ, γ, step and law. Siconos's time is that of its loop alone, carom's that of the whole call; both are
processor time of one thread.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import carom
from benchmarks._timing import best

PEER = Path(__file__).parent / "_siconos" / "peer.py"
NEWTON = carom.law("newton", restitution=0.6)
THETA, GAMMA = 0.5, 1.5


def main() -> None:
    """Measure and print."""
    python = os.environ.get("SICONOS_PYTHON", "/usr/bin/python3")
    have = subprocess.run([python, "-c", "import siconos.kernel"], capture_output=True, check=False)
    if have.returncode:
        print("skipped: no Siconos; apt install python3-siconos, or name an interpreter in SICONOS_PYTHON")
        return
    print("the same steps, displacements side by side; time of a step, histories of displacement included")
    record = carom.motions.get("default")
    for name, problem, dt, duration in (
        ("bouncing ball", ball(), 0.00107, 3.5),
        ("two oscillators, released", pair(None), 1e-3, 20.0),
        ("two oscillators, record", pair(record), 1e-3, None),
        ("row of three, record", row(record), 1e-3, None),
        ("ten against eight, released", towers(None), 1e-3, 20.0),
        ("ten against eight, record", towers(record), 1e-3, None),
    ):
        asked: dict[str, float] = {} if duration is None else {"duration": duration, "sampling": 10 * dt}

        def work(problem: carom.Problem = problem, dt: float = dt, asked: dict[str, float] = asked) -> carom.Simulation:
            return carom.simulate(problem, scheme="moreau-jean", dt=dt, theta=THETA, gamma=GAMMA, **asked)

        run = work()
        steps, h = run.evidence["steps"], run.evidence["time_step"]
        theirs, seconds = siconos(python, problem, h, steps)
        off = np.abs(run.displacement - theirs[:: steps // (run.time.size - 1)]).max()
        ours = best(work) / steps
        print(
            f"  {name:28s} {steps:6d} steps, {run.table['start'].size:3d} impacts: {off:.0e} m apart; "
            f"Siconos {1e6 * seconds:6.2f} µs, carom {1e6 * ours:6.3f} µs, {seconds / ours:4.0f} times"
        )


def ball() -> carom.Problem:
    bodies = [carom.Body(mass=1.0, gravity=2.0, name="ball"), carom.Ground(name="ground")]
    return carom.Problem(bodies, [carom.Contact("ball", "ground", gap=1.0, law=NEWTON)])


def pair(motion: carom.Motion | None) -> carom.Problem:
    sides = [
        carom.Oscillator(mass=m, stiffness=k, damping_ratio=0.005, name=n)
        for m, k, n in ((4600.0, 2.11e6, "left"), (3500.0, 5.31e6, "right"))
    ]
    start = {} if motion else {"initial_displacement": {"left": -0.024}}
    return carom.Problem(sides, [carom.Contact("left", "right", gap=0.0137, law=NEWTON)], motion=motion, **start)


def row(motion: carom.Motion) -> carom.Problem:
    data = ((4600.0, 2.11e6, "a"), (3500.0, 5.31e6, "b"), (4100.0, 1.3e6, "c"))
    sides = [carom.Oscillator(mass=m, stiffness=k, damping_ratio=0.02, name=n) for m, k, n in data]
    contacts = [carom.Contact("a", "b", gap=0.0071, law=NEWTON), carom.Contact("b", "c", gap=0.0053, law=NEWTON)]
    return carom.Problem(sides, contacts, motion=motion)


def towers(motion: carom.Motion | None) -> carom.Problem:
    left = carom.ShearBuilding(masses=[3e5] * 10, stiffnesses=[6e8] * 10, damping_ratio=0.05, name="left")
    right = carom.ShearBuilding(masses=[2.5e5] * 8, stiffnesses=[4e8] * 8, damping_ratio=0.05, name="right")
    start = {} if motion else {"initial_displacement": {"left": [-0.01 * (i + 1) for i in range(10)]}}
    facing = carom.facing("left", "right", gap=0.0113, law=NEWTON)
    return carom.Problem([left, right], [facing], motion=motion, **start)


def siconos(python: str, problem: carom.Problem, h: float, steps: int) -> tuple[np.ndarray, float]:
    """Step a problem with Siconos, in the structures' own coordinates; return displacements and seconds per step."""
    blocks = [s for s in problem.structures if s.mass_matrix.size]
    flat = problem.flat()
    size = flat.outputs.shape[0]
    m, c, k = (np.zeros((size, size)) for _ in range(3))
    load, influence, at = np.zeros(size), np.zeros(size), 0
    for s in blocks:
        own = slice(at, at + len(s.dof_names))
        m[own, own], c[own, own], k[own, own] = s.mass_matrix, s.damping_matrix, s.stiffness_matrix
        load[own], influence[own] = s.load, s.influence[:, 0]
        at = own.stop
    ground = np.zeros(steps + 1)
    if flat.driven.shape[1]:
        ground = np.interp(h * np.arange(steps + 1), flat.dt * np.arange(flat.driven.shape[1]), flat.driven[0])
    forces = load - (m @ influence) * (0.5 * (ground[1:] + ground[:-1]))[:, None]
    law = problem.pairs[0].law
    given = {
        "M": m, "C": c, "K": k, "H": -flat.reach @ np.linalg.pinv(flat.outputs), "gap": flat.gap, "e": law.at(1.0),
        "theta": THETA, "gamma": GAMMA, "h": h, "forces": forces, "q0": flat.outputs @ flat.q0,
        "v0": flat.outputs @ flat.v0,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        problem_file, answer_file = Path(folder) / "problem.npz", Path(folder) / "answer.npz"
        np.savez(problem_file, **given)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run(
            [python, PEER, problem_file, answer_file], check=True, stdout=subprocess.DEVNULL, env=environment
        )
        answer = np.load(answer_file)
        return answer["q"], float(answer["seconds"])
