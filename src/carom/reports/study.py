"""The report of a study: what was asked, how the runs ended, what came out, and every analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from carom.reports.drawn import Drawn
from carom.reports.page import number, page
from carom.reports.pictures import Graphic
from carom.reports.runs.files import write_table
from carom.reports.runs.inputs import problem_tables
from carom.reports.section import drawing
from carom.reports.svg import graphic
from carom.results import FigureData, Table
from carom.scenario.studies.quick import problem_of
from carom.studies.analyses import findings
from carom.studies.drive import table_of
from carom.studies.files.store import Store
from carom.studies.overview import counts_of, outputs_section, sample_section, status_words
from carom.studies.section import Picture, Section
from carom.units import si
from carom.whole_files import whole_files

__all__ = ["StudyReport", "study_sections", "write_study_report"]

MOST_ROWS = 200
"""Rows of a table that the page shows; the file beside it has all of them."""


class StudyReport(NamedTuple):
    """What was written of a study."""

    files: list[str]
    answers: list[str]
    """What the runs and each analysis say, a sentence or two each."""
    not_made: dict[str, str]
    """Analyses that could not be made, and why."""


def write_study_report(store: Store, *, figures: bool = False) -> StudyReport:
    """Write ``report.html`` and the tables as CSV into the study's folder."""
    sections, not_made = study_sections(store)
    answers = _answers(sections)
    drawings = [drawing(figure) for section in sections for figure in section.figures]
    with whole_files(store.folder) as folder:
        (folder / "report.html").write_text(_page(store, answers, sections, drawings), encoding="utf-8")
        (folder / "tables").mkdir()
        for table in (table for section in sections for table in section.tables):
            write_table(table, folder / "tables" / f"{table.name}.csv")
        if figures:
            (folder / "figures").mkdir()
            for one in drawings:
                one.save(folder / "figures")
        files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return StudyReport(files, answers, not_made)


def study_sections(store: Store) -> tuple[list[Section], dict[str, str]]:
    """Return the sections of a report, the sample, the outputs, then the analyses in order; and why some have none."""
    table = table_of(store)
    not_made: dict[str, str] = {}
    sections = [sample_section(table, store.samples())]
    if store.stored:
        sections.append(outputs_section(table))
        for finding in findings(table, store.manifest["analyses"]):
            if finding.result is not None:
                sections.append(finding.result.section())
            else:
                not_made[finding.name] = finding.error
                words = (f"This analysis could not be made: {finding.error}",)
                sections.append(Section(finding.name.replace("-", " ").capitalize(), cautions=words))
    return sections, not_made


def _answers(sections: Sequence[Section]) -> list[str]:
    """Return what the runs say, then what each analysis says first."""
    found = [*sections[1].paragraphs[1:]] if len(sections) > 1 else []
    return found + [f"{section.title}: {section.paragraphs[0]}" for section in sections[2:] if section.paragraphs]


def _page(store: Store, answers: Sequence[str], sections: Sequence[Section], drawings: Sequence[Drawn]) -> str:
    made = {one.key: graphic(_key(one.key), one.axes, one.caption, readable=one.readable) for one in drawings}
    manifest = store.manifest
    return page(
        "study.html.j2",
        title=manifest["title"],
        manifest=manifest,
        words=status_words(store, counts_of(store)),
        answer=next((section.paragraphs[0] for section in sections[2:] if section.paragraphs), "".join(answers[:1])),
        answers=answers,
        inputs=[*problem_tables(problem_of(manifest["study"]["scenario"], allow_overlap=True)), *_inputs(store)],
        sections=[_section(section, made) for section in sections],
        panels={one.key: one.panels for one in made.values() if one.panels},
        most_rows=MOST_ROWS,
        command=f"carom study {manifest['file']}",
    )


def _section(section: Section, made: Mapping[str, Graphic]) -> dict[str, Any]:
    return {
        "key": _key(section.title),
        "title": section.title,
        "paragraphs": section.paragraphs,
        "cautions": section.cautions,
        "figures": [(made[figure.name], _caption(figure)) for figure in section.figures],
        "tables": section.tables,
    }


def _inputs(store: Store) -> list[Table]:
    """Return what varies, the motions and how it was run."""
    study, manifest = store.manifest["study"], store.manifest
    units = manifest["columns"]
    varied = tuple(
        (name, ", ".join(one["places"]), _distribution(one, units[name]), "factor" if one["factor"] else "value")
        for name, one in study["parameters"].items()
    )
    sampler = study["sampler"]
    rows = [
        ("runs", str(store.total)),
        ("samples", f"{manifest['samples']}, by {sampler['kind']}, seed {sampler['seed']}"),
        *_motions(study["motions"]),
        ("correlated", "no" if study["correlation"] is None else "yes, by a Gaussian copula"),
        ("tolerance", f"{study['run']['rtol']:g}"),
        ("computed by", {"kernel": "the ensemble kernel", "single": "single runs"}[manifest["engine"]]),
        ("begun", manifest["started"]),
        ("versions", manifest["version"]),
    ]
    found = [Table("varied", "What varies", ("parameter", "where", "values", "taken as"), varied)] if varied else []
    return [*found, Table("study", "The study", ("what", "value"), tuple(rows))]


def _motions(motions: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if motions is None:
        return [("motions", "none")]
    names = list(motions["records"])
    listed = ", ".join(names[:6]) + (f" … {names[-1]}" if len(names) > 6 else "")
    low = min(min(row) for row in motions["factors"])
    high = max(max(row) for row in motions["factors"])
    factors = f"{len(motions['factors'][0])}, from {low:.3g} to {high:.3g}" if high > low else f"{low:g}"
    return [("motions", f"{len(names)}: {listed}"), ("factors on each", factors)]


ORDER = ("mean", "std", "median", "dispersion", "low", "mode", "high")
"""How the numbers of a distribution are told."""


def _distribution(one: Mapping[str, Any], unit: str) -> str:
    if one["values"] is None:
        told = ", ".join(
            f"{name} {_amount(one['numbers'][name], '' if name == 'dispersion' else unit)}"
            for name in sorted(one["numbers"], key=ORDER.index)
        )
        return f"{one['distribution']}: {told}"
    values = [_amount(value, unit) for value in one["values"]]
    return ", ".join(values) if len(values) <= 6 else f"{len(values)} values, {values[0]} to {values[-1]}"


def _amount(value: Any, unit: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return si(value, unit, 4) if unit in ("m", "s", "N/m", "Hz") else f"{number(value)} {unit}".rstrip()


def _caption(figure: Picture | FigureData) -> str:
    return f"{figure.title}." if isinstance(figure, FigureData) else figure.caption


def _key(name: str) -> str:
    """Return a name that an element may have."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())
