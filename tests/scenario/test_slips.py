"""Plausible slips of a newcomer: each is refused in one line that says what to do, or cautioned with what is usual.

Each changes one line of the scenario that `carom new` writes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from carom.cli.app import main

REFUSED = {
    "decimal comma": ('gap = "2 cm"', 'gap = "3,5 cm"', 'may mean "3.5 cm" or "35 cm"'),
    "decimal comma without quotes": ("restitution = 0.65", "restitution = 0,65", 'may mean "0.65" or "65"'),
    "thousands with an apostrophe": ('masses = "200 t"', """masses = "1'200 t\"""", "must be one number"),
    "several masses in one text": ('masses = "200 t"', 'masses = "200 t, 150 t"', "must be one number"),
    "gap from to": ('gap = "2 cm"', 'gap = "2–3 cm"', "must be one number"),
    "gap below zero": ('gap = "2 cm"', 'gap = "-2 cm"', "else the two overlap at rest"),
    "gap with a unit of mass": ('gap = "2 cm"', 'gap = "2 kg"', "must be convertible to m"),
    "unit in capitals": ('gap = "2 cm"', 'gap = "2 CM"', 'capitals count, "2 cm" may be meant'),
    "weights for masses": ('masses = "200 t"', 'masses = "2000 kN"', "must be convertible to kg"),
    "too few masses": ('masses = "200 t"', 'masses = ["200 t", "200 t"]', "one for each of 5 floors"),
    "heights in centimetres": ('heights = "3 m"', "heights = 300", "must agree for some pair of floors"),
    "PGA in per cent": ('pga = "0.4 g"', 'pga = "40 %"', "must be an acceleration"),
    "stiffness of another law": ('"5000 kN/mm"', '"5e9 N/m^1.5"', "must be convertible to N/m"),
    "law of another stiffness": ('"kelvin-voigt"', '"hertzdamp"', "must be convertible to N/m^1.5"),
    "restitution in per cent": ("restitution = 0.65", "restitution = 65", "must lie in (0, 1]"),
    "restitution of nothing": ("restitution = 0.65", "restitution = 0", "must lie in (0, 1]"),
    "restitution above one": ("restitution = 0.65", "restitution = 1.2", "must lie in (0, 1]"),
    "law misspelt": ('"kelvin-voigt"', '"kelvin voight"', "Did you mean 'kelvin-voigt'"),
    "law not stated": ('law = "slabs"', 'law = "slab"', "Did you mean slabs?"),
    "neighbour unknown": ('right = "building-B"', 'right = "building-C"', "Did you mean 'building-B'"),
    "record not there": ('record = "default"', 'record = "elcentro.at2"', "a built-in motion"),
    "field of another kind": ('damping_ratio = "5 %"  #', 'damping = "5 %"  #', "must be a table"),
    "scheme misspelt": ('scheme = "event"', 'scheme = "evnt"', "Did you mean 'event'?"),
    "number in words": ("floors = 5", 'floors = "five"', "must be a whole number, without quotes"),
    "no floor": ("floors = 5", "floors = 0", "must be at least 1"),
    "one pair of brackets": ("[[contacts]]", "[contacts]", "Write [[contacts]], in two pairs of brackets"),
    "place in words": (
        'left = "building-A"',
        'left = "building-A floor 3"',
        'Write {structure = "building-A", floor = 1}',
    ),
    "place on one side only": (
        'left = "building-A"',
        'left = {structure = "building-A", floor = 3}',
        'Write {structure = "…", floor = 1}',
    ),
    "floor that is not there": (
        'left = "building-A"',
        'left = {structure = "building-A", floor = 9}',
        "must lie in 1…5",
    ),
    "contact with itself": ('right = "building-B"', 'right = "building-A"', "must be different structures"),
    "heights of storeys": ('heights = "3 m"', 'heights = ["3 m", "3 m", "3 m", "3 m", "3 m"]', "Add up storey heights"),
    "a gap for each floor": ('gap = "2 cm"', "gap = [0.02, 0.02, 0.02, 0.02, 0.02]", "one for each of 3 pairs"),
    "restitution by another name": ("restitution = 0.65", "cor = 0.65", "It takes stiffness, tension, v0, restitution"),
    "duration in milliseconds": ('scheme = "event"', 'scheme = "event"\nduration = 30000', "its motion lasts 25 s"),
    "restitution forgotten": ("restitution = 0.65", "", "needs `restitution`"),
    "stiffness forgotten": ('stiffness = "5000 kN/mm"', "", "must be given"),
    "modulus for a stiffness": ('stiffness = "5000 kN/mm"', 'stiffness = "30 GPa"', "must be convertible to N/m"),
    "two scalings": (
        'pga = "0.4 g"',
        'pga = "0.4 g"\nfactor = 1.5',
        "exactly one of `factor`, `pga`, `pgv`, `sa`, `sa_avg`",
    ),
    "intensity without a period": ('pga = "0.4 g"', 'sa = "0.8 g"', "needs `sa` and `period` together"),
    "cut beyond the record": ('# start = "2 s"', 'start = "200 s"', "of [0, 25] s"),
    "analysis misspelt": ("[analysis]", "[analyse]", "Did you mean `analysis`?"),
    "step for a scheme without": (
        'scheme = "event"',
        'dt = "1 ms"\nscheme = "event"',
        "not an option of the scheme event",
    ),
    "yielding without a scheme for it": ("# storeys =", "storeys =", 'Write scheme = "newmark"'),
    "rigid scheme, soft law": ('scheme = "event"', 'dt = "1 ms"\nscheme = "moreau-jean"', "contacts with a force"),
    "heights that never meet": ('heights = "3 m"', 'heights = "3.4 m"', "columns = true"),
    "sine without amplitude": ('record = "default"', "harmonic = {frequency = 2}", 'Write amplitude = "0.3 g"'),
    "quote forgotten": ('gap = "2 cm"', 'gap = "2 cm', "Text stands in quotes"),
}
"""What was written, what instead, and words of the refusal."""
CAUTIONED = {
    "gap in millimetres": ('gap = "2 cm"', "gap = 30", "is 30 m; usual are 0 to 1 m. Did you mean 30 mm?"),
    "damping in per cent": ('damping_ratio = "5 %"', "damping_ratio = 5", "is 5 (500 %); usual are 0 to 30 %"),
    "heavy damping": ('damping_ratio = "5 %"', 'damping_ratio = "50 %"', "is 0.5 (50 %)"),
    "masses in tonnes": ('masses = "200 t"', "masses = 200", "is 200 kg (0.2 t); usual are 5 to 10000 t"),
    "damping forgotten": ('damping_ratio = "5 %"', "", "'building-A' without damping; buildings have some 2 to 5 %"),
    "duration of hours": ('scheme = "event"', 'scheme = "event"\nduration = 1000', "its motion lasts 25 s"),
    "yield drift in millimetres": (
        '[analysis]\nscheme = "event"',
        '[structures.building-A.storeys]\nkind = "bilinear"\nyield_drift = 20\n[analysis]\nscheme = "newmark"',
        "Did you mean 20 mm?",
    ),
    "spectra in per cent": ('scheme = "event"', 'scheme = "event"\nspectrum_damping = 5', "floor spectra is 5 (500 %)"),
    "short tons": ('masses = "200 t"', 'masses = "250 tons"', "was taken in US short tons"),
    "stiffness in kN/mm": ('stiffnesses = "300 kN/mm"', "stiffnesses = 300", "period of 'building-A' is 569"),
    "kN/m for kN/mm": ('stiffnesses = "300 kN/mm"', 'stiffnesses = "300 kN/m"', "period of 'building-A' is 18"),
    "PGA in g": ('pga = "0.4 g"', "pga = 0.4", "is 0.4 m/s² (0.041 g)"),
    "PGA in dm/s²": ('pga = "0.4 g"', "pga = 40", "(4.07886 g); usual are 0.05 to 2 g"),
    "contact too stiff": ('stiffness = "5000 kN/mm"', "stiffness = 5e15", "is 5e15 N/m; usual are 1e6 to 1e11 N/m"),
    "contact stiffness in kN/mm": ('stiffness = "5000 kN/mm"', "stiffness = 5000", "is 5000 N/m"),
    "restitution of an elastic law": ('"kelvin-voigt"', '"linear-elastic"', "restitution = 0.65 has no effect"),
    "sides exchanged": (
        'left = "building-A"\nright = "building-B"', 'left = "building-B"\nright = "building-A"',
        "exchange left and right",
    ),
}  # fmt: skip
"""The same of cautions."""


