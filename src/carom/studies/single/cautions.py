"""What a reader should know before using the numbers of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from carom.contact import Contact, Facing
from carom.integrate.simulate import simulate
from carom.laws.base import CompliantLaw, DampedLaw, stiffness_unit
from carom.laws.impulse import ImpulsiveLaw
from carom.problem import Problem
from carom.results import Firmness, Simulation
from carom.results.assessment import column_shear
from carom.structures import Body, Wall
from carom.studies.single.contact_inputs import MATERIAL, STIFFER, advised, structure_stiffness
from carom.studies.single.scene import scene_of
from carom.units import si

__all__ = ["achieved_restitution", "cautions", "contact_stiffness"]

SENSITIVE = 5.0
"""A change of the gap that comes back more than so many times as large is worth a warning."""
FIRM = 1e-3
"""A tighter tolerance may change peaks by so much."""
MATTERS = 0.1
"""Contact stiffness and restitution may change peaks by so much before a reader is told."""
OFF = 0.05
"""Achieved and asked restitution may differ by so much."""
COARSE = 5
"""An impact shorter than so many samples shows in peaks, not in histories."""


def cautions(
    problem: Problem,
    run: Simulation,
    sensitivity: Sequence[Firmness],
    tolerance: Firmness | None,
    contact_inputs: Sequence[Firmness] = (),
) -> Iterator[str]:
    """Yield the warnings, one sentence or two each."""
    yield from problem.unlikely
    yield from _validity(problem, run)
    yield from _soft(problem, run)
    yield from _struck_columns(problem, run)
    yield from _not_advised(problem, run)
    yield from _least_known(problem, run, contact_inputs)
    for caution in run.evidence.get("cautions", ()):  # what the scheme itself says
        yield f"{'Rigid contact' if _rigid(problem) else 'Contact'}: {caution}."
    blow = "impulse" if _rigid(problem) else "force"
    for firm in sensitivity:
        if firm.largest > SENSITIVE * 0.01 or abs(firm.impacts) > max(2, 0.2 * run.table["start"].size):
            yield (
                f"Sensitive: with {firm.what} peak displacements change by up to {_percent(firm.displacement)}, "
                f"accelerations by {_percent(firm.acceleration)}, the largest {blow} by {_percent(firm.force)}, "
                f"the number of impacts by {firm.impacts:+d}. Use ranges, not single numbers."
            )
    # accelerations of rigid contacts are impulses over a step: the scheme's own caution speaks of them
    moved = 0.0 if tolerance is None else max(tolerance.displacement, tolerance.force)
    if tolerance is not None and not _rigid(problem):
        moved = tolerance.largest
    if tolerance is not None and moved > FIRM:
        stepped = "rtol" not in tolerance.what
        yield (
            f"{'Time step' if stepped else 'Tolerance'}: with {tolerance.what} peaks change by up to "
            f"{_percent(moved)}. {'Shorten analysis.dt' if stepped else 'Tighten analysis.rtol'}, or quote "
            "no more digits than that."
        )
    yield from _unaccounted(problem, run)
    yield from _coarse(problem, run)


def contact_stiffness(law: CompliantLaw, overlap: float) -> float:
    """Return the secant stiffness K·δⁿ⁻¹ [N/m] of a law at an overlap [m]; K itself for a linear law."""
    return float(law.stiffness * overlap ** (law.n - 1.0))


def _validity(problem: Problem, run: Simulation) -> Iterator[str]:
    """Yield what the laws were used for that they are not meant for, and what restitution they gave."""
    hits = [int(np.sum(run.table["contact"] == c)) for c in range(len(problem.pairs))]
    seen: set[str] = set()
    for c in sorted(range(len(hits)), key=lambda c: -hits[c]):  # a law is judged where it was used most
        law = problem.pairs[c].law
        if not isinstance(law, DampedLaw) or law.restitution is None or repr(law) in seen:
            continue
        seen.add(repr(law))
        e = float(law.restitution)
        if law.intended_restitution is not None and e not in law.intended_restitution and law.damping is None:
            yield f"Validity: {law.title} is meant for restitution in {law.intended_restitution}; {e:g} was asked for."
        achieved = achieved_restitution(problem, run, c)
        if achieved is not None and abs(achieved - e) > OFF:
            yield (
                f"Restitution: {law.title} was asked for {e:g}; a free impact of these masses at this run's speeds "
                f"achieves {achieved:.2f}. `carom laws {law.name}` shows the whole curve."
            )


def achieved_restitution(problem: Problem, run: Simulation, contact: int) -> float | None:
    """Return what the law gives back in a free impact at the contact's median approach velocity."""
    speeds = run.table["approach_velocity"][run.table["contact"] == contact]
    speeds = speeds[speeds > 0.0]
    if not speeds.size:
        return None
    law, mass, speed = (
        problem.pairs[contact].law,
        float(problem.flat().effective_mass[contact]),
        float(np.median(speeds)),
    )
    if isinstance(law, ImpulsiveLaw):
        return law.at(speed)
    # the engine of the run serves, so that no other kernel need be compiled: a body flies against a wall
    long = 20.0 * (mass / (law.stiffness * speed ** (law.n - 1.0))) ** (1.0 / (law.n + 1.0))
    free = Problem(
        (Body(mass=mass, name="body"), Wall("wall")),
        (Contact("body", "wall", gap=0.01 * speed * long, law=law),),  # type: ignore[arg-type]
        initial_velocity={"body": (speed,)},
    )
    found = simulate(free, scheme=run.evidence["scheme"], duration=long, sampling=long, fail="return").table
    parted = found["separation_velocity"][found["ended"] != 0.0]
    return float(parted[0] / speed) if parted.size else None


