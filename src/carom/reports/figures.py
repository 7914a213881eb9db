"""The figures of a run, with their captions: for its page, and as files for print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from carom import plots
from carom.plots.animation import save_gif
from carom.reports.animation import animation_page, sway
from carom.reports.drawn import Drawn
from carom.reports.pictures import Pictures
from carom.reports.svg import graphic
from carom.results import Pounding

__all__ = ["drawn", "pictures", "write_figures"]

FEW = 4
"""Samples of an impact that make a curve."""


def drawn(result: Pounding) -> Iterator[Drawn]:
    """Draw all figures that a run has something to say in."""
    about = "The structures, heights to scale, gaps not. Filled circles: contacts that were hit."
    yield Drawn("geometry", plots.plot_geometry(result), about, readable=False)
    about = "Displacement of the top floors relative to the ground."
    yield Drawn("displacement", plots.plot_histories(result), about)
    about = "Absolute acceleration of the floors that contact raises most."
    yield Drawn("acceleration", plots.plot_histories(result, "acceleration"), about)
    if any(len(standing.dofs) > 1 for standing in result.scene.shaken):
        about = "Largest displacement, storey drift and acceleration over the height."
        yield Drawn("envelopes", plots.plot_envelopes(result), about)
    for quantity, words in (("psa", "Pseudo-acceleration"), ("psv", "Pseudo-velocity")):
        about = f"{words} spectra of the floors that contact raises most."
        yield Drawn(quantity, plots.plot_floor_spectra(result, quantity), about)
    yield Drawn("phase", plots.plot_phase(result), "Phase portraits of the same floors.")
    yield Drawn("energy", plots.plot_energy(result), "Where the energy went.")
    if result.pounds:
        yield from _of_impacts(result)


def _of_impacts(result: Pounding) -> Iterator[Drawn]:
    row = result.hardest
    assert row is not None  # something touched
    start, duration = float(result.run.table["start"][row]), float(result.run.table["duration"][row])
    about = f"All impacts; the height of a stroke is its {'impulse' if result.rigid else 'peak force'}."
    yield Drawn("timeline", plots.plot_timeline(result), about, readable=False)
    means = " (means over the time between samples)" if result.rigid else ""
    about = f"Distance left and force{means} of the contact that was hit hardest."
    yield Drawn("gap", plots.plot_gap_and_force(result), about)
    around = 10.0 * float(result.run.time[1] - result.run.time[0]) if result.rigid else duration
    times = result.run.time
    whole = float(times[0]), float(times[-1])
    window = max(start - 3.0 * around, whole[0]), min(start + 6.0 * around, whole[1])
    seen = int(((times > start) & (times < start + around)).sum()) >= FEW  # else the samples have nothing to show
    if seen and window != whole:
        yield Drawn("closely", plots.plot_gap_and_force(result, window=window), "The same around the hardest impact.")
    if result.loops:
        about = "Force over overlap: the hardest impact of each contact."
        yield Drawn("loops", plots.plot_loops(result), about)


def pictures(result: Pounding) -> Pictures:
    """Return what the page of a run shows."""
    figures = {
        one.key: (graphic(one.key, one.axes, one.caption, readable=one.readable), one.caption) for one in drawn(result)
    }
    return Pictures(figures, sway(result))


def write_figures(result: Pounding, folder: Path) -> None:
    """Write every figure as PNG and PDF, and the animation as GIF and HTML."""
    folder.mkdir(exist_ok=True)
    for one in drawn(result):
        one.save(folder)
    page = animation_page(result)
    if page is not None:
        (folder / "sway.html").write_text(page, encoding="utf-8")
        save_gif(result, folder / "sway.gif")
