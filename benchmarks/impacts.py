"""Single impacts: one, a million, and against scipy.integrate.solve_ivp at equal accuracy."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

import carom
from carom.backends import compiled
from carom.errors import ValidityWarning
from carom.kernels.explicit.single_impacts import run as single_impact
from carom.kernels.explicit.single_impacts import step as impact_step
from carom.laws import DampedLaw, laws

MASS, VELOCITY = 0.54, 0.5


def best_of(run: Callable[[], object], repeat: int, number: int) -> float:
    """Return the best time of one call [s]."""
    run()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            run()
        times.append((time.perf_counter() - start) / number)
    return min(times)


def peer(law: carom.laws.CompliantLaw, rtol: float, *, all_results: bool = True) -> dict[str, float]:
    """The same impact by solve_ivp (DOP853) with events: for all our results, or for restitution and duration alone.

    Events: separation ends the run; for all results the turning point gives the largest overlap and a zero of
    dF/dt the peak force.
    """
    c = law.coefficients(MASS, VELOCITY)
    k, n, chi, m = (float(x) for x in c[:4])
    share = float(c.restitution_share)

    def force(x: float, u: float) -> float:
        return k * x**n + chi * (share if u < 0 else 1.0) * x**m * u

    def motion(_t: float, s: np.ndarray) -> tuple[float, float]:
        return s[1], -force(max(s[0], 0.0), s[1]) / MASS

    def apart(t: float, s: np.ndarray) -> float:
        return s[0] if t > 0 else 1.0

    def turning(_t: float, s: np.ndarray) -> float:
        return s[1]

    def extreme(_t: float, s: np.ndarray) -> float:
        x, u = max(s[0], 1e-300), s[1]
        kept = chi * (share if u < 0 else 1.0)
        a = -force(x, u) / MASS
        return (k * n * x ** (n - 1) + kept * m * x ** (m - 1) * u) * u + kept * x**m * a

    apart.terminal, apart.direction = True, -1
    scale = (MASS * VELOCITY**2 / k) ** (1 / (n + 1))
    run = solve_ivp(
        motion,
        (0.0, 100 * scale / VELOCITY),
        (0.0, VELOCITY),
        method="DOP853",
        events=(apart, turning, extreme) if all_results else (apart,),
        rtol=rtol,
        atol=(rtol * scale, rtol * VELOCITY),
    )
    found = {
        "restitution": float(-run.y_events[0][0][1] / VELOCITY),
        "duration": float(run.t_events[0][0]),
    }
    if all_results:
        peaks = [force(0.0, VELOCITY), *(force(max(x, 0.0), u) for x, u in run.y_events[2])]
        found |= {"peak_overlap": float(run.y_events[1][0][0]), "peak_force": max(peaks)}
    return found


def error_of(found: dict[str, float], exact: carom.Impact) -> float:
    """The largest relative error of the four results."""
    return max(abs(found[key] / getattr(exact, key) - 1.0) for key in found)


def kernel_time(law: carom.laws.CompliantLaw, size: int = 2000) -> float:
    """Time of one impact inside a batch on one thread [s]: the kernel without Python around it."""
    batch = compiled(single_impact.impact_batch)
    rows = np.tile(law.power_form(MASS).packed(), (size, 1))
    mass, velocity, nothing = np.full(size, MASS), np.full(size, VELOCITY), np.zeros(size)
    work = np.empty((impact_step.WORK_ROWS, impact_step.WORK_COLUMNS))
    out, codes = np.empty((size, single_impact.SIZE)), np.empty(size, dtype=np.int64)
    run = lambda: batch(rows, mass, velocity, nothing, nothing, 1e-9, 10_000, 0, size, work, out, codes)  # noqa: E731
    return best_of(run, 7, 1) / size


def against_scipy() -> None:
    """Each law at e = 0.6; solve_ivp at its loosest tolerance whose results are at least as accurate as ours."""
    print("one impact, one thread: inside a batch, through Python, and by solve_ivp (DOP853 with events)")
    ours_total = theirs_total = bare_total = 0.0
    for name in laws.names():
        kind = laws.get(name)
        law = kind(stiffness=2.46e10, restitution=0.6) if issubclass(kind, DampedLaw) else kind(stiffness=2.46e10)
        if isinstance(law, DampedLaw) and law.empirical:
            law = law.calibrated(mass=MASS, velocity=VELOCITY)
        exact = carom.impact(law, mass=MASS, velocity=VELOCITY, rtol=1e-13)
        hit = carom.impact(law, mass=MASS, velocity=VELOCITY)
        keys = ("restitution", "duration", "peak_overlap", "peak_force")
        error = error_of({key: getattr(hit, key) for key in keys}, exact)
        for exponent in range(6, 14):
            peer_error = error_of(peer(law, 10.0**-exponent), exact)
            if peer_error <= max(error, 1e-11):
                break
        kernel = kernel_time(law)
        python = best_of(lambda law=law: carom.impact(law, mass=MASS, velocity=VELOCITY), 7, 300)
        slow = best_of(lambda law=law, e=exponent: peer(law, 10.0**-e), 3, 2)
        for bare_exponent in range(6, 14):
            bare_error = error_of(peer(law, 10.0**-bare_exponent, all_results=False), exact)
            if bare_error <= max(error, 1e-11):
                break
        bare_total += best_of(lambda law=law, e=bare_exponent: peer(law, 10.0**-e, all_results=False), 3, 2)
        ours_total += kernel
        theirs_total += slow
        print(
            f"  {name:25} {kernel * 1e6:5.1f} µs {python * 1e6:5.1f} µs (error {error:.0e})   "
            f"{slow * 1e3:6.2f} ms (rtol 1e-{exponent:02d}, error {peer_error:.0e})   {slow / kernel:5.0f} ×"
        )
    print(f"  all laws together: {theirs_total / ours_total:.0f} × faster than with events for all results,")
    print(f"  {bare_total / ours_total:.0f} × faster than with the event of separation alone (no peaks)")


def million() -> None:
    rng = np.random.default_rng(2026)
    names = laws.names()
    size = 1_000_000 // len(names)
    batches = []
    for name in names:
        e, v = rng.uniform(0.1, 1.0, size), 10 ** rng.uniform(-2.0, 1.0, size)
        k = 10 ** rng.uniform(7.0, 11.0, size)
        kind = laws.get(name)
        if not issubclass(kind, DampedLaw):
            law = kind(stiffness=k)
        elif kind(stiffness=1.0, restitution=0.5).empirical:
            law = kind(stiffness=k, damping=np.exp(rng.uniform(0.0, 12.0, size)))
        else:
            law = kind(stiffness=k, restitution=e)
        batches.append((law, 10 ** rng.uniform(-1.0, 3.0, size), v))
    carom.impact(batches[0][0], mass=batches[0][1], velocity=batches[0][2])
    start = time.perf_counter()
    failed = 0
    for law, mass, v in batches:
        failed += int(np.sum(np.isin(carom.impact(law, mass=mass, velocity=v).status, ["step-limit", "not-finite"])))
    seconds = time.perf_counter() - start
    done = size * len(names)
    print(f"{done:,} impacts of {len(names)} laws, random e, K, mass, v: {seconds:.2f} s on all cores, {failed} failed")


def main() -> None:
    warnings.simplefilter("ignore", ValidityWarning)  # speed is asked of every law alike, wherever it is meant to hold
    against_scipy()
    million()
