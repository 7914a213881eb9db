"""What does pounding do here? The run, its twin without contact, floor spectra, and how firm all of it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import CaromError
from carom.integrate.simulate import simulate
from carom.motions import Motion, response_spectrum
from carom.problem import Problem
from carom.problem.relations import spread_over_outputs
from carom.results import Firmness, FloorSpectra, Pounding, Scene, Simulation
from carom.studies.between import largest_of_each, with_rates
from carom.studies.single.asked import asked_of, base_shears
from carom.studies.single.cautions import cautions
from carom.studies.single.close_up import close_ups
from carom.studies.single.contact_inputs import other_inputs
from carom.studies.single.forms import with_drawn
from carom.studies.single.scene import scene_of
from carom.studies.single.slabs import slab_spectra

__all__ = ["first_look", "second_look", "study_pounding"]

PERIODS = np.geomspace(0.02, 4.0, 120)
"""Periods of floor spectra [s]."""
GAP_CHANGE = 0.01
"""By how much gaps are widened and narrowed to see what depends on them."""
SMALL_GAP = 1e-4
"""The gap [m] that touching neighbours are given instead."""
TIGHTER = 0.01
"""By how much the tolerance is tightened to see what depends on it."""


def study_pounding(
    problem: Problem,
    *,
    title: str = "",
    remarks: Sequence[str] = (),
    spectrum_damping: float = 0.05,
    checks: bool = True,
    tell: Callable[[str], None] = lambda _: None,
    run: Simulation | None = None,
    **options: Any,
) -> Pounding:
    """Run a problem with and without contact.

    Parameters
    ----------
    problem
        Structures, contacts and motion.
    title
        One line for reports.
    remarks
        What is known already that a reader should know, such as what a file's reader warned of; the first cautions.
    spectrum_damping
        Damping ratio of the floor spectra [–].
    checks
        Whether to run again with gaps 1 % wider and narrower, with contact stiffnesses at both ends of the adviser's
        range, with other restitutions, and with a tolerance a hundred times tighter or, where a time step was chosen,
        with half of it.
    tell
        Called with a few words before each stage.
    run
        The run with contact, where it was made already, with the same options.
    options
        As for `carom.simulate`: ``scheme`` and its own options, ``rtol``, ``duration``, ``sampling``, ``step_limit``.
    """
    tell("with contact")
    asked = asked_of(problem)
    problem = with_drawn(problem) if run is None else problem
    run = simulate(problem, **options) if run is None else run
    tell("without contact")
    twin = simulate(problem.without_contacts(), **options)
    scene = scene_of(problem)
    sensitivity: tuple[Firmness, ...] = ()
    contact_inputs: tuple[Firmness, ...] = ()
    tolerance = None
    if checks and run.table["start"].size:
        tell("with other gaps")
        sensitivity = _sensitivity(problem, run, scene, options)
        tell("with other contact stiffness and restitution")
        contact_inputs = _run_again(dict(other_inputs(problem, run)), run, scene, options)
        tell("with a tighter tolerance")
        tolerance = _tightened(problem, run, scene, options)
    tell("impacts closely")
    loops = close_ups(problem, run, scheme=options.get("scheme", "event"), rtol=options.get("rtol", 1e-6))
    tell("floor spectra")
    spectra = _spectra(run, twin, spectrum_damping, range(len(run.dofs)))
    slabs = tuple(slab_spectra(scene, run, twin, PERIODS, spectrum_damping))
    return Pounding(
        title=title, scene=scene, run=run, twin=twin, needed_gaps=_needed_gaps(problem, run, twin), spectra=spectra,
        slab_spectra=slabs, loops=loops, sensitivity=sensitivity,
        contact_inputs=contact_inputs, tolerance=tolerance,
        cautions=(*remarks, *cautions(problem, run, sensitivity, tolerance, contact_inputs)),
        asked=asked, base=base_shears(problem) if scene.in_space else (),
    )  # fmt: skip


def first_look(problem: Problem, *, title: str = "", twin: Simulation | None = None, **options: Any) -> Pounding:
    """Run a problem with and without contact and say no more than these two runs do: for what follows a slider.

    `twin` is the run without contact, where it was made already: gaps and laws do not change it.
    """
    run = simulate(problem, **options)
    twin = simulate(problem.without_contacts(), **options) if twin is None else twin
    return Pounding(
        title=title, scene=scene_of(problem), run=run, twin=twin, needed_gaps=_needed_gaps(problem, run, twin)
    )


def second_look(problem: Problem, seen: Pounding, *, spectrum_damping: float = 0.05, **options: Any) -> Pounding:
    """Return a first look with cautions, the hardest impact closely, and spectra of highest floors (NaN of others)."""
    run = seen.run
    closely = {"scheme": options.get("scheme", "event"), "rtol": options.get("rtol", 1e-6)}
    return replace(
        seen,
        loops=close_ups(problem, run, most=1, **closely),
        spectra=_spectra(run, seen.twin, spectrum_damping, [one.top for one in seen.scene.shaken]),
        cautions=tuple(cautions(problem, run, (), None, ())),
    )


def _needed_gaps(problem: Problem, run: Simulation, twin: Simulation) -> npt.NDArray[np.float64]:
    """Return how far each contact closes [m] where nothing touches: with gaps as wide as that nothing would have.

    The twin knows no contacts. What the grounds of two sides do is the same in both runs, and the run's own gaps tell
    it; only the structures' displacements differ.
    """
    flat = problem.flat()
    own = flat.mode_structure >= 0
    weights = spread_over_outputs(flat.outputs[:, own], flat.push[:, own])
    closed = flat.gap - run.gap + (twin.displacement - run.displacement) @ weights
    dt = float(run.time[1] - run.time[0])
    return largest_of_each(with_rates(closed, dt), dt)


def _sensitivity(problem: Problem, run: Simulation, scene: Scene, options: dict[str, Any]) -> tuple[Firmness, ...]:
    """Run again with other gaps: by their share, or, where none is open, by a little."""
    if any(touch.gap != 0.0 for touch in scene.touches):
        shifts = {f"gaps 1 % {word}": (1.0 + sign * GAP_CHANGE, 0.0) for word, sign in (("wider", 1), ("narrower", -1))}
    else:
        shifts = {f"gaps of {1e3 * SMALL_GAP:g} mm": (1.0, SMALL_GAP)}

    def shifted(factor: float, more: float) -> Problem:
        gaps = (_gap_of(problem, i) for i in range(len(problem.contacts)))
        contacts = (
            contact if gap is None else contact.replace(gap=_changed(gap, factor, more))
            for contact, gap in zip(problem.contacts, gaps, strict=True)
        )  # fmt: skip
        return problem.replace(contacts=tuple(contacts))

    others = {}
    for words, shift in shifts.items():
        with suppress(CaromError):  # structures may start closer than the narrower gap
            others[words] = shifted(*shift)
    return _run_again(others, run, scene, options)


def _run_again(
    others: Mapping[str, Problem], run: Simulation, scene: Scene, options: dict[str, Any]
) -> tuple[Firmness, ...]:
    """Return what becomes of a run in other problems, those that can be run."""
    found = []
    for words, other in others.items():
        try:
            found.append(_firmness(words, run, simulate(other, **options), scene))
        except CaromError:  # it may take more steps than the user allows
            continue
    return tuple(found)


def _gap_of(problem: Problem, contact: int) -> Any:
    """Return the gap of a contact as given; of decks that stand as they are placed that at both ends, None for soil."""
    given = problem.contacts[contact].gap
    pairs = problem.pairs_of(contact)
    if given is not None or not pairs:
        return given
    return problem.pairs[pairs[0]].gap, problem.pairs[pairs[-1]].gap


def _changed(gap: Any, factor: float, more: float) -> Any:
    return tuple(factor * one + more for one in gap) if isinstance(gap, tuple) else factor * gap + more


def _tightened(problem: Problem, run: Simulation, scene: Scene, options: dict[str, Any]) -> Firmness | None:
    """Run again with half the time step, where the scheme has one, or with a tighter tolerance.

    None for rigid contacts followed from event to event: they know neither.
    """
    step = run.evidence.get("time_step", run.evidence.get("step"))
    if step is not None:
        change, words = {"dt": 0.5 * step}, f"half the time step ({0.5e3 * step:.3g} ms)"
    elif "rtol" in run.evidence:
        tight = max(TIGHTER * options.get("rtol", 1e-6), 1e-12)
        change, words = {"rtol": tight}, f"rtol = {tight:g}"
    else:
        return None
    try:
        other = simulate(problem, **{**options, **change})
    except CaromError:  # it may ask for more steps than the user allows
        return None
    return _firmness(words, run, other, scene)


def _firmness(what: str, run: Simulation, other: Simulation, scene: Scene) -> Firmness:
    """Return how far peaks moved: of each structure's largest displacement and acceleration, of the largest blow."""

    def change(column: int) -> float:
        tops = [[s.extremes[list(one.sliding), column].max() for s in (run, other)] for one in scene.shaken]
        return max((abs(after / before - 1.0) for before, after in tops if before > 0.0), default=0.0)

    blow = "impulse" if any(touch.rigid for touch in scene.touches) else "peak_force"
    forces = [float(s.table[blow].max(initial=0.0)) for s in (run, other)]
    return Firmness(
        what=what,
        displacement=float(change(0)),
        acceleration=float(change(2)),
        force=abs(forces[1] / forces[0] - 1.0),
        blow=forces[1],
        impacts=int(other.table["start"].size - run.table["start"].size),
    )


def _spectra(run: Simulation, twin: Simulation, damping: float, floors: Sequence[int]) -> FloorSpectra:
    """Return floor spectra of some degrees of freedom, with and without contact; NaN for all others."""
    dt = float(run.time[1] - run.time[0])
    shaken = [Motion(s.acceleration[:, i], dt=dt) for s in (run, twin) for i in floors]
    found = response_spectrum(shaken, PERIODS, damping)

    def placed(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        whole = np.full((len(run.dofs), PERIODS.size), np.nan)
        whole[list(floors)] = values
        return whole

    psa, psa_without, psv, psv_without = map(placed, (*np.split(found.psa, 2), *np.split(found.psv, 2)))
    return FloorSpectra(PERIODS, damping, psa, psv, psa_without, psv_without)
