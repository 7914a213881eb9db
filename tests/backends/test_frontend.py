"""What the shortened front end makes of a kernel equals the plain text; where it cannot be used, the plain way is."""

from __future__ import annotations

import gc
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from llvmlite import ir
from llvmlite.binding import parse_assembly

import carom
from carom.backends import compiled
from carom.backends import numba as backend
from carom.backends.collector_pause import without_collecting
from carom.backends.machine_code.joined_text import joined, text_of
from carom.backends.relied_on import require
from carom.kernels.event.runs import pound_runs
from carom.kernels.explicit.batch import several_batch

Kernel = Callable[..., Any]

SPECIAL = (0.0, -0.0, 1.5, -2.25, 1e300, math.inf, -math.inf, math.nan)


def as_kernel(function: Kernel) -> Kernel:
    """Make a function of these tests one of ours, so that it is compiled as kernels are."""
    function.__module__ = "carom.kernels"
    return function


@as_kernel
def floats(a: float, b: float, out: Any) -> None:
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a / b
    out[4] = a < b
    out[5] = a <= b
    out[6] = a > b
    out[7] = a >= b
    out[8] = a == b
    out[9] = a != b
    a += b
    a *= 2
    a -= 1
    a /= b
    out[10] = a
    out[11] = -a
    out[12] = 3 * b - 1 / b
    out[13] = 1.0 if a < b and b != 2.0 else 0.0


@as_kernel
def wholes(i: int, j: int, out: Any) -> None:
    out[0] = i + j
    out[1] = i - j
    out[2] = i * j
    out[3] = i < j
    out[4] = i <= j
    out[5] = i > j
    out[6] = i >= j
    out[7] = i == j
    out[8] = i != j
    out[9] = i // 3
    out[10] = i % 3
    i += j
    out[11] = i
    out[12] = i / 4
    out[13] = i * 0.5


@as_kernel
def elements(i: int, row: Any, table: Any, store: Any, codes: Any, out: Any) -> float:
    last = -1
    out[0] = row[0]
    out[1] = row[-1]
    out[2] = row[i]
    out[3] = row[-i - 1]
    out[4] = table[1, 2]
    out[5] = table[i, -1]
    out[6] = table[-1, i]
    out[7] = table[last][last]
    out[8] = table[i][2]
    out[9] = store[1, i, 2]
    out[10] = store[i][-1][0]
    out[11] = store[-1][1, i]
    out[12] = codes[i]
    out[13] = codes[codes[0]]
    out[-1] = store.shape[0] + table[i].size + 10 * store[i].shape[1] + 100 * store[1].size
    total = 0.0
    for k in range(store[i].shape[0]):
        part = store[i, k]
        part[-1] = k
        part[i] += 2.5
        for each in table[k]:
            total += each
    table[0, -1] = i
    table[-1][0] = codes[-1]
    codes[-2] = 7
    codes[i] += 1
    return total + table[:, 1].sum() + out[2:5].sum()


@as_kernel
def parts(i: int, row: Any, out: Any) -> float:
    """Parts of a row between limits, with one limit, beyond the end, empty, of a part; what is written goes through."""
    some, head, tail, beyond, none = row[i : i + 3], row[: i + 1], row[i:], row[i : i + 100], row[2:2]
    out[0], out[1], out[2], out[3], out[4] = some.size, head.size, tail.size, beyond.size, none.size
    out[5], out[6], out[7] = some[0], head[-1], tail[i]
    inner = row[1:6][i : 2 * i + 2]
    out[8] = inner[inner.size - 1]
    for k in range(some.size):
        some[k] += 0.5 * k
    tail[-1] = 9.0
    total = 0.0
    for each in beyond:
        total += each
    return total + row[i : i + 2].sum()


@as_kernel
def variables(n: int, row: Any, out: Any) -> float:
    """Set at one place and at several, in loops and after them, swapped, kept from the turn before."""
    first, second, last, most = 1.0, 2.0, -1, row[0]
    for k in range(n):
        before = last
        last = k
        first, second = second, first + second
        if k % 2:
            most = max(most, row[k])
            continue
        for j in range(k, -1, -1):
            if row[j] > 1.0:
                break
            out[j] += most
        else:
            out[k] -= first
        out[k] += j + before
        inner = row[k] * second
        while inner > 4.0:
            inner /= 2.0
            out[-1] += 1.0
        out[k] += inner
    for k in range(n - 1, 0, -2):
        out[k] *= 0.5
    for k in range(2, n, n - 1):
        out[k] += 100.0
    if n > 3:
        chosen = first
    elif n > 1:
        chosen = second
    else:
        chosen = out[0]
    return chosen + last * 1000.0 + most


