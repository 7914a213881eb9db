"""Tables of made-up studies, whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from carom.studies.analyses import ANALYSES, StudyTable

T = TypeVar("T")


def table_of(units: dict[str, str] | None = None, status: Any = None, **columns: Any) -> StudyTable:
    found = {name: np.asarray(values) for name, values in columns.items()}
    size = len(next(iter(found.values())))
    found["status"] = np.asarray(["finished"] * size if status is None else status, dtype=object)
    return StudyTable(found, units or {})


def found_by(analysis: str, kind: type[T], table: StudyTable, options: Mapping[str, Any]) -> T:
    """Run a registered analysis; its result is of the kind that its figure takes."""
    result = ANALYSES.get(analysis).run(table, options)
    assert isinstance(result, kind)
    return result
