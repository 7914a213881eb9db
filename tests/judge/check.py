"""One random problem against everything that must hold."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import carom
from tests.judge.assemble import assemble, initial_overlaps
from tests.judge.carom_side import as_carom
from tests.judge.compare import FACTOR, KINDS, Finding, Judgement, judged, sizes_of, tipped
from tests.judge.describe import Description
from tests.judge.generate import problem
from tests.judge.laws import exponent_of
from tests.judge.settings import SETTINGS
from tests.judge.vary import BESIDE, Variant, variants

STEP_LIMIT = 400_000
CREATED = 1e-6
"""Of start and input energy: what an impact may create."""
UNBALANCED = 10.0
"""Residual of the ledger over rtol, relative to start and input energy."""
OTHER_TOLERANCES = (10.0, 0.1, 0.01)
"""Times rtol: tried where a run fails."""
ENSEMBLE_EVERY = 4
"""One seed in so many is run by `carom.ensemble` too."""
VARIANTS = 3
"""Ways to tell a problem otherwise that are tried for one seed; they take turns."""


@dataclass
class Report:
    """What became of one seed."""

    seed: int
    findings: list[Finding] = field(default_factory=list)
    judged: str = ""
    """``yes``, empty where the judge was not asked, or why it gave no answer."""
    errors: list[tuple[str, float, float]] = field(default_factory=list)
    """Kind, sensitivity and error of the worst output of each kind."""


def run(told: Description, rtol: float, duration: float | None = None) -> Any:
    """Simulate; a failed run is returned too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return carom.simulate(as_carom(told), rtol=rtol, duration=duration, step_limit=STEP_LIMIT, fail="return")


def outputs_of(result: Any) -> np.ndarray:
    """Peaks of |u|, |u̇|, |acceleration| and of the force of each contact, in one row."""
    forces = np.zeros(len(result.contacts))
    for contact, force in zip(result.table["contact"].astype(int), result.table["peak_force"], strict=True):
        forces[contact] = max(forces[contact], force)
    return np.concatenate([result.extremes.T.ravel(), forces])


def energy_scale(told: Description, result: Any) -> float:
    """Energy at the start, that of contacts pressed then included, plus the largest input [J]."""
    ledger = result.ledger
    start = ledger["kinetic"][0] + ledger["strain"][0]
    for contact, overlap in zip(told.contacts, initial_overlaps(told), strict=True):
        if overlap > 0.0 and not contact.law.function:
            power = exponent_of(contact.law.name) + 1.0
            start += contact.law.stiffness * overlap**power / power
    return float(start + np.abs(ledger["input"]).max()) + 1e-300


def check(seed: int, rtol: float = 1e-6, ask: bool = True, every: bool = False, setting: str = "") -> Report:
    """Check a seed: energy and invariances, and by the judge where asked (or where telling otherwise disagrees).

    `setting`: one of SETTINGS in which it stands; empty: as it is.
    """
    logging.getLogger("carom.compile").addHandler(logging.NullHandler())
    report = Report(seed)
    given = SETTINGS[setting](problem(seed), seed) if setting else problem(seed)
    base = run(given, rtol)
    if base.outcome.failed:
        report.findings.append(failed(seed, given, base, rtol, ""))
        return report
    check_energy(report, given, base, rtol, "")
    check_momentum(report, given, base, rtol)
    outputs = outputs_of(base)
    suspects: list[tuple[Variant | None, Any]] = []
    told = variants(given, seed)
    chosen = told if every else [told[(seed + k) % len(told)] for k in range(VARIANTS)]
    sizes, _ = sizes_of(given, outputs)
    for variant in chosen:
        other = run(variant.problem, rtol)
        if other.outcome.failed:
            found = failed(seed, variant.problem, other, rtol, f"{variant.name}: ")
            # the problem itself has finished: only another one beside it may be beyond the engine
            report.findings.append(replace(found, gives_up=found.gives_up and variant.name == BESIDE))
            continue
        check_energy(report, variant.problem, other, rtol, f"{variant.name}: ")
        if np.any(~(np.abs(variant.back(outputs_of(other)) - outputs) <= FACTOR * rtol * sizes)):
            suspects.append((variant, other))
    if every or seed % ENSEMBLE_EVERY == 0:
        check_ensemble(report, given, outputs, sizes, rtol, suspects)
    if not ask and not suspects:
        return report
    judgement = judged(given)
    if isinstance(judgement, str):
        report.judged = judgement
        return report
    report.judged = "yes"
    result = up_to(judgement.sample, given, base, rtol)
    if result is not None:
        check_peaks(report, given, result, judgement, rtol)
        check_impulses(report, given, result, judgement, rtol)
    for variant, other in suspects:
        check_variant(report, given, variant, base, other, judgement, rtol)
    return report


