"""A problem as an OpenSeesPy script that runs by itself, and says what its materials cannot do."""

from __future__ import annotations

import math
import textwrap
from typing import NamedTuple

import numpy as np

from carom.errors import InputError, refusal
from carom.interchange.opensees_model import OpenSeesModel, model_of
from carom.plain_text import visible
from carom.problem import Problem
from carom.units import POSITIVE, number

__all__ = ["OpenSeesScript", "opensees_script"]

USUAL_STEP = 1e-4
"""Step of a script [s], where none is asked for; a record's step is divided into whole parts."""


class OpenSeesScript(NamedTuple):
    """A script, and what is to be said of it."""

    text: str
    remarks: tuple[str, ...]
    """What OpenSees does otherwise, sentences."""
    step: float
    """[s]."""


def opensees_script(
    problem: Problem, *, dt: object = None, duration: object = None, title: str = "A problem of carom"
) -> OpenSeesScript:
    """Return an OpenSeesPy script of a problem.

    The script needs OpenSeesPy and NumPy alone. Run as ``python script.py [step] [results.npz]``, it prints the largest
    displacements and contact forces, and how many steps did not converge, and keeps histories in a file.

    Parameters
    ----------
    problem
        What is written.
    dt
        Step of OpenSees [s]; shortened to a whole part of the record's.
    duration
        How long it runs [s]; by default as long as the motion.
    title
        For the head of the script.
    """
    model = model_of(problem)
    step = number(USUAL_STEP if dt is None else dt, "s", name="dt", owner="opensees_script", within=POSITIVE)
    end = _end(model, duration)
    sample = model.dt or 100 * step
    parts = max(1, math.ceil(sample / step * (1.0 - 1e-9)))
    remarks = _remarks(model)
    body = SCRIPT.format(
        title=_harmless(title),
        remarks="\n".join(textwrap.fill(f"- {_harmless(remark)}", 110, subsequent_indent="  ") for remark in remarks)
        or "- nothing",
        names=_listed([repr(name) for name in model.names], 6),
        masses=_listed([_number(mass) for mass in model.masses], 8),
        fixed=model.fixed,
        springs=_listed([f"({a}, {b}, {_number(k)}, {_number(c)})" for a, b, k, c in model.springs], 2),
        inerters=_listed([f"({a}, {b}, {_number(m)})" for a, b, m in model.inerters], 4),
        storeys=_listed([_element(a, b, words) for a, b, words in model.storeys], 1),
        labels=_listed([repr(label) for label in model.contact_labels], 4),
        contacts=_listed([_element(a, b, material.words) for a, b, material in model.contacts], 1),
        loads=_listed([f"({series}, {node}, {_number(force)})" for series, node, force in model.loads], 4),
        constant=_listed([f"({node}, {_number(force)})" for node, force in model.constant], 4),
        start=_listed([f"({node}, {_number(u)}, {_number(v)}, {_number(a)})" for node, u, v, a in model.start], 2),
        recover=_listed([repr([(n, float(_number(w))) for n, w in entry]) for entry in model.recover], 3),
        series=_listed(["[" + ", ".join(map(_number, series)) + "]" for series in model.series], 1),
        sample=_number(sample),
        samples=round(end / sample),
        step=_number(sample / parts),
    )
    return OpenSeesScript(body, remarks, sample / parts)


def _harmless(text: str) -> str:
    """Return a text of the user as a docstring may hold it: nothing of it ends the string, or is code."""
    return visible(text).replace('"', "'").replace("\\", "/")


def _end(model: OpenSeesModel, duration: object) -> float:
    if duration is not None:
        return number(duration, "s", name="duration", owner="opensees_script", within=POSITIVE)
    if not model.series:
        raise refusal("duration", "opensees_script", "must be said where nothing shakes the problem", None)
    return float(model.dt * (model.series[0].size - 1))


def _remarks(model: OpenSeesModel) -> tuple[str, ...]:
    """Return what OpenSees' materials do otherwise, one sentence for each kind."""
    found: dict[str, list[str]] = {}
    for label, (_, _, material) in zip(model.contact_labels, model.contacts, strict=True):
        for words in material.cannot:
            found.setdefault(f"{material.words[0]} {words}", []).append(label)
    several = len(model.contacts) > 1
    said = [
        f"{words} ({', '.join(labels[:4])}{', …' if len(labels) > 4 else ''})." if several else f"{words}."
        for words, labels in found.items()
    ]
    if model.contacts:
        said.append(
            "OpenSees sees a touch at the end of the step in which it falls: what it finds depends on the step."
        )
    return tuple(said)


