"""Response spectra beside pyrotd and eqsig: 200 periods, one damping, 30 s at 0.01 s, one thread, one run.

    OMP_NUM_THREADS=1 python -m benchmarks.motions

The codes do not deliver the same: carom gives SD, SV and SA with the true extremes between samples; pyrotd
PSA only, from a Fourier transform that takes the record as periodic; eqsig's spectrum of a signal
(`generate_response_spectrum`, which first resamples the record to a quarter of the step where periods are
short) and its bare recursion (`pseudo_response_spectra`) take the samples for the extremes.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable

import numpy as np

from carom.motions import Motion, get, response_spectrum

PERIODS = np.geomspace(0.01, 10.0, 200)


def best(work: Callable[[], object], repeats: int) -> float:
    """Return the shortest time of several runs [s]; the first, uncounted, compiles and warms up."""
    work()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def record() -> Motion:
    """Return the default motion, 30 s at 0.01 s."""
    return get("default").padded(after=5.0)


def main() -> None:
    """Measure and print."""
    motion = record()
    a, dt = motion.acceleration, motion.dt
    ours = best(lambda: response_spectrum(motion, PERIODS, 0.05), 50)
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    print(f"{PERIODS.size} periods, {motion.npts} samples at {dt:g} s, one damping, one thread")
    each = 1e9 * ours / (PERIODS.size * motion.npts)
    print(f"carom, SD SV SA, true extremes     {1e3 * ours:8.2f} ms   {each:.2f} ns each")
    peers: list[tuple[str, Callable[[], object], int]] = []
    try:
        import pyrotd

        peers.append(("pyrotd, PSA", lambda: pyrotd.calc_spec_accels(dt, a, 1.0 / PERIODS, 0.05), 7))
    except ImportError:
        print("pyrotd is not installed: pip install 'carom[peers]'")
    try:
        import eqsig
        from eqsig import sdof

        def signal() -> None:
            eqsig.AccSignal(a, dt, response_times=PERIODS).generate_response_spectrum(xi=0.05)

        peers.append(("eqsig, spectrum of a signal", signal, 3))
        peers.append(("eqsig, bare recursion", lambda: sdof.pseudo_response_spectra(a, dt, PERIODS, 0.05), 3))
    except ImportError:
        print("eqsig is not installed: pip install 'carom[peers]'")
    for name, work, repeats in peers:
        theirs = best(work, repeats)
        print(f"{name:33}  {1e3 * theirs:8.2f} ms   {theirs / ours:6.1f} times as long")


if __name__ == "__main__":
    main()
