"""A box slides over a rough floor, strikes a wall and slides back to rest, beside MuJoCo and Exudyn.

The answer is known: with v₁² = v₀² − 2μgd the box comes back by e²v₁²/(2μg) and stays. Each program gets several time
steps; told are how far its box stands from there, how far it creeps in the two seconds after, and what a second of it
costs. The wall of the peers is a spring with the damping that gives e; carom's is a coefficient of restitution.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

import carom

__all__ = ["main"]

MASS, LENGTH, WIDTH, DEPTH = 10.0, 1.0, 0.6, 0.4
SPEED, FRICTION, RESTITUTION, WAY, GRAVITY = 2.0, 0.3, 0.5, 0.4, 9.81
DURATION, AFTER = 1.5, 2.0
STRUCK = math.sqrt(SPEED**2 - 2.0 * FRICTION * GRAVITY * WAY)
ANSWER = WAY - (RESTITUTION * STRUCK) ** 2 / (2.0 * FRICTION * GRAVITY)
SPRING = 1e6
"""Of the peers' wall, per mass [1/s²]: an impact takes about 3 ms."""
SHARE = -math.log(RESTITUTION) / math.hypot(math.pi, math.log(RESTITUTION))
REPEATS = 3

Run = Callable[[float], tuple[float, float]]
"""Of a time step: where the box is after `DURATION`, and after `AFTER` more [m]."""


def by_carom(scheme: str, law: str = "newton") -> Run:
    """Return runs of carom."""
    bottom = [f"{corner} bottom" for corner in ("sw", "se", "ne", "nw")]
    front = ["se bottom", "ne bottom", "se top", "ne top"]
    box = carom.Girder(
        length=LENGTH, width=WIDTH, depth=DEPTH, mass=MASS, position=(0, 0, DEPTH / 2), velocity=(SPEED, 0, 0),
        gravity=GRAVITY, name="box",
    )  # fmt: skip
    floor = carom.FixedBody.plate((0, 0, 0), normal="z", size=20.0, name="floor")
    wall = carom.FixedBody.plate((LENGTH / 2 + WAY, 0, 0), normal=(-1, 0, 0), size=20.0, name="wall")
    rough, smooth = (carom.law(law, restitution=e, friction=mu) for e, mu in ((0.0, FRICTION), (RESTITUTION, 0.0)))
    contacts = [carom.Contact(("box", name), "floor", face="face", law=rough) for name in bottom]
    contacts += [carom.Contact(("box", name), "wall", face="face", law=smooth) for name in front]
    problem = carom.Problem([box, floor, wall], contacts)

    def run(step: float) -> tuple[float, float]:
        options = {"sampling": step} if scheme == "event" else {"dt": step}
        found = carom.simulate(problem, scheme=scheme, duration=DURATION + AFTER, **options)
        x = np.interp([DURATION, DURATION + AFTER], found.time, found.displacement[:, 0])
        return float(x[0]), float(x[1])

    return run


def by_mujoco() -> Run:
    """Return runs of MuJoCo: elliptic cones, Newton's solver, both contacts as stiff as they may be."""
    import mujoco

    damping = 2.0 * SHARE * math.sqrt(SPRING)
    scene = f"""
    <mujoco><option cone="elliptic" solver="Newton" tolerance="1e-12" iterations="200" integrator="implicitfast"
      gravity="0 0 -{GRAVITY}" impratio="100"/>
    <worldbody><geom name="floor" type="plane" size="20 20 1"/>
      <geom name="wall" type="box" size="0.5 5 5" pos="{LENGTH / 2 + WAY + 0.5} 0 0"/>
      <body name="box" pos="0 0 {DEPTH / 2}"><freejoint/>
      <geom name="box" type="box" size="{LENGTH / 2} {WIDTH / 2} {DEPTH / 2}" mass="{MASS}"/></body></worldbody>
    <contact><pair geom1="floor" geom2="box" condim="3" friction="{FRICTION} {FRICTION} 0.005 0.0001 0.0001"
        solref="0.02 1" solimp="0.99 0.9999 0.001"/>
      <pair geom1="wall" geom2="box" condim="1" solref="-{SPRING} -{damping}" solimp="0.9999 0.9999 0.001"/>
    </contact></mujoco>"""
    model = mujoco.MjModel.from_xml_string(scene)

    def run(step: float) -> tuple[float, float]:
        model.opt.timestep = step
        data = mujoco.MjData(model)
        data.qvel[0] = SPEED
        places = []
        for lasting in (DURATION, AFTER):
            for _ in range(round(lasting / step)):
                mujoco.mj_step(model, data)
            places.append(float(data.qpos[0]))
        return places[0], places[1]

    return run