def _soft(problem: Problem, run: Simulation) -> Iterator[str]:
    """Yield, in one sentence, the contacts that are softer than ten times the stiffer structure."""
    soft = []
    for c, contact in enumerate(problem.pairs):
        if isinstance(contact.law, ImpulsiveLaw):
            continue
        overlap = float(run.table["peak_overlap"][run.table["contact"] == c].max(initial=0.0))
        stiffer = structure_stiffness(problem, contact)
        if overlap > 0.0 and stiffer > 0.0:
            ratio = contact_stiffness(contact.law, overlap) / stiffer
            soft += [(ratio, overlap, run.contacts[c])] if ratio < STIFFER else []
    if soft:
        ratio, _, label = min(soft)
        deepest = max(overlap for _, overlap, _ in soft)
        who = f"{len(soft)} contacts are" if len(soft) > 1 else "one contact is"
        yield (
            f"Stiffness: {who} below {STIFFER:g} times the stiffer structure beside, the rule of langlade2021; least "
            f"at '{label}', {ratio:.2g} times. Structures pass up to {1e3 * deepest:.2g} mm into each other."
        )


def _struck_columns(problem: Problem, run: Simulation) -> Iterator[str]:
    """Yield, in one sentence or two, that slabs strike columns, and what is not known of it."""
    scene = scene_of(problem)
    struck = {c: found for c, touch in enumerate(scene.touches) if (found := scene.struck_column(touch))}
    hit = [c for c in np.unique(run.table["contact"]).astype(int).tolist() if c in struck]
    if not hit:
        return
    shear = column_shear(scene, run)
    worst = max(shear, key=lambda label: shear[label], default=None)
    most = "" if worst is None else f", up to {si(shear[worst], 'N', 3)} of shear in a column at '{worst}'"
    slabs = [pair.law for c, pair in enumerate(problem.pairs) if c not in struck]
    unsaid = any(isinstance(one, Facing) and one.columns and one.column_law is None for one in problem.contacts)
    law = (
        " Their law is that of slabs: `column_law` takes another."
        if unsaid or problem.pairs[hit[0]].law in slabs
        else ""
    )
    yield (
        f"Columns: {'one contact strikes' if len(hit) == 1 else f'{len(hit)} contacts strike'} columns between "
        f"floors{most}. They are taken to stay whole and straight from slab to slab: compare with what they bear.{law}"
    )


