"""True extremes of forces and overlaps inside a step in contact."""

from carom.kernels.contact.collocation import END, NODES, POINTS, QUARTIC
from carom.kernels.contact.step_curves import crest
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    BOTTOM,
    BOTTOM_OVERLAP,
    CLIMB,
    CLOSED,
    CREST,
    CREST_FORCE,
    DEPTH,
    FORCE,
    OVERLAP,
    PACE,
    PEAK_FORCE,
    PEAK_OVERLAP,
    RATE,
    STATUS,
    TOP_RATE,
)
from carom.kernels.types import Matrix, Vector

AT_REST = 1e-6
"""Rate at the end of a step, as share of that at its start, below which the overlap is largest at the end itself, to
many digits."""


def find_crests(kind: int, contacts: Matrix) -> bool:
    """Note where in a solved step forces and overlaps are largest, and how large; return whether any is inside."""
    inside = False
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        row[CREST] = -1.0
        row[CREST_FORCE] = max(row[FORCE], row[AT_END])
        if row[CLIMB] > 0.0 or max(row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2]) > row[CREST_FORCE]:
            s, top = crest(kind, row[FORCE], row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2], row[AT_END])
            if 0.0 < s < 1.0:
                row[CREST], row[CREST_FORCE] = s, top
                inside = True
        row[BOTTOM] = -1.0
        row[BOTTOM_OVERLAP] = max(row[DEPTH], row[OVERLAP + END])
        if row[PACE] > 0.0 and row[RATE + END] < -AT_REST * row[PACE]:
            s, most = crest(kind, row[DEPTH], row[OVERLAP], row[OVERLAP + 1], row[OVERLAP + 2], row[OVERLAP + END])
            if 0.0 < s < 1.0:
                row[BOTTOM], row[BOTTOM_OVERLAP] = s, most
                inside = True
    return inside


def note_peaks(contacts: Matrix) -> None:
    """Raise the peaks of the impacts under way by what was found, and the largest rate since touch."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            row[PEAK_FORCE] = max(row[PEAK_FORCE], row[CREST_FORCE])
            row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], row[BOTTOM_OVERLAP], row[OVERLAP + 1])
            for i in range(POINTS):
                row[TOP_RATE] = max(row[TOP_RATE], row[RATE + i])


def force_within(kind: int, s: float, row: Vector) -> float:
    """Return a contact's force inside a solved step by the quartic through ends and nodes [N]."""
    total = 0.0
    for p in range(NODES + 1, -1, -1):
        total = total * s + QUARTIC[kind, p, 0] * row[FORCE] + QUARTIC[kind, p, 4] * row[AT_END]
        for j in range(NODES):
            total += QUARTIC[kind, p, 1 + j] * row[AT_NODES + j]
    return total