@as_kernel
def smallest_and_largest(a: float, b: float, i: int, out: Any) -> None:
    """Of floats and of whole numbers, of two and of more, of both kinds together."""
    out[0], out[1] = min(a, b), max(a, b)
    out[2], out[3] = min(a, b, 1.0), max(1.0, b, a, 0.5)
    out[4], out[5] = min(i, 3), max(3, i, -1)
    out[6], out[7] = max(i, a), min(2, b)
    out[8], out[9] = int(1e3 * out[0] if math.fabs(out[0]) < 1e6 else 7.9), int(i)
    out[10] = int(a < b)


@as_kernel
def turns(start: int, step: int) -> int:
    total = 0
    for k in range(start, 10, step):
        total += k
    return total


@as_kernel
def both_ways(step: int, out: Any) -> int:
    """Call what may raise, and go on when it did not."""
    out[0] = turns(0, 1)
    out[1] = turns(5, step)
    return turns(1, 3)


def both(kernel: Kernel, *arguments: Any) -> tuple[list[Any], list[Any]]:
    """Return results and all arguments afterwards, of the plain kernel and of the compiled one."""
    found = []
    for run in (kernel, backend.compile_fresh(kernel, {})):
        mine = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
        with np.errstate(all="ignore"):
            found.append([run(*mine), *mine])
    return found[0], found[1]


def assert_equal(kernel: Kernel, *arguments: Any) -> None:
    for plain, fast in zip(*both(kernel, *arguments), strict=True):
        np.testing.assert_array_equal(plain, fast, strict=isinstance(plain, np.ndarray))


def test_arithmetic_of_floats() -> None:
    fast = backend.compile_fresh(floats, {})
    out, expected = np.zeros(14), np.zeros(14)
    for a in SPECIAL:
        for b in SPECIAL:
            with np.errstate(all="ignore"):
                floats(np.float64(a), np.float64(b), expected)
            fast(a, b, out)
            np.testing.assert_array_equal(out, expected, err_msg=f"{a}, {b}")
            np.testing.assert_array_equal(np.signbit(out[:3]), np.signbit(expected[:3]))


@pytest.mark.parametrize(("i", "j"), [(3, 4), (-7, 2), (0, 0), (2**40, -(2**20))])
def test_arithmetic_of_whole_numbers(i: int, j: int) -> None:
    assert_equal(wholes, i, j, np.zeros(14))


@pytest.mark.parametrize("i", [0, 1, 3])
def test_parts_of_rows(i: int) -> None:
    assert_equal(parts, i, np.random.default_rng(8).normal(size=8), np.zeros(9))


@pytest.mark.parametrize("i", [0, 1])
def test_elements_and_rows_of_arrays(i: int) -> None:
    random = np.random.default_rng(7)
    tables = random.normal(size=3), random.normal(size=(3, 3)), random.normal(size=(2, 3, 3))
    assert_equal(elements, i, *tables, np.array([2, 1, 5, 4]), np.zeros(15))


@pytest.mark.parametrize("n", [2, 3, 7])
def test_variables_in_loops_and_branches(n: int) -> None:
    assert_equal(variables, n, np.random.default_rng(5).normal(size=8), np.zeros(9))


def test_smallest_and_largest_numbers() -> None:
    """The first of equal ones, and NaN as Python has it: neither smaller nor larger."""
    fast = backend.compile_fresh(smallest_and_largest, {})
    out, expected = np.zeros(11), np.zeros(11)
    for a in SPECIAL:
        for b in SPECIAL:
            smallest_and_largest(a, b, 4, expected)
            fast(a, b, 4, out)
            np.testing.assert_array_equal(out, expected, err_msg=f"{a}, {b}")
            np.testing.assert_array_equal(np.signbit(out), np.signbit(expected), err_msg=f"{a}, {b}")


