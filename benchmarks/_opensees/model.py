"""A `carom.Problem` as a one-dimensional OpenSees model, run in this process and timed.

Every structure stands on its own fixed node; storeys and contacts are `zeroLength` elements, their materials those of
`carom.interchange.opensees_materials`. Rayleigh damping goes with the initial stiffness in both codes. At the steps
used here Newton's iteration converges in spite of OpenSees' tangents; iteration on the initial tangent, in which
contacts are zero, gives the same answers and is a sixth quicker, so that is taken.
"""

from __future__ import annotations

import importlib.util
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import carom
from carom.interchange.opensees_materials import contact_material, storey_material
from carom.joints import InternalSpring
from carom.structures import LinearStructure, Rayleigh

AVAILABLE = importlib.util.find_spec("openseespy") is not None
"""Whether openseespy is installed; it is imported only when a model is run, for it prints when it is."""


class Method(NamedTuple):
    """How OpenSees steps: its words for integrator, algorithm and equation solver."""

    name: str
    integrator: tuple[Any, ...]
    algorithm: tuple[Any, ...]


IMPLICIT = Method("Newmark", ("Newmark", 0.5, 0.25), ("ModifiedNewton", "-initial", "-factoronce"))
"""Average acceleration; the tangent without contacts is factored once, the contact forces are iterated."""
EXPLICIT = Method("explicit", ("NewmarkExplicit", 0.5), ("Linear",))
"""Newmark's explicit scheme: cheaper steps and none that fail; `CentralDifference` blows up on these problems."""

TOLERANCE, ITERATIONS = 1e-12, 50
"""Largest last displacement increment [m] of a step, and iterations until it counts as failed."""


@dataclass
class Run:
    """What OpenSees gave: peaks at its steps."""

    displacement: np.ndarray
    """Largest |displacement| [m] of every degree of freedom, structures in order, floors upwards."""
    force: np.ndarray
    """Largest force [N] of every contact."""
    seconds: float
    """Processor time of `analyze`."""
    steps: int
    failures: int
    """Steps that did not converge; each was taken with its last iterate."""
    approach: np.ndarray
    """Velocity [m/s] of every impact that OpenSees reported, at the end of the step in which it saw it."""

    @property
    def answer(self) -> np.ndarray:
        """Displacement peaks, then the largest force."""
        return np.append(self.displacement, self.force.max())


def run(problem: carom.Problem, dt: float, method: Method = IMPLICIT) -> Run:
    """Run a problem with a constant step [s], a whole part of the record's."""
    motion = problem.motion
    parts = round(motion.dt / dt)
    steps = (motion.npts - 1) * parts
    with tempfile.TemporaryDirectory() as folder:
        displacement, force, said = (Path(folder) / name for name in ("displacement", "force", "said"))
        with standard_error_into(said):
            import openseespy.opensees as ops

            build(ops, problem, displacement, force)
            _analysis(ops, method)
            begin = time.thread_time()
            failures = _advance(ops, steps, motion.dt / parts)
            seconds = time.thread_time() - begin
            ops.wipe()  # writes the envelopes: least, largest, largest magnitude
        peaks = [np.loadtxt(path, ndmin=2)[-1] for path in (displacement, force)]
        return Run(*peaks, seconds, steps, failures, _approach(said.read_text(errors="replace")))


