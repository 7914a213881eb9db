"""Structures whose arrays stand in a file: what they state, and what is said of files that hold something else."""

from __future__ import annotations

import io
import random
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.problem import Problem
from carom.scenario import ScenarioError, read_scenario
from carom.scenario.structures import matrix_file
from carom.scenario.structures.matrices import written_out
from carom.scenario.studies.quick import problem_of
from tests.mutations.trial import bytes_damaged
from tests.scenario.test_spatial import hold_equal

TEXT = """
title = "From a file"

[structures.deck]
kind = "matrices"
file = "model.npz"

[structures.wall]
kind = "wall"

[laws.stone]
name = "hertz"
stiffness = "2e9 N/m^1.5"

[[contacts]]
left = {structure = "deck", point = "end", direction = "x"}
right = "wall"
gap = "1 cm"
law = "stone"

[motion]
record = "default"
end = "1 s"
"""
N = 5


def arrays(seed: int = 1) -> dict[str, Any]:
    """A structure of random matrices, every array of it."""
    chance = np.random.default_rng(seed)
    a, b, c = (chance.normal(size=(N, N)) for _ in range(3))
    return {
        "mass": a @ a.T + 3.0 * np.eye(N),
        "stiffness": 1e3 * (b @ b.T + np.eye(N)),
        "damping": c @ c.T,
        "influence": chance.normal(size=(N, 3)),
        "load": chance.normal(size=N),
        "dofs": np.array([f"q{i}" for i in range(N)]),
        "point_names": np.array(["end", "top"]),
        "point_positions": chance.normal(size=(2, 3)),
        "point_rows": chance.normal(size=(2, 3, N)),
        "dashpot_rows": chance.normal(size=(3, N)),
        "dashpot_constants": chance.uniform(1.0, 5.0, 3),
        "output_names": np.array(["drift"]),
        "output_rows": chance.normal(size=(1, N)),
    }


def python(given: dict[str, Any]) -> carom.Structure:
    """The same structure, stated in Python by weights."""
    dofs = given["dofs"].tolist()

    def weights(row: Any) -> dict[str, float]:
        return dict(zip(dofs, row.tolist(), strict=True))

    names, positions, rows = (given[f"point_{name}"] for name in ("names", "positions", "rows"))
    return carom.Structure(
        given["mass"], given["stiffness"], damping=given["damping"], influence=given["influence"], load=given["load"],
        dofs=dofs, name="deck",
        dashpots=[(row, c) for row, c in zip(given["dashpot_rows"], given["dashpot_constants"], strict=True)],
        outputs={"drift": given["output_rows"][0]},
        points={
            name: carom.Point(tuple(at), *(weights(row) for row in three))
            for name, at, three in zip(names.tolist(), positions, rows, strict=True)
        },
    )  # fmt: skip


def read(folder: Path, text: str = TEXT) -> Problem:
    path = folder / "bridge.toml"
    path.write_text(text, encoding="utf-8")
    return read_scenario(path).problem


@pytest.mark.parametrize("seed", range(3))
def test_a_file_states_what_python_states(seed: int, tmp_path: Path) -> None:
    given = arrays(seed)
    (np.savez, np.savez_compressed)[seed % 2](tmp_path / "model.npz", **given)
    law = carom.law("hertz", stiffness=2e9)
    contact = carom.Contact(("deck", "end", "x"), "wall", gap=0.01, law=law)
    found = read(tmp_path)
    hold_equal(found, Problem([python(given), carom.Wall("wall")], contact, motion=found.motion))


def test_what_the_table_says_stands_beside_the_file(tmp_path: Path) -> None:
    given = arrays()
    np.savez(tmp_path / "model.npz", mass=given["mass"], stiffness=given["stiffness"])
    text = TEXT.replace(
        'file = "model.npz"', 'file = "model.npz"\ndamping_ratio = 0.03\npoints = {end = {x = "dof 2"}}'
    )
    deck = read(tmp_path, text).structure("deck")
    assert deck.damping_ratio == 0.03
    assert deck.read("end", "x").row.tolist() == [0.0, 1.0, 0.0, 0.0, 0.0]
    with pytest.raises(ScenarioError, match=r'`structures.deck.mass` must be given once: it is in "model.npz" too'):
        read(tmp_path, text.replace('file = "model.npz"', 'file = "model.npz"\nmass = [1, 1, 1, 1, 1]'))


