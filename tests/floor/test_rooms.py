"""The house: rooms that can be looked over, files and functions of a size that can be read."""

import ast
from pathlib import Path

import pytest

import carom
from carom.laws.catalogue import laws

PACKAGE = Path(carom.__file__).parent
ROOMS = sorted({path.parent.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")})
MOST_FILES = 20
MOST_LINES = 530
MOST_PARAMETERS = 12


@pytest.mark.parametrize("room", [room for room in ROOMS if room != Path("laws/compliant")], ids=str)
def test_a_room_holds_no_more_than_can_be_looked_over(room: Path) -> None:
    files = sorted(path.name for path in (PACKAGE / room).glob("*.py"))
    assert len(files) <= MOST_FILES, f"{room} has {len(files)} files: make rooms of it."


def test_every_file_among_the_laws_is_a_law() -> None:
    """That room may hold more: a file is one published law, and nothing else stands there."""
    files = {path.stem for path in (PACKAGE / "laws/compliant").glob("*.py")} - {"__init__"}
    assert files <= {kind.__module__.rpartition(".")[2] for kind in laws}


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_a_room_says_what_it_is(room: Path) -> None:
    assert ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text("utf-8")))


def test_files_can_be_read_in_one_go() -> None:
    long = {
        str(path.relative_to(PACKAGE)): count
        for path in PACKAGE.rglob("*.py")
        if (count := len(path.read_text("utf-8").splitlines())) > MOST_LINES
    }
    assert not long


def test_kernels_take_records_and_not_a_dozen_arrays() -> None:
    crowded = []
    for path in sorted((PACKAGE / "kernels").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                given = node.args
                count = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs) + bool(given.vararg)
                if count > MOST_PARAMETERS:
                    crowded.append((path.name, node.lineno, count))
    assert not crowded
