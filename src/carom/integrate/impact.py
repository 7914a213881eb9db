"""`carom.impact`: one impact, or arrays of them, to tolerance."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled, in_threads
from carom.errors import InputError, RunError, ValidityWarning, refusal
from carom.integrate.outcomes import OF_IMPACT, positions_of
from carom.integrate.tables.user_laws import kernel_for, scales_for
from carom.kernels import endings
from carom.kernels.explicit.single_impacts import run as kernel
from carom.kernels.explicit.single_impacts.step import SETUP_ROW, TOP_RATE, WORK_COLUMNS, WORK_ROWS
from carom.kernels.laws import power_law
from carom.laws.base import CompliantLaw, DampedLaw, FunctionLaw
from carom.results import Impact, Impacts
from carom.units import NONNEGATIVE, POSITIVE, Range, array, number, standard_gravity

__all__ = ["Conditions", "conditions_of", "impact", "strike"]

Quantity = float | str | npt.ArrayLike

OWNER = "impact"
TOLERANCES = Range(1e-13, 1e-3, low_open=False, high_open=False)
GUARD = (
    "The guard on v0 changed the damping: the touch is so slow that χ = d·K/v0 as published would glue the bodies "
    'together, and v0 is half the largest rate since touch. v0="published" in the law leaves it as published.'
)
NO_TIMES = np.empty(0)
NO_SAMPLES = np.empty((0, 3))


@dataclass(frozen=True, slots=True)
class Conditions:
    """The set-up of an impact in SI units: what moves, how fast, under what else than the contact."""

    mass: Any
    velocity: Any
    gravity: Any = 0.0
    pendulum: Any = 0.0
    """Restoring term g/l of a pendulum [1/s²]."""
    rtol: float = 1e-9
    step_limit: int = 10_000

    @property
    def many(self) -> bool:
        """Whether some of it is an array: many impacts."""
        return any(isinstance(x, np.ndarray) for x in (self.mass, self.velocity, self.gravity, self.pendulum))


def impact(
    law: CompliantLaw,
    *,
    mass: Quantity | None = None,
    masses: Sequence[Quantity] | None = None,
    velocity: Quantity | None = None,
    drop: float | str | None = None,
    gravity: Quantity = 0.0,
    pendulum_length: Quantity | None = None,
    wave_speed: float | str | None = None,
    yield_force: float | str | None = None,
    rtol: float = 1e-9,
    step_limit: int = 10_000,
    fail: str = "raise",
) -> Any:
    """Follow one impact from first touch to the end of contact.

    Parameters
    ----------
    law
        A law of the catalogue, from `carom.law`.
    mass, masses
        The body against a fixed one [kg], or the two bodies; one of the two must be given.
    velocity
        Relative velocity at first touch [m/s].
    drop
        Instead of `velocity`: the height [m] from which the body falls under `gravity` (standard if zero).
    gravity
        Acceleration that presses the body on during contact [m/s²]; for one mass against a fixed body.
    pendulum_length
        Length [m] of the pendulum on which the body hangs: adds the restoring term m g/l.
    wave_speed, yield_force
        √(E/ρ) [m/s] and the force at first yield [N] of the softer body, to warn where a law's validity ends. An e for
        which the law is not meant warns too.
    rtol
        Tolerance of a step, relative to typical size; the achieved restitution is right to about that, mostly better.
    step_limit
        Largest number of steps, tried ones included.
    fail
        ``"raise"`` (default), or ``"return"`` to get a failed impact as a result too.

    Returns
    -------
    Impact
        With mass, velocity or parameters of the law given as arrays: `Impacts`, their broadcast shape.
    """
    conditions = conditions_of(
        mass=mass,
        masses=masses,
        velocity=velocity,
        drop=drop,
        gravity=gravity,
        pendulum_length=pendulum_length,
        rtol=rtol,
        step_limit=step_limit,
    )
    if fail not in ("raise", "return"):
        raise refusal("fail", OWNER, "must be 'raise' or 'return'", fail)
    if not isinstance(law, CompliantLaw):
        raise refusal("law", OWNER, "must be a law", law, 'Build one by carom.law("name", stiffness=…).')
    if conditions.many or law.many:
        results = _many(law, conditions)
        _validity(law, conditions.velocity, results, wave_speed, yield_force)
        return results

    notes: tuple[str, ...] = ()
    if isinstance(law, DampedLaw) and law.empirical:
        from carom.integrate.calibration import solve_damping

        law = solve_damping(law, conditions)
        unit = law.unit_of("damping").replace("*", "·")
        notes = (f"{law.name} relates no damping to e: {law.damping:.6g} {unit} was found by calibration.",)
    result = strike(law, conditions)
    notes += result.notes + _validity(law, conditions.velocity, result, wave_speed, yield_force)
    if notes:
        object.__setattr__(result, "notes", notes)
    if result.outcome.failed and fail == "raise":
        raise RunError(f"The impact with {law.name} failed: {result.outcome.text}.")
    return result


def strike(law: CompliantLaw, conditions: Conditions) -> Impact:
    """Run one impact with inputs already checked."""
    form = law.power_form(conditions.mass)
    code, out, top = _run(law, row := form.packed(), conditions, NO_TIMES, NO_SAMPLES)
    values = out.tolist()
    mass, velocity = conditions.mass, conditions.velocity
    separated = code == endings.SEPARATED
    rebound = values[kernel.REBOUND_RATE] if separated else 0.0
    end = values[kernel.END_OVERLAP]
    work_by_others = mass * end * (conditions.gravity - 0.5 * conditions.pendulum * end) if separated else 0.0
    return Impact(
        law,
        mass,
        velocity,
        values[kernel.PEAK_FORCE],
        values[kernel.PEAK_OVERLAP],
        values[kernel.DURATION] if separated else math.inf,
        rebound / velocity if velocity > 0.0 else 0.0,
        0.5 * mass * (velocity * velocity - rebound * rebound) + work_by_others,
        values[kernel.APPROACH_LOSS],
        values[kernel.RESTITUTION_LOSS],
        end if separated else 0.0,
        values[kernel.PEAK_FORCE_TIME],
        values[kernel.PEAK_OVERLAP_TIME],
        OF_IMPACT[code],
        int(values[kernel.STEPS]),
        int(values[kernel.REJECTED]),
        (GUARD,) if _guarded(law, row, conditions.velocity, top) else (),
        _follower(law, conditions),
        values[kernel.DURATION],
    )


def _guarded(law: CompliantLaw, row: npt.NDArray[np.float64], velocity: float, top: float) -> bool:
    """Tell whether the guard on v0 changed the damping: gravity has more than doubled the rate since touch."""
    scaled = row[power_law.RATE_POWER] != 0.0 and row[power_law.DAMPING] != 0.0
    guards = scaled and row[power_law.PUBLISHED_RATE] == 0.0 and not isinstance(law, FunctionLaw)
    return bool(guards and top > 2.0 * velocity)


def _run(
    law: CompliantLaw,
    c: npt.NDArray[np.float64],
    conditions: Conditions,
    times: npt.NDArray[np.float64],
    samples: npt.NDArray[np.float64],
) -> tuple[int, npt.NDArray[np.float64], float]:
    """Return how an impact ended, its results and the largest rate since touch [m/s]."""
    scale = 0.0
    if isinstance(law, FunctionLaw):
        kind: Any = type(law)
        run = kernel_for(kind)
        c, scale = scales_for(law, conditions.mass, conditions.velocity, conditions.gravity)
    else:
        run = compiled(kernel.impact)
    out = np.empty(kernel.SIZE)
    work = np.zeros((WORK_ROWS, WORK_COLUMNS))
    code = run(
        c,
        conditions.mass,
        conditions.velocity,
        conditions.gravity,
        conditions.pendulum,
        scale,
        conditions.rtol,
        conditions.step_limit,
        times,
        samples,
        work,
        out,
    )
    return code, out, float(work[SETUP_ROW, TOP_RATE])


def _follower(
    law: CompliantLaw, conditions: Conditions
) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    def follow(times: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if times.ndim != 1 or times.size == 0 or not np.all(np.diff(times) >= 0.0) or np.isnan(times).any():
            raise refusal("times", "sample", "must be a row of increasing times", times)
        samples = np.full((times.size, 3), np.nan)
        code, out, _ = _run(law, law.power_form(conditions.mass).packed(), conditions, times, samples)
        if code == endings.SEPARATED:
            after = times > out[kernel.DURATION]
            samples[after] = 0.0, -out[kernel.REBOUND_RATE], 0.0
        return samples

    return follow


def _many(law: CompliantLaw, conditions: Conditions) -> Impacts:
    if isinstance(law, FunctionLaw):
        raise InputError(
            f"impact takes arrays with laws of the catalogue's form only: the kernel of many impacts does not hold "
            f"{law.name}, a Python function. Call carom.impact once for each impact, with single values."
        )
    if isinstance(law, DampedLaw) and law.empirical:
        law.damping_value()  # says that damping must be given
    inputs = (conditions.mass, conditions.velocity, conditions.gravity, conditions.pendulum)
    try:
        rows = law.power_form(conditions.mass).packed()
        shape = np.broadcast_shapes(rows.shape[:-1], *(np.shape(x) for x in inputs))
    except ValueError:
        raise InputError(
            "The arrays of impact must have one shape, or broadcast. Got "
            f"mass {np.shape(conditions.mass)}, velocity {np.shape(conditions.velocity)}, gravity "
            f"{np.shape(conditions.gravity)} and the law's own arrays."
        ) from None
    rows = np.ascontiguousarray(np.broadcast_to(rows, (*shape, rows.shape[-1]))).reshape(-1, rows.shape[-1])
    mass, velocity, gravity, pendulum = (
        np.ascontiguousarray(np.broadcast_to(np.asarray(x, dtype=np.float64), shape)).ravel() for x in inputs
    )
    size = mass.size
    out = np.empty((size, kernel.SIZE))
    codes = np.empty(size, dtype=np.int64)
    batch = compiled(kernel.impact_batch)

    def run(start: int, stop: int) -> None:
        work = np.empty((WORK_ROWS, WORK_COLUMNS))
        batch(
            rows,
            mass,
            velocity,
            gravity,
            pendulum,
            conditions.rtol,
            conditions.step_limit,
            start,
            stop,
            work,
            out,
            codes,
        )

    in_threads(run, size)
    separated, ended = codes == endings.SEPARATED, positions_of(codes, OF_IMPACT)
    rebound = np.where(separated, out[:, kernel.REBOUND_RATE], 0.0)
    end = np.where(separated, out[:, kernel.END_OVERLAP], 0.0)
    others = mass * end * (gravity - 0.5 * pendulum * end)
    e = np.divide(rebound, velocity, out=np.zeros(size), where=velocity > 0.0)
    columns = (
        out[:, kernel.PEAK_FORCE],
        out[:, kernel.PEAK_OVERLAP],
        np.where(separated, out[:, kernel.DURATION], np.inf),
        e,
        0.5 * mass * (velocity**2 - rebound**2) + others,
        out[:, kernel.APPROACH_LOSS],
        out[:, kernel.RESTITUTION_LOSS],
        end,
    )
    peak_force, peak_overlap, duration, e, lost, approach, restitution, end = (
        column.reshape(shape).copy() for column in columns
    )
    return Impacts(peak_force, peak_overlap, duration, e, lost, approach, restitution, end, ended.reshape(shape))


def conditions_of(
    *,
    mass: Any = None,
    masses: Any = None,
    velocity: Any = None,
    drop: Any = None,
    gravity: Any = 0.0,
    pendulum_length: Any = None,
    rtol: float = 1e-9,
    step_limit: int = 10_000,
) -> Conditions:
    """Check the set-up and bring it to SI units."""
    g = _take(gravity, "m/s^2", "gravity", NONNEGATIVE)
    if masses is not None:
        if mass is not None:
            raise InputError("impact takes `mass` (one body against a fixed one) or `masses` (two bodies), not both.")
        if isinstance(masses, str) or not hasattr(masses, "__len__") or len(masses) != 2:
            raise refusal("masses", OWNER, "must be two masses (m1, m2) in kg", masses)
        if np.any(np.asarray(g) != 0.0):
            raise InputError("impact with `masses`: gravity acts alike on two free bodies. Leave `gravity` out.")
        one, two = (_take(m, "kg", "masses", POSITIVE) for m in masses)
        effective = one * two / (one + two)
    elif mass is not None:
        effective = _take(mass, "kg", "mass", POSITIVE)
    else:
        raise InputError("impact needs `mass` [kg] of a body that meets a fixed one, or `masses` (m1, m2) of two.")
    if drop is not None:
        if velocity is not None:
            raise InputError("impact takes `velocity` or `drop`, not both.")
        height = _take(drop, "m", "drop", NONNEGATIVE)
        if isinstance(g, float) and g == 0.0:
            g = standard_gravity
        v = np.sqrt(2.0 * g * height)
        v = float(v) if np.ndim(v) == 0 else v
    elif velocity is not None:
        way_out = "Velocity counts positive while the bodies approach."
        v = _take(velocity, "m/s", "velocity", NONNEGATIVE, way_out)
    else:
        raise InputError("impact needs `velocity` [m/s] at first touch, or `drop` [m], the height of fall.")
    still = v == 0.0 and g == 0.0 if type(v) is type(g) is float else np.any((np.equal(v, 0.0)) & np.equal(g, 0.0))
    if still:
        raise refusal("velocity", OWNER, "must be positive without gravity", 0.0, "Nothing would happen.")
    restoring: Any = 0.0
    if pendulum_length is not None:
        length = _take(pendulum_length, "m", "pendulum_length", POSITIVE)
        restoring = standard_gravity / length
    tolerance = number(rtol, "", name="rtol", owner=OWNER, within=TOLERANCES)
    if isinstance(step_limit, bool) or not isinstance(step_limit, (int, np.integer)) or step_limit < 1:
        raise refusal("step_limit", OWNER, "must be a whole number of at least 1", step_limit)
    return Conditions(effective, v, g, restoring, tolerance, int(step_limit))


def _take(value: Any, unit: str, name: str, within: Range, way_out: str = "") -> Any:
    if type(value) is float and value in within and value < math.inf:
        return value
    if isinstance(value, (np.ndarray, list, tuple)) and np.ndim(value) > 0:
        return array(value, unit, name=name, owner=OWNER, within=within, way_out=way_out)
    return number(value, unit, name=name, owner=OWNER, within=within, way_out=way_out)


def _validity(
    law: CompliantLaw, velocity: Any, result: Impact | Impacts, wave_speed: Any, yield_force: Any
) -> tuple[str, ...]:
    """Warn where impacts leave what the law is stated for (alves2015 sections 3 and 4); return the warnings."""
    said: list[str] = []
    intended = law.intended_restitution
    if intended is not None and isinstance(law, DampedLaw) and law.damping is None:
        outside = intended.outside(np.asarray(law.restitution))
        if outside.size:
            said.append(
                f"restitution {outside[0]:g} is outside {intended}, for which the law is meant: see what is achieved, "
                "or use `calibrated` or hunt-crossley-exact."
            )
    if wave_speed is not None:
        speed = number(wave_speed, "m/s", name="wave_speed", owner=OWNER, within=POSITIVE)
        fastest = float(np.max(velocity))
        if fastest > 1e-5 * speed:
            said.append(
                f"velocity {fastest:.3g} m/s is not well below 1e-5 of the wave speed "
                f"({1e-5 * speed:.3g} m/s): waves and local plasticity are outside the law."
            )
    if yield_force is not None:
        limit = number(yield_force, "N", name="yield_force", owner=OWNER, within=POSITIVE)
        largest = float(np.max(result.peak_force))
        if largest > limit:
            said.append(f"peak force {largest:.4g} N exceeds the yield force {limit:.4g} N.")
    for text in said:
        warnings.warn(f"{law.name}: {text}", ValidityWarning, stacklevel=3)
    return tuple(said)