def checked(old: str, new: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Change the scenario that `carom new` writes and check it; return the exit code, what was said and complained."""
    file = folder / "mine.toml"
    assert main(["new", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    capsys.readouterr()
    code = main(["check", str(file)])
    told = capsys.readouterr()
    return code, " ".join(told.out.split()), told.err


@pytest.mark.parametrize("slip", REFUSED)
def test_a_slip_is_refused_in_one_line(slip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, words = REFUSED[slip]
    code, _, complaint = checked(old, new, tmp_path, capsys)
    assert code == 2
    assert words in complaint
    assert len(complaint.strip().splitlines()) == 1


@pytest.mark.parametrize("slip", CAUTIONED)
def test_a_slip_is_cautioned(slip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, words = CAUTIONED[slip]
    code, said, _ = checked(old, new, tmp_path, capsys)
    assert code == 0
    assert words in said


def test_the_scenario_itself_has_no_caution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = checked('gap = "2 cm"', 'gap = "3 cm"', tmp_path, capsys)
    assert code == 0
    assert "caution" not in said


def test_a_mark_at_the_beginning_of_the_file_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    assert main(["new", str(file)]) == 0
    file.write_text("\ufeff" + file.read_text(encoding="utf-8"), encoding="utf-8")  # as Notepad does
    assert main(["check", str(file)]) == 0


def test_masses_are_said_in_tonnes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, said, _ = checked('masses = "200 t"', 'masses = "300.12 t"', tmp_path, capsys)
    assert "shear building, 5 floors 1501 t" in said  # 1.5 kt are knots, or kilotons


def test_what_is_unlikely_is_said_when_a_scenario_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "mine.toml"), "--gap", "30", "--pga", "0.4"]) == 0
    said = capsys.readouterr().out
    assert "Did you mean 30 mm?" in said
    assert "Did you mean 0.4 g?" in said
