"""Write the published schema again after a change of the format: ``python -m carom.scenario.schema``."""

from __future__ import annotations

import json
from pathlib import Path

from carom.scenario.model import SCHEMA_NAME, json_schema

__all__ = ["schema_text", "write_schema"]


def schema_text() -> str:
    """Return the schema as its file holds it."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def write_schema(path: Path) -> None:
    """Write the schema to a file."""
    path.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    write_schema(Path(__file__).with_name(SCHEMA_NAME))
