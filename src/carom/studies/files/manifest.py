"""The manifest of a study: every word that it may say, checked whole whenever it is read.

The folder of a study travels between people and disks. Whatever a manifest says decides which files are read and which
are removed, hence nothing in it is taken on trust: names of parts are those that we write, counts agree with each
other, and a checksum over all of it tells a manifest that was changed from one that was not.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from carom.errors import InputError, shown
from carom.studies.files.plain_files import NotPlainError, open_plain

__all__ = ["FORMAT", "MANIFEST", "PART", "manifest_text", "read_manifest"]

FORMAT = 2
"""Number of the layout; a store with a larger one was written by a newer carom. From 2 on everything has a checksum."""
MANIFEST = "manifest.json"
PART = re.compile(r"part-(\d{6,12})\.parquet")
"""Names of parts, and their numbers."""
LARGEST = 64 << 20
"""Bytes of a manifest: far more than the longest study writes, and little enough to be read."""
MOST_RUNS = 10**12
MOST_SAMPLES = 10**10
DENSEST = 64
"""Rows for each byte of a part: far more than Parquet packs, so that a small file cannot ask for much memory."""
FIXED = ("run", "sample", "status", "message", "version")
"""Columns that every study has."""

Count = Annotated[int, Field(ge=0)]
Some = Annotated[int, Field(ge=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Range = Annotated[list[Count], Field(min_length=2, max_length=2)]
Tables = dict[str, dict[str, Any]]


class _Words(BaseModel):
    """Types as they are written; nothing that is not known."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class _Study(_Words):
    """What decides the runs; newer versions may say more."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)


class _Scenario(_Study):
    structures: Annotated[Tables, Field(min_length=1)]
    laws: Tables = {}
    contacts: list[dict[str, Any]] = []
    initial: Tables = {}


class _Parameter(_Study):
    places: list[str]
    values: Annotated[list[str | bool | float], Field(min_length=1)] | None
    distribution: str | None
    numbers: dict[Literal["mean", "std", "median", "dispersion", "low", "mode", "high"], float]
    levels: int | None
    factor: bool


class _Sampler(_Study):
    kind: str
    seed: Count


class _Motions(_Study):
    records: Annotated[Tables, Field(min_length=1)]
    factors: Annotated[list[Annotated[list[float], Field(min_length=1)]], Field(min_length=1)]
    period: float | None


class _Run(_Study):
    rtol: float


class _Stated(_Study):
    scenario: _Scenario
    parameters: dict[str, _Parameter]
    correlation: list[list[float]] | None
    sampler: _Sampler
    motions: _Motions | None
    outputs: list[str]
    run: _Run


class _Part(_Words):
    file: Annotated[str, Field(pattern=f"^{PART.pattern}$")]
    rows: Some
    bytes: Some
    runs: Annotated[list[Range], Field(min_length=1)]
    sha256: Digest | None = None
    by: Count = 0


class _Author(_Words):
    version: str
    code: str | None


class _Manifest(_Words):
    format: Some
    title: str
    description: str
    analyses: Tables
    file: str
    text: str
    cautions: list[str] = []
    study: _Stated
    total: Annotated[int, Field(ge=1, le=MOST_RUNS)]
    samples: Annotated[int, Field(ge=1, le=MOST_SAMPLES)]
    motions: list[str]
    parameters: list[str]
    outputs: list[str]
    columns: dict[str, str]
    version: str
    started: str
    engine: Literal["kernel", "single"]
    seconds: Annotated[float, Field(ge=0.0)]
    parts: list[_Part]
    computed_by: list[_Author] = []
    samples_sha256: Digest | None = None
    digest: Digest | None = None


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a study's folder, found sound."""
    path = folder / MANIFEST
    found = _parsed(path, _text(path))
    layout = found.get("format")
    if isinstance(layout, int) and layout > FORMAT:
        raise InputError(
            f"{folder} was written by a newer carom (layout {layout}; this one reads up to {FORMAT}). Update carom."
        )
    try:
        words = _Manifest.model_validate(found)
    except ValidationError as error:
        _refuse_first(path, error)
    if words.format >= 2 and words.digest != _digest(found):
        _refuse(path, "its checksum does not match: it was changed after carom had written it")
    for fault in _contradictions(words):
        _refuse(path, fault)
    author = {"version": words.version, "code": None}
    return {**found, "computed_by": found.get("computed_by") or [author]}