def _not_advised(problem: Problem, run: Simulation) -> Iterator[str]:
    """Yield, in one sentence, the contacts that were hit and whose stiffness the adviser would not give."""
    outside = []
    for c in np.unique(run.table["contact"]).astype(int).tolist():
        law, advice = problem.pairs[c].law, advised(problem, run, c)
        if advice is None:
            continue
        # the adviser's rule of ten times the structure says "at least": above it a contact may be, though not at will
        low, high = law.stiffness / advice.low, law.stiffness / (STIFFER * advice.high)
        if low < 1.0 or high > 1.0:
            outside.append((abs(np.log(low if low < 1.0 else high)), c, advice))
    if not outside:
        return
    _, c, advice = max(outside, key=lambda one: one[0])
    law = problem.pairs[c].law
    who = f"of {len(outside)} contacts" if len(outside) > 1 else "of one contact"
    side = "below" if law.stiffness < advice.low else f"more than {STIFFER:g} times above"
    yield (
        f"Contact stiffness: that {who} lies outside what the adviser gives for {MATERIAL}; farthest at "
        f"'{run.contacts[c]}', {law.stiffness:.3g} {stiffness_unit(law.n)}, {side} the range {advice.low:.3g} to "
        f"{advice.high:.3g}. `carom advise`, in Python `carom.stiffness.advise`, tells where these come from."
    )


def _least_known(problem: Problem, run: Simulation, contact_inputs: Sequence[Firmness]) -> Iterator[str]:
    """Yield how far the largest blow moves within what is known of stiffness and restitution."""
    blow, unit = ("impulse", "N s") if _rigid(problem) else ("force", "N")
    for name in ("contact stiffness", "restitution"):
        tried = [one for one in contact_inputs if one.what.startswith(name)]
        if not tried or max(one.largest for one in tried) <= MATTERS:
            continue
        blows = [one.blow for one in tried] + [float(_blows(problem, run).max())]
        range_ = f"over the adviser's range for {MATERIAL}" if name == "contact stiffness" else "0.1 lower and higher"
        yield (
            f"{name.capitalize()}: {range_}, the largest {blow} lies between {si(min(blows), unit, 3)} and "
            f"{si(max(blows), unit, 3)}; peak accelerations change by up to "
            f"{_percent(max(one.acceleration for one in tried))}, displacements by "
            f"{_percent(max(one.displacement for one in tried))}. Use the range, not the single number."
        )


def _blows(problem: Problem, run: Simulation) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = run.table["impulse" if _rigid(problem) else "peak_force"]
    return found


def _unaccounted(problem: Problem, run: Simulation) -> Iterator[str]:
    """Yield that energy is missing from the ledger, and why."""
    residual = float(np.abs(run.ledger["residual"]).max())
    whole = float(run.ledger["input"].max() + run.ledger["kinetic"][0] + run.ledger["strain"][0])
    if whole <= 0.0 or residual <= FIRM * whole:
        return
    if (problem.flat().modal_mass == 0.0).any():
        why = "The ledger does not count what contacts exchange with a wall fixed in space or with another's ground."
    elif "rtol" in run.evidence:
        why = "Tighten analysis.rtol."
    else:
        why = "Shorten analysis.dt."
    yield f"Energy: {_percent(residual / whole)} of it is unaccounted for. {why}"


def _coarse(problem: Problem, run: Simulation) -> Iterator[str]:
    if not run.table["start"].size or run.time.size < 2 or _rigid(problem):
        return
    hardest = int(np.argmax(run.table["peak_force"]))
    dt, duration = float(run.time[1] - run.time[0]), float(run.table["duration"][hardest])
    if duration < COARSE * dt:
        yield (
            f"Sampling: the hardest impact lasts {1e3 * duration:.2g} ms, samples are {1e3 * dt:.2g} ms apart. Peaks "
            f"and impacts are exact all the same; for histories and floor spectra write analysis.sampling = "
            f'"{1e3 * duration / 10:.1g} ms".'
        )


def _rigid(problem: Problem) -> bool:
    return any(isinstance(contact.law, ImpulsiveLaw) for contact in problem.pairs)


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %" if share < 0.995 else f"{100.0 * share:.0f} %"
