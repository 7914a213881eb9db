"""Many files at once: names to motions, results to files; a bad one costs one line on stderr."""

from __future__ import annotations

import glob
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from carom.cli.terminal.console import print_json, say
from carom.errors import CaromError, CaromWarning, InputError, RunError

if TYPE_CHECKING:
    from carom.motions import Motion
    from carom.motions.folders import MotionFilter

__all__ = ["PICTURES", "Batch", "Options", "Places", "picture_of"]

PICTURES = {".png", ".pdf", ".svg"}


@dataclass(frozen=True)
class Options:
    """How files are to be read."""

    format: str | None = None
    dt: str | None = None
    unit: str | None = None
    column: int | None = None
    partial: bool = False
    component: str | None = None
    scale: str | None = None


class Places:
    """Where the results of a batch go: one file for one motion, or a folder."""

    def __init__(self, out: Path, suffix: str, overwrite: bool, *, one_file: bool) -> None:
        self.out, self.overwrite, self.one_file = out, overwrite, one_file
        self.suffix = "." + suffix.lower().lstrip(".")
        self.taken: set[Path] = set()

    def of(self, motion: Motion) -> Path:
        """Return the file for a motion; two motions never share one."""
        target = self.out if self.one_file else self.out / (_file_name(motion.name) + self.suffix)
        if target in self.taken:
            way_out = "Name a folder with --out." if self.one_file else "Convert them in two runs."
            raise InputError(f"{target} is written already by another motion of this run. {way_out}")
        if target.exists() and not self.overwrite:
            raise InputError(f"{target} exists. Pass --overwrite to replace it.")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.taken.add(target)
        return target


class Batch:
    """Many files; a bad one costs one line on stderr, the others go on."""

    def __init__(self, files: list[str], options: Options, taken: MotionFilter | None = None) -> None:
        self.files, self.options, self.taken = files, options, taken
        self.failures: list[dict[str, str]] = []
        self.failed_runs = 0

    def motions(self) -> list[Motion]:
        """Return all motions that could be read."""
        return self.each(lambda motion: motion)

    def each(self, work: Callable[[Motion], Any]) -> list[Any]:
        """Return the results of all motions that could be read and worked on."""
        from carom.motions.readers import UnrecognisedError

        results = []
        for name in self.files:
            for source in self._expand(name):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", CaromWarning)
                    try:
                        results += [work(motion) for motion in self._read(source)]
                    except UnrecognisedError as error:
                        if Path(name) == Path(source):  # in a folder there may be others
                            self._fail(source, str(error))
                    except (CaromError, OSError) as error:
                        self._fail(source, str(error))
                        self.failed_runs += isinstance(error, RunError)
                for warning in caught:
                    say(f"carom: warning: {warning.message}", to=sys.stderr)
        return results

    def print_json(self, content: dict[str, Any]) -> None:
        """Print one JSON object, failures included."""
        print_json({**content, "failures": self.failures})

    def finish(self) -> None:
        """Leave with exit code 2 where anything failed, 1 where that was the computation alone."""
        if self.failures:
            raise typer.Exit(1 if self.failed_runs == len(self.failures) else 2)

    def _expand(self, name: str) -> Iterator[str | Path]:
        path = Path(name)
        if path.is_dir():
            from carom.motions.folders import files_of

            found = files_of(path)
            if not found:
                self._fail(name, f"There is no motion in the folder {name}.")
            yield from found
        elif not path.exists() and any(sign in name for sign in "*?["):
            matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 (the pattern may be absolute)
            if not matches:
                self._fail(name, f"No file matches {name}.")
            yield from (Path(match) for match in matches if not Path(match).is_dir())
        else:
            yield name

    def _read(self, source: str | Path) -> Sequence[Motion]:
        from carom.motions import get, names
        from carom.motions.folders import ALL, MotionFilter

        if isinstance(source, str) and not Path(source).exists() and not Path(source).suffix:
            try:
                return (get(source),)
            except InputError as error:
                if "Unknown" not in str(error):
                    raise
                raise InputError(
                    f"There is no file {source}, nor a built-in motion of that name ({', '.join(names())})."
                ) from None
        options = self.options
        taken = MotionFilter(component=options.component or ALL) if self.taken is None else self.taken
        return taken.read(
            Path(source), format=options.format, dt=options.dt, unit=options.unit, column=options.column,
            scale=options.scale, partial=options.partial,
        )  # fmt: skip

    def _fail(self, source: object, message: str) -> None:
        line = " ".join(message.split())
        self.failures.append({"file": str(source), "error": line})
        say(f"carom: {source}: {line}", to=sys.stderr)


def picture_of(path: Path, axes: Any, overwrite: bool) -> None:
    """Save the figure of axes."""
    if path.suffix.lower() not in PICTURES:
        raise InputError(f"`--plot` must end in {', '.join(sorted(PICTURES))}. Got {str(path)!r}.")
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists. Pass --overwrite to replace it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    axes.figure.savefig(path)


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._-+()" else "_" for letter in name)
