"""What a run says, in sentences: who hit whom, when, how hard, and what it did to drifts and accelerations."""

from __future__ import annotations

import math

import numpy as np

from carom.reports.changes import change
from carom.reports.runs.seats import unseated
from carom.reports.runs.slabs import slab_effect
from carom.results import Pounding, Standing
from carom.units import si, standard_gravity

__all__ = ["answer", "effects", "energy", "enough", "events", "sentences"]

MOST = 5
"""Contacts that are named."""
ELASTIC = 1e-6
"""A share of the energy that is rounding."""


def sentences(result: Pounding) -> list[str]:
    """Return the summary, one sentence or two to each entry; the first is the answer."""
    if not result.pounds:
        return [answer(result)]
    said = [
        f"{standing.name}, against itself without contact: "
        + "; ".join(f"{what} {words}" if what != "yielding" else words for what, words in one.items())
        + "."
        for standing, one in effects(result)
        if one
    ]
    return [answer(result), *events(result), *said, energy(result)]


def answer(result: Pounding) -> str:
    """Return whether anything touches, where, how hard, and the gap that would have been enough for this motion."""
    if not result.run.contacts:
        return "No contact was stated: the structures cannot touch."
    if not result.pounds:
        c = int(result.run.gap.min(axis=0).argmin())
        left = float(result.run.gap[:, c].min())
        gap = result.scene.touches[c].gap
        return (
            f"Nothing touches: {result.run.contacts[c]} come closest, {si(left, 'm', 3)} of the gap of "
            f"{si(gap, 'm', 3)} remain. {_needed(result)}".rstrip()
        )
    row = result.hardest
    assert row is not None  # something touched
    label = result.run.contacts[int(result.run.table["contact"][row])]
    hard = si(result.blows[row], result.blow_unit, 3)
    where = f"hardest at {label} with {hard}" if result.count > 1 else f"at {label} with {hard}"
    return f"They touch {_times(result.count)}, {where}. {unseated(result) or _needed(result)}".rstrip()


def _needed(result: Pounding) -> str:
    """Name the gap that would have been enough, where one is asked for everywhere; bodies in space lie on others."""
    if result.run.body_forms:
        return ""
    gaps = {touch.gap for touch in result.scene.touches}
    asked = f" instead of {si(gaps.pop(), 'm', 3)}" if len(gaps) == 1 and result.pounds else ""
    where = "" if asked or len(result.scene.touches) == 1 else " everywhere"
    return f"A gap of {enough(float(result.needed_gaps.max()))}{asked}{where} would have been enough for this motion."


def enough(gap: float) -> str:
    """Return a gap [m] that must be enough, with three digits, hence rounded up."""
    if gap <= 0.0:
        return "0 m"
    unit = 10.0 ** (math.floor(math.log10(gap)) - 2)
    return si(math.ceil(gap / unit - 1e-9) * unit, "m", 3)


def events(result: Pounding) -> list[str]:
    """Say who touched whom and when, what is still in contact, and which impact was the hardest."""
    return [_who(result), *_lasting(result), _hardest(result)]


def _who(result: Pounding) -> str:
    table, scene = result.run.table, result.scene
    pairs: dict[tuple[int, int], int] = {}
    for c, count in zip(scene.touches, result.per_contact.values(), strict=True):
        if count:
            pairs[c.left, c.right] = pairs.get((c.left, c.right), 0) + count
    said = "; ".join(
        f"{scene.standings[left].name} and {scene.standings[right].name} touch {_times(count)}"
        if left != right
        else f"two places of {scene.standings[left].name} touch {_times(count)}"
        for (left, right), count in sorted(pairs.items())
    )
    first, last = float(table["start"].min()), float((table["start"] + table["duration"]).max())
    when = f"at {first:.2f} s" if result.count == 1 else f"from {first:.2f} s to {last:.2f} s"
    return f"{said}, {when}: {_where(result)}."


def _where(result: Pounding) -> str:
    """Name the contacts that were hit, those hit most often where there are many."""
    used = {label: count for label, count in result.per_contact.items() if count}
    named = list(used) if len(used) <= MOST else sorted(used, key=lambda label: -used[label])[: MOST - 1]
    where = ", ".join(f"{label} ({used[label]}×)" for label in named)
    others, quiet = len(used) - len(named), len(result.run.contacts) - len(used)
    if others:
        where = f"most often {where}; {others} other contacts were hit too"
    return f"{where}; {_contacts(quiet)} stayed open" if quiet else where