def by_exudyn() -> Run:
    """Return runs of Exudyn: small spheres at the corners against planes, explicit midpoint.

    Stiffnesses of both sides act in series, their dampings add; friction is linear below 0.1 mm/s.
    """
    import exudyn as exu
    from exudyn import utilities as tools

    radius, spring = 0.01, SPRING * MASS / 4
    both = {"contactStiffness": 2.0 * spring, "contactDamping": SHARE * math.sqrt(spring * MASS / 4)}
    far, there = 20.0, LENGTH / 2 + WAY
    planes = (
        [[-far, -far, 0], [far, -far, 0], [far, far, 0], [-far, far, 0]],
        [[there, -far, -far], [there, -far, far], [there, far, far], [there, far, -far]],
    )

    def run(step: float) -> tuple[float, float]:
        system = exu.SystemContainer().AddSystem()
        ground = system.AddMarker(tools.MarkerBodyRigid(bodyNumber=system.CreateGround()))
        box = system.CreateRigidBody(
            referencePosition=[0, 0, DEPTH / 2], initialVelocity=[SPEED, 0, 0], gravity=[0, 0, -GRAVITY],
            inertia=tools.InertiaCuboid(MASS / (LENGTH * WIDTH * DEPTH), [LENGTH, WIDTH, DEPTH]),
            nodeType=exu.NodeType.RotationRotationVector,
        )  # fmt: skip
        contact = system.AddGeneralContact()
        for corner in np.ndindex(2, 2, 2):
            at = (np.array(corner) - 0.5) * (np.array([LENGTH, WIDTH, DEPTH]) - 2.0 * radius)
            marker = system.AddMarker(tools.MarkerBodyRigid(bodyNumber=box, localPosition=list(at)))
            contact.AddSphereWithMarker(marker, radius=radius, frictionMaterialIndex=0, **both)
        for material, points in enumerate(planes, 1):
            contact.AddTrianglesRigidBodyBased(
                ground, frictionMaterialIndex=material, pointList=points, triangleList=[[0, 1, 2], [0, 2, 3]], **both
            )
        contact.SetFrictionPairings(np.array([[0, FRICTION, 0], [FRICTION, 0, 0], [0, 0, 0]]))
        contact.SetFrictionProportionalZone(1e-4)
        contact.SetSearchTreeCellSize([4, 4, 4])
        contact.SetSearchTreeBox([-far - 1] * 3, [far + 1] * 3)
        read = tools.SensorBody(
            bodyNumber=box, storeInternal=True, outputVariableType=exu.OutputVariableType.Displacement
        )
        sensor = system.AddSensor(read)
        system.Assemble()
        asked = exu.SimulationSettings()
        asked.timeIntegration.endTime = DURATION + AFTER
        asked.timeIntegration.numberOfSteps = round((DURATION + AFTER) / step)
        asked.timeIntegration.verboseMode = 0
        asked.solutionSettings.writeSolutionToFile = False
        asked.solutionSettings.sensorsWritePeriod = 0.01
        system.SolveDynamic(asked, solverType=exu.DynamicSolverType.ExplicitMidpoint)
        told = system.GetSensorStoredData(sensor)
        x = np.interp([DURATION, DURATION + AFTER], told[:, 0], told[:, 1])
        return float(x[0]), float(x[1])

    return run


def table(name: str, run: Run, steps: tuple[float, ...]) -> None:
    """Print what a program does at each step."""
    run(steps[0])  # compiled, loaded
    for step in steps:
        costs = []
        for _ in range(REPEATS):
            started = time.perf_counter()
            there, later = run(step)
            costs.append((time.perf_counter() - started) / (DURATION + AFTER))
        cost = statistics.median(costs)
        off, creep = there - ANSWER, (later - there) / AFTER
        print(f"{name:24s} {step:9.1e} {off:12.2e} {creep:14.2e} {1e3 * cost:12.2f}")


def main() -> None:
    """Print how far each program is from the answer, and at what cost."""
    print(f"box at rest {ANSWER:.8f} m from its start; medians of {REPEATS} runs in turn, cost per second of motion")
    print(f"{'':24s} {'step [s]':>9s} {'off by [m]':>12s} {'creep [m/s]':>14s} {'cost [ms/s]':>12s}")
    table("carom event", by_carom("event"), (0.1, 0.01))
    table("carom moreau-jean", by_carom("moreau-jean"), (1e-2, 1e-3, 1e-4))
    if find_spec("mujoco") is None:
        print("MuJoCo is not installed: pip install mujoco")
    else:
        table("MuJoCo", by_mujoco(), (2e-3, 5e-4, 1e-4))
    if find_spec("exudyn") is None:
        print("Exudyn is not installed: pip install exudyn")
    else:
        table("Exudyn", by_exudyn(), (1e-3, 5e-4, 2e-4))


if __name__ == "__main__":
    main()
