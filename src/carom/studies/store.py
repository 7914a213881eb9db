"""The runs of a study on disk: Parquet parts and a manifest that names them, each whole or not there.

    DIR/manifest.json            what the study states, and the parts that hold its runs
    DIR/samples.parquet          the parameters, sample by sample
    DIR/parts/part-000001.parquet …

A part counts once the manifest names it. What a crash leaves behind otherwise is swept away by the next writer.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from carom.errors import InputError, RunError
from carom.studies.files import UNFINISHED, write_whole
from carom.studies.parts import encoded, parts_columns, read_samples, samples_encoded

__all__ = ["FORMAT", "MANIFEST", "Store", "merged"]

FORMAT = 1
"""Number of the layout; a store with a larger one was written by a newer carom."""
MANIFEST = "manifest.json"
SAMPLES = "samples.parquet"
PARTS = "parts"

Range = tuple[int, int]
"""Numbers of runs, one past the last."""


@dataclass
class Store:
    """The folder of a study, open for reading; `Store.write` is for the one process that holds the lock."""

    folder: Path
    manifest: dict[str, Any]

    # making and opening --------------------------------------------------------------------------------

    @classmethod
    def create(cls, folder: Path, manifest: Mapping[str, Any], samples: Mapping[str, npt.NDArray[Any]]) -> Store:
        """Begin a store in a folder that has none."""
        store = cls(folder, {"format": FORMAT, **manifest, "seconds": 0.0, "parts": []})
        with store._disk():
            (folder / PARTS).mkdir(exist_ok=True)
            write_whole(folder / SAMPLES, samples_encoded(samples, int(manifest["samples"])))
            store._write_manifest()
        return store

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open what `create` began."""
        path = folder / MANIFEST
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            layout = int(manifest["format"])
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(f"{folder} holds no study. `carom study STUDY.toml --out {folder}` begins one.") from None
        except (ValueError, KeyError, TypeError, UnicodeDecodeError):
            raise InputError(
                f"{path} is damaged: it is not what `carom study` wrote. Restore it from a copy."
            ) from None
        if layout > FORMAT:
            raise InputError(
                f"{folder} was written by a newer carom (layout {layout}; this one reads up to {FORMAT}). Update carom."
            )
        return cls(folder, manifest)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether a folder holds a study."""
        return (folder / MANIFEST).exists()

    # asking --------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """Number of runs of the study."""
        return int(self.manifest["total"])

    @property
    def stored(self) -> int:
        """Number of runs that are there."""
        return sum(int(part["rows"]) for part in self.manifest["parts"])

    @property
    def complete(self) -> bool:
        """Whether all runs are there."""
        return self.stored == self.total

    @property
    def done(self) -> list[Range]:
        """Which runs are there, in order."""
        return merged([(int(a), int(b)) for part in self.manifest["parts"] for a, b in part["runs"]])

    @property
    def paths(self) -> list[Path]:
        """The parts."""
        return [self.folder / PARTS / part["file"] for part in self.manifest["parts"]]

    def samples(self) -> dict[str, npt.NDArray[Any]]:
        """Return the parameters, sample by sample."""
        return read_samples(self.folder / SAMPLES, list(self.manifest["parameters"]))

    def columns(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return the table of all runs that are there, in order of their numbers; columns are read when asked for."""
        self._check_parts()
        return parts_columns(self.paths, list(self.manifest["columns"]))

    # writing -------------------------------------------------------------------------------------------

    def sweep(self) -> list[str]:
        """Remove what a crash left behind and forget parts that are damaged; return what was forgotten."""
        with self._disk():
            known = {part["file"] for part in self.manifest["parts"]}
            for path in (*self.folder.glob(f".*{UNFINISHED}"), *(self.folder / PARTS).iterdir()):
                if path.name not in known:
                    path.unlink(missing_ok=True)
            damaged = self._damaged()
            if damaged:
                self.manifest["parts"] = [part for part in self.manifest["parts"] if part["file"] not in damaged]
                self._write_manifest()
                for name in damaged:
                    (self.folder / PARTS / name).unlink(missing_ok=True)
        return damaged

    def describe(self, **changes: Any) -> None:
        """Change words of the manifest that do not touch the runs."""
        self.manifest.update(changes)
        with self._disk():
            self._write_manifest()

    def write(self, rows: Mapping[str, npt.NDArray[Any]], runs: Sequence[Range], seconds: float) -> None:
        """Add runs, for good once this returns."""
        number = 1 + max((int(part["file"][5:-8]) for part in self.manifest["parts"]), default=0)
        name = f"part-{number:06d}.parquet"
        content = encoded(rows, self.manifest)
        before = self.manifest
        part = {
            "file": name,
            "rows": len(rows["run"]),
            "bytes": len(content),
            "runs": [list(one) for one in merged(runs)],
        }
        with self._disk():
            path = self.folder / PARTS / name
            write_whole(path, content)
            self.manifest = {**before, "seconds": before["seconds"] + seconds, "parts": [*before["parts"], part]}
            try:
                self._write_manifest()
            except BaseException:
                self.manifest = before
                path.unlink(missing_ok=True)
                raise

    def _write_manifest(self) -> None:
        text = json.dumps(self.manifest, ensure_ascii=False, allow_nan=False, indent=1)
        write_whole(self.folder / MANIFEST, text.encode())

    @contextmanager
    def _disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = (os.strerror(error.errno) if error.errno else str(error)).lower()
            kept = f"{self.stored} of {self.total} runs are stored and stay readable" if self.manifest["parts"] else ""
            way_out = (
                "Make room or choose another disk, then continue with --resume." if kept else "Choose another --out."
            )
            raise RunError(f"{self.folder} cannot be written ({why}). {kept + '. ' if kept else ''}{way_out}") from None

    def _damaged(self) -> list[str]:
        found = []
        for part, path in zip(self.manifest["parts"], self.paths, strict=True):
            if not path.is_file() or path.stat().st_size != part["bytes"]:
                found.append(part["file"])
        return found

    def _check_parts(self) -> None:
        if damaged := self._damaged():
            raise InputError(
                f"{self.folder} is damaged: {', '.join(damaged)} missing or cut short. "
                "`carom study STUDY.toml --resume` computes these runs again."
            )


def merged(ranges: Sequence[Range]) -> list[Range]:
    """Return ranges in order, neighbours joined."""
    found: list[Range] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found