def _lasting(result: Pounding) -> list[str]:
    """Name the contacts that are closed when the run ends."""
    table, run = result.run.table, result.run
    rows = np.flatnonzero(run.in_contact).tolist()
    if not rows:
        return []
    named = ", ".join(
        f"{run.contacts[int(table['contact'][row])]} since {table['start'][row]:.2f} s" for row in rows[:MOST]
    )
    more = len(rows) - MOST
    return [f"Still in contact when the run ends: {named}{f', and {more} more' if more > 0 else ''}."]


def _hardest(result: Pounding) -> str:
    row = result.hardest
    assert row is not None  # something touched
    table = result.run.table
    label = result.run.contacts[int(table["contact"][row])]
    end = " (in contact at the end)" if result.run.in_contact[row] else ""
    lasting = "" if result.rigid else f", for {si(table['duration'][row], 's', 3)}{end}"
    return (
        f"The hardest impact comes at {table['start'][row]:.2f} s, {label}: "
        f"{si(result.blows[row], result.blow_unit, 3)} at {table['approach_velocity'][row]:.2f} m/s{lasting}."
    )


def effects(result: Pounding) -> list[tuple[Standing, dict[str, str]]]:
    """Say what contact did to each structure, against its twin that nothing touches."""
    effect = slab_effect if result.scene.in_space else _effect
    return [(standing, effect(result, standing)) for standing in result.scene.shaken]


def _effect(result: Pounding, standing: Standing) -> dict[str, str]:
    dofs = list(standing.dofs)
    with_, without = result.run.extremes[dofs], result.twin.extremes[dofs]
    top = int(with_[:, 0].argmax())
    found = {
        "largest displacement": f"{change(with_[:, 0].max(), without[:, 0].max())} "
        f"({si(with_[top, 0], 'm', 3)} instead of {si(without[:, 0].max(), 'm', 3)})"
    }
    if len(dofs) > 1:
        drift, before = result.peak_drifts(standing), result.peak_drifts(standing, pounding=False)
        i = _most_raised(drift, before)
        found["drift"] = f"{change(drift[i], before[i])} in storey {i + 1} ({si(drift[i], 'm', 3)})"
    if standing.yield_drifts:
        found["yielding"] = _yielding(result, standing)
    if not result.rigid:  # whose accelerations depend on the time step, as a caution says
        i = _most_raised(with_[:, 2], without[:, 2])
        floor = f" at {standing.floors[i]}" if len(dofs) > 1 else ""
        found["acceleration"] = (
            f"{change(with_[i, 2], without[i, 2])}{floor} ({with_[i, 2] / standard_gravity:.2f} g "
            f"instead of {without[i, 2] / standard_gravity:.2f} g)"
        )
    return found


def _yielding(result: Pounding, standing: Standing) -> str:
    """Say which storeys yield, and how far."""
    limits = np.array(standing.yield_drifts)
    with_, without = (result.peak_drifts(standing, pounding=hit) / limits for hit in (True, False))
    yielding = np.flatnonzero(with_ > 1.0)
    if not yielding.size:
        return "no storey yields"
    top = int(with_.argmax())
    said = f"storey {top + 1} reaches {with_[top]:.2g} times its yield drift ({without[top]:.2g} without contact)"
    more = yielding.size - 1
    return said if not more else f"{said}, {more} other{'s' if more > 1 else ''} yield{'' if more > 1 else 's'}"


def _most_raised(
    values: np.ndarray[tuple[int], np.dtype[np.float64]], before: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> int:
    """Return where a value grew most, in its share."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(before > 0.0, values / before, np.where(values > 0.0, np.inf, 1.0))
    return int(np.argmax(ratio))


def energy(result: Pounding) -> str:
    """Say what the impacts took, and what yielding storeys did."""
    ledger = result.run.ledger
    whole = float(ledger["input"][-1] + ledger["kinetic"][0] + ledger["strain"][0])
    lost = float(ledger["contact"][-1])
    yielded = f" Yielding storeys take {si(result.hysteretic, 'J', 3)}." if result.hysteretic > ELASTIC * whole else ""
    if lost < ELASTIC * whole:
        return f"The impacts take no energy: they are elastic.{yielded}"
    percent = 100.0 * lost / whole if whole > 0.0 else 0.0
    share = f", {percent:.2g} % of what came in" if percent < 99.5 else ", all that came in"
    share = share if whole > 0.0 else ""
    return f"The impacts take {si(lost, 'J', 3)}{share}.{yielded}"


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"


def _contacts(count: int) -> str:
    return f"{count} contact" if count == 1 else f"{count} contacts"
