"""The report of a run: summary in words, figures, tables, warnings, sources, and how to repeat it."""

from __future__ import annotations

import numpy as np

from carom.reports.page import number, page
from carom.reports.pictures import Pictures
from carom.reports.references import references
from carom.reports.runs.asked import asked_table
from carom.reports.runs.inputs import inputs
from carom.reports.runs.seats import seats_of
from carom.reports.runs.slabs import shear_table, slab_table, storey_table
from carom.reports.runs.words import answer, effects, energy, enough, events
from carom.results import Pounding, Table
from carom.scenario import Scenario
from carom.units import si, standard_gravity

__all__ = ["pounding_page"]

MOST_IMPACTS = 40
"""Impacts that the page lists; the file has them all."""
LASTING = "; in contact at the end"


def pounding_page(scenario: Scenario, result: Pounding, pictures: Pictures | None = None) -> str:
    """Return the report as one HTML page; `pictures` are drawn here unless they are given."""
    if pictures is None:
        from carom.reports.runs.figures import pictures as draw

        pictures = draw(result)
    figures = pictures.figures
    return page(
        "pounding.html.j2",
        title=result.title,
        scenario=scenario,
        result=result,
        answer=answer(result),
        words=[*events(result), energy(result)] if result.pounds else [],
        effects=_effects(result),
        inputs=inputs(scenario),
        figures=figures,
        panels={key: figure.panels for key, (figure, _) in figures.items() if figure.panels},
        floors=slab_table(result) if result.scene.in_space else _floors(result),
        storeys=[storey_table(result), shear_table(result)] if result.scene.in_space else [],
        asked=asked_table(result),
        seats=seats_of(result),
        contacts=_contacts(result),
        impacts=_impacts(result),
        energy=_energy(result),
        firmness=_firmness(result),
        evidence=_evidence(result),
        references=references(scenario.problem, scenario.ground.values(), scenario.analysis.scheme),
        animation=pictures.animation,
    )


def _effects(result: Pounding) -> Table:
    """What contact did to each structure, where it did something."""
    found = effects(result) if result.pounds else []
    kinds = list(dict.fromkeys(kind for _, one in found for kind in one))
    rows = tuple((standing.name, *(one.get(kind, "–") for kind in kinds)) for standing, one in found)
    return Table("effects", "Each structure, against itself without contact", ("structure", *kinds), rows)


def _floors(result: Pounding) -> Table:
    """Peaks of every floor, with contact and without."""
    rows = []
    for standing in result.scene.shaken:
        drifts = result.peak_drifts(standing), result.peak_drifts(standing, pounding=False)
        for i in reversed(range(len(standing.dofs))):
            dof = standing.dofs[i]
            with_, without = result.run.extremes[dof], result.twin.extremes[dof]
            cells = []
            for a, b, factor in (
                (with_[0], without[0], 1e3), (drifts[0][i], drifts[1][i], 1e3), (with_[1], without[1], 1.0),
                (with_[2], without[2], 1.0 / standard_gravity),
            ):  # fmt: skip
                cells += [number(factor * float(a)), number(factor * float(b))]
            rows.append((standing.place(i), *cells))
    head = (
        "floor", "displacement [mm]", "without", "storey drift [mm]", "without", "velocity [m/s]", "without",
        "acceleration [g]", "without",
    )  # fmt: skip
    return Table("floors", "Peaks of every floor, with contact and without", head, tuple(rows))


def _contacts(result: Pounding) -> Table:
    table, lasting, rows = result.run.table, result.run.in_contact, []
    shear = result.column_shear
    for c, touch in enumerate(result.scene.touches):
        label = touch.label
        gaps = si(touch.gap, "m", 4), enough(float(result.needed_gaps[c]))
        here = table["contact"] == c
        if not here.any():
            closest = float(result.run.gap[:, c].min())
            nothing = ("–",) * ((3 if result.rigid else 4) + bool(shear))
            rows.append((label, *gaps, "0", *nothing, f"open; {si(closest, 'm', 3)} left at least"))
            continue
        rows.append(
            (
                label,
                *gaps,
                str(int(here.sum())),
                si(float(result.blows[here].max()), result.blow_unit, 4),
                *(() if result.rigid else (si(float(table["peak_overlap"][here].max()), "m", 3),)),
                *((si(shear[label], "N", 3) if label in shear else "–",) if shear else ()),
                f"{float(table['approach_velocity'][here].max()):.3g} m/s",
                si(float(table["energy_lost"][here].sum()), "J", 3),
                f"first at {float(table['start'][here].min()):.3f} s{LASTING if lasting[here].any() else ''}",
            )
        )
    blow = ("largest impulse",) if result.rigid else ("largest force", "largest overlap")
    head = (
        "contact",
        "gap",
        "gap that is enough",
        "impacts",
        *blow,
        *(("column shear",) if shear else ()),
        "fastest approach",
        "energy taken",
        "remark",
    )
    return Table("contacts", "Contacts", head, tuple(rows))


