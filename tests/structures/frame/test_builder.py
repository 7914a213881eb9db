"""Regular frames in a few words: slabs where their area is, storeys that are set back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.scenario.reading import read_scenario

STEEL = carom.Material.steel()
COLUMN, BEAM = carom.Section.steel("HEB 240"), carom.Section.steel("IPE 330")
GIVEN: dict[str, Any] = {"columns": COLUMN, "beams": BEAM, "material": STEEL, "slab": 600.0, "damping_ratio": 0.03}


def by_hand() -> carom.Frame:
    """Three storeys over bays of 6 and 4 m, one row of 5 m; the topmost storey stands on the second bay alone."""
    x, y = (0.0, 6.0, 10.0), (0.0, 5.0)
    standing = {1: (0, 1, 2), 2: (0, 1, 2), 3: (1, 2)}
    nodes = {f"n{i}{j}0": (x[i], y[j], 0.0) for i in range(3) for j in range(2)}
    nodes |= {f"n{i}{j}{k}": (x[i], y[j], 3.0 * k) for k, some in standing.items() for i in some for j in range(2)}
    pairs = [(f"n{i}{j}{k - 1}", f"n{i}{j}{k}", COLUMN) for k, some in standing.items() for i in some for j in range(2)]
    pairs += [
        (f"n{i}{j}{k}", f"n{i + 1}{j}{k}", BEAM) for k, some in standing.items() for i in some[:-1] for j in range(2)
    ]
    pairs += [(f"n{i}0{k}", f"n{i}1{k}", BEAM) for k, some in standing.items() for i in some]
    slabs = []
    for k, some in standing.items():
        long, mass = x[2] - x[some[0]], 600.0 * 5.0 * (x[2] - x[some[0]])
        around = tuple(f"n{i}{j}{k}" for i in some for j in range(2))
        slabs.append(carom.Diaphragm(
            f"s{k}", around, at=(x[2] - 0.5 * long, 2.5), mass=mass, inertia=mass * (long**2 + 25.0) / 12.0
        ))  # fmt: skip
    return carom.Frame(
        nodes=nodes, members=[carom.Member(a, b, section, STEEL) for a, b, section in pairs], diaphragms=slabs,
        supports={name: "fixed" for name in nodes if name.endswith("0")}, damping_ratio=0.03,
    )  # fmt: skip


def set_back(**more: Any) -> carom.Frame:
    given = {"setbacks": {3: {"bays": (2, 2)}}, **GIVEN, **more}
    return carom.Frame.moment_frame(storeys=[3.0] * 3, bays=[6.0, 4.0], rows=[5.0], name="stepped", **given)


def test_storeys_set_back_are_those_written_out() -> None:
    made, other = set_back(), by_hand()
    assert len(made.nodes) == len(other.nodes) == 22
    assert len(made.members) == len(other.members) == 34
    np.testing.assert_allclose(made.frequencies, other.frequencies, rtol=1e-9)
    np.testing.assert_allclose(made.effective_masses.sum(axis=0), other.effective_masses.sum(axis=0), rtol=1e-9)
    outline = made.outline(3)
    assert outline is not None
    assert sorted(map(tuple, outline.tolist())) == [(6.0, 0.0), (6.0, 5.0), (10.0, 0.0), (10.0, 5.0)]


def test_a_slab_weighs_where_its_area_is() -> None:
    """Columns at 0, 6 and 9 m: the mean of the nodes is not the centre."""
    made = carom.Frame.moment_frame(storeys=[3.0], bays=[6.0, 3.0], rows=[5.0], **GIVEN)
    assert tuple(made.diaphragms[0].at) == (4.5, 2.5)
    np.testing.assert_allclose(made.location(1).position, (4.5, 2.5, 3.0))


@pytest.mark.parametrize(
    ("setbacks", "told"),
    [
        ({1: {"bays": (1, 1)}}, "must begin in a storey, 2…3. Got 1."),
        ({2: {"bays": (2, 3)}}, "must lie among those of the storey below, 1 to 2. Got (2, 3)."),
        ({2: {"bays": (2, 2)}, 3: {"bays": (1, 2)}}, "must lie among those of the storey below, 2 to 2. Got (1, 2)."),
        ({2: {"bay": (1, 1)}}, "must say `bays`, `rows` or both"),
        ({2: {"rows": 1}}, "must be the first and the last that go on, from 1. Got 1."),
        ([2], "must map storeys to the bays and rows that go on"),
    ],
)
def test_refusals(setbacks: Any, told: str) -> None:
    with pytest.raises(carom.CaromError) as caught:
        set_back(setbacks=setbacks)
    assert told in str(caught.value)


def test_scenario_files_say_it(tmp_path: Path) -> None:
    text = """
title = "Stepped"
[structures.stepped]
kind = "moment-frame"
storeys = ["3 m", "3 m", "3 m"]
bays = ["6 m", "4 m"]
rows = ["5 m"]
columns = "HEB 240"
beams = "IPE 330"
slab = "600 kg/m^2"
damping_ratio = "3 %"
setbacks = [{storey = 3, bays = [2, 2]}]
[motion]
record = "default"
"""
    path = tmp_path / "stepped.toml"
    path.write_text(text, encoding="utf-8")
    found = read_scenario(path).problem.structures[0]
    np.testing.assert_allclose(found.frequencies, set_back().frequencies, rtol=1e-12)
    path.write_text(text.replace("storey = 3", "storey = 7"), encoding="utf-8")
    with pytest.raises(carom.CaromError, match=r"setbacks.*must begin in a storey, 2…3. Got 7"):
        read_scenario(path)
