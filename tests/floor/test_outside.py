"""What comes from outside: texts as quantities, files without end, control characters, formulas, and the budget."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from carom import budget
from carom.errors import InputError, shown
from carom.given_files import read_given
from carom.motions.quantities import acceleration
from carom.plain_text import cell, has_controls, refuse_controls, visible
from carom.quantity_text import is_quantity
from carom.units import array, number

ENDLESS = [
    "9**9**9 s", "9^9^9 s", "1 s**9**9", "1 s^99", "1 m^1.5555", "1e400 s", "1 ((s))", "1 (s (s))", "(1) s", "1+1 s",
    "lambda: 1", "1 s if 1 else 1", "__import__('os')", "٣ s", "１ s", "1\u202e s", "1 s\x00", "1e999999999 s",
    "1 " + "s*" * 500_000 + "s", "9" * 1_000_000, " " * 1_000_000 + ",", "1 " + "(" * 50 + "s" + ")" * 50,
]  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS, ids=range(len(ENDLESS)))
def test_a_text_that_is_no_quantity_is_refused_at_once(text: str) -> None:
    began = time.perf_counter()
    with pytest.raises(InputError, match="`period` of oscillator must be"):
        number(text, "s", name="period", owner="oscillator")
    with pytest.raises(InputError):
        acceleration(text, name="pga", owner="motion")
    assert time.perf_counter() - began < 1.0


@pytest.mark.parametrize(
    "text",
    ["2e9 N/m^1.5", "1 N·s/m", "5 %", "0.3 g", "1 kN*s/m", "4 kN/(m s)", "1 m^(3/2)", "1 m s⁻²", "2*10^3 kg", "5/s",
     "5 1/s", "-3 kN per m", "1_000 kg", ".5m", "25000 kip/in^1.5", "5°", "300 kN mm^-1"],
)  # fmt: skip
def test_quantities_have_the_form_of_the_grammar(text: str) -> None:
    assert is_quantity(text)


def test_whole_numbers_beyond_all_floats_are_refused() -> None:
    for value in (10**400, 10**5000):
        with pytest.raises(InputError, match="must be a finite number"):
            number(value, "s", name="period", owner="oscillator")
        with pytest.raises(InputError):
            array([value, 1], "s", name="period", owner="oscillator")
    assert "too long" in shown(10**5000)


def test_a_pipe_a_device_a_folder_and_a_long_file_are_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answer: list[str] = []

    def read() -> None:
        try:
            read_given(pipe, most=100, what="scenario")
        except InputError as error:
            answer.append(str(error))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(5.0)
    assert answer == [f"{pipe} is not an ordinary file but a named pipe; a scenario is read from a file."]
    with pytest.raises(InputError, match="is not an ordinary file but a device"):
        read_given(Path("/dev/zero"), most=100, what="scenario")
    with pytest.raises(IsADirectoryError):
        read_given(tmp_path, most=100, what="scenario")
    (tmp_path / "long").write_bytes(bytes(2_000_001))
    with pytest.raises(InputError, match="has more than 2 MB, the most that a scenario may have"):
        read_given(tmp_path / "long", most=2_000_000, what="scenario")
    for name in ("with\0zero", "x" * 5000):
        with pytest.raises(InputError, match="cannot be read"):
            read_given(Path(name), most=100, what="scenario")


def test_what_a_terminal_obeys_is_made_visible() -> None:
    text = "a\x1b[31mb\x07\x9bc\u202ed\x7f\u2028e\ud800"
    assert has_controls(text)
    assert visible(text) == r"a\x1b[31mb\x07\x9bc\u202ed\x7f\u2028e\ud800"
    assert visible("ü → 10⁸\tβ\n") == "ü → 10⁸\tβ\n"
    with pytest.raises(InputError, match=r"`name` of tower must be one line without control characters. Got 'a\\x1b"):
        refuse_controls("a\x1b]0;x\x07", "name", "tower")


def test_cells_are_no_formulas() -> None:
    for text in ("=HYPERLINK(1)", "+1+1|cmd", "-2+3", "@SUM(1)", "\t=1", "\r=1"):
        assert str(cell(text)).startswith(("'", "\\"))
    for value in ("-2.5", "+1e-3", "tower", -2.5, None, "1 = 2"):
        assert cell(value) == value


def test_the_budget_is_one_amount_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(budget.VARIABLE, raising=False)
    assert 1e8 < budget.allowed() <= 1e9
    monkeypatch.setenv(budget.VARIABLE, "8GB")
    assert budget.allowed() == 8e9
    budget.afford(7e9, what="The run", because="much", way_out="")
    with pytest.raises(InputError, match=r"about 9 GB of memory \(much\); 8 GB are allowed. Less."):
        budget.afford(9e9, what="The run", because="much", way_out="Less.")
    with pytest.raises(InputError, match="days of computing"):
        budget.afford(0.0, 1e6, what="The run", because="much", way_out="Less.")
    monkeypatch.setenv(budget.VARIABLE, "a lot")
    with pytest.raises(InputError, match="Write 8GB, for example"):
        budget.allowed()


def test_what_no_machine_holds_is_refused_with_its_numbers() -> None:
    usual = budget.RunSize(15_000, 8, 3, floors=(5, 3), held=3, runs=8)
    usual.refuse_beyond()
    for size in (
        budget.RunSize(5e11, 8, 3),
        budget.RunSize(1e4, 8, 3, steps=3e13),
        budget.RunSize(1e4, 8, 3000, runs=8),
        budget.RunSize(1.5e4, 2000, 1000, floors=(1000, 1000), held=3, runs=8),
        budget.RunSize(float("inf"), 1, 1),
    ):
        with pytest.raises(InputError, match=r"(of memory|of computing) \(.* samples .*\); .* are allowed\."):
            size.refuse_beyond()
