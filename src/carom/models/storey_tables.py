"""Tables of storeys as programs print them: titles, headers, a row of units, numbers; one table after another.

ETABS and SAP2000 write a line ``TABLE:  Story Stiffness`` above each table, a row of headers, and a row of units. A
spreadsheet has headers alone, or units in brackets behind them. All of these are read into columns by storey.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from carom.errors import InputError, refusal
from carom.given_files import read_given

__all__ = ["COLUMNS", "OWNER", "Cell", "Storey", "storeys_in"]

OWNER = "read_storeys"
LARGEST = 20_000_000
"""Bytes of a file of storeys."""
LONGEST = 1000
"""Storeys of a building."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "storey": ("story", "storey", "level", "floor", "storyname", "storeyname", "name"),
    "mass": ("mass", "floormass", "storymass", "storeymass"),
    "mass_x": ("massx", "ux"),
    "mass_y": ("massy", "uy"),
    "inertia": ("massmomentofinertia", "mmi", "inertia", "rotationalinertia", "rz"),
    "height": ("height", "storyheight", "storeyheight", "h"),
    "elevation": ("elevation", "elev", "z"),
    "stiffness": ("stiffness", "storystiffness", "storeystiffness", "k", "lateralstiffness"),
    "stiffness_x": ("stiffx", "stiffnessx", "kx"),
    "stiffness_y": ("stiffy", "stiffnessy", "ky"),
    "torsional": ("torsionalstiffness", "stiffrz", "stiffnessrz", "krz", "kt", "kr", "torsion", "rotationalstiffness"),
    "xcm": ("xcm", "xmasscenter", "xmasscentre"),
    "ycm": ("ycm", "ymasscenter", "ymasscentre"),
    "xcr": ("xcr", "xcs"),
    "ycr": ("ycr", "ycs"),
    "ex": ("ex", "eccentricityx", "eccx"),
    "ey": ("ey", "eccentricityy", "eccy"),
    "width": ("width", "lx", "bx"),
    "depth": ("depth", "ly", "by"),
    "diaphragm": ("diaphragm",),
    "case": ("outputcase", "loadcase", "case", "combo", "loadcasecombo"),
}
"""By what is meant: headers, without capitals, spaces and signs."""
WORDS = ("storey", "diaphragm", "case")
"""Columns of text."""
_SPACES = re.compile(r"[^a-z0-9]+")
_BRACKETS = re.compile(r"[\[(]([^\])]*)[\])]")
_WITH_COMMA = re.compile(r"[-+\u2212]?[\d.]*,[\d,]*\d[\d.]*(?:[eE][-+]?\d+)?")
_POINT = re.compile(r"[-+\u2212]?\d+\.\d+(?:[eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
_UNIT = re.compile(r"[A-Za-z%][-A-Za-z0-9²³^*/·.\s]*")


@dataclass(frozen=True)
class Cell:
    """A number of a table, and where it stands."""

    value: float
    unit: str
    """As the table says it; empty where it says none."""
    place: str
    """File and line, for refusals."""


@dataclass
class Storey:
    """What the tables say of one storey."""

    name: str
    cells: dict[str, list[Cell]] = field(default_factory=dict)


def storeys_in(files: Sequence[Path], wanted: Mapping[str, str | None]) -> list[Storey]:
    """Return the storeys of all tables as they stand; of `wanted`, rows with another diaphragm or case are left out."""
    found: dict[str, Storey] = {}
    seen: dict[str, set[str]] = {name: set() for name in wanted}
    for file in files:
        for columns, units, rows in _tables(file):
            for place, row in rows:
                said = {name: row[at].strip() for name, at in columns.items() if at < len(row)}
                name = said.get("storey", "")
                for word in seen:
                    if said.get(word):
                        seen[word].add(said[word])
                if any(asked and said.get(word, asked) != asked for word, asked in wanted.items()):
                    continue
                storey = found.setdefault(name, Storey(name))
                for column, text in said.items():
                    if column not in WORDS and text:
                        cell = Cell(_number(text, column, place), units.get(column, ""), place)
                        storey.cells.setdefault(column, []).append(cell)
    for word, asked in wanted.items():
        if asked and asked not in seen[word]:
            known = ", ".join(sorted(seen[word])) or "there are none"
            raise refusal(word, OWNER, f"must be one of the tables' ({known})", asked)
    if not found:
        raise refusal("path", OWNER, "must have a row for each storey", [str(file) for file in files])
    if len(found) > LONGEST:
        raise refusal("path", OWNER, f"must have {LONGEST} storeys at most", len(found))
    return list(found.values())


Rows = list[tuple[str, list[str]]]


def _tables(path: Path) -> Iterator[tuple[dict[str, int], dict[str, str], Rows]]:
    """Yield the columns, the units and the rows of each table of a file."""
    lines = _lines(path)
    at, any_table = 0, False
    while at < len(lines):
        columns = _columns(lines[at][1])
        if "storey" not in columns or len(columns) < 2:
            at += 1
            continue
        any_table = True
        header, units = lines[at][1], {}
        for name, column in columns.items():
            if bracket := _BRACKETS.search(header[column]):
                units[name] = bracket[1].strip()
        at += 1
        if at < len(lines) and _is_units(lines[at][1], columns):
            units |= {name: lines[at][1][i].strip() for name, i in columns.items() if i < len(lines[at][1])}
            at += 1
        rows: Rows = []
        while at < len(lines) and not lines[at][1][0].strip().lower().startswith("table:"):
            if len(_columns(lines[at][1])) >= 2:
                break
            rows.append(lines[at])
            at += 1
        yield columns, {name: unit for name, unit in units.items() if unit}, rows
    if not any_table:
        raise refusal(
            "path", OWNER, "must have a row of headers with a column of storeys", str(path),
            "Headers are Story, Elevation or Height, Mass, Stiffness; or as ETABS prints them.",
        )  # fmt: skip


def _lines(path: Path) -> Rows:
    """Return the rows that hold something, each with its place."""
    try:
        content = read_given(path, most=LARGEST, what="table of storeys")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise refusal("path", OWNER, "must be a CSV file", str(path)) from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if "\0" in text:
        raise refusal("path", OWNER, "must be a CSV file, text", str(path), "Export the table as CSV.")
    counts = {mark: text.count(mark) for mark in ("\t", ";", ",")}
    mark = next(iter(sorted(counts, key=lambda m: (-(counts[m] > 0 and m != ","), -counts[m]))))
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=mark, skipinitialspace=True))
    except csv.Error as error:
        raise refusal("path", OWNER, f"must be a CSV file that can be read ({error})", str(path)) from None
    rows = _with_points(rows, mark, path)
    return [(f"{path.name}, line {i}", row) for i, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)]


