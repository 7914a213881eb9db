"""Two `carom.Frame` in contact as an OpenSees model in space: elastic beam-columns, rigid diaphragms, Hertzdamp.

Conventions are made equal: consistent mass without the inertia of turning cross-sections, Rayleigh damping from the
initial stiffness, and masses of slabs at a node of their own, vertically at the nodes of the slab.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import carom
from benchmarks._opensees.model import standard_error_into
from carom.structures.frame.assembly import centre_of
from carom.structures.frame.members import slab_shares

TOLERANCE, ITERATIONS = 1e-10, 50
"""Largest last displacement increment [m] of a step, and iterations until it counts as failed."""


class Found(NamedTuple):
    """What OpenSees gave: peaks at its steps."""

    force: np.ndarray
    """Largest force [N] of every contact."""
    displacement: np.ndarray
    """Largest |displacement| [m] along x of both places of every contact, shape (contacts, 2)."""
    seconds: float
    """Processor time of `analyze`."""
    failures: int
    """Steps that did not converge."""


def run(problem: carom.Problem, dt: float, lasting: float) -> Found:
    """Run a problem for some seconds with a constant step [s], a whole part of the record's."""
    motion = problem.motion
    parts = round(motion.dt / dt)
    steps = round(lasting / motion.dt) * parts
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / name for name in ("force", "a", "b", "said")}
        with standard_error_into(files["said"]):
            import openseespy.opensees as ops

            build(ops, problem, files)
            failures, seconds = _analysed(ops, steps, motion.dt / parts)
            ops.wipe()  # writes the envelopes: least, largest, largest magnitude
        force, a, b = (np.loadtxt(files[name], ndmin=2)[-1] for name in ("force", "a", "b"))
        return Found(force, np.stack([a, b], axis=1), seconds, failures)


def build(ops: Any, problem: carom.Problem, files: dict[str, Path]) -> None:
    """State the model, the motion and the envelopes."""
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    tags: dict[tuple[str, str], int] = {}
    elements = 0
    for frame in problem.structures:
        elements = _frame(ops, frame, tags, elements)
    ends = []
    first = elements + 1
    for contact, mass in zip(problem.pairs, problem.flat().effective_mass, strict=True):
        elements += 1
        k, n, chi, *_ = contact.law.power_form(float(mass))
        ops.uniaxialMaterial("Hertzdamp", elements, k, chi / k, -contact.gap, n)
        pair = [tags[place.structure, place.at] for place in (contact.a, contact.b)]
        ops.element("zeroLength", elements, *pair, "-mat", elements, "-dir", 1)
        ends.append(pair)
    damping = problem.structures[0].damping
    ops.rayleigh(damping.alpha, 0.0, damping.beta, 0.0)
    motion = problem.motion
    ops.timeSeries("Path", 1, "-dt", motion.dt, "-values", *motion.acceleration.tolist())
    ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
    precise = ("-precision", 16)
    for side, name in enumerate(("a", "b")):
        at = [pair[side] for pair in ends]
        ops.recorder("EnvelopeNode", "-file", str(files[name]), *precise, "-node", *at, "-dof", 1, "disp")
    ops.recorder("EnvelopeElement", "-file", str(files["force"]), *precise, "-ele", *range(first, elements + 1),
                 "localForce")  # fmt: skip


def _frame(ops: Any, frame: carom.Frame, tags: dict[tuple[str, str], int], elements: int) -> int:
    """State a frame, and return how many elements there are now."""
    ways = ("ux", "uy", "uz", "rx", "ry", "rz")
    shares = slab_shares(frame.diaphragms)
    for name, at in frame.nodes.items():
        tag = tags[frame.name, name] = len(tags) + 1
        ops.node(tag, *map(float, at))
        if held := frame.supports.get(name):
            ops.fix(tag, *(int(way in held) for way in ways))
        if name in shares:
            ops.mass(tag, 0.0, 0.0, shares[name], 0.0, 0.0, 0.0)
    for slab in frame.diaphragms:
        tag = tags[frame.name, slab.name] = len(tags) + 1
        ops.node(tag, *map(float, centre_of(slab, frame.nodes)), float(frame.nodes[slab.nodes[0]][2]))
        ops.fix(tag, 0, 0, 1, 1, 1, 0)
        ops.mass(tag, slab.mass, slab.mass, 0.0, 0.0, 0.0, slab.inertia)
        ops.rigidDiaphragm(3, tag, *(tags[frame.name, node] for node in slab.nodes))
    for member in frame.members:
        elements += 1
        axes = frame._assembled.placed[member.name].axes
        ops.geomTransf("Linear", elements, *map(float, axes[2]))
        s, m = member.section, member.material
        ends = (tags[frame.name, node] for node in (member.start, member.end))
        ops.element(
            "elasticBeamColumn", elements, *ends, s.area, m.young, m.shear, s.torsion, s.inertia_y, s.inertia_z,
            elements, "-mass", member.mass_per_length, "-cMass",
        )  # fmt: skip
    return elements


def eigenvalues(problem: carom.Problem, count: int) -> np.ndarray:
    """Return the lowest ω² of all frames together, contacts open."""
    import openseespy.opensees as ops

    with tempfile.TemporaryDirectory() as folder:
        build(ops, problem, {name: Path(folder) / name for name in ("force", "a", "b")})
        ops.constraints("Transformation")
        found = np.array(ops.eigen(count))
        ops.wipe()
    return found


def _analysed(ops: Any, steps: int, dt: float) -> tuple[int, float]:
    """Return how many steps failed, and the processor time [s]; a failed step is taken with its last iterate."""
    ops.constraints("Transformation")
    ops.numberer("RCM")
    ops.system("UmfPack")
    ops.test("NormDispIncr", TOLERANCE, ITERATIONS)
    ops.algorithm("ModifiedNewton", "-initial", "-factoronce")
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient")
    begin, failures, left = time.thread_time(), 0, steps
    while left > 0 and ops.analyze(left, dt) != 0:
        left = steps - round(ops.getTime() / dt)
        failures += 1
        ops.test("FixedNumIter", ITERATIONS)
        ops.analyze(1, dt)
        ops.test("NormDispIncr", TOLERANCE, ITERATIONS)
        left -= 1
    return failures, time.thread_time() - begin
