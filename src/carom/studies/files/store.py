"""The runs of a study on disk: Parquet parts and a manifest that names them, each whole or not there.

    DIR/manifest.json            what the study states, and the parts that hold its runs
    DIR/samples.parquet          the parameters, sample by sample
    DIR/parts/part-000001.parquet …

A part counts once the manifest names it, and as long as it is what its checksum says. What a crash leaves behind
otherwise is swept away by the next writer. No file is touched but those whose names we write, in this folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy.typing as npt

from carom.errors import DamageWarning, InputError, RunError
from carom.registry import late
from carom.studies.author import Author, told
from carom.studies.files.manifest import FORMAT, MANIFEST, PART, manifest_text, read_manifest
from carom.studies.files.parts import encoded, parts_columns, read_samples, samples_encoded, unsound
from carom.studies.files.plain_files import NotPlainError, open_plain
from carom.whole_files import reason_of, target_of, write_whole

__all__ = ["FORMAT", "MANIFEST", "Store", "merged"]

SAMPLES = "samples.parquet"
PARTS = "parts"
_OURS = re.compile(rf"{re.escape(MANIFEST)}|{re.escape(SAMPLES)}|{PART.pattern}|runs\.(csv|parquet|nc)|\.writable")
"""Names of the files that are written into the folder."""

Range = tuple[int, int]
"""Numbers of runs, one past the last."""


@dataclass
class Store:
    """The folder of a study, open for reading; `Store.write` is for the one process that holds the lock."""

    folder: Path
    manifest: dict[str, Any]
    _verified: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    """Files that were found to be what their checksums say, as they were then."""
    _by: int = 0
    """Who computes what is written now: the place among those who computed."""

    def _repr_html_(self) -> str:
        return str(late("carom.reports.notebook:study")(self))

    # making and opening --------------------------------------------------------------------------------

    @classmethod
    def create(
        cls, folder: Path, manifest: Mapping[str, Any], samples: Mapping[str, npt.NDArray[Any]], author: Author
    ) -> Store:
        """Begin a store in a folder that has none."""
        content = samples_encoded(samples, int(manifest["samples"]))
        words = {
            "format": FORMAT, **manifest, "version": author["version"], "seconds": 0.0, "parts": [],
            "computed_by": [dict(author)], "samples_sha256": hashlib.sha256(content).hexdigest(),
        }  # fmt: skip
        store = cls(folder, words)
        store._refuse_links()
        with store._disk():
            (folder / PARTS).mkdir(exist_ok=True)
            write_whole(folder / SAMPLES, content, durable=True)
            store._write_manifest()
        return store

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open what `create` began."""
        store = cls(folder, read_manifest(folder))
        store._refuse_links()
        return store

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether a folder holds a study."""
        return os.path.lexists(folder / MANIFEST)

    @staticmethod
    def orphaned(folder: Path) -> bool:
        """Whether a folder holds parts of a study whose manifest is lost."""
        with suppress(OSError):
            return not Store.exists(folder) and any(map(_is_part, (folder / PARTS).iterdir()))
        return False

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

    @property
    def authors(self) -> dict[str, int]:
        """Who computed the runs, in words, and how many of them."""
        found: dict[str, int] = {}
        for part in self.manifest["parts"]:
            author = told(self.manifest["computed_by"][part.get("by", 0)])
            found[author] = found.get(author, 0) + int(part["rows"])
        return found

    def samples(self) -> dict[str, npt.NDArray[Any]]:
        """Return the parameters, sample by sample."""
        if why := self.samples_fault():
            raise InputError(
                f"{self.folder / SAMPLES} {why}. `carom study STUDY.toml --resume` draws the samples again."
            )
        return read_samples(self.folder / SAMPLES, list(self.manifest["parameters"]))

    def samples_fault(self) -> str:
        """Return what is wrong with the file of the samples; nothing where it is what was written."""
        count, names = int(self.manifest["samples"]), ["sample", *self.manifest["parameters"]]
        return self._fault(self.folder / SAMPLES, self.manifest.get("samples_sha256"), count, names)

    def damaged(self) -> dict[str, str]:
        """Return the parts that are not what was written, and what is wrong with each."""
        found, columns = {}, list(self.manifest["columns"])
        for part, path in zip(self.manifest["parts"], self.paths, strict=True):
            if why := self._fault(path, part.get("sha256"), int(part["rows"]), columns, int(part["bytes"])):
                found[part["file"]] = why
        self._tell_unchecked()
        return found

    def tell_of_samples(self) -> None:
        """Say so where the file of the samples is damaged: runs hold their parameters, but --resume needs it."""
        if why := self.samples_fault():
            message = f"{self.folder / SAMPLES} {why}. `carom study STUDY.toml --resume` draws the samples again."
            warnings.warn(message, DamageWarning, stacklevel=3)

    def check(self) -> None:
        """Refuse parts that are damaged, by name."""
        if damaged := self.damaged():
            raise InputError(
                f"{self.folder} is damaged: {_listed(damaged)}. `carom study STUDY.toml --resume` computes these runs "
                "again."
            )

    def without(self, names: Mapping[str, str]) -> Store:
        """Return the store as if it had not these parts."""
        kept = [part for part in self.manifest["parts"] if part["file"] not in names]
        return Store(self.folder, {**self.manifest, "parts": kept}, self._verified)

    def columns(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return the table of all runs that are there, in order of their numbers; columns are read when asked for."""
        self.check()
        return parts_columns(self.paths, list(self.manifest["columns"]), self.done)

    # writing -------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Remove what a crash left behind and parts that are damaged, which are told; note missing checksums."""
        damaged = self.damaged()
        if damaged:
            message = f"{self.folder} is damaged: {_listed(damaged)}. These runs are computed again."
            warnings.warn(message, DamageWarning, stacklevel=3)
        with self._disk():
            (self.folder / PARTS).mkdir(exist_ok=True)
            before = self.manifest
            parts = [
                {**part, "sha256": part.get("sha256") or _sha256(path)}
                for part, path in zip(before["parts"], self.paths, strict=True)
                if part["file"] not in damaged
            ]
            digest = before.get("samples_sha256") or _sha256(self.folder / SAMPLES)
            self.manifest = {**before, "parts": parts, "samples_sha256": digest}
            if self.manifest != before:
                self._write_manifest()
            known = {part["file"] for part in self.manifest["parts"]}
            ours = [path for path in (self.folder / PARTS).iterdir() if _is_part(path) and path.name not in known]
            left = [path for path in (*self.folder.iterdir(), *(self.folder / PARTS).iterdir()) if _is_left(path)]
            for path in (*ours, *left):
                path.unlink(missing_ok=True)

    def restore_samples(self, samples: Mapping[str, npt.NDArray[Any]], why: str) -> None:
        """Write samples again that are damaged, where these are the very ones; refuse others."""
        path, content = self.folder / SAMPLES, samples_encoded(samples, int(self.manifest["samples"]))
        if hashlib.sha256(content).hexdigest() != self.manifest.get("samples_sha256"):
            raise InputError(
                f"{path} {why}, and whether the samples drawn now are the same cannot be told. Restore it from a copy, "
                "or begin again with another --out."
            )
        warnings.warn(f"{path} {why}. The same samples were drawn again.", DamageWarning, stacklevel=3)
        with self._disk():
            write_whole(path, content, durable=True)

    def continued_by(self, author: Author) -> None:
        """Note who computes the runs that are written from now on."""
        before = self.manifest["computed_by"] if self.manifest["parts"] else []
        known = before if dict(author) in before else [*before, dict(author)]
        self._by = known.index(dict(author))
        self.describe(computed_by=known, version=author["version"])

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
            "sha256": hashlib.sha256(content).hexdigest(),
            "by": self._by,
        }
        with self._disk():
            path = self.folder / PARTS / name
            write_whole(path, content, durable=True)
            self.manifest = {**before, "seconds": before["seconds"] + seconds, "parts": [*before["parts"], part]}
            try:
                self._write_manifest()
            except BaseException:
                if (self.folder / MANIFEST).read_bytes() != manifest_text(self.manifest):  # it may have come in time
                    self.manifest = before
                    path.unlink(missing_ok=True)
                raise

    def _write_manifest(self) -> None:
        write_whole(self.folder / MANIFEST, manifest_text(self.manifest), durable=True)

    @contextmanager
    def _disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = reason_of(error).lower()
            kept = f"{self.stored} of {self.total} runs are stored and stay readable" if self.manifest["parts"] else ""
            way_out = (
                "Make room or choose another disk, then continue with --resume." if kept else "Choose another --out."
            )
            raise RunError(f"{self.folder} cannot be written ({why}). {kept + '. ' if kept else ''}{way_out}") from None

    def _refuse_links(self) -> None:
        """Refuse a folder of parts that is somewhere else: what is removed there may be somebody else's."""
        place = self.folder / PARTS
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise InputError(
                f"{place} is a link or a file, not the folder that carom made. Put the folder itself there."
            )

    def _fault(self, path: Path, digest: str | None, rows: int, names: Sequence[str], size: int | None = None) -> str:
        """Return what is wrong with a file; nothing where it is what was written. One that has not changed since is."""
        try:
            now = _marks(path)
        except (OSError, ValueError) as error:
            return error.strerror if isinstance(error, NotPlainError) and error.strerror else "is missing"
        if self._verified.get(path.name) == now:
            return ""
        if size is not None and now[1] != size:
            return "is cut short or grown"
        if digest is not None and _sha256(path) != digest:
            return "does not match its checksum"
        if why := unsound(path, rows, names, thorough=digest is None):
            return why
        self._verified[path.name] = now
        return ""

    def _tell_unchecked(self) -> None:
        """Say once that there is nothing to check parts by."""
        if "unchecked" in self._verified or all(part.get("sha256") for part in self.manifest["parts"]):
            return
        self._verified["unchecked"] = ()
        warnings.warn(
            f"{self.folder} was written by an earlier carom and carries no checksums: damage to it may go unseen. "
            "`carom study STUDY.toml --resume` notes them.",
            DamageWarning,
            stacklevel=4,
        )


def _is_left(path: Path) -> bool:
    """Tell whether a file was being written for a study by a process that was killed."""
    target = target_of(path)
    return target is not None and _OURS.fullmatch(target) is not None


def _is_part(path: Path) -> bool:
    """Tell whether a file has the name of a part."""
    return PART.fullmatch(path.name) is not None


def _listed(damaged: Mapping[str, str]) -> str:
    """Return parts and what is wrong with them, those with the same fault together."""
    faults: dict[str, list[str]] = {}
    for name, why in damaged.items():
        faults.setdefault(why, []).append(name)
    return "; ".join(f"{', '.join(names)} {why}" for why, names in faults.items())


def _marks(path: Path) -> tuple[int, ...]:
    """Return what tells a file from one that was written since."""
    handle = open_plain(path)
    try:
        found = os.fstat(handle)
    finally:
        os.close(handle)
    return found.st_ino, found.st_size, found.st_mtime_ns


def _sha256(path: Path) -> str:
    with os.fdopen(open_plain(path), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def merged(ranges: Sequence[Range]) -> list[Range]:
    """Return ranges in order, neighbours joined."""
    found: list[Range] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found
