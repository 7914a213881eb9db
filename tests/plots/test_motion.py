"""Pictures of motions: what is on them, and that drawing changes nothing outside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from carom.errors import InputError
from carom.motions import Motion, get, response_spectrum, suite
from carom.plots import motion as plots
from carom.units import standard_gravity


def test_the_sheet_shows_what_was_computed(tmp_path: Path) -> None:
    motion = get("default")
    figure = plots.plot_motion(motion, damping=[0.02, 0.05])
    acceleration, velocity, displacement, sa, sd, husid = figure.axes
    np.testing.assert_allclose(acceleration.lines[0].get_ydata(), motion.acceleration / standard_gravity)
    np.testing.assert_allclose(velocity.lines[0].get_ydata(), motion.velocity)
    np.testing.assert_allclose(displacement.lines[0].get_ydata(), motion.displacement)
    expected = response_spectrum(motion, None, [0.02, 0.05])
    np.testing.assert_allclose(sa.lines[1].get_ydata(), expected.sa[1] / standard_gravity)
    np.testing.assert_allclose(sd.lines[0].get_ydata(), expected.sd[0])
    assert husid.lines[0].get_ydata()[-1] == pytest.approx(100.0)
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels[0] == "Acceleration [g]"
    assert labels[3] == "Spectral acceleration [g]"
    assert all(axes.get_xlabel() for axes in (displacement, sa, sd, husid))
    assert "0.5 g" in [text.get_text() for text in acceleration.texts]
    assert figure.get_suptitle().startswith("default: generated, M 6.8 at 10 km")
    for suffix in ("png", "pdf", "svg"):
        figure.savefig(tmp_path / f"x.{suffix}")
        assert (tmp_path / f"x.{suffix}").stat().st_size > 10_000


def test_lines_can_be_told_apart_without_colour() -> None:
    axes = plots.plot_spectrum(response_spectrum(get("default"), None, [0.0, 0.02, 0.05, 0.1]))
    styles = [(line.get_linestyle(), str(line._unscaled_dash_pattern)) for line in axes.lines]
    assert len(set(styles)) == 4


@pytest.mark.parametrize("quantity", ["sd", "sv", "sa", "psv", "psa"])
def test_every_spectrum(quantity: str) -> None:
    axes = plots.plot_spectrum(response_spectrum(get("default")), quantity=quantity)
    assert axes.get_xscale() == "log"
    assert axes.get_ylabel()


def test_several_motions() -> None:
    few = plots.plot_spectra(suite()[:3])
    assert [text.get_text() for text in few.get_legend().get_texts()] == [
        "thirty-01a",
        "thirty-01b",
        "thirty-01c",
    ]
    many = plots.plot_spectra(suite())
    assert "median" in [text.get_text() for text in many.get_legend().get_texts()]


def test_given_axes_are_used_and_silence_is_drawn() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    silent = Motion(np.zeros(20), 0.01)
    assert plots.plot_husid(silent, axes) is axes
    assert len(plots.plot_histories(silent)) == 3
    assert plots.plot_motion(silent).axes
    with pytest.raises(InputError, match="Unknown spectrum 'sx'"):
        plots.plot_spectrum(response_spectrum(silent), quantity="sx")


def test_drawing_leaves_no_trace() -> None:
    before = dict(mpl.rcParams)
    plots.plot_motion(get("default"))
    assert dict(mpl.rcParams) == before


def test_the_command_line_loads_matplotlib_only_to_draw() -> None:
    code = "import sys, carom.cli.motions.motion; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
