"""`carom.ensemble`: one problem a thousand or a million times, each run a little different."""

from __future__ import annotations

import math
import platform
import time as clock
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name, worker_count
from carom.budget import FLOAT, afford
from carom.errors import InputError, refusal
from carom.integrate.ensembles.batches import Found, Progress, Watch, checked_device, on_device
from carom.integrate.ensembles.stores import Stores
from carom.integrate.ensembles.variation import Aspect, Axis, sorted_runs
from carom.integrate.ensembles.varied import OWNER, Names, names_in, take_axes
from carom.integrate.outcomes import OF_RUN, positions_of
from carom.integrate.scenes.ensemble import SceneRuns
from carom.integrate.schemes.base import refuse_beyond_ensemble
from carom.integrate.schemes.capability import needs_of
from carom.integrate.schemes.scenes import SCENE
from carom.integrate.simulate import TOLERANCES
from carom.kernels import endings, ledger
from carom.kernels.event import batch
from carom.laws.base import CompliantLaw
from carom.motions.motion import Motion, MotionSet
from carom.problem import Problem, Support, distinct_labels, told
from carom.results import Ensemble
from carom.results.ensemble import Coordinate
from carom.units import POSITIVE, number

__all__ = ["ensemble"]

Integers = npt.NDArray[np.int64]

ACCOUNT = {
    "impacts": ledger.IMPACTS,
    "peak_force": ledger.LARGEST_FORCE,
    "impulse": ledger.TOTAL_IMPULSE,
    "input_energy": ledger.INPUT,
    "kinetic_energy": ledger.KINETIC,
    "strain_energy": ledger.STRAIN,
    "damping_energy": ledger.DAMPING,
    "contact_energy": ledger.CONTACT_WORK,
    "guarded_impacts": ledger.GUARDED,
    "closed_at_end": ledger.LASTING,
    "unheld_overlap": ledger.UNHELD,
    "steps": ledger.STEPS,
    "rejected_steps": ledger.REJECTED,
}
KEPT = (ledger.STEPS, ledger.REJECTED)
"""What is said of failed runs too."""
ORDER = 8
"""Numbers that say which run is which."""
CHECKED_AT_ONCE = 1 << 16


