"""The figures of a run, with their captions: for its page, and as files for print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from carom import plots
from carom.plots.runs.animation import save_gif
from carom.reports.drawn import Drawn
from carom.reports.pictures import Pictures
from carom.reports.runs.animation import animation_page, sway
from carom.reports.svg import graphic
from carom.results import Form, FormLevel, Pounding

__all__ = ["drawn", "pictures", "write_figures"]

STILL = 1e-9
"""A displacement that is so small, as a share of the largest, is rounding of none."""
FEW = 4
"""Samples of an impact that make a curve."""


def drawn(result: Pounding) -> Iterator[Drawn]:
    """Draw all figures that a run has something to say in."""
    yield from _in_space(result) if result.scene.in_space else _in_line(result)
    if result.asked:
        yield Drawn("asked", plots.plot_asked(result), "What was asked for, over time.")
    if result.run.deck_plan is not None:
        yield from _of_decks(result)
    yield Drawn("energy", plots.plot_energy(result), "Where the energy went.")
    if result.pounds:
        yield from _of_impacts(result)


def _in_space(result: Pounding) -> Iterator[Drawn]:
    """Draw structures that move in space: from above and from the side, their slabs along x and y and turning."""
    plan = result.run.deck_plan
    if result.run.body_forms:
        about = (
            "The bodies in perspective at the largest force. Contacts by what they do, with the forces on the nodes "
            "that strike."
        )
        yield Drawn("geometry", plots.plot_girders(result.run), about, readable=False)
    elif plan is None or not plan.decks:
        about = (
            "The structures from above and from the side; gaps are enlarged. Filled circles: contacts that were hit."
        )
        yield Drawn("geometry", plots.plot_plan_and_elevation(result), about, readable=False)
    else:
        about = (
            "The decks from above at the largest force; motions and gaps are enlarged. Contacts by what they do, with "
            "the forces on the corners that strike."
        )
        yield Drawn("geometry", plots.plot_decks(result.run), about, readable=False)
    if not result.slab_spectra:
        return
    across = "xy"[result.scene.axis], "xy"[1 - result.scene.axis]
    about = f"Displacement of the centres of the topmost slabs along {across[0]}, relative to the ground."
    yield Drawn("displacement", plots.plot_slab_histories(result), about)
    if _moves(result, lambda form, level: form.rows[level.centre, 1 - result.scene.axis]):
        about = f"The same along {across[1]}."
        yield Drawn("across", plots.plot_slab_histories(result, axis=1 - result.scene.axis), about)
    if _moves(result, lambda _, level: level.turning):
        about = "Rotation of the same slabs about the vertical axis, counter-clockwise."
        yield Drawn("rotation", plots.plot_slab_histories(result, "rotation"), about)
    about = f"Absolute acceleration, along {across[0]}, of the slabs that contact raises most."
    yield Drawn("acceleration", plots.plot_slab_histories(result, "acceleration"), about)
    about = "Largest displacements of the slabs' centres, rotations and accelerations over the height."
    yield Drawn("envelopes", plots.plot_slab_envelopes(result), about)
    for quantity, words in (("psa", "Pseudo-acceleration"), ("psv", "Pseudo-velocity")):
        about = f"{words} spectra along {across[0]} at centre and corners of the slabs that contact raises most."
        yield Drawn(quantity, plots.plot_slab_spectra(result, quantity), about)


def _of_decks(result: Pounding) -> Iterator[Drawn]:
    """Draw how far decks moved off their seats, and their bearings."""
    plan = result.run.deck_plan
    assert plan is not None  # asked before
    if plan.seats:
        about = (
            "How far the ends of the decks moved off their seats, the corner that is farther off; crosses: unseated."
        )
        yield Drawn("unseating", plots.plot_unseating(result.run), about)
    if plan.bearings:
        about = "Force over deformation along the first direction of the bearings that move farthest."
        yield Drawn("bearings", plots.plot_bearings(result.run), about)


def _moves(result: Pounding, row: Callable[[Form, FormLevel], Any]) -> bool:
    """Whether something of the topmost slabs moves, beyond rounding of what moves most."""
    forms = [form for one in result.scene.shaken if (form := one.form) is not None and form.levels]
    largest = max(float(result.run.extremes[list(one.dofs), 0].max()) for one in result.scene.shaken)
    return any(form.peak(result.run, row(form, form.levels[-1]), 0) > STILL * largest for form in forms)


def _in_line(result: Pounding) -> Iterator[Drawn]:
    """Draw structures that move along x alone."""
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
