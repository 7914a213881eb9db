"""A bridge to start from: three skewed spans on piers between abutments, that turns and leaves its seats."""

from __future__ import annotations

from itertools import pairwise

from carom.units import number

__all__ = ["bridge_text", "written"]

LENGTH, WIDTH = 25.0, 10.0
"""Of a span [m]."""
SEAT = "20 cm"


def bridge_text(spans: int, gap: str, skew: str, law: str) -> str:
    """Return the structures, contacts, bearings and seats of a bridge with so many equal spans."""
    apart = number(gap, "m", name="gap", owner="new")
    names = [f"span {i + 1}" for i in range(spans)]
    piers = [f"pier {i + 1}" for i in range(spans - 1)]
    parts = [_abutment("west", names[0], "w", gap, first=True)]
    for i, name in enumerate(names):
        parts.append(_span(name, i * (LENGTH + apart), skew, first=i == 0))
        if i < len(piers):
            parts.append(_pier(piers[i], (i + 0.5) * (LENGTH + apart), first=i == 0))
    parts.append(_abutment("east", names[-1], "e", gap, first=False))
    parts.append(law)
    parts += [_facing(left, right, first=i == 0) for i, (left, right) in enumerate(pairwise(["west", *names, "east"]))]
    below = ["west", *piers, "east"]
    for i, name in enumerate(names):
        parts += [_bearings(name, below[i], below[i + 1], first=i == 0), _seats(name, below[i], below[i + 1], i == 0)]
    return "\n".join(parts)


def _span(name: str, x: float, skew: str, *, first: bool) -> str:
    lines = [
        (f'[structures."{name}"]', "a rigid deck seen from above; it moves along x and y and turns"),
        ('kind = "deck"', ""),
        (f'length = "{LENGTH:g} m"', "along the bridge; or plan = [[0, 0], [25, 0], …], its corners"),
        (f'width = "{WIDTH:g} m"', ""),
        (f'skew = "{skew}"', "of its ends, clockwise from square"),
        ('mass = "350 t"', ""),
        (f'at = ["{x:g} m", 0]', "where its middle stands"),
        ('# points = {"middle bearing" = ["-12 m", 0]}', "corners are called sw, se, ne and nw"),
    ]
    return written(lines, first)


def _pier(name: str, x: float, *, first: bool) -> str:
    lines = [
        (f'[structures."{name}"]', "the top of a pier; oscillators, frames and matrices carry bearings, too"),
        ('kind = "pier"', ""),
        ('mass = "150 t"', ""),
        ('stiffness = "60 MN/m"', "along the bridge"),
        ('across = "120 MN/m"', ""),
        ('damping_ratio = "5 %"', ""),
        (f'at = ["{x:g} m", 0]', ""),
        ('# delay = "50 ms"', "the wave reaches it so much later; also of spans and abutments"),
    ]
    return written(lines, first)


def _abutment(name: str, deck: str, edge: str, gap: str, *, first: bool) -> str:
    lines = [
        (f"[structures.{name}]", "stands on the ground; deck ends strike its face and rest on it"),
        ('kind = "abutment"', ""),
        (f'beside = {{deck = "{deck}", edge = "{edge}", gap = "{gap}"}}', "edges: w, e, s, n"),
        ('# backfill = {kind = "backfill", stiffness = "200 MN/m", capacity = "4 MN"}', "soil, instead of a law"),
    ]
    return written(lines, first)


def _facing(left: str, right: str, *, first: bool) -> str:
    lines = [
        ("[[contacts]]", "corners against the edges that face each other, both ways; gaps are those of the plan"),
        (f'left = "{left}"', 'or {structure = "span 1", edge = "e"}'),
        (f'right = "{right}"', ""),
        ('law = "ends"', ""),
        ("friction = 0.3", "or {static = 0.4, kinetic = 0.3}"),
    ]
    return written(lines, first)


def _bearings(deck: str, west: str, east: str, *, first: bool) -> str:
    lines = [
        ("[[bearings]]", "one at each of these points of the deck"),
        (f'deck = "{deck}"', ""),
        ('at = ["sw", "nw"]', ""),
        (f'on = "{west}"', 'a pier, an abutment, another deck, or "ground"'),
        ('rule = {kind = "elastomeric", stiffness = "1.5 MN/m", damping = "30 kN*s/m"}', "or fixed, sliding, …"),
        ("", ""),
        ("[[bearings]]", ""),
        (f'deck = "{deck}"', ""),
        ('at = ["se", "ne"]', ""),
        (f'on = "{east}"', ""),
        ('rule = {kind = "sliding", friction = 0.08, stiffness = "20 MN/m"}', "under its share of the weight"),
        (
            '# rule = [{kind = "elastomeric", …}, {kind = "stops", gap = "5 cm", stiffness = "200 MN/m"}]',
            "side by side",
        ),
    ]
    return written(lines, first)


def _seats(deck: str, west: str, east: str, first: bool) -> str:
    lines = [
        ("[[seats]]", "results tell whether a corner of that end has left it, and when"),
        (f'deck = "{deck}"', ""),
        ('end = "w"', ""),
        (f'on = "{west}"', ""),
        (f'length = "{SEAT}"', "from the end to the edge of the seat, square to the end"),
        ("", ""),
        ("[[seats]]", ""),
        (f'deck = "{deck}"', ""),
        ('end = "e"', ""),
        (f'on = "{east}"', ""),
        (f'length = "{SEAT}"', ""),
    ]
    return written(lines, first)


def written(lines: list[tuple[str, str]], commented: bool) -> str:
    """Return lines of a file, with what is said about them where they are commented; lines beside others else go."""
    return "".join(
        f"{line}  # {about}\n" if about and commented else f"{line}\n"
        for line, about in lines
        if commented or not line.startswith("#")
    )
