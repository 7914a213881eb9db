"""Buildings of `carom new --from`: what a file holds, and the part of a scenario that states it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carom.errors import CaromWarning, InputError, refusal

if TYPE_CHECKING:
    from carom.scenario.templates.imported import Imported

__all__ = ["imported_from"]

KINDS = ".csv (tables of storeys), .npz (matrices) or .py (a script that builds an OpenSees or PyNite model)"
OF_SCRIPT = ("force", "length")
DAMPED = "5 %"


def imported_from(
    files: Sequence[Path], folder: Path, units: str | None, direction: str | None, overwrite: bool
) -> list[tuple[Imported, bytes | None]]:
    """Return the structures of files, and for each that was a script the matrices to be written beside the scenario."""
    from carom.cli.terminal.console import say

    said = _units(units)
    found: list[tuple[Imported, bytes | None]] = []
    shift = 0.0
    for file in files:
        if not file.is_file():
            raise refusal("from", "new", f"must be a file {KINDS}", str(file))
        name = _name(file, [one.name for one, _ in found])
        kind = file.suffix.lower()
        if kind not in (".csv", ".npz", ".py"):
            raise refusal("from", "new", f"must be a file {KINDS}", str(file))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", CaromWarning)
            if kind == ".csv":
                one, shift = _table(file, folder, name, _of_kind(said, kind, files), direction, shift)
                found.append((one, None))
            else:
                found.append(_matrices(file, folder, name, _of_kind(said, kind, files), overwrite))
        for warning in told:
            say(f"! {warning.message}")
    return found


def _units(text: str | None) -> dict[str, str]:
    """Take ``mass=t, stiffness=kN/m``."""
    found = {}
    for part in (text or "").split(","):
        if part.strip():
            what, equals, unit = part.partition("=")
            if not equals or not what.strip() or not unit.strip():
                raise refusal("units", "new", 'must be such as "mass=t, stiffness=kN/m, length=m"', text)
            found[what.strip()] = unit.strip()
    return found


def _of_kind(units: dict[str, str], kind: str, files: Sequence[Path]) -> dict[str, str]:
    """Return the units that a file takes: all, or, of several kinds of files, those that are not for the others alone.

    Forces are for scripts, masses and stiffnesses for tables, lengths for both, and matrices are in SI.
    """
    if len({file.suffix.lower() for file in files}) < 2:
        return units
    taken = {".csv": units.keys() - {"force"}, ".py": set(OF_SCRIPT)}.get(kind, set())
    return {what: unit for what, unit in units.items() if what in taken}


def _name(file: Path, taken: Sequence[str]) -> str:
    plain = (
        "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in file.stem).strip("-") or "building"
    )
    count, name = 1, plain
    while name in taken or name == "neighbour":
        count += 1
        name = f"{plain}-{count}"
    return name


def _relative(file: Path, folder: Path) -> str:
    return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()


def _table(
    file: Path, folder: Path, name: str, units: dict[str, str], direction: str | None, shift: float
) -> tuple[Imported, float]:
    """Return a building by its table of storeys; those that turn stand beside each other along x."""
    from carom.models.storeys import read_storeys
    from carom.scenario.templates.imported import Imported
    from carom.structures import TorsionalBuilding

    building = read_storeys(file, units=units or None, direction=direction, name=name)
    lines = [f"[structures.{name}]", 'kind = "storeys"', f'file = "{_relative(file, folder)}"  # relative to this one']
    if units:
        lines.append("units = {" + ", ".join(f'{what} = "{unit}"' for what, unit in units.items()) + "}")
    if direction is not None:
        lines.append(f'direction = "{direction}"')
    if isinstance(building, TorsionalBuilding):
        lines.append(f"origin = [{shift:g}, 0]  # where (0, 0) of its plan stands [m]; the neighbour stands a gap away")
        shift += float(max(building.width or [0.0])) + 0.02
    lines.append(f'damping_ratio = "{DAMPED}"  # of critical, in every mode')
    return Imported(name, "\n".join(lines) + "\n", _relative(file, folder), building), shift


def _matrices(
    file: Path, folder: Path, name: str, units: dict[str, str], overwrite: bool
) -> tuple[Imported, bytes | None]:
    """Return a structure by its matrices; those of a script are written beside the scenario."""
    from carom.scenario.structures.matrices import read_matrices
    from carom.scenario.structures.matrix_file import matrix_bytes
    from carom.scenario.templates.imported import Imported

    content: bytes | None = None
    if file.suffix.lower() == ".npz":
        if units:
            raise refusal("units", "new", "must be left out for .npz files, which are in SI", units)
        structure: Any = read_matrices(file, name=name)
        where = _relative(file, folder)
    else:
        from carom.models.scripts import from_script

        astray = [what for what in units if what not in OF_SCRIPT]
        if astray:
            raise refusal("units", "new", 'must be those of force and length for a script: "force=kN, length=m"', units)
        structure = from_script(file, name=name, **units)
        where = f"{name}.npz"
        if (folder / where).exists() and not overwrite:
            raise InputError(f"{folder / where} exists. Pass --overwrite to replace it, or rename {file.name}.")
        content = matrix_bytes(structure)
    lines = [f"[structures.{name}]", 'kind = "matrices"', f'file = "{where}"  # M, C, K, nodes; relative to this one']
    if structure.damping is None and structure.damping_ratio is None:
        content = None if content is None else matrix_bytes(structure, damped=False)
        lines.append(f'damping_ratio = "{DAMPED}"  # the model has no damping of its own')
    names = list(structure.points)
    lines.append(f"# its points: {', '.join(names[:12])}{', …' if len(names) > 12 else ''}")
    return Imported(name, "\n".join(lines) + "\n", where, structure), content
