"""Large structures are drawn by their slabs and lowest modes: nearly as by all degrees of freedom."""

from __future__ import annotations

import numpy as np

import carom
from carom.studies.single import drawn_basis
from carom.studies.single.forms import with_drawn
from carom.studies.single.scene import scene_of

LAW = carom.law("kelvin-voigt", stiffness="2 GN/m", restitution=0.65)


def problem(slab: str | None) -> carom.Problem:
    """Two frames that strike each other at corners; without slabs nothing of them is rigid."""
    parts = {
        "storeys": ["3 m"] * 3, "bays": ["5 m", "6 m"], "rows": ["4 m"], "columns": carom.Section.rectangle(0.4, 0.4),
        "beams": carom.Section.rectangle(0.3, 0.5), "material": carom.Material.concrete(), "slab": slab,
        "damping_ratio": 0.05,
    }  # fmt: skip
    left = carom.Frame.moment_frame(**parts, name="left")
    right = carom.Frame.moment_frame(
        **parts | {"storeys": ["3 m"] * 2}, origin=("11.005 m", 0, 0), name="right"
    )  # fmt: skip
    contacts = [
        carom.Contact(("left", f"2-{j}-2", "x"), ("right", f"0-{j}-2", "x"), gap="5 mm", law=LAW) for j in (0, 1)
    ]
    motion = carom.motions.get("default").trimmed(1.0, 4.0)
    return carom.Problem([left, right], contacts, motion={"x": motion, "y": motion})


def moved(stated: carom.Problem) -> tuple[list[np.ndarray], list[np.ndarray], int]:
    """Return displacements of points and forces of members, and how many results were kept."""
    whole = with_drawn(stated)
    run, scene = carom.simulate(whole), scene_of(whole)
    assert run.table["start"].size
    forms = [one.form for one in scene.standings]
    points = [np.einsum("pak,tk->tpa", form.rows, run.displacement[::20, list(form.outputs)]) for form in forms]
    return points, [form.member_forces(run, slice(None, None, 20)) for form in forms], len(run.dofs)


def test_few_results_draw_what_all_do(monkeypatch) -> None:
    for slab in ("500 kg/m^2", None):
        stated = problem(slab)
        monkeypatch.setattr(drawn_basis, "MOST", 10_000)
        points, forces, every = moved(stated)
        monkeypatch.setattr(drawn_basis, "MOST", 20)
        for one in stated.structures:
            assert len(one.dof_names) > 20
        few, few_forces, kept = moved(stated)
        if slab is None:
            assert kept < every
        for a, b in zip(points, few, strict=True):
            assert np.abs(a - b).max() < 5e-3 * np.abs(a).max()
        for a, b in zip(forces, few_forces, strict=True):
            error, largest = np.abs(a - b).max(axis=(0, 1)), np.abs(a).max(axis=(0, 1))
            assert np.all(error < 0.1 * largest), error / largest