def manifest_text(manifest: dict[str, Any]) -> bytes:
    """Return a manifest as its file holds it, the checksum over all of it included."""
    words = {**manifest, "format": FORMAT}
    words["digest"] = _digest(words)
    return json.dumps(words, ensure_ascii=False, allow_nan=False, indent=1).encode()


def _digest(manifest: dict[str, Any]) -> str:
    words = {name: value for name, value in manifest.items() if name != "digest"}
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"))  # in order: that of the columns matters
    return hashlib.sha256(text.encode()).hexdigest()


def _text(path: Path) -> bytes:
    try:
        handle = open_plain(path)
    except (FileNotFoundError, NotADirectoryError):
        folder = path.parent
        raise InputError(f"{folder} holds no study. `carom study STUDY.toml --out {folder}` begins one.") from None
    except NotPlainError as error:
        raise InputError(f"{path} {error.strerror}. Put the manifest itself there.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{str(path)!r} cannot be read ({why.lower()}).") from None
    with os.fdopen(handle, "rb") as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        _refuse(path, f"it is larger than {LARGEST >> 20} MB")
    return text


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        found = json.loads(text.decode(), parse_constant=refuse)
        json.dumps(found, ensure_ascii=False).encode()  # characters that no file can hold
    except (ValueError, RecursionError):
        _refuse(path, "it is not JSON, or cut short")
    if not isinstance(found, dict):
        _refuse(path, "it is not a JSON object")
    return found


def _contradictions(words: _Manifest) -> list[str]:
    """Return what cannot be, though each word could: counts that do not agree, runs that are there twice."""
    motions = words.study.motions
    lengths = {1} if motions is None else {len(row) for row in motions.factors}
    several = 1 if motions is None else len(motions.factors)
    needed = [*FIXED, *words.parameters, *words.outputs, *(["motion", "scale"] if words.motions else [])]
    names = [part.file for part in words.parts]
    found = []
    if len(lengths) > 1 or (0 if motions is None else several) != len(words.motions):
        found.append("`study.motions.factors` must have a row of equal length for each of `motions`")
    elif words.total != several * words.samples * min(lengths):
        found.append(f"`total` must be motions × samples × factors. Got {words.total}")
    if words.parameters != list(words.study.parameters):
        found.append("`parameters` must be those of `study`")
    if missing := [name for name in needed if name not in words.columns]:
        found.append(f"`columns` must have all that runs have. Missing: {shown(missing[0])}")
    if len(set(names)) < len(names):
        found.append("`parts` must have names of their own")
    found += [fault for i, part in enumerate(words.parts) for fault in _part_faults(i, part, words)]
    if not found and _overlap([one for part in words.parts for one in part.runs]):
        found.append("`parts` hold a run twice")
    return found


def _part_faults(number: int, part: _Part, words: _Manifest) -> list[str]:
    place, found = f"parts[{number + 1}]", []
    if any(not first < last <= words.total for first, last in part.runs):
        found.append(f"`{place}.runs` must be ranges of runs from 0 to {words.total}. Got {shown(part.runs)}")
    elif sum(last - first for first, last in part.runs) != part.rows:
        found.append(f"`{place}.rows` must be the number of its runs. Got {part.rows}")
    if part.rows > DENSEST * part.bytes:
        found.append(f"`{place}.rows` must be fewer: no file of {part.bytes} bytes holds so many. Got {part.rows}")
    if part.by >= max(1, len(words.computed_by)):
        found.append(f"`{place}.by` must be the place of one of `computed_by`, from 0. Got {part.by}")
    return found


def _overlap(ranges: list[list[int]]) -> bool:
    ordered = sorted(ranges)
    return any(after[0] < before[1] for before, after in pairwise(ordered))


def _refuse_first(path: Path, error: ValidationError) -> NoReturn:
    """Refuse the first thing that the validator found, by its place."""
    first = error.errors()[0]
    place = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in first["loc"]).lstrip(".")
    got = "" if first["type"] in ("missing", "extra_forbidden") else f". Got {shown(first['input'])}"
    rule = {"missing": "must be given", "extra_forbidden": "is not known here"}.get(first["type"])
    if rule is None:
        rule = "must be named as carom names parts" if place.endswith(".file") else first["msg"].lower()
    _refuse(path, f"`{shown(place)[1:-1]}` {rule}{got}")


def _refuse(path: Path, what: str) -> NoReturn:
    raise InputError(
        f"{path} is damaged: {what}. Nothing was touched. Restore it from a copy, or begin again with another --out."
    )