def test_what_a_kernel_raises_goes_through_its_callers() -> None:
    assert_equal(both_ways, 2, np.zeros(2))
    out = np.zeros(2)
    with pytest.raises(ValueError, match="must not be zero"):
        backend.compile_fresh(both_ways, {})(0, out)
    np.testing.assert_array_equal(out, [45.0, 0.0])


def module_with(number: int) -> ir.Module:
    """Return a module with a constant, a function of that name that returns it, and a note of its own."""
    module = ir.Module()
    constant = ir.GlobalVariable(module, ir.IntType(64), "constant")
    constant.initializer, constant.linkage = ir.IntType(64)(number), "internal"
    function = ir.Function(module, ir.FunctionType(ir.IntType(64), []), f"return_{number}")
    builder = ir.IRBuilder(function.append_basic_block())
    value = builder.load(constant)
    value.set_metadata("carom", module.add_metadata([ir.IntType(64)(number)]))
    builder.ret(value)
    ir.Function(module, ir.FunctionType(ir.IntType(64), []), "return_1" if number != 1 else "return_2")
    return module


def test_modules_become_one_text() -> None:
    """Equal names of different things are told apart, notes counted on, and what is there is not declared as well."""
    text = joined(text_of(module_with(number), inside=number == 2) for number in (1, 2))
    module = parse_assembly(text)
    module.verify()
    assert sorted(each.name for each in module.functions if not each.is_declaration) == ["return_1", "return_2"]
    assert [each.linkage.name for each in module.functions] == ["external", "internal"]
    assert {str(each).split()[-1] for each in module.global_variables} == {"1", "2"}
    assert "!0 = !{ i64 1 }" in text
    assert "!1 = !{ i64 2 }" in text
    loads = [line for line in str(module).splitlines() if "load" in line]
    assert [line.split()[-1] for line in loads] == ["!0", "!1"]
    assert "@constant," in loads[0]
    assert "@constant," not in loads[1]


def test_a_numba_without_what_is_needed_compiles_the_plain_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(AttributeError, match="no_such_thing"):
        require({object: ("no_such_thing",)})
    monkeypatch.delenv("CAROM_FRONT_END", raising=False)
    monkeypatch.setitem(sys.modules, "carom.backends.machine_code.parts", None)
    assert backend._compilers.__wrapped__() is None
    assert "compile more slowly" in caplog.text
    monkeypatch.setattr(backend, "_compilers", lambda: None)
    assert_equal(wholes, 3, 4, np.zeros(14))


def test_a_numba_that_nobody_tried_compiles_the_plain_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("CAROM_FRONT_END", raising=False)
    assert backend._compilers.__wrapped__() is not None
    monkeypatch.setattr(backend.numba, "__version__", "1.2.0rc1")
    assert backend._compilers.__wrapped__() is None
    assert "with Numba 1.2.0rc1: the quick front end is not tried beyond" in caplog.text


def test_the_collector_rests_and_is_back() -> None:
    def fail() -> None:
        with without_collecting():
            assert not gc.isenabled()
            raise ValueError("on purpose")

    assert gc.isenabled()
    with pytest.raises(ValueError, match="on purpose"):
        fail()
    assert gc.isenabled()
    gc.disable()
    try:
        with without_collecting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.skipif(carom.backends.backend_name() != "numba", reason="nothing is compiled")
def test_single_runs_and_batches_compile_the_engine_once() -> None:
    """With a record and without, a batch and its twin: all of one type."""
    towers = [carom.Oscillator(mass=1e3, period=t, damping_ratio=0.05, name=f"{t}") for t in (0.5, 0.3, 0.4)]
    law = carom.law("hertz", stiffness=1e8)
    contacts = [carom.Contact(i, i + 1, gap=0.01, law=law) for i in range(2)]
    shaken = carom.Problem(towers, contacts, motion=carom.Motion(np.sin(np.arange(100.0)), dt=0.01))
    for path in ("quick", "general"):
        carom.simulate(shaken, path=path)
        carom.simulate(shaken, duration=2.0, path=path)
        carom.simulate(carom.Problem(towers, contacts), duration=0.1, path=path)
    carom.ensemble(shaken, vary={"gap": [0.01, 0.02]}, twin=True)
    carom.ensemble(carom.Problem(towers, contacts), vary={"gap": [0.01, 0.02]}, duration=0.1)
    for kernel in (pound_runs, several_batch):
        engine: Any = compiled(kernel)
        assert len(engine.signatures) == 1