def ensemble(
    problem: Problem,
    *,
    vary: Mapping[str, Any] | None = None,
    zip: Mapping[str, Any] | None = None,
    rtol: float = 1e-6,
    duration: float | str | None = None,
    sampling: float | str | None = None,
    step_limit: int = 1_000_000,
    twin: bool = False,
    device: str = "cpu",
    progress: Callable[[int, int], object] | None = None,
) -> Ensemble:
    """Run a problem many times, without Python between runs; peaks and accounts are kept, histories are not.

    Every run is what `carom.simulate` gives, to `rtol`, by other steps where a fast path takes it. A run that fails
    never raises: its results are NaN and its status says why.

    Parameters
    ----------
    problem
        What the runs have in common.
    vary
        Name to values: every value with every other, a dimension for each name.
    zip
        Name to values of one length: paired, one dimension ``run`` for all of them, beside those of `vary`.
        Names, in both: ``gap``, ``law`` and the laws' parameters such as ``restitution`` and ``stiffness``, of all
        contacts or of one (``gap:0``, ``gap:left | right``); fields of a structure after its name (``left.mass``,
        ``left.period``, ``left.damping_ratio``, ``left.initial_displacement``); ``motion`` (along x, sets of
        components or mappings from directions, all of one time step) and ``scale``, a factor on the motion.
    rtol
        Tolerance of a step in contact, relative to typical size. 1e-4 is enough for most statistics.
    duration
        Time to run [s]; default: that of the longest motion, the ground rests after shorter ones.
    sampling
        Time between samples [s] where there is no motion; default: a fortieth of the shortest natural period above
        a millisecond that occurs.
    step_limit
        Largest number of steps in contact of one run, tried ones and touches included.
    twin
        Whether to run the structures without contacts too, once for each motion, scale and set of structures.
    device
        ``"cpu"``: all cores.
    progress
        Called with the numbers of finished and of all runs, now and then, from one thread at a time.

    Examples
    --------
    >>> import carom
    >>> left = carom.Oscillator(mass=4600, period=0.6, damping_ratio=0.05, name="left")
    >>> right = carom.Oscillator(mass=3500, period=0.3, damping_ratio=0.05, name="right")
    >>> law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    >>> problem = carom.Problem(
    ...     [left, right], [carom.Contact("left", "right", gap=0.01, law=law)], motion=carom.motions.get("default")
    ... )
    >>> many = carom.ensemble(problem, vary={"gap": [0.01, 0.5], "scale": [0.5, 1.0, 1.5]}, twin=True)
    >>> many
    <Ensemble: 6 runs (gap 2 × scale 3); 0 failed>
    >>> (many.dataset.impacts > 0).values
    array([[ True,  True,  True],
           [False, False, False]])
    >>> many.dataset.displacement_ratio.sel(gap=0.5, dof="left").values
    array([1., 1., 1.])
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    problem = problem.affordable
    scene = problem.flat().scene is not None and not problem.flat().impulsive
    refuse_beyond_ensemble(needs_of(problem.flat()), scene=scene)
    tolerance = number(rtol, "", name="rtol", owner=OWNER, within=TOLERANCES)
    if isinstance(step_limit, bool) or not isinstance(step_limit, (int, np.integer)) or step_limit < 1:
        raise refusal("step_limit", OWNER, "must be a whole number of at least 1", step_limit)
    if not isinstance(twin, bool):
        raise refusal("twin", OWNER, "must be True or False", twin)
    where = checked_device(device) if not scene or device != "cuda" else device
    times = [
        None if value is None else number(value, "s", name=name, owner=OWNER, within=POSITIVE)
        for name, value in (("duration", duration), ("sampling", sampling))
    ]
    outer, paired = _mapping("vary", vary), _mapping("zip", zip)
    if not outer and not paired:
        raise InputError(f"{OWNER} needs something to vary, such as vary={{'gap': [0.01, 0.02]}}.")
    if twice := outer.keys() & paired.keys():
        raise InputError(
            f"{OWNER} finds {', '.join(map(repr, sorted(twice)))} in both `vary` and `zip`. Leave one out."
        )
    names = names_in(problem, [*outer, *paired])
    axes = take_axes(problem, names, outer, paired)

    _refuse_beyond_budget(problem, math.prod(axis.size for axis in axes))
    started = clock.perf_counter()
    runs = np.arange(math.prod(axis.size for axis in axes))
    if scene:
        return _of_scenes(problem, names, axes, times, tolerance, int(step_limit), where, twin, progress)
    stores = Stores(problem, names, axes, *times)
    _refuse_overlap(problem, stores, runs)
    alone = Aspect(axes, {*names.structures, *names.motion, *names.scale}) if twin else None
    shown = Progress(runs.size + (alone.size if alone else 0), progress)
    assembled = clock.perf_counter()
    paths, watch = Counter[str](), Watch()
    order = sorted_runs(axes, names.order) if where == "cuda" else None
    found = on_device(where, stores, runs, tolerance, int(step_limit), shown, paths=paths, watch=watch, order=order)
    twins = None if alone is None else _twins(where, alone, axes, stores, tolerance, int(step_limit), shown)

    return _gathered(
        problem, names, axes, found, alone, twins, started,
        {
            "rtol": tolerance,
            "structures": int(stores.structures.modes.shape[0]),
            "paths": dict(paths),
            **({"left_to_cores": watch.left_to_cores} if where == "cuda" else {}),
            **watch.evidence(),
            "assembly_time": assembled - started,
            "device": where,
        },
    )  # fmt: skip


def _of_scenes(
    problem: Problem, names: Names, axes: Sequence[Axis], times: Sequence[float | None], rtol: float, step_limit: int,
    device: str, twin: bool, progress: Callable[[int, int], object] | None,
) -> Ensemble:  # fmt: skip
    """Run an ensemble of scenes, on cores."""
    if device == "cuda":
        raise refusal(
            "device", OWNER, "must be 'cpu' where contacts have friction or bodies turn", device,
            "GPUs run the engine for small displacements without friction.",
        )  # fmt: skip
    started = clock.perf_counter()
    scenes = SceneRuns(problem, names, axes, *times)
    runs = np.arange(math.prod(axis.size for axis in axes))
    alone = Aspect(axes, {*names.structures, *names.motion, *names.scale}) if twin else None
    shown, watch = Progress(runs.size + (alone.size if alone else 0), progress), Watch()
    assembled = clock.perf_counter()
    found, gauges = scenes.compute(runs, rtol, step_limit, shown)
    watch.look(found.table, found.codes)
    twins = None
    if alone is not None:
        some = np.ravel_multi_index(tuple(alone.positions()), [axis.size for axis in axes]).astype(np.int64)
        apart, _ = scenes.compute(some, rtol, step_limit, shown, contacts=False)
        twins = alone.spread(_peaks(_judged(apart)[0]))
    gauges[found.codes != endings.FINISHED] = np.nan
    return _gathered(
        problem, names, axes, found, alone, twins, started,
        {
            "rtol": rtol,
            "structures": scenes.structures,
            "paths": {SCENE: int(runs.size)},
            **watch.evidence(),
            "assembly_time": assembled - started,
            "device": device,
        },
        gauges, scenes.gauges,
    )  # fmt: skip


def _gathered(
    problem: Problem, names: Names, axes: Sequence[Axis], found: Found, alone: Aspect | None,
    twins: npt.NDArray[np.float64] | None, started: float, evidence: Mapping[str, Any],
    gauge_values: npt.NDArray[np.float64] | None = None, gauges: tuple[str, ...] = (),
) -> Ensemble:  # fmt: skip
    """Return what runs found, over the dimensions on which they lie."""
    sizes = {axis.dim: axis.size for axis in axes}
    table, codes = _judged(found)
    table, codes = table.reshape(*sizes.values(), -1), codes.reshape(*sizes.values())
    runs, apart, seconds = math.prod(sizes.values()), alone.size if alone else 0, clock.perf_counter() - started
    return Ensemble(
        dims=sizes,
        coordinates={
            name: Coordinate(axis.dim, *_labels(name, names, values))
            for axis in axes
            for name, values in axis.values.items()
        },
        dofs=problem.flat().output_labels,
        extremes=_peaks(table),
        account={name: table[..., column] for name, column in ACCOUNT.items()},
        codes=codes,
        twin_dims=tuple(axes[i].dim for i in alone.dims) if alone else (),
        twin=twins,
        evidence={
            "scheme": "event",
            "runs": runs,
            "twins": apart,
            **evidence,
            **({"reduced": few} if (few := told(problem)) is not None else {}),
            "wall_time": seconds,
            "runs_per_second": (runs + apart) / seconds,
            "workers": worker_count(),
            "backend": backend_name(),
            "versions": _versions(),
        },
        gauges=gauges,
        gauge_values=None if gauge_values is None or not gauges else gauge_values.reshape(*sizes.values(), -1, 3),
    )


def _mapping(name: str, given: object) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise refusal(name, OWNER, "must map names to values", given, 'Write {"gap": [0.01, 0.02]}.')
    return given


def _refuse_beyond_budget(problem: Problem, runs: int) -> None:
    """Refuse more runs than there is memory for: what is kept of each, twice while it is put in order.

    Who asks for millions in Python wants them: half of the machine is allowed.
    """
    values = len(ACCOUNT) + 3 * len(problem.flat().output_labels) + ORDER
    afford(
        2.5 * FLOAT * values * runs, what="The ensemble", because=f"{runs:,} runs of {values} values",
        way_out="Vary less at once.", usual=math.inf,
    )  # fmt: skip


def _refuse_overlap(problem: Problem, stores: Stores, runs: Integers) -> None:
    """Refuse, before anything is run, what a single problem would."""
    if problem.allow_overlap or stores.surely_apart:
        return
    for start in range(0, runs.size, CHECKED_AT_ONCE):
        some = runs[start : start + CHECKED_AT_ONCE]
        stores.refuse_overlap(stores.picks(some, some), problem.flat().contact_labels)


def _twins(
    device: str, alone: Aspect, axes: Sequence[Axis], stores: Stores, rtol: float, step_limit: int, progress: Progress
) -> npt.NDArray[np.float64]:
    """Return the peaks of structures that never meet, over the dimensions on which they depend."""
    runs = np.ravel_multi_index(tuple(alone.positions()), [axis.size for axis in axes]).astype(np.int64)
    found = on_device(device, stores, runs, rtol, step_limit, progress, contacts=False)
    return alone.spread(_peaks(_judged(found)[0]))


def _judged(found: Found) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8]]:
    """Return the table with NaN for what failed, and how each run ended as results keep it."""
    codes = positions_of(found.codes, OF_RUN)
    failed = np.flatnonzero(found.codes != endings.FINISHED)
    if failed.size:
        lost = np.setdiff1d(np.arange(found.table.shape[1]), KEPT)
        found.table[np.ix_(failed, lost)] = np.nan
    return found.table, codes


def _peaks(table: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    peaks = table[..., batch.ACCOUNT_KEPT :]
    return peaks.reshape(*peaks.shape[:-1], -1, 3)


def _labels(name: str, names: Names, values: Any) -> tuple[npt.NDArray[Any], str]:
    """Return the values as labels of a dimension, and their unit: names of laws and motions, positions of lists."""
    if isinstance(values, np.ndarray):
        if values.ndim > 1:
            return np.arange(len(values)), ""
        return values, "m" if name in names.gaps else ""
    if all(isinstance(value, (Motion, MotionSet, Support, CompliantLaw)) for value in values):
        return np.array(distinct_labels(value.name for value in values)), ""
    if all(isinstance(value, (int, float, str)) for value in values):
        return np.array(values), ""
    return np.arange(len(values)), ""


def _versions() -> dict[str, str]:
    import numba

    return {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__}