def _columns(row: list[str]) -> dict[str, int]:
    """Return which column is what, of a row of headers; of two with one meaning, the first."""
    found: dict[str, int] = {}
    for at, header in enumerate(row):
        plain = _SPACES.sub("", _BRACKETS.sub("", header).lower())
        for name, known in COLUMNS.items():
            if plain in known:
                found.setdefault(name, at)
    return found


def _is_units(row: list[str], columns: Mapping[str, int]) -> bool:
    """Tell whether a row says the units of the columns above it: no storey, no number."""
    texts = [row[at].strip() for name, at in columns.items() if name not in WORDS and at < len(row) and row[at].strip()]
    return bool(texts) and not row[columns["storey"]].strip() and all(_UNIT.fullmatch(text) for text in texts)


def _number(text: str, column: str, place: str) -> float:
    plain = text.replace("\u2212", "-").replace("\u00a0", "").replace(" ", "")
    try:
        return float(plain)
    except ValueError:
        raise InputError(f"`{column}` of {OWNER} must be a number. Got {text[:40]!r} in {place}.") from None


def _with_points(rows: list[list[str]], delimiter: str, path: Path) -> list[list[str]]:
    """Return the cells with points before decimals, and nothing between thousands.

    Within a cell of a file whose cells are separated by commas, a comma with three digits behind stands between
    thousands; elsewhere the other numbers of the file tell what it is.
    """
    cells = [cell.strip() for row in rows for cell in row if "," in cell and _WITH_COMMA.fullmatch(cell.strip())]
    thousands = [cell for cell in cells if _THOUSANDS.fullmatch(cell)]
    decimal = len(thousands) < len(cells)
    if thousands and not decimal and delimiter != ",":
        points = any(_POINT.fullmatch(cell.strip()) for row in rows for cell in row)
        if not points:
            raise refusal(
                "path", OWNER, "must tell whether a comma stands before decimals or between thousands", thousands[0],
                f"Write the numbers of {path.name} without commas.",
            )  # fmt: skip

    def plain(cell: str) -> str:
        if not _WITH_COMMA.fullmatch(cell.strip()):
            return cell
        return cell.replace(".", "").replace(",", ".") if decimal else cell.replace(",", "")

    return [[plain(cell) for cell in row] for row in rows]
