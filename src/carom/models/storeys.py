"""Buildings from tables of storeys: masses, stiffnesses, heights, centres of mass and rigidity."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import InputError, refusal
from carom.models.storey_tables import OWNER, Cell, Storey, storeys_in
from carom.structures import ShearBuilding, TorsionalBuilding
from carom.structures.damping import Damping
from carom.units import number

__all__ = ["read_storeys"]

KINDS = {
    "mass": ("mass", "kg"),
    "mass_x": ("mass", "kg"),
    "mass_y": ("mass", "kg"),
    "inertia": ("inertia", "kg*m^2"),
    "stiffness": ("stiffness", "N/m"),
    "stiffness_x": ("stiffness", "N/m"),
    "stiffness_y": ("stiffness", "N/m"),
    "torsional": ("torsional", "N*m"),
} | dict.fromkeys(("height", "elevation", "xcm", "ycm", "xcr", "ycr", "ex", "ey", "width", "depth"), ("length", "m"))
"""By column: the entry of `units` that counts for it, and the unit inside."""
EXAMPLE = 'units={"mass": "t", "stiffness": "kN/m", "length": "m"}'
GROUNDS = ("base", "ground", "foundation", "0")
"""What a row is called that may have neither mass nor stiffness."""
SAME = 1e-6
"""Relative difference up to which two numbers for one thing are the same."""


def read_storeys(
    path: Any,
    *,
    units: Mapping[str, str] | None = None,
    direction: str | None = None,
    order: str | None = None,
    diaphragm: str | None = None,
    case: str | None = None,
    width: Any = None,
    depth: Any = None,
    damping_ratio: Any = None,
    damping: Damping | None = None,
    name: str = "",
) -> ShearBuilding | TorsionalBuilding:
    """Return a building from CSV tables of its storeys.

    Headers are those of ETABS and SAP2000 ("Story", "Mass X", "XCM", "XCR", "Stiff X" …) or plain ones ("Storey",
    "Mass", "Stiffness", "Height", "Ex"); tables of several files, or one below another in a file, are joined by the
    names of storeys. Units come from the tables, from a row below the headers or from brackets behind them; what they
    do not say must be said by `units`.

    Tables with stiffnesses along x and y and a torsional stiffness make a `TorsionalBuilding`; with a `direction`, or
    one stiffness for each storey, a `ShearBuilding`.

    Parameters
    ----------
    path
        A file, or a list of files.
    units
        Units where the tables say none: of ``mass``, ``stiffness`` and ``length``; ``inertia`` (mass·length²) and
        ``torsional`` (stiffness·length²) follow from these.
    direction
        ``"x"`` or ``"y"``: a `ShearBuilding` in this direction.
    order
        ``"top-down"`` or ``"bottom-up"``, where neither elevations nor the numbers in storeys' names tell.
    diaphragm, case
        Of tables with several rows for a storey: which diaphragm, and which load case of story stiffnesses.
    width, depth
        Of the slabs, along x and y, where the tables do not say them.
    damping_ratio, damping
        As for the building.
    name
        Of the building.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = "Story,Elevation,Mass,Stiffness\\nRoof,6.4,180,210000\\nFirst,3.2,200,300000\\n"
    >>> file = pathlib.Path(tempfile.mkdtemp(), "storeys.csv")
    >>> _ = file.write_text(text)
    >>> tower = carom.read_storeys(file, units={"mass": "t", "stiffness": "kN/m", "length": "m"}, damping_ratio=0.05)
    >>> tower.masses, tower.heights
    ((200000.0, 180000.0), (3.2, 6.4))
    """
    files = [Path(path)] if isinstance(path, (str, Path)) else [Path(one) for one in path]
    for label, given, known in (("direction", direction, ("x", "y")), ("order", order, ("top-down", "bottom-up"))):
        if given is not None and given not in known:
            raise refusal(label, OWNER, f"must be '{known[0]}' or '{known[1]}'", given)
    storeys = storeys_in(files, {"diaphragm": diaphragm, "case": case})
    table = _Table(_upwards(storeys, order), _units(units))
    heights = table.heights()
    damped: dict[str, Any] = {"damping_ratio": damping_ratio, "damping": damping, "name": name, "heights": heights}
    if direction is None and table.turns():
        return _torsional(table, width, depth, damped)
    along = direction or table.only_direction()
    return ShearBuilding(masses=tuple(table.masses(along)), stiffnesses=tuple(table.stiffnesses(along)), **damped)


def _torsional(table: _Table, width: Any, depth: Any, damped: dict[str, Any]) -> TorsionalBuilding:
    """Return a building that turns; plan coordinates are those of the tables, or the slab's middle and eccentricity."""
    plan = {
        label: table.column(label) if table.has(label) else given
        for label, given in (("width", width), ("depth", depth))
    }
    missing = [label for label, given in plan.items() if given is None]
    if missing:
        raise refusal(missing[0], OWNER, "must be given for a building that turns", None, 'Write width="12 m".')
    given: dict[str, Any] = {
        "masses": table.masses("x"), "stiffnesses_x": table.column("stiffness_x"),
        "stiffnesses_y": table.column("stiffness_y"), "torsional_stiffnesses": table.column("torsional"), **plan,
    }  # fmt: skip
    if table.has("inertia"):
        given["inertias"] = table.column("inertia")
    mass, rigidity = table.centres("xcm", "ycm"), table.centres("xcr", "ycr")
    shift = table.centres("ex", "ey")
    if shift is not None and (mass is None) == (rigidity is None):
        if mass is not None:
            raise InputError(f"{OWNER} takes centres of mass and rigidity, or eccentricities `ex` and `ey`, not both.")
        middle = _middles(plan, len(table.storeys))
        mass, rigidity = middle, middle - shift
    elif shift is not None:
        mass, rigidity = (mass, mass - shift) if mass is not None else (rigidity + shift, rigidity)
    for label, centres in (("centres_of_mass", mass), ("centres_of_stiffness", rigidity)):
        if centres is not None:
            given[label] = [tuple(row) for row in centres.tolist()]
    return TorsionalBuilding(**given, **damped)