def _number(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else _refuse(value)


def _refuse(value: float) -> str:
    raise InputError(f"A number of the problem is {value}: it cannot be written for OpenSees.")


def _element(a: int, b: int, words: tuple[object, ...]) -> str:
    kind, _, *rest = words
    return f"({a}, {b}, {kind!r}, [{', '.join(_number(float(np.float64(x))) for x in rest)}])"  # type: ignore[arg-type]


def _listed(entries: list[str], per_line: int) -> str:
    """Return entries as lines of a list in Python."""
    if not entries:
        return "[]"
    lines = [", ".join(entries[i : i + per_line]) for i in range(0, len(entries), per_line)]
    return "[\n" + "".join(f"    {line},\n" for line in lines) + "]"


SCRIPT = '''"""{title}

Written by carom for OpenSeesPy: python THIS_FILE [step in s] [results.npz]. SI units; displacements are relative to
the ground. What OpenSees does otherwise:

{remarks}
"""

import sys

import numpy as np
import openseespy.opensees as ops

STEP = float(sys.argv[1]) if len(sys.argv) > 1 else {step}  # [s]
RESULTS = sys.argv[2] if len(sys.argv) > 2 else "opensees-results.npz"
SAMPLE, SAMPLES = {sample}, {samples}  # histories are kept so often [s], so many times
TOLERANCE, ITERATIONS = 1e-12, 50  # largest last displacement increment [m], iterations until a step counts as failed

# a node for each degree of freedom, and a fixed one for each structure, numbered from 1: masses [kg]
MASSES = {masses}
FIXED = {fixed}
# between two nodes: stiffness [N/m] and damping [N s/m]; both may be negative, as entries of matrices are
SPRINGS = {springs}
# between two nodes: mass [kg] against relative acceleration, entries of mass matrices beside the diagonal
INERTERS = {inerters}
# between two nodes: storeys that yield
STOREYS = {storeys}
# between two nodes: contacts
CONTACT_NAMES = {labels}
CONTACTS = {contacts}
# ground accelerations [m/s2] every SAMPLE; forces on nodes per acceleration: (which, node, kg); constant forces [N]
GROUND = {series}
LOADS = {loads}
CONSTANT = {constant}
# at the start: node, displacement, velocity, acceleration
START = {start}
# degrees of freedom: nodes and weights
NAMES = {names}
RECOVER = {recover}


def build():
    """State the model; return the numbers of the contacts' elements."""
    ops.wipe()
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    for node, mass in enumerate(MASSES, start=1):
        ops.node(node, 1.0 + 1e-10 * node, "-mass", mass)  # so close that elements without length take them for one
    for node in FIXED:
        ops.fix(node, 1)
    tag = 0
    for a, b, stiffness, damping in SPRINGS:
        tag += 1
        ops.uniaxialMaterial("Elastic", tag, stiffness, damping)
        ops.element("zeroLength", tag, a, b, "-mat", tag, "-dir", 1)
    for a, b, mass in INERTERS:
        tag += 1
        ops.element("InertiaTruss", tag, a, b, mass)
    touching = []
    for elements, kept in ((STOREYS, []), (CONTACTS, touching)):
        for a, b, kind, numbers in elements:
            tag += 1
            ops.uniaxialMaterial(kind, tag, *numbers)
            ops.element("zeroLength", tag, a, b, "-mat", tag, "-dir", 1)
            kept.append(tag)
    for number, values in enumerate(GROUND, start=1):
        ops.timeSeries("Path", number, "-dt", SAMPLE, "-values", *values)
        ops.pattern("Plain", number, number)
        for which, node, force in LOADS:
            if which == number - 1:
                ops.load(node, force)
    if CONSTANT:
        ops.timeSeries("Constant", len(GROUND) + 1)
        ops.pattern("Plain", len(GROUND) + 1, len(GROUND) + 1)
        for node, force in CONSTANT:
            ops.load(node, force)
    for node, displacement, velocity, acceleration in START:
        ops.setNodeDisp(node, 1, displacement, "-commit")
        ops.setNodeVel(node, 1, velocity, "-commit")
        ops.setNodeAccel(node, 1, acceleration, "-commit")
    return touching


def prepare():
    """Average acceleration; the tangent without contacts is factored once, contact forces are iterated."""
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system("BandGeneral")
    ops.test("NormDispIncr", TOLERANCE, ITERATIONS)
    ops.algorithm("ModifiedNewton", "-initial", "-factoronce")
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient", "-noWarnings")


def advance(steps, dt):
    """Take steps; one that does not converge is taken with its last iterate, and counted."""
    failures, begin, done = 0, ops.getTime(), 0
    while done < steps and ops.analyze(steps - done, dt) != 0:
        done = round((ops.getTime() - begin) / dt)
        ops.test("FixedNumIter", ITERATIONS)
        ops.analyze(1, dt)
        ops.test("NormDispIncr", TOLERANCE, ITERATIONS)
        failures, done = failures + 1, done + 1
    return failures


def main():
    """Run, print and keep."""
    touching = build()
    prepare()
    parts = max(1, round(SAMPLE / STEP))
    nodes = range(1, len(MASSES) + 1)
    history = [[ops.nodeDisp(node, 1) for node in nodes]]
    forces = np.zeros((SAMPLES + 1, len(touching)))
    failures = 0
    for sample in range(1, SAMPLES + 1):
        failures += advance(parts, SAMPLE / parts)
        history.append([ops.nodeDisp(node, 1) for node in nodes])
        forces[sample] = [abs(ops.eleResponse(tag, "localForce")[0]) for tag in touching]
    moved = np.array(history)
    displacement = np.array([sum(w * moved[:, n - 1] for n, w in entry) for entry in RECOVER]).T
    np.savez(
        RESULTS, time=SAMPLE * np.arange(SAMPLES + 1), displacement=displacement, force=forces, names=NAMES,
        contacts=CONTACT_NAMES, step=SAMPLE / parts, steps=parts * SAMPLES, failures=failures,
    )
    for name, values in zip(NAMES, displacement.T):
        print(f"{{name}}: largest displacement {{1e3 * abs(values).max():.6g}} mm at samples")
    for name, values in zip(CONTACT_NAMES, forces.T):
        print(f"{{name}}: largest force {{1e-3 * values.max():.6g}} kN at samples")
    print(f"{{failures}} of {{parts * SAMPLES}} steps did not converge")


main()
'''
