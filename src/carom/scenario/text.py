"""A TOML file as text and as tables, with what to say where it is not one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from carom.errors import InputError
from carom.scenario.faults import Fault, ScenarioError

__all__ = ["parsed", "text_of"]


def text_of(path: Path, *, what: str, missing: str, folder: str) -> str:
    """Return the text of a file; `what` it should be, and the ways out where it is `missing` or a `folder`."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"There is no {what} {path}. {missing}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} must be text in UTF-8 (byte {error.start} is not). Save it as such.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder. {folder}") from None


def parsed(name: str, text: str) -> dict[str, Any]:
    """Return the tables of a file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        way_out = "Text stands in quotes, tables in [brackets], one field = value on each line."
        fault = Fault("the file", f"must be TOML: {str(error).rstrip('.')}", way_out=way_out)
        raise ScenarioError(name, [fault]) from None