def _middles(plan: Mapping[str, Any], floors: int) -> Any:
    """Return the middles of rectangular slabs, (floors, 2)."""
    sizes = []
    for label, given in plan.items():
        one = given if isinstance(given, list) else [number(given, "m", name=label, owner=OWNER)]
        sizes.append(np.broadcast_to(np.array(one, dtype=float), floors))
    return 0.5 * np.stack(sizes, axis=1)


def _units(given: Mapping[str, str] | None) -> dict[str, str]:
    found = dict(given or {})
    known = sorted({kind for kind, _ in KINDS.values()})
    for kind, unit in found.items():
        if kind not in known or not isinstance(unit, str):
            raise refusal("units", OWNER, f"must say units of {', '.join(known)}", {kind: unit}, f"Write {EXAMPLE}.")
    if "length" in found:
        for kind, base in (("inertia", "mass"), ("torsional", "stiffness")):
            if base in found:
                found.setdefault(kind, f"{found[base]}*{found['length']}^2")
    return found


def _upwards(storeys: list[Storey], order: str | None) -> list[Storey]:
    """Return the storeys from the ground up; a base without mass and stiffness is kept for its elevation."""
    if order is not None or len(storeys) == 1:
        return storeys[::-1] if order == "top-down" else storeys
    if all("elevation" in storey.cells for storey in storeys):
        return sorted(storeys, key=lambda storey: storey.cells["elevation"][0].value)
    numbers = [re.findall(r"\d+", storey.name) for storey in storeys if not _is_base(storey)]
    if all(numbers):
        levels = [int(found[-1]) for found in numbers]
        for reverse in (False, True):
            if all(b > a for a, b in pairwise(levels[::-1] if reverse else levels)):
                return storeys[::-1] if reverse else storeys
    raise refusal(
        "order", OWNER, "must be said, 'top-down' or 'bottom-up': neither elevations nor names tell it", None,
        'ETABS prints order="top-down".',
    )  # fmt: skip


def _is_base(storey: Storey) -> bool:
    """Whether a row is that of the ground: neither mass nor stiffness."""
    return not any(
        cell.value
        for column, cells in storey.cells.items()
        if KINDS[column][0] in ("mass", "stiffness")
        for cell in cells
    )


