"""Every format in every dress, and every way a file can be wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import CaromWarning, InputError
from carom.motions import Motion
from carom.motions.readers import READERS, read_bytes
from carom.units import standard_gravity
from tests.motions.samples import FORMATS, at2, rows, wave

G = standard_gravity


def read(text: str | bytes, name: str = "record.txt", **options: object) -> Motion:
    return read_bytes(text if isinstance(text, bytes) else text.encode(), name, **options)


def table(times: np.ndarray, values: np.ndarray, form: str = "{:.4f}\t{:.6f}\n", head: str = "") -> str:
    return head + "".join(form.format(t, v) for t, v in zip(times.tolist(), values, strict=True))


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_recognised_and_exact(name: str) -> None:
    make, options = FORMATS[name]
    document_reader = READERS.get(name)
    motion = read(make(), **options)
    np.testing.assert_array_equal(motion.acceleration, wave() * G)
    assert motion.dt == 0.01
    assert motion == read(make(), format=name, **options)
    assert document_reader.name == name


@pytest.mark.parametrize(
    "line",
    [
        "NPTS=  60, DT= .01000 SEC", "NPTS=   60, dt=   .0100 SEC", "60    0.0100    NPTS, DT",
        "NPTS=     60, DT=   .0100 SEC,   4 POLE @    40.00000 HZ,  -5 POLE @      .10000",
        "NPTS =   60 , DT =   .010 SEC ,   ", "NPTS= 60,\tDT=\t0.0100\tSEC", "NPTS= 60, DT= 0.01",
        "NPTS=60,DT=1.0D-02",
    ],
)  # fmt: skip
def test_at2_headers(line: str) -> None:
    motion = read(at2(wave(), line), "x.AT2")
    np.testing.assert_array_equal(motion.acceleration, wave() * G)
    assert motion.dt == 0.01
    assert (motion.event, motion.station, motion.component) == (
        "Nowhere-01, 1/2/1999",
        "Field Station #3",
        "45",
    )
    assert motion.source == "x.AT2"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("IMPERIAL VALLEY 5/19/40 0439, EL CENTRO ARRAY #9, 180 (USGS STATION 117)",
         ("IMPERIAL VALLEY 5/19/40 0439", "EL CENTRO ARRAY #9", "180")),
        ("NORTHRIDGE EQ 1/17/94, 12:31, BEVERLY HILLS - 14145 MULH, 009 (USC STATION 90013)",
         ("NORTHRIDGE EQ 1/17/94", "BEVERLY HILLS - 14145 MULH", "009")),
        ("FRIULI, ITALY 05/06/76 2000, TOLMEZZO, 000", ("FRIULI, ITALY 05/06/76 2000", "TOLMEZZO", "000")),
        ("San Fernando, 2/9/1971, Pacoima Dam (upper left abut), 164",
         ("San Fernando, 2/9/1971", "Pacoima Dam (upper left abut)", "164")),
        ("just a line", ("just a line", "", "")),
    ],
)  # fmt: skip
def test_at2_origin(line: str, expected: tuple[str, str, str]) -> None:
    text = at2(wave(), "NPTS= 60, DT= .01 SEC").replace("Nowhere-01, 1/2/1999, Field Station #3, 45", line)
    motion = read(text)
    assert (motion.event, motion.station, motion.component) == expected


def test_at2_with_somebodys_words_above_it() -> None:
    """As in a copy of El Centro that goes round: commas in a remark made a station "i.e." and a component of it."""
    remark = "60 points at equal spacing of 0.01 sec, listed by eight, i.e., 8 points across in a row"
    numbers = at2(wave(), "NPTS= 60, DT= .01 SEC").splitlines()[4:]
    above = ["Data for El Centro 1940 North South Component", remark, "The units are (g)", "NPTS= 60, DT= .01 SEC"]
    motion = read("\n".join([*above, *numbers]), "x.AT2")
    np.testing.assert_array_equal(motion.acceleration, wave() * G)
    assert (motion.event, motion.station, motion.component) == (above[0], "", "")


@pytest.mark.parametrize("quantity", ["VELOCITY", "DISPLACEMENT"])
def test_companions_of_at2_are_refused(quantity: str) -> None:
    text = at2(wave(), "NPTS= 60, DT= .01 SEC", f"{quantity} TIME SERIES IN UNITS OF CM")
    with pytest.raises(InputError, match=f"holds {quantity.lower()}, not acceleration. Read the AT2"):
        read(text)


def test_at2_units() -> None:
    text = at2(wave(), "NPTS= 60, DT= .01 SEC", "ACCELERATION TIME HISTORY IN UNITS OF CM/SEC2")
    assert read(text).pga == pytest.approx(np.abs(wave()).max() * 0.01)
    bare = at2(wave(), "NPTS= 60, DT= .01 SEC", "ACCELERATION TIME HISTORY")
    with pytest.raises(InputError, match=r"`unit` of record.txt must be known"):
        read(bare)
    assert read(bare, unit="g").pga == pytest.approx(np.abs(wave()).max() * G)


DRESS = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "old mac": lambda text: text.replace("\n", "\r"),
    "blank lines": lambda text: text.replace("\n", "\n\n \t\n"),
    "trailing blanks": lambda text: text.replace("\n", "      \n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no last line end": lambda text: text.rstrip("\n"),
    "end of file mark": lambda text: text + "\x1a",
    "Fortran D": lambda text: text.replace("E-", "D-").replace("E+", "d+"),
    "trailing blank page": lambda text: text + "\n\n\f\n",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("dress", DRESS)
def test_dress_does_not_matter(name: str, dress: str) -> None:
    make, options = FORMATS[name]
    motion = read(DRESS[dress](make()), **options)
    np.testing.assert_array_equal(motion.acceleration, wave() * G)


@pytest.mark.parametrize("name", FORMATS)
def test_utf16_from_a_spreadsheet(name: str) -> None:
    make, options = FORMATS[name]
    motion = read(make().encode("utf-16"), **options)
    np.testing.assert_array_equal(motion.acceleration, wave() * G)


def test_latin_1_header() -> None:
    text = "Estación Viña del Mar, acceleration (g), dt = 0.02\n" + "\n".join(str(v) for v in wave())
    assert read(text.encode("latin-1")).dt == 0.02


@pytest.mark.parametrize("name", FORMATS)
def test_junk_after_the_numbers_is_ignored_with_a_warning(name: str) -> None:
    make, options = FORMATS[name]
    with pytest.warns(CaromWarning, match="2 lines after the last number are ignored, the first being 'END"):
        motion = read(make() + "\nEND OF RECORD\n-- 3 lines --\n", **options)
    np.testing.assert_array_equal(motion.acceleration, wave() * G)


def test_numbers_stuck_together() -> None:
    values = np.array([0.123e-2, -0.456e-3, -0.789e-1, 0.5e-4, -0.25])
    text = "0.123E-02-0.456E-03-0.789E-01\n0.500E-04-0.250E+00\n"
    np.testing.assert_allclose(read(text, dt=0.01, unit="g").acceleration, values * G, rtol=1e-15)
    fixed = "  0.1230E-020.5000E-04\n-0.1000E-01-.2500E+00\n"
    found = read(fixed, dt=0.01, unit="g").acceleration / G
    np.testing.assert_allclose(found, [0.123e-2, 0.5e-4, -0.01, -0.25], rtol=1e-15)
    tiny = "0.12-103 0.5 0.1\n-0.25 0.125 0.3\n"
    np.testing.assert_allclose(read(tiny, dt=0.01, unit="g").acceleration[:2] / G, [0.12e-103, 0.5], rtol=1e-15)
    with pytest.raises(InputError):
        read("0.1230.4560.789\n0.1230.4560.789\n", dt=0.01, unit="g")


# one column, several values a line


def test_time_step_in_the_header() -> None:
    body = "\n".join(f"{v:.6f}" for v in wave())
    for line in (
        "dt = 0.005 s",
        "Time step: 5 ms",
        "sampling interval 0.005 sec",
        "SAMPLING_INTERVAL_S: 0.005",
    ):
        assert read(f"# acceleration (g)\n# {line}\n{body}").dt == 0.005
    assert read(f"60 0.005\n{body}\n", unit="g").dt == 0.005
    assert read(f"60 0.005\n{body}\n", unit="g").npts == 60
    assert read("60 0.005\n" + rows(wave()), unit="g").npts == 60


@pytest.mark.parametrize("body", [rows(wave()), rows(wave(), 1), table(0.005 * np.arange(60), wave())])
def test_a_count_that_does_not_hold(body: str) -> None:
    with pytest.raises(InputError, match=r"as many samples as its first line says, 70. Got 60. .*partial=True"):
        read("70 0.005\n" + body, unit="g")
    assert read("70 0.005\n" + body, unit="g", partial=True).npts == 60


def test_what_is_missing_is_asked_for() -> None:
    body = "\n".join(f"{v:.6f}" for v in wave())
    with pytest.raises(InputError, match=r"`dt` of record.txt must be known.*dt=0.01 .*--dt 0.01"):
        read(body, unit="g")
    with pytest.raises(InputError, match=r'`unit` of record.txt must be known.*unit="g".*--unit g'):
        read(body, dt=0.01)


def test_the_caller_overrides_the_file_with_a_warning() -> None:
    text = at2(wave(), "NPTS= 60, DT= .0066 SEC")
    with pytest.warns(CaromWarning, match="the file says 0.0066 s; the given one is taken"):
        motion = read(text, dt=0.00661)
    assert motion.dt == 0.00661
    assert "the file says 0.0066 s" in motion.processing[0]
    with pytest.warns(CaromWarning, match="unit of cm/s2 given, the file says g"):
        assert read(text, unit="cm/s2").pga == pytest.approx(np.abs(wave()).max() / 100)


# tables


@pytest.mark.parametrize("form", ["{:.4f}\t{:.6f}\n", "{:.4f} {:.6f}\n", "{:.4f},{:.6f}\n", "{:.4f}; {:.6f}\n"])
def test_separators(form: str) -> None:
    motion = read(table(0.02 * np.arange(60), wave(), form), unit="g")
    assert (motion.npts, motion.dt, motion.start) == (60, 0.02, 0.0)


def test_decimal_commas() -> None:
    text = table(0.02 * np.arange(60), wave(), "{:.4f};{:.6f}\n", "time;acc (g)\n").replace(".", ",")
    motion = read(text)
    assert motion.dt == 0.02
    np.testing.assert_allclose(motion.acceleration / G, wave(), atol=1e-6)


@pytest.mark.parametrize("form", ["{:.4f},{:.6f}\n", "{:.4f} {:.6f}\n", "{1:.6f}\n"])
def test_decimal_commas_that_may_be_columns_are_refused(form: str) -> None:
    text = "".join(form.format(0.02 * k, abs(v)) for k, v in enumerate(wave())).replace(".", ",")
    with pytest.raises(InputError, match=r"Line 1 of .* may mean 0\.0.*, or two columns"):
        read(text, unit="g", dt=0.02)


@pytest.mark.parametrize("dt", [0.02, 0.005, 0.0066, 1 / 3, 0.01 / 3, 1 / 128, 0.00244])
def test_the_step_is_the_one_that_was_printed(dt: float) -> None:
    times = dt * np.arange(60)
    full = read(table(times, wave(), "{!r} {:.6f}\n"), unit="g")
    assert full.dt == pytest.approx(dt, rel=1e-12)
    rounded = read(table(times, wave(), "{:.4f} {:.6f}\n"), unit="g")
    assert rounded.dt == pytest.approx(dt, abs=2e-4 / 59)
    if round(dt, 4) == dt:
        assert full.dt == rounded.dt == dt


def test_header_lines_units_and_start() -> None:
    head = "The earthquake of yesterday\nStation: 090 CDMG STATION 24278\nTime[s] Accel[g]\n"
    motion = read(table(5.0 + 0.01 * np.arange(60), wave(), head=head))
    assert motion.start == 5.0
    assert motion.pga == pytest.approx(np.abs(wave()).max() * G, rel=1e-4)
    counted = read("60 0.005\n" + table(0.005 * np.arange(1, 61), wave()), unit="g")
    assert (counted.npts, counted.dt, counted.start) == (60, 0.005, 0.005)


@pytest.mark.parametrize(
    ("head", "times", "step"),
    [
        ("time [ms]", "0 5 10 15", 0.005), ("Time (msec)", "100 102.5 105 107.5", 0.0025), ("t [s]", "0 5 10 15", 5.0),
        ("time [minutes]", "0 1 2 3", 60.0), ("Zeit [µs]", "0 500 1000 1500", 5e-4), ("time", "0 5 10 15", 5.0),
    ],
)  # fmt: skip
def test_times_in_the_unit_of_their_header(head: str, times: str, step: float, tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text(f"{head},acceleration [g]\n" + "".join(f"{one},0.1\n" for one in times.split()), encoding="utf-8")
    motion = carom.read_motion(file)
    assert motion.dt == step
    first, second = (float(one) for one in times.split()[:2])
    assert motion.start == pytest.approx(first * step / (second - first))


def test_uneven_times_are_resampled_with_a_warning() -> None:
    rng = np.random.default_rng(2)
    times = np.sort(rng.uniform(0.0, 2.0, 80)).round(4)
    values = np.sin(3.0 * times)
    with pytest.warns(CaromWarning, match="times are uneven .* resampled along straight lines to 0.01 s"):
        motion = read(table(times, values, "{:.4f} {:.9f}\n"), unit="m/s2", dt=0.01)
    np.testing.assert_allclose(motion.acceleration, np.interp(motion.time, times, values), atol=1e-8)
    assert "resampled from uneven times" in motion.processing[-1]


def test_a_missing_row_is_not_hidden() -> None:
    text = table(0.01 * np.arange(60), wave())
    lines = text.splitlines()
    with pytest.warns(CaromWarning, match="uneven"):
        motion = read("\n".join(lines[:20] + lines[21:]), unit="g")
    assert motion.npts == 60


def test_hopelessly_uneven_times_are_refused() -> None:
    with pytest.raises(InputError, match="Pass the time step to resample to"):
        read("0 0.1\n0.001 0.2\n0.002 0.1\n0.003 0.3\n100 0.2\n", unit="g")


def test_times_must_grow() -> None:
    text = "0.00 0.1\n0.01 0.2\n0.02 0.1\n0.01 0.3\n0.03 0.2\n"
    with pytest.raises(InputError, match=r"must grow from row to row. Got 0.01 s after 0.02 s in row 4"):
        read(text, unit="g", format="two-column")


def test_tables_with_more_columns() -> None:
    t = 0.01 * np.arange(60)
    body = "".join(f"{a:.2f},{b:.6f},{c:.6f}\n" for a, b, c in zip(t, wave(), 2.0 * wave(), strict=True))
    with pytest.raises(InputError, match=r"has 3 columns. Say which one is the acceleration: column=2"):
        read(body, unit="g")
    assert read(body, unit="g", column=3).pga == pytest.approx(2.0 * np.abs(wave()).max() * G, rel=1e-4)
    named = read("time,displacement,acc (g)\n" + body)
    assert named.pga == pytest.approx(2.0 * np.abs(wave()).max() * G, rel=1e-4)
    with pytest.raises(InputError, match=r"must be at most 3. Got 4"):
        read(body, unit="g", column=4)


def test_one_of_several_components_side_by_side(tmp_path: Path) -> None:
    """Without times, columns read line after line would mix components: one can be asked for."""
    path = tmp_path / "three.txt"
    three = np.random.default_rng(3).normal(size=(40, 3))
    np.savetxt(path, three)
    second = carom.read_motion(path, dt=0.01, unit="m/s2", column=2)
    np.testing.assert_allclose(second.acceleration, three[:, 1])
    with pytest.raises(InputError, match=r"`column` of three\.txt must be at most 3"):
        carom.read_motion(path, dt=0.01, unit="m/s2", column=4)
    np.savetxt(path, three[:, 0])
    with pytest.raises(InputError, match="must be 1, the only one"):
        carom.read_motion(path, dt=0.01, unit="m/s2", column=2)