def build(ops: Any, problem: carom.Problem, displacement: Path, force: Path) -> None:
    """State the model: nodes, storeys, damping, contacts, ground motion, envelopes into two files."""
    ops.wipe()
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    nodes: list[list[int]] = []
    node = tag = 0
    for i, structure in enumerate(problem.structures):
        masses, springs = _storeys(structure)
        node += 1
        ops.node(node, 0.0)
        ops.fix(node, 1)
        storeys = []
        for mass, stiffness, storey in zip(masses, springs, _inelastic(structure), strict=True):
            node, tag = node + 1, tag + 1
            ops.node(node, 0.0, "-mass", mass)
            ops.uniaxialMaterial(*storey_material(storey, tag, stiffness))
            ops.element("zeroLength", tag, node - 1, node, "-mat", tag, "-dir", 1, "-doRayleigh", 1)
            storeys.append(tag)
        alpha, beta = _rayleigh(structure)
        ops.region(i + 1, "-ele", *storeys, "-rayleigh", alpha, 0.0, beta, 0.0)
        nodes.append(list(range(node - len(masses) + 1, node + 1)))
    first = tag + 1
    for contact, mass in zip(problem.pairs, problem.flat().effective_mass, strict=True):
        tag += 1
        material = contact_material(contact, tag, float(mass))
        if not material.exact:
            raise TypeError(f"OpenSees has no material for {contact.law.name}.")
        ops.uniaxialMaterial(*material.words)
        ends = []
        for place in (contact.a, contact.b):
            which = problem.index(place.structure)
            row = problem.structures[which].row(place.at)
            if not np.array_equal(row, row.astype(bool)):
                raise ValueError("Only contacts from floor to floor are built here.")
            ends.append(nodes[which][int(np.flatnonzero(row)[0])])
        ops.element("zeroLength", tag, *ends, "-mat", tag, "-dir", 1)
    motion = problem.motion
    ops.timeSeries("Path", 1, "-dt", motion.dt, "-values", *motion.acceleration.tolist())
    ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
    every = [n for group in nodes for n in group]
    precise = ("-precision", 16)
    ops.recorder("EnvelopeNode", "-file", str(displacement), *precise, "-node", *every, "-dof", 1, "disp")
    ops.recorder("EnvelopeElement", "-file", str(force), *precise, "-ele", *range(first, tag + 1), "localForce")


def _storeys(structure: LinearStructure) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if isinstance(structure, carom.Oscillator):
        return (structure.mass,), (structure.stiffness,)
    if isinstance(structure, carom.ShearBuilding):
        return structure.masses, structure.stiffnesses
    raise TypeError(f"Only oscillators and shear buildings are built here, not {structure.owner}.")


def _inelastic(structure: LinearStructure) -> tuple[InternalSpring | None, ...]:
    if isinstance(structure, carom.Oscillator):
        return (structure.spring,)
    return getattr(structure, "storeys", None) or (None,) * len(structure.dof_names)


def _rayleigh(structure: LinearStructure) -> tuple[float, float]:
    """Return α and β of C = αM + βK; one mode needs α alone."""
    if isinstance(structure.damping, Rayleigh):
        return structure.damping.alpha, structure.damping.beta
    sigma = structure.modes().sigma
    if sigma.size > 1:
        raise TypeError(f"{structure.owner} must have Rayleigh damping to be built here.")
    return 2.0 * float(sigma[0]), 0.0


def _analysis(ops: Any, method: Method) -> None:
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system("BandGeneral")
    ops.test("NormDispIncr", TOLERANCE, ITERATIONS)
    ops.algorithm(*method.algorithm)
    ops.integrator(*method.integrator)
    ops.analysis("Transient")


def _advance(ops: Any, steps: int, dt: float) -> int:
    """Analyze all steps; one that fails is taken with a fixed number of iterations, and counted."""
    failures = 0
    left = steps
    while left > 0 and ops.analyze(left, dt) != 0:
        left = steps - round(ops.getTime() / dt)
        failures += 1
        ops.test("FixedNumIter", ITERATIONS)
        ops.analyze(1, dt)
        ops.test("NormDispIncr", TOLERANCE, ITERATIONS)
        left -= 1
    return failures


def _approach(said: str) -> np.ndarray:
    """Return the velocities in what OpenSees prints: one line at every impact."""
    return np.array([float(text) for text in re.findall(r"impact velocity = ([-+.\deE]+)", said)])


@contextmanager
def standard_error_into(path: Path) -> Iterator[None]:
    """Send the process's standard error to a file."""
    kept, file = os.dup(2), os.open(path, os.O_WRONLY | os.O_CREAT)
    os.dup2(file, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(file)
