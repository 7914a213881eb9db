"""Write the published schemas again after a change of a format: ``python -m carom.scenario.schema``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from carom.scenario.model import SCHEMA_NAME, json_schema
from carom.scenario.studies.model import STUDY_SCHEMA_NAME, study_json_schema

__all__ = ["schema_text", "study_schema_text", "write_schema"]


def schema_text() -> str:
    """Return the schema of a scenario as its file holds it."""
    return _text(json_schema())


def study_schema_text() -> str:
    """Return the schema of a study as its file holds it."""
    return _text(study_json_schema())


def write_schema(path: Path) -> None:
    """Write the schema of a scenario to a file."""
    path.write_text(schema_text(), encoding="utf-8")


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write_schema(Path(__file__).with_name(SCHEMA_NAME))
    Path(__file__).with_name(STUDY_SCHEMA_NAME).write_text(study_schema_text(), encoding="utf-8")