def _impacts(result: Pounding) -> Table:
    """The hardest impacts in order of time."""
    table = result.run.table
    hardest = np.argsort(-result.blows, kind="stable")[:MOST_IMPACTS]
    rows: list[tuple[str, ...]] = []
    remarks: list[str] = []
    for row in hardest[np.argsort(table["start"][hardest], kind="stable")].tolist():
        value = {name: float(column[row]) for name, column in table.items()}
        remark = ["in contact at the end"] if result.run.in_contact[row] else []
        remark += ["guarded v0"] if value.get("guarded") else []
        remarks.append("; ".join(remark))
        rows.append(
            (
                result.run.contacts[int(value["contact"])],
                f"{value['start']:.4f}",
                *(() if result.rigid else (si(value["duration"], "s", 3),)),
                f"{value['approach_velocity']:.3f}",
                "–" if result.run.in_contact[row] else f"{value['separation_velocity']:.3f}",
                *(() if result.rigid else (si(value["peak_force"], "N", 4),)),
                si(value["impulse"], "N s", 3),
                si(value["energy_lost"], "J", 3),
            )
        )
    title = "Impacts" if result.count <= MOST_IMPACTS else f"The {MOST_IMPACTS} hardest of {result.count} impacts"
    lasting, force = ((), ()) if result.rigid else (("duration",), ("peak force",))
    head: tuple[str, ...] = (
        "contact", "time [s]", *lasting, "approach [m/s]", "separation [m/s]", *force, "impulse", "energy taken"
    )  # fmt: skip
    if any(remarks):
        head, rows = (*head, "remark"), [(*row, remark) for row, remark in zip(rows, remarks, strict=True)]
    return Table("impacts", title, head, tuple(rows))


def _energy(result: Pounding) -> Table:
    ledger, twin = result.run.ledger, result.twin.ledger
    words = {
        "input": "came in from the ground",
        "kinetic": "kinetic at the end",
        "strain": "strain at the end",
        "damping": "lost to damping",
        "hysteretic": "lost to yielding",
        "contact": "lost to contact, or held in it" if result.run.in_contact.any() else "lost to contact",
        "residual": "unaccounted for",
    }
    rows = tuple(
        (text, si(float(ledger[key][-1]), "J", 4), si(float(twin[key][-1]), "J", 4))
        for key, text in words.items()
        if key in ledger
    )
    return Table("energy", "Energy", ("energy", "with contact", "without"), rows)


def _firmness(result: Pounding) -> Table:
    rows = tuple(
        (
            one.what, _share(one.displacement), _share(one.acceleration), _share(one.force),
            si(one.blow, result.blow_unit, 3), f"{one.impacts:+d}",
        )
        for one in result.run_again
    )  # fmt: skip
    blow = "largest impulse" if result.rigid else "largest force"
    head = ("run again with", "peak displacements", "peak accelerations", blow, "which is then", "impacts")
    return Table("firmness", "How firm the numbers are: changes when run again", head, rows)


def _share(change: float) -> str:
    return "< 0.0001 %" if change < 1e-6 else f"{100.0 * change:.2g} %" if change < 0.995 else f"{100.0 * change:.0f} %"


def _fact(name: str, value: object) -> str:
    """Return one piece of evidence as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, float):
        return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    seconds = {"wall_time", "time_step", "step", "shortest_step", "reached"}
    return si(value, "s", 4) if name in seconds else number(value)


def _evidence(result: Pounding) -> Table:
    evidence = result.run.evidence
    residual = float(np.abs(result.run.ledger["residual"]).max())
    rows = [
        ("outcome", result.run.outcome.text),
        ("largest energy residual", si(residual, "J", 3)),
        *(
            (name.replace("_", " "), _fact(name, value))
            for name, value in evidence.items()
            if name not in ("versions", "cautions", "unlikely")
        ),
    ]
    return Table("evidence", "Evidence", ("what", "value"), tuple(rows))
