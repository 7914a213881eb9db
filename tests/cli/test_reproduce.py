"""`carom reproduce`: what it prints, what it writes, how it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from carom.cli import main
from carom.studies.reproduce import case_names
from tests.reports.pages import read
from tests.reproduced import reproduce

KEYS = ["quantity", "published", "computed", "deviation", "verdict"]
ADDED = ["difference", "tolerance", "tolerance_kind", "reason"]


def test_one_case_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "alves2015-table4", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said)[:2] == ["case", "rows"]
    assert said["notes"]
    assert said["title"]
    assert said["case"] == "alves2015-table4"
    assert all(list(row) == KEYS + ADDED for row in said["rows"])
    assert {row["verdict"] for row in said["rows"]} == {"reproduced"}
    assert list(tmp_path.iterdir()) == []


def test_missing_numbers_are_null(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "mahmoud2008-steel", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    (missing, _) = [row for row in rows if "NE" in row["quantity"]]
    assert missing["published"] == 21.45
    assert missing["computed"] is None
    assert missing["deviation"] is None
    assert missing["verdict"] == "not computable"
    assert missing["reason"] == "measured curve not published"


def test_several_cases_as_json_with_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "figures"
    assert main(["reproduce", "papi2022-table1", "papi2022-fig2", "--json", "--out", str(out)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == ["cases"]
    assert [body["case"] for body in said["cases"]] == ["papi2022-table1", "papi2022-fig2"]
    assert sorted(path.name for path in out.iterdir()) == ["papi2022-fig2.pdf", "papi2022-fig2.png"]


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"cases": case_names()}
    assert main(["reproduce", "--list"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in case_names())


def test_tables_and_the_last_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "mahmoud2008-steel", "alves2015-table3"]) == 0
    said = capsys.readouterr().out
    assert "likely a misprint" in said
    assert "[N/m^1.5]" in said
    assert "measured curve not published" in said
    last = said.strip().splitlines()[-1]
    assert last == "2 cases: 5 reproduced, 7 differ, 2 not published, 2 not computable. 2 files written to out."
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "mahmoud2008-steel.pdf",
        "mahmoud2008-steel.png",
    ]


@pytest.fixture
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take cases that other tests have computed."""
    monkeypatch.setattr("carom.studies.reproduce.reproduce", reproduce)


@pytest.mark.usefixtures("_once")
def test_all_cases_without_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--json"]) == 0
    assert [body["case"] for body in json.loads(capsys.readouterr().out)["cases"]] == case_names()


@pytest.mark.usefixtures("_once")
def test_one_page_of_all_cases(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["reproduce", "--all", "--out", str(tmp_path), "--json"]) == 0
    bodies = json.loads(capsys.readouterr().out)["cases"]
    text = (tmp_path / "reproduction.html").read_text(encoding="utf-8")
    page = read(text)
    assert set(case_names()) <= set(page.names)
    rows = [row for body in bodies for row in body["rows"]]
    for verdict in ("reproduced", "differs", "not published", "not computable"):
        count = sum(row["verdict"] == verdict for row in rows)
        assert len(re.findall(rf'<td class="verdict [a-z-]+">{verdict}</td>', text)) == count
    assert "likely a misprint" in text
    assert len(text) < 8_000_000  # thirty cases on one page


def test_records_go_to_the_cases_that_take_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without names all cases are run, and those with motions of their own keep them."""
    import carom

    carom.motions.suite("thirty")[0].write(tmp_path / "one.AT2")
    given: dict[str, list[str]] = {}

    def recorded(name: str, **more: object) -> object:
        given[name] = sorted(more)
        return reproduce("alves2015-table3")

    monkeypatch.setattr("carom.studies.reproduce.reproduce", recorded)
    assert main(["reproduce", "--records", str(tmp_path), "--json"]) == 0
    assert sorted(given) == case_names()
    shaken = (f"langlade2021-{what}" for what in ("fig15", "fig16", "figa4", "figa5", "frames", "table5", "table8"))
    taking = [*shaken, "mahmoud2008-figs8to13"]
    assert [name for name, more in given.items() if more] == taking


def test_all_takes_no_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--all", "papi2022-fig2"]) == 2
    assert "leave out --all" in capsys.readouterr().err


def test_unknown_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "alves2015-table5"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("carom: Unknown case 'alves2015-table5'. Did you mean")
    assert len(said.err.strip().splitlines()) == 1


def test_a_folder_that_is_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blocked = tmp_path / "out"
    blocked.write_text("mine")
    assert main(["reproduce", "papi2022-fig2", "--out", str(blocked)]) == 2
    assert blocked.read_text() == "mine"
    assert "carom:" in capsys.readouterr().err
