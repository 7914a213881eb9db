"""Rules are found, never listed: by kernels, by references, by scenario files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import carom
from carom.backends import numba
from carom.integrate.tables.joint_rules import kernel_with, rules_of, springs_of
from carom.joints import joints
from carom.kernels import joints as places
from carom.reports.references import references

SHAKE = carom.motions.get("default").trimmed(end=2.0)


def tower(*storeys: Any, name: str = "tower") -> carom.ShearBuilding:
    n = len(storeys)
    return carom.ShearBuilding(masses=[1e4] * n, stiffnesses=[4e6] * n, storeys=storeys, name=name)


@pytest.fixture
def outsider() -> Iterator[type[carom.Bilinear]]:
    @carom.register_joint
    @dataclass(frozen=True)
    class Outsider(carom.Bilinear):
        """Bilinear, from elsewhere."""

        name: ClassVar[str] = "an-outsider"

    yield Outsider
    del joints._members["an-outsider"], joints._aliases["an-outsider"], joints._lookup["anoutsider"]


def test_codes_are_places_in_the_chain(outsider: type[carom.Bilinear]) -> None:
    problem = carom.Problem([tower(carom.Takeda(0.01), None, carom.BoucWen(0.01))])
    flat = problem.flat()
    assert flat.spring_rules == ("takeda", "bouc-wen")
    assert flat.springs.shape == (2, 5)  # as wide as Bouc and Wen's
    rules = rules_of(flat.spring_rules)
    names = [kind.name for kind in rules.kinds]
    assert rules.ours
    assert names == sorted(names)
    assert "an-outsider" not in names
    springs = springs_of(flat, rules, np.zeros((2, 7)))
    np.testing.assert_array_equal(springs.kinds[:, places.RULE], [names.index("takeda"), names.index("bouc-wen")])
    np.testing.assert_array_equal(springs.kinds[:, places.FIRST], [0, 1])
    mixed = rules_of(["takeda", "an-outsider", "takeda"])
    assert not mixed.ours
    assert [kind.name for kind in mixed.kinds] == ["an-outsider", "takeda"]


def test_rules_of_ours_are_kept_on_disk_and_others_are_not(outsider: type[carom.Bilinear]) -> None:
    kernel: Any = kernel_with(rules_of(["bilinear"]), places.drive)
    assert kernel_with(rules_of(["takeda"]), places.drive) is kernel
    if hasattr(kernel, "_cache"):
        assert kernel._cache.cache_path == str(numba.cache_folder())
    hashed = {name for name, _ in numba._sources(files("carom"), "joints")}
    assert "joints/bilinear.py" in hashed
    both = [
        carom.simulate(carom.Problem([tower(rule(0.005))], motion=SHAKE), scheme="newmark", dt=1e-3)
        for rule in (carom.Bilinear, outsider)
    ]
    np.testing.assert_array_equal(both[0].displacement, both[1].displacement)


def test_what_is_used_is_cited() -> None:
    one = carom.Oscillator(mass=1e4, stiffness=4e6, spring=carom.BoucWen(0.01), name="one")
    found = {
        one.used_for: one.text
        for one in references(carom.Problem([one, tower(carom.Takeda(0.01), carom.Bilinear(0.01))]))
    }
    assert found["joint takeda"].startswith("Takeda T., Sozen")
    assert found["joint bouc-wen"].startswith("Wen Y.K. (1976)")
    assert "joint bilinear" not in found


def test_no_module_lists_the_rules() -> None:
    """The name of a rule's module stands in its own file, in `__init__` where users find it, and nowhere else."""
    root = Path(carom.__file__).parent
    for rule in ("bouc_wen", "ramberg_osgood", "takeda"):
        naming = {
            str(path.relative_to(root)) for path in root.rglob("*.py") if rule in path.read_text(encoding="utf-8")
        }
        assert naming <= {"joints/__init__.py", f"joints/{rule}.py"}
