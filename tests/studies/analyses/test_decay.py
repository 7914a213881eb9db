"""Free decay: closed forms with noise, and langlade2021's pull-back after its last impact."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom
from carom.cases.langlade2021 import shared as langlade
from carom.studies.analyses.decay import free_decay


def swing(t: np.ndarray, f: float, ratio: float) -> np.ndarray:
    """A damped sine in closed form, about 3 mm."""
    w = 2.0 * math.pi * f
    return 3e-3 + 0.02 * np.exp(-ratio * w * t) * np.cos(w * math.sqrt(1.0 - ratio**2) * t + 0.4)


@pytest.mark.parametrize(("f", "ratio"), [(3.5, 0.005), (6.55, 0.02), (0.8, 0.2), (2.0, 0.0)])
def test_a_damped_sine_is_found_exactly(f: float, ratio: float) -> None:
    t = np.linspace(0.0, 6.0, 3001)
    found = free_decay(t, swing(t, f, ratio), mass=4363.0)
    assert found.frequency == pytest.approx(f, rel=1e-7)
    assert found.damping_ratio == pytest.approx(ratio, abs=1e-7)
    assert found.stiffness == pytest.approx(4363.0 * (2.0 * math.pi * f) ** 2, rel=1e-6)
    assert found.offset == pytest.approx(3e-3, abs=1e-8)
    assert found.misfit < 1e-6


def test_noise_and_parts() -> None:
    t = np.arange(0.0, 8.0, 2e-3)
    x = swing(t, 3.5, 0.005) + np.random.default_rng(2).normal(scale=5e-4, size=t.size)
    found = free_decay(t, x)
    assert found.frequency == pytest.approx(3.5, rel=2e-4)
    assert found.damping_ratio == pytest.approx(0.005, rel=0.05)
    assert math.isnan(found.stiffness)
    assert found.parts.shape == (4, 3)
    assert np.ptp(found.parts[:, 1]) < 0.02
    section = found.section()
    assert "Read in 4 parts" in section.paragraphs[-1]
    assert len(section.tables[0].rows) == 5


def test_damping_that_grows_with_the_amplitude_shows_in_the_parts() -> None:
    t = np.linspace(0.0, 8.0, 4001)
    amplitude = 0.02 / (1.0 + 0.5 * t)  # σ = 0.5/(1 + 0.5 t) falls as the swing does
    found = free_decay(t, amplitude * np.cos(2.0 * math.pi * 3.5 * t))
    assert np.all(np.diff(found.parts[:, 2]) < 0.0)


def test_the_pull_back_gives_back_its_structures() -> None:
    """langlade2021 Table 3: after the last impact both structures swing freely."""
    run = langlade.pull_back(carom.simulate, langlade.rigid(0.6), duration=6.0)
    last = float(run.table["start"][-1])
    for i in range(2):
        found = free_decay(run.time, run.displacement[:, i], mass=langlade.MASS[i], after=last + 0.01)
        assert found.frequency == pytest.approx(langlade.FREQUENCY[i], rel=1e-4)
        assert found.damping_ratio == pytest.approx(0.005, rel=1e-3)
        assert found.stiffness == pytest.approx(langlade.STIFFNESS[i], rel=1e-4)


def test_refusals() -> None:
    t = np.linspace(0.0, 1.0, 101)
    with pytest.raises(carom.InputError, match="must rise"):
        free_decay(t[::-1], t)
    with pytest.raises(carom.InputError, match="16 samples"):
        free_decay(t, np.zeros(101))
    with pytest.raises(carom.InputError, match="16 samples"):
        free_decay(t, np.sin(20.0 * t), after=0.95)
    with pytest.raises(carom.InputError, match="one cycle"):
        free_decay(t, np.cos(2.0 * t))
