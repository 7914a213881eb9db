"""What a frame is given, checked: nodes, supports, masses and loads, and whether all of it fits together."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from carom.budget import afford
from carom.errors import InputError, UnknownNameError, refusal
from carom.plain_text import refuse_controls
from carom.structures.frame.assembly import in_plane
from carom.structures.frame.members import WAYS, Diaphragm, Link, Member, Spring, member_axes
from carom.structures.matrices import Array, frozen
from carom.units import array, number

__all__ = [
    "known_node",
    "refuse_loads_across_slabs",
    "refuse_loose_ends",
    "refuse_out_of_plane",
    "refuse_too_many",
    "refuse_values_beside",
    "taken_list",
    "taken_nodes",
    "taken_supports",
    "taken_values",
    "turnless",
]

SUPPORTS = {"fixed": frozenset(WAYS), "pinned": frozenset(("ux", "uy", "uz"))}
"""What the usual supports hold."""
TOGETHER = 1e-6
"""Share of the size of a frame, below which a distance counts as none."""
TURNS = frozenset(WAYS[3:])
"""Rotations."""
DENSE = 6
"""Full matrices of the size of K that a frame and its modes keep at a time."""
ROOM = 2e9
"""Bytes that a frame may take where no budget is given."""


def taken_nodes(given: Any, owner: str) -> Mapping[str, Array]:
    """Take names to coordinates."""
    if not isinstance(given, Mapping) or not given:
        raise refusal("nodes", owner, "must map names to coordinates", given, 'Write {"a": (0, 0, 0)}.')
    found: dict[str, Array] = {}
    for name, where in given.items():
        if not isinstance(name, str) or not name.strip() or " " in name:
            raise refusal("nodes", owner, "must have names without blanks", name)
        refuse_controls(name, "nodes", owner)
        at = array(where, "m", name=f"node '{name}'", owner=owner)
        if at.shape != (3,):
            raise refusal(f"node '{name}'", owner, "must be three coordinates x, y, z", where)
        found[name] = frozen(at + 0.0)  # no negative zeros
    return MappingProxyType(found)


def taken_list(name: str, given: Any, kind: type, owner: str) -> tuple[Any, ...]:
    """Take a list of members, springs, slabs or links; one alone will do."""
    if isinstance(given, kind):
        given = (given,)
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise refusal(name, owner, f"must be a list, each a carom.{kind.__name__}", given)
    for one in given:
        if not isinstance(one, kind):
            raise refusal(name, owner, f"must be a list, each a carom.{kind.__name__}", one)
    return tuple(given)


def taken_supports(given: Any, nodes: Mapping[str, Array], owner: str) -> Mapping[str, frozenset[str]]:
    """Take nodes to what is held there."""
    if given is None:
        return MappingProxyType({})
    if not isinstance(given, Mapping):
        raise refusal("supports", owner, "must map nodes to what is held", given, 'Write {"a": "fixed"}.')
    found = {}
    for node, held in given.items():
        known_node(node, nodes, "supports", owner)
        if not isinstance(held, (str, Sequence, frozenset, set)):
            rule = 'must be "fixed", "pinned", or directions such as "ux uz"'
            raise refusal("supports", f"node '{node}' of {owner}", rule, held)
        ways = SUPPORTS.get(held) if isinstance(held, str) else None
        listed = held.split() if isinstance(held, str) else list(held)
        for way in () if ways else listed:
            if way not in WAYS:
                raise UnknownNameError(f"support of node '{node}':", way, (*SUPPORTS, *WAYS))
        found[node] = ways or frozenset(listed)
    return MappingProxyType(found)


def taken_values(
    name: str, given: Any, nodes: Collection[str], owner: str, *, unit: str, turning: str, positive: bool
) -> Mapping[str, Array]:
    """Take nodes with a number, three, or six: along x, y and z, and about them."""
    if given is None:
        return MappingProxyType({})
    if not isinstance(given, Mapping):
        raise refusal(name, owner, "must map nodes to values", given, f'Write {{"a": …}}, in {unit}.')
    found = {}
    for node, value in given.items():
        known_node(node, nodes, name, owner)
        of = f"node '{node}' of {owner}"
        listed = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str) and np.ndim(value) > 0
        parts = list(value) if listed else [value] * 3
        if len(parts) not in (3, 6) or (not listed and not positive):
            raise refusal(name, of, "must be three numbers, along x, y and z, or six, with those about", value)
        values = [number(part, unit, name=name, owner=of) for part in parts[:3]]
        values += [number(part, turning, name=name, owner=of) for part in parts[3:]] or [0.0] * 3
        if positive and min(values) < 0.0:
            raise refusal(name, of, "must not be negative", value)
        found[node] = frozen(np.array(values))
    return MappingProxyType(found)


def known_node(node: object, nodes: Collection[str], field: str, owner: str) -> None:
    """Refuse a node that there is not."""
    if not isinstance(node, str) or node not in nodes:
        raise UnknownNameError(f"node in {field} of {owner}:", node, nodes)


def refuse_loose_ends(
    nodes: Mapping[str, Array], members: Sequence[Member], supports: Mapping[str, frozenset[str]],
    springs: Sequence[Spring], diaphragms: Sequence[Diaphragm], links: Sequence[Link], plane: str | None, owner: str,
) -> None:  # fmt: skip
    """Refuse what stands at nodes that do not exist, names used twice, nodes that nothing joins or that coincide."""
    joined: set[str] = set()
    for field, ends in (
        *((member.owner, (member.start, member.end)) for member in members),
        *(("springs", (spring.node, spring.to)) for spring in springs),
        *(("links", (link.node, link.to)) for link in links),
        *((f"diaphragm '{slab.name}'", slab.nodes) for slab in diaphragms),
    ):
        for node in ends:
            if node is not None:
                known_node(node, nodes, field, owner)
                joined.add(node)
    names = [*(member.name for member in members), *(slab.name for slab in diaphragms), *nodes]
    if (twice := _twice(names)) is not None:
        raise refusal("name", owner, "must be different for every node, member and diaphragm", twice)
    _refuse_links(supports, diaphragms, links, owner)
    for slab in diaphragms:
        _refuse_slab(slab, nodes, supports, plane, owner)
    if (twice := _twice([node for slab in diaphragms for node in slab.nodes])) is not None:
        raise refusal("diaphragms", owner, "must not share a node", twice)
    for node in nodes:
        if node not in joined:
            raise InputError(f"Node '{node}' of {owner} is joined to nothing. Take it out, or join it.")
    _refuse_together(nodes, springs, owner)


def _twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]


def _extent(nodes: Mapping[str, Array]) -> float:
    """Return the largest side of the box around a frame [m]."""
    return float(np.ptp(np.array(list(nodes.values())), axis=0).max())


def _refuse_together(nodes: Mapping[str, Array], springs: Sequence[Spring], owner: str) -> None:
    """Refuse nodes at one place, but those that a spring joins; and springs whose forces would turn the frame."""
    near = TOGETHER * _extent(nodes)
    sprung = {frozenset((spring.node, spring.to)) for spring in springs}
    names = list(nodes)
    for i, j in cKDTree(np.array(list(nodes.values()))).query_pairs(near, p=math.inf, output_type="ndarray"):
        one, other = names[i], names[j]
        if frozenset((one, other)) not in sprung:
            raise InputError(
                f"{owner} has two nodes at one place, '{one}' and '{other}'. Make them one, or put a carom.Spring "
                "between them."
            )
    for spring in springs:
        if spring.to is None or spring.way in TURNS:
            continue
        beside = np.delete(nodes[spring.to] - nodes[spring.node], WAYS.index(spring.way))
        if np.abs(beside).max() > near:
            raise refusal(
                "way", f"Spring from '{spring.node}' to '{spring.to}' of {owner}",
                "must be the direction from one node to the other, or both must be at one place", spring.way,
                "Its forces would turn the frame. Write a member of kind 'truss' for an inclined spring.",
            )  # fmt: skip


def _refuse_links(
    supports: Mapping[str, frozenset[str]], diaphragms: Sequence[Diaphragm], links: Sequence[Link], owner: str
) -> None:
    """Refuse nodes that follow two others, each other, or what something else holds already."""
    follows = {link.node: link.to for link in links}
    if len(follows) < len(links):
        twice = _twice([link.node for link in links])
        raise refusal("links", owner, "must let every node follow one other at most", twice)
    in_slab = {node for slab in diaphragms for node in slab.nodes}
    for node in follows:
        seen, at = {node}, node
        while (at := follows.get(at, "")) and at not in seen:
            seen.add(at)
        if at:
            raise refusal("links", owner, "must not run in a circle", node)
        if supports.get(node) or node in in_slab:
            raise refusal("links", owner, "must not be for a node that a support or a slab holds", node)


def _refuse_slab(
    slab: Diaphragm, nodes: Mapping[str, Array], supports: Mapping[str, frozenset[str]], plane: str | None, owner: str
) -> None:
    """Refuse a slab that is not level, whose nodes are held in its plane, or that has a mass and no inertia."""
    flat = {"ux", "uy", "rz"} & set(in_plane(plane))
    heights = [float(nodes[node][2]) for node in slab.nodes]
    if max(heights) - min(heights) > TOGETHER * _extent(nodes):
        rule = "must have its nodes at one height z"
        raise refusal("nodes", f"Diaphragm '{slab.name}' of {owner}", rule, f"{min(heights):g} to {max(heights):g} m")
    if slab.mass and slab.turning is None and "rz" in flat:
        raise refusal("inertia", f"Diaphragm '{slab.name}'", "must be given with a mass", None,
                      "Give `inertia` about z [kg·m²], or `radius` of gyration [m].")  # fmt: skip
    for node in slab.nodes:
        if supports.get(node, frozenset()) & flat:
            raise refusal("supports", owner, "must not hold in its plane what a diaphragm moves", node)


def refuse_out_of_plane(
    nodes: Mapping[str, Array], members: Sequence[Member], springs: Sequence[Spring], gravity: float | None, plane: str,
    owner: str,
) -> None:  # fmt: skip
    """Refuse what a plane frame would silently leave out."""
    ways = in_plane(plane)
    across = "xyz".index((set("xyz") - set(plane)).pop())
    beside = np.array([at[across] for at in nodes.values()])
    if (off := np.abs(beside - beside[0])).max() > TOGETHER * _extent(nodes):
        node = list(nodes)[int(off.argmax())]
        rule = f"must lie in the plane {plane} of the others"
        raise refusal(f"node '{node}'", owner, rule, tuple(nodes[node].tolist()), "Or leave `plane` out.")
    for spring in springs:
        if spring.way not in ways:
            raise refusal("way", f"Spring at '{spring.node}' of {owner}", _within(ways, plane), spring.way)
    for member in members:
        if member.load[across]:
            raise refusal("load", f"{member.owner} of {owner}", f"must lie in the plane {plane}", member.load)
        if any(arm[across] for arm in member.offsets or ()):
            raise refusal("offsets", f"{member.owner} of {owner}", f"must lie in the plane {plane}", member.offsets)
        _refuse_idle_releases(member, nodes, across, plane, owner)
    if gravity and plane == "xy":
        raise refusal("gravity", owner, "must be left out in the plane xy, which it acts across", gravity)


def _refuse_idle_releases(member: Member, nodes: Mapping[str, Array], across: int, plane: str, owner: str) -> None:
    """Refuse releases of what a plane frame never feels: shifts across its plane, turns about axes in it."""
    if not member.released:
        return
    axes = member_axes(member, nodes[member.start], nodes[member.end])[1]
    for one in member.released:
        way = one.split()[1]
        share = abs(float(axes["xyz".index(way[1]), across]))
        if (share > 1.0 - TOGETHER) if way.startswith("u") else (share < TOGETHER):
            felt = [way for way in WAYS if (abs(axes["xyz".index(way[1]), across]) > 0.5) != way.startswith("u")]
            raise refusal("released", f"{member.owner} of {owner}",
                          f"must be of {', '.join(felt)}, in its local axes in the plane {plane}", one)  # fmt: skip


def refuse_values_beside(
    name: str, values: Mapping[str, Array], plane: str | None, hinged: Mapping[str, frozenset[str]], owner: str
) -> None:
    """Refuse loads that nothing takes: out of the plane, or moments where only trusses and cables meet."""
    able = in_plane(plane)
    for node, given in values.items():
        for way, value in zip(WAYS, given, strict=True):
            if value and way not in able:
                raise refusal(name, f"node '{node}' of {owner}", _within(able, str(plane)), f"{value:g} along {way}")
            if value and way in hinged.get(node, frozenset()):
                rule = "must have no moments where only trusses and cables meet"
                raise refusal(name, f"node '{node}' of {owner}", rule, f"{value:g} about {way[1]}")


def refuse_loads_across_slabs(loads: Mapping[str, Array], diaphragms: Sequence[Diaphragm], owner: str) -> None:
    """Refuse loads on slabs that a slab has no displacement for."""
    for name in {slab.name for slab in diaphragms} & loads.keys():
        if loads[name][2:5].any():
            rule = "must be forces along x and y and a moment about z; load its nodes vertically"
            raise refusal("loads", f"slab '{name}' of {owner}", rule, loads[name].tolist())


def _within(ways: Sequence[str], plane: str) -> str:
    return f"must be along {', '.join(ways)} in the plane {plane}"


def turnless(
    nodes: Mapping[str, Array], members: Sequence[Member], masses: Mapping[str, Array], springs: Sequence[Spring],
    links: Sequence[Link],
) -> Mapping[str, frozenset[str]]:  # fmt: skip
    """Return the nodes where only trusses and cables meet: they do not turn, and nothing there asks them to."""
    straight = {node for m in members if m.kind != "beam" and not m.offsets for node in (m.start, m.end)}
    turning = {node for m in members if m.kind == "beam" or m.offsets for node in (m.start, m.end)}
    turning |= {node for spring in springs if spring.way in TURNS for node in (spring.node, spring.to) if node}
    turning |= {node for link in links for node in (link.node, link.to)}
    turning |= {node for node, values in masses.items() if values[3:].any()}
    return {node: TURNS for node in nodes if node in straight - turning}


def refuse_too_many(
    nodes: Mapping[str, Array], supports: Mapping[str, frozenset[str]], diaphragms: Sequence[Diaphragm],
    links: Sequence[Link], plane: str | None, owner: str,
) -> None:  # fmt: skip
    """Refuse a frame whose full matrices the budget has no room for."""
    able = set(in_plane(plane))
    flat = {"ux", "uy", "rz"} & able
    count = len(able) * (len(nodes) - len(links)) - sum(len(held & able) for held in supports.values())
    count -= sum(len(flat) * (len(slab.nodes) - 1) for slab in diaphragms)
    memory = 8.0 * (DENSE * float(count) ** 2 + 6.0 * len(nodes) * float(count))
    because = f"{count:,} degrees of freedom, as full matrices"
    afford(memory, what=owner, because=because, way_out="Give fewer nodes.", usual=ROOM)