def failed(seed: int, told: Description, result: Any, rtol: float, label: str) -> Finding:
    """What to say of a failed run: whether another tolerance finishes it."""
    done = [f"{f * rtol:g}" for f in OTHER_TOLERANCES if not run(told, f * rtol).outcome.failed]
    note = f"{result.outcome.word}; finishes at {', '.join(done)}" if done else result.outcome.word
    return Finding(seed, f"{label}failed run", 1.0, 0.0, note, gives_up=not done)


def ensemble_outputs(told: Description, rtol: float, duration: float | None, like: np.ndarray) -> np.ndarray | str:
    """The outputs of `carom.ensemble`, of one run; it keeps the largest force only, the others are those of `like`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options: dict[str, Any] = {"rtol": rtol, "duration": duration, "step_limit": STEP_LIMIT}
        found = carom.ensemble(as_carom(told), vary={"scale": [1.0]}, **options).dataset.isel(scale=0)
    if str(found.status.values) != "finished":
        return str(found.status.values)
    forces = like[-len(told.contacts) :].copy()
    forces[int(np.argmax(forces))] = float(found.peak_force)
    return np.concatenate([*(found[kind].values for kind in KINDS[:3]), forces])


def check_ensemble(
    report: Report, given: Description, outputs: np.ndarray, sizes: np.ndarray, rtol: float, suspects: list[Any]
) -> None:
    """`simulate` against `ensemble`, which takes neither functions nor damping that couples modes."""
    coupled = bool(given.dampers) or any(structure.kind == "general" for structure in given.structures)
    if coupled or any(contact.law.function for contact in given.contacts):
        return
    found = ensemble_outputs(given, rtol, None, outputs)
    if isinstance(found, str):
        report.findings.append(Finding(report.seed, "ensemble: failed run", 1.0, 0.0, found))
    elif np.any(~(np.abs(found - outputs) <= FACTOR * rtol * sizes)):
        suspects.append((None, None))


def check_energy(report: Report, told: Description, result: Any, rtol: float, label: str) -> None:
    """The ledger closes, and no impact creates energy; a contact pressed at the start gives back what it holds."""
    scale = energy_scale(told, result)
    residual = float(np.abs(result.ledger["residual"]).max()) / scale
    if not residual <= UNBALANCED * rtol:
        report.findings.append(Finding(report.seed, f"{label}energy residual", residual, UNBALANCED * rtol))
    held = initial_overlaps(told)[result.table["contact"].astype(int)] > 0.0
    lost = np.where(held & (result.table["start"] <= 0.0), 0.0, result.table["energy_lost"])
    if lost.size and lost.min() < -CREATED * scale:
        at = float(result.table["start"][int(np.argmin(lost))])
        note = f"at t = {at:.6g} s"
        report.findings.append(
            Finding(report.seed, f"{label}energy created", float(-lost.min() / scale), CREATED, note)
        )


def check_momentum(report: Report, given: Description, result: Any, rtol: float) -> None:
    """What the contacts gave to a free body is what it has; only bodies without spring and dashpot are asked."""
    duration = result.time[-1]
    ground = np.trapezoid(assemble(given).ride, dx=given.dt, axis=0)
    total = np.zeros(len(given.contacts))
    np.add.at(total, result.table["contact"].astype(int), result.table["impulse"])
    gross = np.zeros(len(given.contacts))
    np.add.at(gross, result.table["contact"].astype(int), np.abs(result.table["impulse"]))
    for i, (structure, at) in enumerate(zip(given.structures, given.firsts, strict=True)):
        free = structure.kind == "body" and structure.stiffnesses[0] == 0.0 and not structure.matrix[0][0]
        free = free and not any(i in (damper.left[0], damper.right[0]) for damper in given.dampers)
        if not free:
            continue
        mass = structure.masses[0]
        change = mass * (result.velocity[-1, at] - (structure.velocity or (0.0,))[0] + ground[at])
        change -= 0.0 if structure.load is None else structure.load[0] * duration
        size = mass * float(result.extremes[at, 1])
        for c, contact in enumerate(given.contacts):
            change += total[c] * (float(contact.left[0] == i) - float(contact.right[0] == i))
            size += gross[c] * float(i in (contact.left[0], contact.right[0]))
        if abs(change) > FACTOR * rtol * size:
            report.findings.append(Finding(report.seed, "momentum", abs(change) / size, FACTOR * rtol))


def up_to(sample: int, given: Description, base: Any, rtol: float) -> Any:
    """Carom's run up to the sample that sensitivity allows; None where there is none."""
    if sample == len(given.ground) - 1:
        return base
    result = run(given, rtol, duration=sample * given.dt) if sample else None
    return None if result is None or result.outcome.failed else result