class _Table:
    """Columns of numbers in SI, storey by storey from the ground up."""

    def __init__(self, storeys: list[Storey], units: Mapping[str, str]) -> None:
        grounds = [storey for storey in storeys if _is_base(storey)]
        for storey in grounds:
            below = storey is storeys[0] and ("elevation" in storey.cells or storey.name.strip().lower() in GROUNDS)
            if not below:
                raise InputError(f"Storey '{storey.name}' has neither mass nor stiffness: only the base may have none.")
        self.ground = grounds[0] if grounds else None
        self.storeys = [storey for storey in storeys if storey is not self.ground]
        self.units = units

    def has(self, column: str) -> bool:
        """Whether some storey says it."""
        return any(column in storey.cells for storey in self.storeys)

    def column(self, column: str) -> list[float]:
        """Return a number for each storey."""
        return [self._value(storey, column) for storey in self.storeys]

    def turns(self) -> bool:
        """Whether there is enough for a building that turns; refuse what is nearly so."""
        if self.has("torsional"):
            for needed in ("stiffness_x", "stiffness_y"):
                if not self.has(needed):
                    raise InputError(
                        f"{OWNER} needs a column of stiffnesses along {needed[-1]} beside the torsional one."
                    )
            return True
        return False

    def only_direction(self) -> str:
        """Return the one direction in which there are stiffnesses."""
        along = [axis for axis in "xy" if self.has(f"stiffness_{axis}")]
        if self.has("stiffness"):
            return along[0] if along else "x"
        if not along:
            raise InputError(f"{OWNER} needs a column of storey stiffnesses: Stiffness, or Stiff X and Stiff Y.")
        if len(along) == 2:
            raise refusal(
                "direction", OWNER, "must be said where there are stiffnesses along x and y and none against torsion",
                None, 'Write direction="x", or add a column "Torsional Stiffness".',
            )  # fmt: skip
        return along[0]

    def masses(self, along: str) -> list[float]:
        """Return the masses [kg]; those along x and y must agree where the building turns."""
        own = "mass" if self.has("mass") else f"mass_{along}"
        if not self.has(own):
            raise InputError(f"{OWNER} needs a column of masses: Mass, or Mass X.")
        return self.column(own)

    def stiffnesses(self, along: str) -> list[float]:
        """Return the stiffnesses [N/m]."""
        own = f"stiffness_{along}"
        return self.column(own if self.has(own) else "stiffness")

    def heights(self) -> list[float] | None:
        """Return the heights of the slabs above ground [m]."""
        if self.has("elevation"):
            ground = 0.0 if self.ground is None else self._value(self.ground, "elevation", 0.0)
            return [height - ground for height in self.column("elevation")]
        return np.cumsum(self.column("height")).tolist() if self.has("height") else None

    def centres(self, x: str, y: str) -> Any:
        """Return points in plan, (storeys, 2); None where there are none."""
        if not self.has(x) and not self.has(y):
            return None
        columns = [self.column(name) if self.has(name) else [0.0] * len(self.storeys) for name in (x, y)]
        return np.array(columns).T

    def _value(self, storey: Storey, column: str, default: float | None = None) -> float:
        """Return a number of a storey in SI; story stiffnesses of load cases along the other direction are zero."""
        cells = storey.cells.get(column, [])
        if not cells:
            if default is not None:
                return default
            raise InputError(f"Storey '{storey.name}' has no `{column}`, which others have.")
        told = [cell for cell in cells if cell.value] if column.startswith("stiffness") else cells
        values = [self._si(cell, column) for cell in told or cells]
        if max(values) - min(values) > SAME * max(map(abs, values)):
            raise InputError(
                f"Storey '{storey.name}' has several values of `{column}` ({values[0]:g}, {values[1]:g}, …; "
                f"{told[1].place}). Say which by `case` or `diaphragm`, or leave the other rows out."
            )
        return values[0]

    def _si(self, cell: Cell, column: str) -> float:
        kind, unit = KINDS[column]
        said = cell.unit or self.units.get(kind, "")
        if not said:
            raise refusal(
                "units", OWNER, f"must say the unit of {kind}: the table ({cell.place}) does not", dict(self.units),
                f"Write {EXAMPLE}.",
            )  # fmt: skip
        text = said.replace("-", "*").replace("·", "*").replace("²", "^2").replace("³", "^3")
        return cell.value * number(f"1 {text}", unit, name=f"unit of {column}", owner=OWNER)
