"""A PyNite model as a structure: its stiffness, the masses of a load combination, its supports and nodes."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import InputError, refusal
from carom.models.held import independent
from carom.models.nodal import NodalModel, turned
from carom.models.script_process import read_script
from carom.structures import Structure
from carom.structures.matrices import Array
from carom.units import POSITIVE, number, standard_gravity

__all__ = ["from_pynite"]

OWNER = "from_pynite"
WAYS = ("DX", "DY", "DZ", "RX", "RY", "RZ")
STAND_IN = 1e-6
"""Share of the smallest mass that PyNite gives to degrees of freedom without any, so that its matrix can be factored;
here they are condensed instead."""


def from_pynite(
    model: Any,
    *,
    mass_combo: str | None = None,
    mass_direction: str = "Y",
    gravity: Any = None,
    force: str = "N",
    length: str = "m",
    up: str = "y",
    points: Mapping[str, str] | None = None,
    linearised: bool = False,
    damping_ratio: Any = None,
    name: str = "",
) -> Structure:
    """Return a PyNite model (`FEModel3D`) as a `carom.Structure`.

    Stiffness is what PyNite assembles without P-Δ; masses are those of a load combination, as in its `analyze_modal`.
    Every node that moves is a point by its own name. Degrees of freedom without mass are condensed, where PyNite gives
    them a small one. The model stays as it is.

    Members and springs that act in tension or compression only, and supports with one direction, are refused, unless
    `linearised` takes them as if they always acted. Loads are left out beyond their masses.

    Parameters
    ----------
    model
        A ``Pynite.FEModel3D``, or the path of a Python script that builds one, run in a process of its own.
    mass_combo
        The load combination whose forces are weights; by default the only one.
    mass_direction
        Along which the weights of that combination act.
    gravity
        What weights are divided by [m/s²]; standard gravity by default.
    force, length
        Units in which the model was written; time is in seconds.
    up
        Which axis of the model points upwards: ``"y"`` or ``"z"``.
    points
        Further names for nodes: ``{"roof corner": "N12"}``.
    linearised
        Whether to take what acts in one direction only as if it acted in both.
    damping_ratio
        PyNite has no damping: a ratio for all modes.
    name
        Of the structure.
    """
    if isinstance(model, (str, Path)):
        model = read_script(Path(model))
    if not all(hasattr(model, word) for word in ("nodes", "members", "load_combos", "Ke", "M")):
        raise refusal("model", OWNER, "must be a Pynite.FEModel3D, or a script that builds one", model)
    if not model.nodes:
        raise InputError("The PyNite model has no nodes. Build it first.")
    own = copy.deepcopy(model)
    importlib.import_module(type(model).__module__.rpartition(".")[0] + ".Analysis")._prepare_model(own)
    units = NodalModel.units(force, length, OWNER)
    combo = _combo(own, mass_combo)
    pull = number(
        standard_gravity if gravity is None else gravity, "m/s^2", name="gravity", owner=OWNER, within=POSITIVE
    )
    remarks = _remarks(own, linearised)
    stiffness = _dense(own.Ke(combo, check_stability=False))
    mass = _mass(own, combo, mass_direction, pull / units[1])
    at = {node.name: 6 * node.ID for node in own.nodes.values()}
    names = [f"{node} {way}" for node in sorted(at, key=lambda n: at[n]) for way in WAYS]
    nodes = {
        node.name: (node.name, np.array([node.X, node.Y, node.Z], dtype=float),
                    {way: at[node.name] + i for i, way in enumerate("xyz")})
        for node in own.nodes.values()
    }  # fmt: skip
    label = f"PyNite model '{name}'" if name else "The PyNite model"
    return NodalModel(
        label, OWNER, names, nodes, mass, np.zeros_like(mass), stiffness,
        independent(len(names), _held(own, at), []), turned(up, OWNER), *units, _joined(model),
    ).structure(remarks, points, damping_ratio, name)  # fmt: skip


def _joined(model: Any) -> list[tuple[str, ...]]:
    """Return the nodes of members, springs and plates, for pictures."""
    two = [(one.i_node.name, one.j_node.name) for one in (*model.members.values(), *model.springs.values())]
    four = [
        tuple(getattr(one, f"{corner}_node").name for corner in "ijmn")
        for parts in (getattr(model, "quads", None), getattr(model, "plates", None))
        for one in (parts or {}).values()
    ]
    return [*two, *four]


def _combo(model: Any, asked: str | None) -> str:
    known = list(model.load_combos)
    if asked is None and len(known) == 1:
        return str(known[0])
    if asked not in known:
        raise refusal(
            "mass_combo", OWNER, f"must be a load combination of the model ({', '.join(known)})", asked,
            "Its forces are the weights of the masses.",
        )  # fmt: skip
    return str(asked)


def _mass(model: Any, combo: str, direction: str, gravity: float) -> Array:
    """Return M without the small masses that PyNite puts where there is none."""
    if direction not in ("X", "Y", "Z"):
        raise refusal("mass_direction", OWNER, "must be 'X', 'Y' or 'Z'", direction)
    try:
        mass = _dense(model.M(combo, direction, gravity))
    except Exception as error:  # PyNite raises no narrower one
        raise InputError(
            f"The PyNite model has no mass in combination '{combo}' along {direction} ({error}). Give it weights: "
            "loads in that combination, or add_member_self_weight."
        ) from None
    diagonal = np.diag(mass)
    least = diagonal.min()
    others = diagonal[diagonal > 2.0 * least]
    if others.size and least > 0.0 and abs(least - STAND_IN * others.min()) <= 1e-9 * least:
        mass[np.diag_indices_from(mass)] = np.where(diagonal <= 2.0 * least, 0.0, diagonal)
    return mass


def _dense(matrix: Any) -> Array:
    found: Array = np.asarray(matrix.todense() if hasattr(matrix, "todense") else matrix, dtype=np.float64)
    return found.copy()


def _held(model: Any, at: Mapping[str, int]) -> list[int]:
    return [
        at[node.name] + i
        for node in model.nodes.values()
        for i, way in enumerate(WAYS)
        if getattr(node, f"support_{way}") or getattr(node, f"Enforced{way}") is not None
    ]


def _remarks(model: Any, linearised: bool) -> list[str]:
    """Return what is left out, in words; refuse what is not linear, unless it was asked for."""
    one_way = [
        f"{what} {part.name}"
        for what, parts in (("member", model.members), ("spring", model.springs))
        for part in parts.values()
        if getattr(part, "tension_only", False) or getattr(part, "comp_only", False)
    ]
    one_way += [
        f"support {node.name} {way}"
        for node in model.nodes.values()
        for way in WAYS
        if getattr(node, f"spring_{way}")[1] is not None
    ]
    shown = ", ".join(one_way[:4]) + (f" and {len(one_way) - 4} more" if len(one_way) > 4 else "")
    if one_way and not linearised:
        raise InputError(
            f"The PyNite model is not linear: tension only, compression only or one direction at {shown}. Pass "
            "linearised=True to take these as if they always acted."
        )
    found = [f"taken as if they always acted: {shown}"] if one_way else []
    moved = [
        f"{node.name} {way}"
        for node in model.nodes.values()
        for way in WAYS
        if getattr(node, f"Enforced{way}") is not None
    ]
    if moved:
        found.append(f"enforced displacements are left out, their places are supports: {', '.join(moved[:4])}")
    if getattr(model, "quads", None) or getattr(model, "plates", None):
        found.append("plates and quads have no mass in PyNite; what they weigh must stand in loads of nodes or members")
    return found
