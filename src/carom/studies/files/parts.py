"""Rows as Parquet and back; columns are read one at a time, so that a table may be larger than it is looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, UnknownNameError
from carom.studies.extra import needs
from carom.studies.statuses import STATUSES

__all__ = ["LazyColumns", "encoded", "parts_columns", "read_samples", "samples_encoded", "unsound", "word_counts"]

Column = npt.NDArray[Any]
COMPRESSION = "zstd"
FAULTS = (ArithmeticError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError)
"""What reading a damaged file raises beside Arrow's own errors."""


def encoded(rows: Mapping[str, Column], manifest: Mapping[str, Any]) -> memoryview:
    """Return rows as the bytes of a Parquet file, columns as the manifest lists them."""
    pa = needs("pyarrow")
    words = {"motion": manifest["motions"], "status": STATUSES}
    arrays = []
    for name in manifest["columns"]:
        if name == "version":
            arrays.append(_word(pa, manifest["version"], len(rows["run"])))
        elif name == "message" and not np.any(rows["message"] != ""):
            arrays.append(_word(pa, "", len(rows["run"])))
        elif name in words and rows[name].dtype.kind == "i":
            arrays.append(pa.DictionaryArray.from_arrays(pa.array(rows[name]), pa.array(list(words[name]))))
        else:
            arrays.append(_array(pa, rows[name]))
    plain = [name for name in manifest["columns"] if name not in manifest["outputs"] and name != "run"]
    return _bytes(pa.table(arrays, names=list(manifest["columns"])), plain)


def samples_encoded(samples: Mapping[str, Column], count: int) -> memoryview:
    """Return samples as the bytes of a Parquet file."""
    pa = needs("pyarrow")
    columns = {"sample": np.arange(count, dtype=np.int32), **samples}
    return _bytes(pa.table([_array(pa, column) for column in columns.values()], names=list(columns)), True)


def read_samples(path: Path, names: Sequence[str]) -> dict[str, Column]:
    """Return the samples of a store."""
    table = _read(path, names)
    return {name: _column(table.column(name)) for name in names}


def unsound(path: Path, rows: int, names: Sequence[str], *, thorough: bool) -> str:
    """Return why a file cannot be the rows that it should hold, as far as its door tells; `thorough`: all of it."""
    pq, pa = needs("pyarrow.parquet"), needs("pyarrow")
    try:
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows != rows:
                return f"holds {file.metadata.num_rows} rows instead of {rows}"
            if missing := set(names) - set(file.schema_arrow.names):
                return f"holds no column {min(missing)!r}"
            if wrong := [name for name in names if not _fitting(name, file.schema_arrow.field(name).type)]:
                return f"holds other values than it should in the column {wrong[0]!r}"
        if thorough:
            table = _table(path, names)
            for name in names:
                _column(table.column(name))
    except (*FAULTS, pa.ArrowException) as error:
        return f"cannot be read ({' '.join(str(error).split())[:80]})"
    return ""


def _fitting(name: str, kind: Any) -> bool:
    """Tell whether a column may be of this type: numbers of runs are whole, words are words."""
    types = needs("pyarrow").types
    if types.is_dictionary(kind):
        kind = kind.value_type
    if name in ("run", "sample"):
        return bool(types.is_integer(kind))
    if name in ("status", "message", "version", "motion"):
        return bool(types.is_string(kind))
    return bool(
        types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind) or types.is_string(kind)
        or types.is_list(kind)
    )  # fmt: skip


def parts_columns(paths: Sequence[Path], names: Sequence[str], runs: Sequence[tuple[int, int]]) -> LazyColumns:
    """Return the columns of many parts as one table, sorted by run; `runs` are those that they should hold."""
    return LazyColumns(paths, names, runs)


def word_counts(paths: Sequence[Path], name: str) -> dict[str, int]:
    """Return how often each word occurs in a column of many parts."""
    found: Counter[str] = Counter()
    for path in paths:
        for pair in _read(path, [name]).column(name).value_counts():
            found[pair["values"].as_py()] += pair["counts"].as_py()
    return dict(found.most_common())


class LazyColumns(Mapping[str, Column]):
    """Columns that are read when asked for, and kept."""

    def __init__(self, paths: Sequence[Path], names: Sequence[str], runs: Sequence[tuple[int, int]]) -> None:
        self._paths, self._names, self._runs = paths, tuple(names), runs
        self._found: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        if name not in self._names:
            raise UnknownNameError("column", name, self._names)
        if name not in self._found:
            column = self._loaded(name)
            self._found[name] = column if self._order is None else column[self._order]
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def forget(self, name: str) -> None:
        """Let go of a column that was read; it is read again when asked for."""
        self._found.pop(name, None)

    @cached_property
    def _order(self) -> npt.NDArray[np.intp] | None:
        runs = self._loaded("run")
        order = None if bool(np.all(runs[1:] > runs[:-1])) else np.argsort(runs, kind="stable")
        ordered = runs if order is None else runs[order]
        if not np.array_equal(ordered, np.concatenate([np.arange(*one) for one in self._runs] or [runs[:0]])):
            raise InputError(
                "The store holds other runs than its manifest says, or one twice: it was not written by carom alone. "
                "Restore it from a copy."
            )
        return order

    def _loaded(self, name: str) -> Column:
        found = [_column(_read(path, [name]).column(name)) for path in self._paths]
        return np.concatenate(found) if found else np.empty(0, dtype=np.int64 if name in ("run", "sample") else float)


def _read(path: Path, names: Sequence[str]) -> Any:
    pa = needs("pyarrow")
    try:
        return _table(path, names)
    except FileNotFoundError:
        raise InputError(f"{path} is missing. `carom study STUDY.toml --resume` computes its runs again.") from None
    except (*FAULTS, pa.ArrowException) as error:
        raise InputError(f"{path} is damaged ({' '.join(str(error).split())[:80]}). Restore it from a copy.") from None


def _table(path: Path, names: Sequence[str]) -> Any:
    return needs("pyarrow.parquet").read_table(path, columns=list(names), use_threads=False)


def _column(column: Any) -> Column:
    """Return a column as NumPy's; texts share one object for each different one."""
    pa = needs("pyarrow")
    parts = []
    for chunk in column.chunks:
        if pa.types.is_dictionary(chunk.type):
            words = np.array(chunk.dictionary.to_pylist(), dtype=object)
            parts.append(words[chunk.indices.to_numpy(zero_copy_only=False)])
        elif pa.types.is_list(chunk.type) or pa.types.is_string(chunk.type):
            texts = np.empty(len(chunk), dtype=object)
            texts[:] = chunk.to_pylist()
            parts.append(texts)
        else:
            parts.append(chunk.to_numpy(zero_copy_only=False))
    if not parts:
        return np.empty(0)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _word(pa: Any, word: str, count: int) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, dtype=np.int32)), pa.array([word]))


def _array(pa: Any, column: Column) -> Any:
    if column.dtype != object:
        return pa.array(column)
    made = pa.array(column.tolist())
    return made.dictionary_encode() if pa.types.is_string(made.type) else made


def _bytes(table: Any, dictionary: list[str] | bool) -> memoryview:
    pa, pq = needs("pyarrow"), needs("pyarrow.parquet")
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression=COMPRESSION, compression_level=1, use_dictionary=dictionary)
    return memoryview(sink.getvalue())
