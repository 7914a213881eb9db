"""`carom.simulate`: structures that may hit each other, under ground motion or released from rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.budget import RunSize
from carom.errors import InputError, RunError, refusal
from carom.integrate.frames import frames_of
from carom.integrate.scenes.body_forms import body_forms_of
from carom.integrate.scenes.deck_plans import deck_plan_of
from carom.integrate.schemes.base import Task, run_scheme, schemes
from carom.problem import FlatProblem, Problem, reduction_cautions, told
from carom.results import Simulation
from carom.units import POSITIVE, Range, number

__all__ = ["ground_of", "lengthened", "refuse_beyond_budget", "simulate", "why_failed"]

OWNER = "simulate"
FINEST = 1000
"""The history is sampled at simple parts of the record's samples, at most this fine."""
TOLERANCES = Range(1e-12, 1e-3, low_open=False, high_open=False)


def simulate(
    problem: Problem,
    *,
    scheme: str = "event",
    rtol: float = 1e-6,
    duration: float | str | None = None,
    sampling: float | str | None = None,
    step_limit: int = 1_000_000,
    fail: str = "raise",
    **options: Any,
) -> Simulation:
    """Run a problem to the end of its record.

    Parameters
    ----------
    problem
        Who stands beside whom, shaken how.
    scheme
        ``"event"``: exact between impacts, every touch located, contact stepped to tolerance. Step by step, with
        ``dt=`` or to `rtol`: ``"newmark"``, ``"hht-alpha"``, ``"rk4"``, ``"radau-iia"``, …; `carom schemes` lists them.
        Their peaks are those at the steps, of displacements and velocities also between them.
    rtol
        Tolerance of a step (of the event-driven scheme: in contact), relative to typical size.
    duration
        Time to run [s]; default: the record's. Longer: the ground rests after the record.
    sampling
        Time between samples of the history [s]; default: the record's, and without a record a fortieth of the shortest
        natural period above a millisecond. The answer does not depend on it.
    step_limit
        Largest number of steps in contact, tried ones and touches included.
    fail
        ``"raise"`` (default), or ``"return"`` to get a failed run as a result too, up to where it came.
    options
        What the scheme takes besides.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    schemes.name_of(scheme)
    if fail not in ("raise", "return"):
        raise refusal("fail", OWNER, "must be 'raise' or 'return'", fail)
    tolerance = number(rtol, "", name="rtol", owner=OWNER, within=TOLERANCES)
    if isinstance(step_limit, bool) or not isinstance(step_limit, (int, np.integer)) or step_limit < 1:
        raise refusal("step_limit", OWNER, "must be a whole number of at least 1", step_limit)
    problem = problem.affordable
    flat = problem.flat()
    refuse_beyond_budget(flat, scheme, duration, sampling, options.get("dt"))
    ground, dt = ground_of(flat, duration, sampling)
    ground.flags.writeable = False  # as a record's always is: to the compiler another type, and another kernel
    run = run_scheme(scheme, Task(flat, ground, dt, tolerance, int(step_limit)), options)
    run.provide("frames", partial(frames_of, problem, run.extremes))  # not of `run`: who holds himself is freed late
    if flat.scene is not None and flat.scene.turning:
        run.provide("deck_plan", lambda: deck_plan_of(problem))
        run.provide("body_forms", lambda: body_forms_of(problem))
    remarks: dict[str, Any] = {"unlikely": list(problem.unlikely)} if problem.unlikely else {}
    if (few := told(problem)) is not None:
        remarks["reduced"] = few
        if cautions := reduction_cautions(problem):
            remarks["cautions"] = [*run.evidence.get("cautions", ()), *cautions]
    if remarks:  # in place: a copy of the run would work out its histories
        object.__setattr__(run, "evidence", {**run.evidence, **remarks})
    if sampling is not None and flat.ground.shape[2] > 0 and (every := _base(flat, sampling).numerator) > 1:
        run = _thinned(run, every)
    if run.outcome.failed and fail == "raise":
        raise RunError(f"The run failed: {why_failed(run)}.")
    asked = {"scheme": scheme, "rtol": rtol, "duration": duration, "sampling": sampling, "step_limit": step_limit}
    run.remember(problem, {**asked, **options})
    return run


def refuse_beyond_budget(
    flat: FlatProblem, scheme: str, duration: float | str | None, sampling: float | str | None, dt: object = None
) -> None:
    """Refuse a run that takes more memory or time than is allowed, before its arrays are made."""
    lasting, step = _samples(flat, duration, sampling)
    steps = lasting / _step(dt)
    modes = flat.omega.size * (1 if flat.classical else 2)  # histories of complex modes are twice as wide
    RunSize(
        lasting / step, modes, flat.gap.size, flat.drives.support.size, steps=steps, stepping=scheme != "event"
    ).refuse_beyond()  # fmt: skip


def _step(dt: object) -> float:
    """Return the step of a scheme [s], infinite where it has none; what is no step is for the scheme to refuse."""
    try:
        return math.inf if dt is None else number(dt, "s", name="dt", owner=OWNER, within=POSITIVE)
    except InputError:
        return math.inf


def _samples(flat: FlatProblem, duration: float | str | None, sampling: float | str | None) -> tuple[float, float]:
    """Return how long the run lasts and how far its samples lie apart [s]."""
    asked = None if duration is None else number(duration, "s", name="duration", owner=OWNER, within=POSITIVE)
    chosen = None if sampling is None else number(sampling, "s", name="sampling", owner=OWNER, within=POSITIVE)
    recorded = flat.ground.shape[2]
    if recorded:
        return asked or recorded * flat.dt, min(chosen or flat.dt, flat.dt)
    if asked is None:
        raise InputError("simulate needs `duration` [s] for a problem without ground motion.")
    quick = flat.omega[(flat.omega > 0.0) & (flat.omega < 2000.0 * np.pi)]
    usual = 2.0 * np.pi / (40.0 * float(quick.max())) if quick.size else asked / 1000.0
    return asked, chosen or usual


def why_failed(run: Simulation) -> str:
    """Return why a run failed, when, and what it found wrong with itself."""
    reached = run.evidence.get("reached", run.time[-1])
    return f"{run.outcome.text} (at t = {reached:.9g} s{_seen(run.evidence)})"


def _seen(evidence: Mapping[str, Any]) -> str:
    """Return what a run found wrong with itself, as the end of a sentence."""
    fault = evidence.get("fault")
    if fault is None:
        return ""
    where = f", contact {fault['contact']!r}" if fault["contact"] is not None else ""
    return f"{where}: {fault['what']}, {fault['value']:.3g} {fault['unit']}"


def ground_of(
    flat: FlatProblem, duration: float | str | None, sampling: float | str | None
) -> tuple[npt.NDArray[np.float64], float]:
    """Return the rows of ground acceleration to run with (`FlatProblem.driven`), and their time step."""
    if flat.ground.shape[2] == 0:
        lasting, dt = _samples(flat, duration, sampling)
        samples = max(int(np.ceil(lasting / dt - 1e-9)), 1) + 1
        return np.zeros((flat.drives.support.size, samples)), lasting / (samples - 1)
    asked = None if duration is None else number(duration, "s", name="duration", owner=OWNER, within=POSITIVE)
    ground = lengthened(flat.driven, flat.dt, asked)
    parts = 1 if sampling is None else _base(flat, sampling).denominator
    if parts == 1:
        return ground, flat.dt
    coarse = np.arange(ground.shape[1])
    fine = np.arange((ground.shape[1] - 1) * parts + 1) / parts
    return np.array([np.interp(fine, coarse, row) for row in ground]), flat.dt / parts


def lengthened(ground: npt.NDArray[np.float64], dt: float, lasting: float | None) -> npt.NDArray[np.float64]:
    """Return rows of ground acceleration that last so long [s]: cut off, or at rest behind their end."""
    if lasting is None:
        return ground
    samples = int(np.ceil(lasting / dt - 1e-9)) + 1
    padded = np.zeros((ground.shape[0], samples))
    padded[:, : min(samples, ground.shape[1])] = ground[:, :samples]
    return padded


def _base(flat: FlatProblem, sampling: float | str) -> Fraction:
    """Return the samples asked for in units of the record's: a record is straight lines, so that finer ones fit it."""
    asked = number(sampling, "s", name="sampling", owner=OWNER, within=POSITIVE)
    ratio = Fraction(asked / flat.dt).limit_denominator(FINEST)
    if ratio == 0 or abs(float(ratio) * flat.dt - asked) > 1e-9 * asked:
        raise refusal(
            "sampling", OWNER, f"must be a simple multiple or part of the record's {flat.dt:g} s", sampling,
            f"The parts may be as fine as 1/{FINEST}.",
        )  # fmt: skip
    return ratio


def _thinned(run: Simulation, every: int) -> Simulation:
    """Return a run whose history keeps every so manieth sample."""
    histories = ("time", "displacement", "velocity", "acceleration", "force", "gap")
    kept = {name: getattr(run, name)[::every] for name in histories}
    if (record := run.scene_record) is not None:
        over_time = {name: value for name, value in vars(record).items() if np.shape(value)[:1] == run.time.shape}
        kept["scene_record"] = replace(record, **{name: value[::every] for name, value in over_time.items()})
    return replace(run, ledger={name: values[::every] for name, values in run.ledger.items()}, **kept)
