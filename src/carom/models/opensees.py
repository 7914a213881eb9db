"""A live OpenSeesPy model as a structure: its masses, stiffness, damping, supports, constraints and nodes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import InputError, refusal
from carom.models.held import independent
from carom.models.nodal import NodalModel, turned
from carom.models.opensees_constraints import Constraints, constraints_of, ways_of
from carom.models.opensees_domain import OpenSeesDomain, read_copy
from carom.models.script_process import read_script
from carom.structures import Structure

__all__ = ["from_opensees"]

OWNER = "from_opensees"
LINEAR = ("ElasticMaterial", "ElasticIsotropic", "ElasticOrthotropic", "Viscous", "Parallel", "Series")
"""How the names of classes of materials begin that are linear, or as linear as those that they are made of."""


def from_opensees(
    model: Any,
    *,
    force: str = "N",
    length: str = "m",
    up: str | None = None,
    points: Mapping[str, int] | None = None,
    linearised: bool = False,
    damping_ratio: Any = None,
    name: str = "",
) -> Structure:
    """Return an OpenSees model as a `carom.Structure`, with the frequencies that OpenSees finds.

    The domain stays as it is, analysis and recorders included: a copy of the process reads it. Every node that moves is
    a point, ``"node 12"``; supports and constraints (`equalDOF`, `rigidLink`, `rigidDiaphragm`) are worked in; degrees
    of freedom without mass are condensed. Damping is whatever C the model has: Rayleigh's, dampers', modal.

    Linear behaviour is imported. Elements whose stiffness changes with displacement are refused, unless `linearised`
    takes the tangent of the present state; elastic members with P-Δ or corotational geometry are taken so with a
    warning. Loads and ground motions of the model are left out, and warnings say so.

    Parameters
    ----------
    model
        The module ``openseespy.opensees``, or the path of a Python script that builds a model; a script runs in a
        process of its own.
    force, length
        Units in which the model was written; time is in seconds.
    up
        Which axis of the model points upwards: ``"z"`` or ``"y"``; by default y in a plane model and z in space.
    points
        Further names for nodes: ``{"roof corner": 12}``.
    linearised
        Whether to take the present tangent of elements that are not linear.
    damping_ratio
        Instead of the model's own damping: a ratio for all modes.
    name
        Of the structure.

    Examples
    --------
    >>> import openseespy.opensees as ops  # doctest: +SKIP
    >>> tower = carom.from_opensees(ops, name="tower", points={"roof": 12})  # doctest: +SKIP
    >>> carom.Contact(("tower", "roof", "x"), "annex", gap="2 cm", law=law)  # doctest: +SKIP
    """
    domain = _domain(model)
    held = constraints_of(domain)
    remarks = _remarks(domain, held, linearised)
    names = [""] * domain.mass.shape[0]
    nodes = {}
    for tag, at in domain.equations.items():
        for number, equation in enumerate(at, start=1):
            names[equation] = f"node {tag} dof {number}"
        where = np.zeros(3)
        where[: domain.dimensions] = domain.coordinates[tag]
        along = {way: equation for way, equation in zip(ways_of(domain, tag), at, strict=True) if way in "xyz"}
        nodes[tag] = (f"node {tag}", where, along)
    units = NodalModel.units(force, length, OWNER)
    return NodalModel(
        f"OpenSees model '{name}'" if name else "The OpenSees model", OWNER, names, nodes, domain.mass, domain.damping,
        domain.stiffness, independent(len(names), held.held, held.followed),
        turned(up or ("z" if domain.dimensions == 3 else "y"), OWNER), *units,
        [nodes for _, nodes in domain.elements.values()],
    ).structure(remarks, points, damping_ratio, name)  # fmt: skip


def _domain(model: Any) -> OpenSeesDomain:
    if isinstance(model, (str, Path)):
        model = read_script(Path(model))
    if isinstance(model, OpenSeesDomain):
        return model
    if not all(hasattr(model, word) for word in ("getNodeTags", "printA", "nodeDOFs")):
        raise refusal(
            "model", OWNER, "must be the module openseespy.opensees, or the path of a script that builds a model",
            model, "Write import openseespy.opensees as ops; carom.from_opensees(ops).",
        )  # fmt: skip
    return read_copy(model)


def _remarks(domain: OpenSeesDomain, held: Constraints, linearised: bool) -> list[str]:
    """Return what is left out or changed, in words; refuse what is not linear, unless it was asked for."""
    found = _not_linear(domain, linearised)
    if domain.bent:
        found.append("its stiffness is the tangent of its present state, which differs from the initial one")
    if domain.displacement > 0.0:
        found.append("displacements count from its present state, not from the one without load")
    if domain.velocity > 0.0:
        found.append("it is in motion; its velocities are left out")
    if domain.damped:
        which = ", ".join(map(str, domain.damped[:4])) + (", …" if len(domain.damped) > 4 else "")
        found.append(
            f"damping objects of elements {which} are left out, which have no matrix; `damping_ratio` may stand in"
        )
    if domain.patterns:
        which = ", ".join(map(str, domain.patterns))
        found.append(f"its load patterns ({which}) are left out, forces and ground motions alike")
    if held.moved:
        found.append(f"prescribed displacements are left out, their places are supports: {', '.join(held.moved[:4])}")
    return found


def _not_linear(domain: OpenSeesDomain, linearised: bool) -> list[str]:
    if not domain.probed and not linearised:
        raise InputError(
            "The OpenSees model cannot be shown to be linear: some element does not follow a displacement by which "
            "that is probed. Pass linearised=True to take the tangent of its present state."
        )
    which = _changing_elements(domain)
    curved = _geometric(domain)
    material = [tag for tag in which if tag not in curved]
    if material and not linearised:
        shown = ", ".join(f"{tag} ({domain.elements[tag][0]})" for tag in material[:4])
        more = f" and {len(material) - 4} more" if len(material) > 4 else ""
        raise InputError(
            f"The OpenSees model is not linear: stiffness or damping changes with displacement or velocity at elements "
            f"{shown}{more}. Make their materials elastic, or pass linearised=True to take the tangent of the present "
            "state."
        )
    if material or not domain.probed:
        return ["elements that are not linear are taken by the tangent of the present state"]
    found = ["P-Δ and corotational geometry is taken by its tangent in the present state"] if which else []
    others = [kind for kind in domain.materials if not kind.startswith(LINEAR)]
    if others:
        found.append(
            f"materials of kinds that need not be linear ({', '.join(others)}) are defined, and where they are used "
            "are taken by their present tangent: no displacement that was tried changed it"
        )
    return found


def _changing_elements(domain: OpenSeesDomain) -> list[int]:
    """Return the elements between nodes whose matrices change; at a node that changes alone, all that stand on it."""
    between = {pair for pair in domain.changing if pair[0] != pair[1]}
    alone = {a for a, b in domain.changing if a == b} - {node for pair in between for node in pair}
    return [
        tag
        for tag, (_, nodes) in domain.elements.items()
        if alone & set(nodes) or any((a, b) in between for a in nodes for b in nodes)
    ]


def _geometric(domain: OpenSeesDomain) -> set[int]:
    """Return the elements that are elastic, and not linear by their geometry alone."""
    described = domain.described
    kinds = {
        str(entry.get("name")): str(entry.get("type"))
        for entry in described.get("properties", {}).get("crdTransformations", [])
    }
    transformed = {
        int(entry["name"]): kinds.get(str(entry.get("crdTransformation")), "Linear")
        for entry in described.get("geometry", {}).get("elements", [])
        if "crdTransformation" in entry
    }
    return {
        tag
        for tag, (kind, _) in domain.elements.items()
        if kind.startswith("Elastic") and not transformed.get(tag, "Linear").startswith("Linear")
    }
