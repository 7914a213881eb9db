"""Scenario files in space state what Python states, field by field; what is wrong with them is said."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.problem import Problem
from carom.scenario import ScenarioError, read_scenario
from tests.scenario.malformed_space import MALFORMED
from tests.scenario.spatial import SOUND


def stated(text: str, folder: Path) -> Problem:
    path = folder / "space.toml"
    path.write_text(text, encoding="utf-8")
    return read_scenario(path).problem


def hold_equal(found: Problem, expected: Problem) -> None:
    """Hold every field of two problems, and what they come to as arrays, against each other."""
    assert found.supports == expected.supports
    for entry in (one for one in fields(Problem) if one.name != "motion"):
        if entry.name == "structures":
            for one, other in zip(found.structures, expected.structures, strict=True):
                hold_same_fields(one, other)
        else:
            assert plain(getattr(found, entry.name)) == plain(getattr(expected, entry.name)), entry.name
    one, other = found.flat(), expected.flat()
    assert one.contact_labels == other.contact_labels
    assert one.output_labels == other.output_labels
    arrays = {entry.name: getattr(one, entry.name) for entry in fields(one)}
    for name, array in arrays.items():
        if isinstance(array, np.ndarray):
            np.testing.assert_array_equal(array, getattr(other, name), err_msg=name)


def hold_same_fields(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    for entry in fields(one):
        ours, theirs = getattr(one, entry.name), getattr(other, entry.name)
        assert plain(ours) == plain(theirs), f"{one.name}: {entry.name}"


def plain(value: Any) -> Any:
    """Return a field in a form that compares: arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict) or hasattr(value, "items"):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if type(value).__module__.startswith("carom.") and hasattr(value, "__dataclass_fields__"):
        named = not isinstance(value, (carom.Section, carom.Material))  # whose names are for people
        told = {entry.name: plain(getattr(value, entry.name)) for entry in fields(value)}
        return type(value).__name__, {key: item for key, item in told.items() if named or key != "name"}
    return value


@pytest.mark.parametrize("kind", SOUND)
def test_a_file_states_what_python_states(kind: str, tmp_path: Path) -> None:
    text, python = SOUND[kind]
    known = python()
    if "[motion]" in text:
        known.setdefault("motion", carom.motions.get("default").trimmed(end=4.0).resampled(0.002))
    hold_equal(stated(text, tmp_path), Problem(**known))


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed(case: str, tmp_path: Path) -> None:
    kind, changes, expected = MALFORMED[case]
    text = SOUND[kind][0]
    for old, new in changes:
        assert text.count(old) >= 1, f"{old!r} is not in the sound scenario"
        text = text.replace(old, new, 1)
    with pytest.raises(ScenarioError) as caught:
        stated(text, tmp_path)
    faults = {fault.field: fault.text for fault in caught.value.faults}
    for field, words in expected:
        assert field in faults, faults
        assert words in faults[field], faults[field]
    assert len(faults) == len(expected), faults
    assert all(line.startswith("space.toml: `") and "\n" not in line for line in caught.value.lines)
    assert "pydantic" not in str(caught.value)


def test_a_start_at_rest_under_loads(tmp_path: Path) -> None:
    text, python = SOUND["matrices"]
    start = 'displacement = {uy = "2 mm", rz = 1e-4}'
    found = stated(text.replace(start, 'displacement = "rest"'), tmp_path)
    hold_equal(found, Problem(**(python() | {"initial_displacement": {"slab": "rest"}}), motion=found.motion))
    assert found.initial_displacement["slab"] == pytest.approx((0.0, 5e3 / 6e6, 0.0))
    with pytest.raises(ScenarioError, match=r"`initial.slab.velocity` must be a number"):
        stated(text.replace('velocity = [0, "1 cm/s", 0]', 'velocity = "rest"'), tmp_path)


def test_a_frame_with_springs_is_run(tmp_path: Path) -> None:
    """Its linear springs are part of K, and no joints."""
    text, _ = SOUND["frame"]
    run = carom.simulate(stated(text, tmp_path), duration=0.5)
    assert not run.outcome.failed


def test_motions_of_supports(tmp_path: Path) -> None:
    """A structure may stand on a ground of its own, which arrives after its delay; the others share the file's."""
    own = '[structures.east.motion.y]\nrecord = "default"\npga = "0.1 g"\nend = "4 s"\n'
    found = stated(SOUND["torsion"][0].replace("[laws.slabs]", f"{own}\n[laws.slabs]"), tmp_path)
    y = carom.motions.get("default").trimmed(None, 4.0).scaled(pga="0.1 g").resampled(0.01 / 6)
    west, east = found.support_of("west"), found.support_of("east")
    assert west == Problem(**SOUND["torsion"][1]()).support_of("west")
    assert (east.x, east.z, east.delay) == (None, None, 0.01)
    np.testing.assert_allclose(east.y.acceleration, y.acceleration, rtol=1e-12, atol=1e-15)
    alone = SOUND["torsion"][0]
    alone = alone[: alone.index("[motion]")] + alone[alone.index("[initial.west]") :]
    still = stated(alone.replace("[laws.slabs]", f"{own}\n[laws.slabs]"), tmp_path).support_of("west")
    assert still.motions == ()  # nothing shakes it
    with pytest.raises(ScenarioError, match=r"`structures.east.motion.y.record` must be given"):
        stated(alone.replace("[laws.slabs]", "[structures.east.motion.y]\npga = 1\n[laws.slabs]"), tmp_path)
