"""Against other codes, where they are installed and where they are exact (extra ``peers``)."""

from __future__ import annotations

import numpy as np
import pytest

from carom.kernels.modal.propagator import fill_propagator
from carom.motions import get, response_spectrum


def test_samples_equal_eqsig_nigam_jennings() -> None:
    """eqsig's Nigam-Jennings recursion is exact at the samples."""
    sdof = pytest.importorskip("eqsig.sdof", reason="eqsig is not installed (extra 'peers')")
    motion = get("default")
    for period, ratio in ((0.05, 0.05), (0.3, 0.02), (1.0, 0.05), (4.0, 0.2)):
        theirs = sdof.nigam_and_jennings_response(motion.acceleration, motion.dt, np.array([period]), ratio)
        omega = 6.2831853 / period  # eqsig's 2π
        row = np.empty(8)
        fill_propagator(omega, ratio * omega, motion.dt, row)
        state = np.zeros(2)
        ours = [state]
        for p0, p1 in zip(-motion.acceleration[:-1], -motion.acceleration[1:], strict=True):
            state = np.array([row[:4] @ (*state, p0, p1), row[4:] @ (*state, p0, p1)])
            ours.append(state)
        u, v = np.array(ours).T
        np.testing.assert_allclose(np.abs(u), np.abs(theirs[0][0]), atol=1e-10 * np.abs(u).max())
        np.testing.assert_allclose(np.abs(v), np.abs(theirs[1][0]), atol=1e-10 * np.abs(v).max())
        spectrum = response_spectrum(motion, period, ratio)
        assert float(spectrum.sd) >= np.abs(theirs[0][0]).max() * (1.0 - 1e-12)
        assert float(spectrum.sd) == pytest.approx(np.abs(theirs[0][0]).max(), rel=0.5 * (omega * motion.dt) ** 2)


def test_spectrum_equals_pyrotd_on_a_fine_smooth_record() -> None:
    """pyrotd works in the frequency domain: exact for a band-limited record followed by enough silence."""
    pyrotd = pytest.importorskip("pyrotd", reason="pyrotd is not installed (extra 'peers')")
    motion = get("default").filtered(0.2, 12.0).tapered().resampled(0.001).padded(after=60.0)
    periods = np.array([0.3, 0.5, 1.0, 2.0])
    theirs = pyrotd.calc_spec_accels(motion.dt, motion.acceleration, 1.0 / periods, 0.05)["spec_accel"]
    ours = response_spectrum(motion, periods, 0.05).psa
    np.testing.assert_allclose(ours, theirs, rtol=2e-4)
