"""`carom study`: the same question many times; what came of it, as a report and as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from carom.cli.terminal.budget import Budget, allow

if TYPE_CHECKING:
    from carom.studies.files.store import Store

__all__ = ["app"]


class _FileOrCommand(TyperGroup):
    """A group whose first word may be a study file: `carom study STUDY.toml` is `carom study run STUDY.toml`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Put the unsaid word before what is no command."""
        first = args[0]
        if first in self.commands:
            return super().resolve_command(ctx, args)
        if not (first.startswith("-") or Path(first).suffix or Path(first).exists()):
            ctx.fail(f"There is no study file {first}, and no such command. Commands: {', '.join(self.commands)}.")
        return super().resolve_command(ctx, ["run", *args])


app = typer.Typer(
    cls=_FileOrCommand,
    help="The same question many times: `carom study STUDY.toml`, then status, report and export of its folder.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    subcommand_metavar="STUDY | COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a study.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Figures = Annotated[bool, typer.Option("--figures", help="Write every figure as PNG and PDF too.")]


@app.command("run")
def run(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (TOML).")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for runs and report. [default: the file's name]")
    ] = None,
    workers: Annotated[int | None, typer.Option(metavar="N", help="Threads or processes. [default: all cores]")] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Dask scheduler, such as tls://host:8786 or tcp://…, or `local`."),
    ] = None,
    tls_ca: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Whose certificates a tls:// cluster has.")
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(metavar="FILE", help="Your certificate for it.")] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of your certificate.")] = None,
    device: Annotated[str | None, typer.Option("--device", metavar="DEVICE", help="cpu or cuda.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue what is in the folder.")] = False,
    mix_versions: Annotated[
        bool, typer.Option("--mix-versions", help="Continue even what another version has begun; the report says so.")
    ] = False,
    budget: Budget = None,
    figures: Figures = False,
    json: Json = False,
) -> None:
    """Carry out a study and report it; killed at any moment, --resume continues it."""
    import warnings

    allow(budget)
    from carom.cli.terminal.progress import Counted
    from carom.errors import FailedRunsWarning
    from carom.scenario.studies.reading import read_study
    from carom.studies.drive import run_study
    from carom.studies.runners import Tls

    stated = read_study(study)
    folder = Path(study.stem) if out is None else out
    counted = Counted()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FailedRunsWarning)  # told after the report
            store = run_study(
                stated, folder, resume=resume, mix_versions=mix_versions, workers=workers, cluster=cluster,
                tls=Tls(tls_ca, tls_cert, tls_key), device=_device(device), progress=counted,
            )  # fmt: skip
    finally:
        counted.close()
    _report(store, figures, json)


@app.command("new")
def new(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Study to write.")] = Path("study.toml"),
    scenario: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Scenario file to vary. [default: the built-in one]")
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the report.")] = "Gaps that are uncertain",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    schema: Annotated[
        bool, typer.Option(help="Write the schema beside it, for editors that complete and check.")
    ] = True,
) -> None:
    """Write a commented study to start from."""
    import os.path

    from carom.errors import InputError
    from carom.scenario.schema import study_schema_text
    from carom.scenario.studies.model import STUDY_SCHEMA_NAME
    from carom.scenario.studies.reading import study_of
    from carom.scenario.templates.study import study_text
    from carom.whole_files import whole_files

    if path.exists() and not overwrite:
        raise InputError(f"{path} exists. Name another file, or pass --overwrite to replace it.")
    named = there = "default"
    if scenario is not None:
        named, there = Path(os.path.relpath(scenario, path.parent)).as_posix(), scenario.resolve().as_posix()
    study_of(study_text(there, title), path.name, path.parent)  # found sound before its folder need be there
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_files(path.parent) as folder:
        (folder / path.name).write_text(study_text(named, title), encoding="utf-8")
        if schema:
            (folder / STUDY_SCHEMA_NAME).write_text(study_schema_text(), encoding="utf-8")
    from carom.cli.terminal.console import say

    say(f"{path} written{f', with {STUDY_SCHEMA_NAME} for your editor' if schema else ''}. Next: carom study {path}")


@app.command()
def status(folder: Folder, json: Json = False) -> None:
    """Say how far a study has come and how its runs ended."""
    from carom.studies.files.store import Store

    store = Store.open(folder)
    _tell(store.without(store.damaged()), json, [], [])
    store.tell_of_samples()
    store.check()


@app.command()
def report(folder: Folder, figures: Figures = False, json: Json = False) -> None:
    """Write the report of the runs that are there, with all analyses."""
    from carom.studies.files.store import Store

    _report(Store.open(folder), figures, json)


@app.command()
def export(
    folder: Folder,
    to: Annotated[str, typer.Option(metavar="FORMAT", help="csv, parquet or nc.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="[default: runs.FORMAT in the folder]")] = None,
) -> None:
    """Write all runs as one file."""
    from carom.cli.terminal.console import say
    from carom.studies.files.export import export_runs
    from carom.studies.files.store import Store

    say(str(export_runs(Store.open(folder), to, out)))


def _device(given: str | None) -> str | None:
    from carom.errors import UnknownNameError

    if given not in (None, "cpu", "cuda"):
        raise UnknownNameError("device", given, ("cpu", "cuda"))
    return given


def _report(store: Store, figures: bool, json: bool) -> None:
    """Write the report and tell; a study without a finished run, or without an analysis it asks for, has failed."""
    from carom.cli.terminal.progress import rare_collections
    from carom.errors import RunError
    from carom.reports.study import write_study_report
    from carom.studies.overview import all_failed

    with rare_collections():
        written = write_study_report(store, figures=figures)
    _tell(store, json, written.files, written.answers)
    if why := all_failed(store):
        raise RunError(why)
    if written.not_made:
        told = " ".join(f"analyses.{name}: {error}" for name, error in written.not_made.items())
        raise RunError(f"Not every analysis could be made. {told}")


def _tell(store: Store, json: bool, written: list[str], answers: list[str]) -> None:
    from carom.cli.terminal.console import print_json, terminal
    from carom.cli.terminal.progress import duration
    from carom.studies.overview import counts_of, status_words

    counts = counts_of(store)
    if json:
        print_json(
            {
                "title": store.manifest["title"], "folder": str(store.folder), "runs": store.total,
                "stored": store.stored, "complete": store.complete, "outcomes": counts,
                "seconds": store.manifest["seconds"], "parts": len(store.manifest["parts"]), "answers": answers,
                "written": written, "cautions": store.manifest.get("cautions", []),
            }
        )  # fmt: skip
        return
    console = terminal()
    console.print(store.manifest["title"], style="bold", markup=False)
    for sentence in status_words(store, counts):
        console.print(sentence, markup=False)
    for caution in store.manifest.get("cautions", ()):  # folders of earlier versions have none
        console.print(f"! {caution}", style="yellow", markup=False)
    for sentence in answers:
        console.print(sentence, markup=False)
    console.print(f"computed in {duration(store.manifest['seconds'])}", markup=False)
    if not store.complete:
        file = store.manifest["file"]
        console.print(f"continue: carom study {file} --out {store.folder} --resume", style="yellow", markup=False)
    if written:
        console.print(f"→ {store.folder}: {', '.join(written)}", style="cyan", markup=False, soft_wrap=True)