def check_peaks(report: Report, given: Description, result: Any, judgement: Judgement, rtol: float) -> None:
    """Carom's peaks against the judge's."""
    errors = judgement.errors(outputs_of(result))
    allowed = FACTOR * rtol * np.maximum(1.0, judgement.amplification)
    for kind, name in enumerate(KINDS):
        mine = np.flatnonzero(judgement.kinds == kind)
        if mine.size == 0:
            continue
        worst = mine[int(np.argmax(errors[mine] / allowed[mine]))]
        report.errors.append((name, float(judgement.amplification[worst]), float(errors[worst])))
        if not errors[worst] <= allowed[worst]:
            note = f"A {judgement.amplification[worst]:.3g}, up to {judgement.sample * given.dt:.6g} s"
            tips = bool(tipped(given, judgement, rtol)[0][worst] > allowed[worst])
            report.findings.append(Finding(report.seed, name, float(errors[worst]), float(allowed[worst]), note, tips))


def check_impulses(report: Report, given: Description, result: Any, judgement: Judgement, rtol: float) -> None:
    """What each contact carried."""
    found = np.zeros(len(given.contacts))
    np.add.at(found, result.table["contact"].astype(int), result.table["impulse"])
    errors = judgement.impulse_errors(found)
    allowed = FACTOR * rtol * np.maximum(1.0, judgement.impulse_amplification)
    worst = int(np.argmax(errors / allowed))
    if not errors[worst] <= allowed[worst]:
        until = f"up to {judgement.sample * given.dt:.6g} s"
        note = f"contact {worst}, A {judgement.impulse_amplification[worst]:.3g}, {until}"
        tips = bool(tipped(given, judgement, rtol)[1][worst] > allowed[worst])
        finding = Finding(report.seed, "impulse", float(errors[worst]), float(allowed[worst]), note, tips)
        report.findings.append(finding)


def check_variant(
    report: Report,
    given: Description,
    variant: Variant | None,
    base: Any,
    other: Any,
    judgement: Judgement,
    rtol: float,
) -> None:
    """A problem told otherwise (None: run by `ensemble`), compared with its original as far as sensitivity allows."""
    if judgement.sample == 0:
        return
    until = None
    if judgement.sample < len(given.ground) - 1:
        until = judgement.sample * given.dt
        base = run(given, rtol, duration=until)
        if variant is not None:
            other = run(variant.problem, rtol, duration=(judgement.sample + variant.later) * variant.problem.dt)
        if base.outcome.failed or (other is not None and other.outcome.failed):
            return
    outputs = outputs_of(base)
    found = ensemble_outputs(given, rtol, until, outputs) if variant is None else variant.back(outputs_of(other))
    if isinstance(found, str):
        return
    errors = np.abs(found - outputs) / judgement.sizes
    allowed = 2.0 * FACTOR * rtol * np.maximum(1.0, judgement.amplification)
    worst = int(np.argmax(errors / allowed))
    if not errors[worst] <= allowed[worst]:
        note = f"A {judgement.amplification[worst]:.3g}"
        name = f"{'ensemble' if variant is None else variant.name}: {KINDS[judgement.kinds[worst]]}"
        tips = bool(tipped(given, judgement, rtol)[0][worst] > allowed[worst])
        report.findings.append(Finding(report.seed, name, float(errors[worst]), float(allowed[worst]), note, tips))
