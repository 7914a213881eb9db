"""What makes programs for GPUs short: which functions are called, and that no index counts from the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import carom
from carom.backends.gpu.warps import FEW_ROWS
from carom.backends.gpu.warps import _among as among
from carom.backends.linker import copied_often, marked, with_parts
from carom.integrate.engine import PAIR, SEVERAL, Engine
from carom.integrate.ensembles import batches
from carom.kernels.explicit.batch import pair_batch, several_batch
from carom.kernels.explicit.pairs.parts import PAIR_PARTS
from carom.kernels.laws import power_law


def test_one_module_knows_numba_cuda() -> None:
    """Another compiler for GPUs is then another such module."""
    package = Path(carom.__file__).parent
    knowing = {
        path.name
        for path in package.rglob("*.py")
        if re.search(r"numba[. ]import cuda|numba\.cuda", path.read_text("utf-8"))
    }
    assert knowing == {"numba_cuda.py"}


def test_what_is_long_and_called_at_several_places_is_called() -> None:
    """`power` is called twice below a force; a function called once, or the outermost one, stays where it is."""
    assert copied_often(power_law.force, 1) == {power_law.power}
    size = len(power_law.power.__code__.co_code)
    assert copied_often(power_law.force, size) == {power_law.power}
    assert copied_often(power_law.force, size + 1) == set()


def test_what_is_called_does_not_count_where_it_is_called() -> None:
    """Once a part is apart, what is left of its callers is smaller."""
    found = {function.__name__ for function in copied_often(several_batch, 500)}
    assert "both_parts" in found
    assert "force" not in found
    assert all(isinstance(function, FunctionType) for function in copied_often(several_batch, 500))
    assert copied_often(several_batch, 10**6) == set()


def test_what_is_seldom_or_often_called_is_found_by_its_mark() -> None:
    seldom, often = ({function.__name__ for function in marked(several_batch, mark)} for mark in ("seldom", "often"))
    contacts = {"begin_contact", "follow", "graded_left_behind", "look_for_dip", "pass_slow_touch", "refuse"}
    assert seldom == {"acceleration_crest", "find_leeway", "raise_inside", "true_peak", "write_terms"} | contacts
    assert often == {"climb_of", "flight_peaks"}
    assert {function.__name__ for function in marked(with_parts(pair_batch, dict(PAIR_PARTS)), "seldom")} == {
        "crests"
    } | contacts
    assert marked(power_law.force, "seldom") == set()


def test_sums_over_few_rows_go_over_all_of_them() -> None:
    """A GPU goes sooner through a few rows than through some of them; of many it takes those that count."""
    assert among(2, 4, FEW_ROWS) == (0, FEW_ROWS)
    assert among(2, 4, FEW_ROWS + 1) == (2, 4)


def from_the_front(given: Any) -> Any:
    """Return what is given with its arrays, those of records too, as ones that refuse such indices."""
    if isinstance(given, np.ndarray):
        return given.view(FromTheFront)
    if isinstance(given, tuple):
        entries = [from_the_front(one) for one in given]
        return type(given)(*entries) if hasattr(given, "_fields") else entries
    return given


class FromTheFront(np.ndarray[Any, Any]):
    """An array that refuses an index which counts from the end: a GPU would read beside the table."""

    def __getitem__(self, key: Any) -> Any:
        refuse_negative(key)
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        refuse_negative(key)
        super().__setitem__(key, value)


def refuse_negative(key: Any) -> None:
    for part in key if isinstance(key, tuple) else (key,):
        assert not (isinstance(part, int | np.integer) and part < 0), key


def test_the_check_sees_an_index_from_the_end() -> None:
    row = np.arange(3.0).view(FromTheFront)
    assert row[2] == 2.0
    with pytest.raises(AssertionError):
        row[-1]
    with pytest.raises(AssertionError):
        row.reshape(3, 1)[-1, 0] = 1.0


def towers() -> list[Any]:
    floors: dict[str, Any] = {"masses": [2e4] * 2, "damping_ratio": 0.05}
    return [
        carom.ShearBuilding(stiffnesses=[2e7] * 2, name="left", **floors),
        carom.ShearBuilding(stiffnesses=[6e7] * 2, name="right", **floors),
    ]


def oscillators() -> list[Any]:
    return [
        carom.Oscillator(mass=4600, period=0.3, damping_ratio=0.02, name="left"),
        carom.Oscillator(mass=3500, period=0.16, damping_ratio=0.02, name="right"),
    ]


@pytest.mark.parametrize("name", ["hertzdamp", "jankowski-2005", "kelvin-voigt"])
@pytest.mark.parametrize(("structures", "engine"), [(oscillators, PAIR), (towers, SEVERAL)])
def test_no_index_counts_from_the_end(
    structures: Callable[[], list[Any]], engine: Engine, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    as_batch = batches.as_batch

    def checked(engine: Engine) -> Callable[..., None]:
        taken.append(engine)
        return lambda *given: as_batch(engine)(*from_the_front(given))

    monkeypatch.setenv("CAROM_BACKEND", "python")
    monkeypatch.setattr(batches, "as_batch", checked)
    default = carom.motions.get("default")
    shake = carom.Motion(default.acceleration[150:270], dt=default.dt)
    law = carom.law(name, stiffness=2e9 if name != "kelvin-voigt" else 8e7, restitution=0.6)
    contact = carom.facing("left", "right", gap=0.01, law=law) if engine is SEVERAL else carom.Contact(
        "left", "right", gap=0.01, law=law
    )  # fmt: skip
    found = carom.ensemble(carom.Problem(structures(), [contact], motion=shake), vary={"gap": [0.002, 0.008]})
    assert taken[0] is engine
    assert found.dataset.impacts.values.min() > 0
