"""Tables of storeys, as programs print them and as people write them."""

from __future__ import annotations

import numpy as np
import pytest

import carom

ETABS = """TABLE:  Centers Of Mass And Rigidity
Story,Diaphragm,Mass X,Mass Y,XCM,YCM,Cum Mass X,XCR,YCR
,,kg,kg,m,m,kg,m,m
Story3,D1,"180,500.5",180500.5,6.2,9.1,180500.5,5.5,9
Story2,D1,200000,200000,6.2,9.1,380500.5,5.5,9
Story1,D1,210000,210000,6.1,9.0,590500.5,5.5,9

TABLE:  Story Stiffness
Story,Output Case,Case Type,Stiff X,Stiff Y
,,,kN/m,kN/m
Story3,EX,LinRespSpec,200000,0
Story3,EY,LinRespSpec,0,190000
Story2,EX,LinRespSpec,250000,0
Story2,EY,LinRespSpec,0,240000
Story1,EX,LinRespSpec,300000,0
Story1,EY,LinRespSpec,0,290000

TABLE:  Story Definitions
Story,Height,Torsional Stiffness,Width,Depth
,m,kN-m,m,m
Story3,3,20000000,12,18
Story2,3,21000000,12,18
Story1,3.5,22000000,12,18
"""


def table(folder, text, name="storeys.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_tables_of_etabs_make_a_building_that_turns(tmp_path):
    found = carom.read_storeys(table(tmp_path, ETABS), damping_ratio=0.05, name="tower")
    expected = carom.TorsionalBuilding(
        masses=[210000, 200000, 180500.5], stiffnesses_x=[3e8, 2.5e8, 2e8], stiffnesses_y=[2.9e8, 2.4e8, 1.9e8],
        torsional_stiffnesses=[2.2e10, 2.1e10, 2e10], width=[12] * 3, depth=[18] * 3,
        centres_of_mass=[(6.1, 9), (6.2, 9.1), (6.2, 9.1)], centres_of_stiffness=[(5.5, 9)] * 3,
        heights=[3.5, 6.5, 9.5], damping_ratio=0.05, name="tower",
    )  # fmt: skip
    assert found.frequencies == pytest.approx(expected.frequencies, rel=1e-12)
    assert found.heights == expected.heights
    assert found.centres_of_mass == expected.centres_of_mass
    assert found.mass_matrix == pytest.approx(expected.mass_matrix)


def test_one_direction_and_several_files(tmp_path):
    parts = [table(tmp_path, f"TABLE:{part}", f"{i}.csv") for i, part in enumerate(ETABS.split("TABLE:")[1:])]
    found = carom.read_storeys(parts, direction="y")
    assert found.stiffnesses == (2.9e8, 2.4e8, 1.9e8)
    assert found.masses == (210000.0, 200000.0, 180500.5)


@pytest.mark.parametrize("seed", range(30))
def test_random_tables_by_any_hand(tmp_path, seed):
    """Any order, delimiter, decimal mark, way to say units and heights; the numbers behind them are the witness."""
    chance = np.random.default_rng([seed, 9])
    n = int(chance.integers(2, 7))
    masses, stiffnesses = chance.uniform(100, 300, n).round(3), chance.uniform(1e5, 9e5, n).round(1)
    heights = chance.uniform(2.5, 4.5, n).round(2)
    by_elevation, bracketed = chance.random(2) < 0.5
    base = by_elevation and chance.random() < 0.5
    level = round(float(chance.uniform(-2, 2)), 2) if base else 0.0
    mark = [",", ";", "\t"][int(chance.integers(3))]
    comma = mark != "," and chance.random() < 0.5
    head = ["Level", "Elevation" if by_elevation else "Height", "Mass", "Stiffness"]
    units = ["", "m", "t", "kN/m"]
    if bracketed:
        head = [f"{title} [{unit}]" if unit else title for title, unit in zip(head, units, strict=True)]
    tall = level + np.cumsum(heights) if by_elevation else heights
    rows = [
        [f"L{i + 1}", *(repr(float(x)) for x in row)]
        for i, row in enumerate(zip(tall, masses, stiffnesses, strict=True))
    ]
    if base:
        rows.insert(0, ["Base", repr(level), "0", "0"])
    if chance.random() < 0.5:
        rows.reverse()
    lines = [head, *([] if bracketed else [units]), *rows]
    text = "\n".join(mark.join(row) for row in lines)
    if comma:
        text = "\n".join([mark.join(lines[0]), *(line.replace(".", ",") for line in text.splitlines()[1:])])
    found = carom.read_storeys(table(tmp_path, text + "\n"))
    assert isinstance(found, carom.ShearBuilding)
    assert found.masses == pytest.approx(1e3 * masses, rel=1e-12)
    assert found.stiffnesses == pytest.approx(1e3 * stiffnesses, rel=1e-12)
    assert found.heights == pytest.approx(np.cumsum(heights), rel=1e-9)


def test_eccentricities_shift_the_centre_of_stiffness(tmp_path):
    text = "Storey,Mass,Kx,Ky,Torsional Stiffness,Ex,Ey\nS1,200,3e5,2e5,2e7,0.6,-0.4\nS2,200,3e5,2e5,2e7,0.6,-0.4\n"
    units = {"mass": "t", "stiffness": "kN/m", "length": "m"}
    found = carom.read_storeys(table(tmp_path, text), units=units, width=10, depth="16 m")
    assert found.mass_centres == pytest.approx(np.array([[5, 8]] * 2))
    assert found.centres_of_stiffness == pytest.approx(np.array([[4.4, 8.4]] * 2))


PLAIN = "Story,Height,Mass,Stiffness\nS2,3,180,2e5\nS1,3,200,3e5\n"
UNITS = {"mass": "t", "stiffness": "kN/m", "length": "m"}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (PLAIN, {}, r"`units` of read_storeys must say the unit of length: the table \(storeys.csv, line 3\) does not"),
        (PLAIN, {"units": {"mass": "t"}}, "must say the unit of length"),
        (PLAIN, {"units": {"speed": "t"}}, "must say units of inertia, length, mass, stiffness, torsional"),
        (PLAIN, {"units": UNITS | {"mass": "m"}}, "unit of mass"),
        (PLAIN.replace("S2", "Roof"), {"units": UNITS}, "`order` of read_storeys must be said"),
        (PLAIN, {"units": UNITS, "order": "down"}, "`order` .* must be 'top-down' or 'bottom-up'"),
        (PLAIN, {"units": UNITS, "direction": "z"}, "must be 'x' or 'y'"),
        (PLAIN, {"units": UNITS, "case": "EX"}, "`case` of read_storeys must be one of the tables' .there are none."),
        (PLAIN.replace("180", "heavy"), {"units": UNITS}, "Got 'heavy' in storeys.csv, line 2"),
        (PLAIN.replace("180,2e5", "180,"), {"units": UNITS}, "Storey 'S2' has no `stiffness`, which others have"),
        (PLAIN + "S1,3,210,3e5\n", {"units": UNITS}, "Storey 'S1' has several values of `mass`"),
        (PLAIN.replace("Mass", "Weight"), {"units": UNITS}, "needs a column of masses"),
        (PLAIN.replace("Stiffness", "Strength"), {"units": UNITS}, "needs a column of storey stiffnesses"),
        (PLAIN.replace("S2,3,180,2e5", "S2,3,0,0"), {"units": UNITS}, "Storey 'S2' has neither mass nor stiffness"),
        (PLAIN.replace("Story", "Wing"), {"units": UNITS}, "must have a row of headers with a column of storeys"),
        (ETABS.replace("Torsional Stiffness", "Note"), {}, "`direction` of read_storeys must be said"),
        (ETABS.replace("Width", "Wide"), {}, "`width` of read_storeys must be given for a building that turns"),
        ("", {}, "must have a row of headers"),
        ("a\0b", {}, "must be a CSV file, text"),
    ],
)  # fmt: skip
def test_refusals_say_which_storey_column_or_unit(tmp_path, text, options, message):
    with pytest.raises(carom.InputError, match=message):
        carom.read_storeys(table(tmp_path, text), **options)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(carom.InputError, match="must be a CSV file"):
        carom.read_storeys(tmp_path / "nothing.csv")


def test_a_comma_that_may_be_either_is_refused(tmp_path):
    text = "Story;Height;Mass;Stiffness\nS2;3;180,500;2e5\nS1;3;200,250;3e5\n"
    with pytest.raises(
        carom.InputError, match=r"whether a comma stands before decimals or between thousands. Got '180,500'"
    ):
        carom.read_storeys(table(tmp_path, text), units=UNITS)
    found = carom.read_storeys(table(tmp_path, text.replace(";3;180", ";3,5;180")), units=UNITS)
    assert found.masses == (200250.0, 180500.0)
    found = carom.read_storeys(table(tmp_path, text.replace(";3;180", ";3.5;180")), units=UNITS)
    assert found.masses == (200250000.0, 180500000.0)
