"""Tables of made-up studies, whose answers are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.studies.analyses import StudyTable


def table_of(units: dict[str, str] | None = None, status: Any = None, **columns: Any) -> StudyTable:
    found = {name: np.asarray(values) for name, values in columns.items()}
    size = len(next(iter(found.values())))
    found["status"] = np.asarray(["finished"] * size if status is None else status, dtype=object)
    return StudyTable(found, units or {})
