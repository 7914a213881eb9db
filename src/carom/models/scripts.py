"""A Python script that builds a model of either program, as a structure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from carom.models.opensees import from_opensees
from carom.models.opensees_domain import OpenSeesDomain
from carom.models.pynite import from_pynite
from carom.models.script_process import read_script
from carom.structures import Structure

__all__ = ["from_script"]


def from_script(path: Path, **options: Any) -> Structure:
    """Return the model that a script builds, whichever program it is for; `options` as of `from_opensees`."""
    model = read_script(path)
    return from_opensees(model, **options) if isinstance(model, OpenSeesDomain) else from_pynite(model, **options)