def test_a_study_keeps_the_arrays(tmp_path: Path) -> None:
    """Numbers that are written out and taken again are the same problem, without the file."""
    given = arrays()
    np.savez(tmp_path / "model.npz", **given)
    tables = written_out(tomllib.loads(TEXT), tmp_path)
    assert "file" not in tables["structures"]["deck"]
    hold_equal(problem_of(tables), read(tmp_path).replace(motion=None))


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no mass": ({"mass": None}, r"`structures.deck.mass` must be given, here or in \"model.npz\"."),
    "no stiffness": ({"stiffness": None}, r"`structures.deck.stiffness` must be given, here or in"),
    "a row too many": ({"stiffness": np.eye(N + 1)}, r"deck.mass` must be N or N × N, with N = 6. Got \[5, 5\]"),
    "not square": ({"stiffness": np.ones((N, N + 1))}, r"`structures.deck.stiffness` must be N × N, with N = 5"),
    "a number that is none": ({"mass": np.full((N, N), np.nan)}, r"deck.mass` must be finite everywhere. Got nan"),
    "infinite": ({"load": np.full(N, np.inf)}, r"`structures.deck.load` must be finite everywhere. Got inf"),
    "complex": ({"damping": np.eye(N) * 1j}, r"`structures.deck.damping` must be an array of real numbers"),
    "objects": ({"dofs": np.array([f"q{i}" for i in range(N)], dtype=object)}, r"dofs` must be an array of texts"),
    "numbers for names": ({"dofs": np.arange(N)}, r"`structures.deck.dofs` must be an array of texts"),
    "a name that nobody knows": ({"masses": np.eye(N)}, r"that are known. Got \"masses\". Known: mass, stiffness,"),
    "rows without names": ({"point_names": None}, r"must hold `point_names` beside `point_rows`"),
    "rows of another size": ({"point_rows": np.ones((2, 3, N + 1))}, r"a `point_rows` that fits: it must be P × 3 × N"),
    "a constant missing": ({"dashpot_constants": np.ones(2)}, r"`dashpot_rows` that fits: it must be D × N"),
    "too deep": ({"mass": np.ones((1, 1, 1, 1))}, r"`structures.deck.mass` must be N or N × N"),
    "not symmetric": ({"stiffness": np.arange(25.0).reshape(5, 5)}, r"`structures.deck.stiffness` must be symmetric"),
    "no size": ({"stiffness": np.array(3.0)}, r"`structures.deck.stiffness` must be N × N"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_files_that_hold_something_else(case: str, tmp_path: Path) -> None:
    change, words = WRONG[case]
    given = {name: array for name, array in (arrays() | change).items() if array is not None}
    np.savez(tmp_path / "model.npz", **given)
    with pytest.raises(ScenarioError, match=words):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive", np.arange(9.0).tobytes()])
def test_files_that_are_no_archives(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "model.npz").write_bytes(content)
    with pytest.raises(ScenarioError, match=r"`structures.deck.file` must be an archive of arrays that can be read"):
        read(tmp_path)


def archive(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as found:
        for name, data in members.items():
            found.writestr(f"{name}.npy", data)
    return stream.getvalue()


def array_file(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def test_an_array_that_says_it_is_huge_is_not_made(tmp_path: Path) -> None:
    honest = array_file(np.eye(N))
    claim = honest.replace(b"(5, 5)", b"(50000000, 50000000)")
    (tmp_path / "model.npz").write_bytes(archive(mass=honest, stiffness=claim))
    with pytest.raises(ScenarioError, match=r"`structures.deck.(stiffness|file)` must be"):
        read(tmp_path)


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix_file, "LARGEST", 1_000_000)
    (tmp_path / "model.npz").write_bytes(archive(mass=array_file(np.zeros((500, 500)))))
    with pytest.raises(ScenarioError, match=r"must have arrays of 1 MB at most, unpacked"):
        read(tmp_path)


def test_damaged_files_are_answered(tmp_path: Path) -> None:
    chance = random.Random(7)
    stream = io.BytesIO()
    np.savez(stream, **arrays())
    refused = []
    for _ in range(400):
        (tmp_path / "model.npz").write_bytes(bytes_damaged(stream.getvalue(), chance))
        try:
            matrix_file.arrays_of(tmp_path, "model.npz", "it")
        except InputError as error:
            refused.append(str(error))
    assert len(refused) > 300
    assert all("\n" not in line and len(line) < 600 for line in refused)
