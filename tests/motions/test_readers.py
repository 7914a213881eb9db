"""Every format in every dress, and every way a file can be wrong."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import CaromWarning, InputError, UnknownNameError
from carom.motions import Motion
from carom.motions.readers import READERS, read_bytes
from carom.units import standard_gravity
from tests.motions.samples import FORMATS, at2, rows, survive, wave

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
    np.testing.assert_allclose(
        read(tiny, dt=0.01, unit="g").acceleration[:2] / G, [0.12e-103, 0.5], rtol=1e-15
    )
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
    with pytest.raises(
        InputError, match=r"as many samples as its first line says, 70. Got 60. .*partial=True"
    ):
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


@pytest.mark.parametrize(
    "form", ["{:.4f}\t{:.6f}\n", "{:.4f} {:.6f}\n", "{:.4f},{:.6f}\n", "{:.4f}; {:.6f}\n"]
)
def test_separators(form: str) -> None:
    motion = read(table(0.02 * np.arange(60), wave(), form), unit="g")
    assert (motion.npts, motion.dt, motion.start) == (60, 0.02, 0.0)


def test_decimal_commas() -> None:
    text = table(0.02 * np.arange(60), wave(), "{:.4f};{:.6f}\n", "time;acc (g)\n").replace(".", ",")
    motion = read(text)
    assert motion.dt == 0.02
    np.testing.assert_allclose(motion.acceleration / G, wave(), atol=1e-6)


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


# what is wrong is said


def at2_with(count: int, values: np.ndarray) -> str:
    return at2(values, f"NPTS= {count}, DT= .01 SEC")


def test_wrong_counts() -> None:
    with pytest.raises(InputError, match=r"truncated: it holds only 60 values, NPTS says 61"):
        read(at2_with(61, wave()))
    with pytest.raises(InputError, match=r"at odds with its header: it holds 60 values, NPTS says 40"):
        read(at2_with(40, wave()))
    assert read(at2_with(40, wave()), partial=True).npts == 40
    short = read(at2_with(61, wave()), partial=True)
    assert short.npts == 60
    assert short.processing == ("60 values taken, the file says 61",)
    filled = np.concatenate((wave(58), [0.0, 0.0]))
    assert read(at2_with(58, filled)).npts == 58  # the last line filled up with zeros


def test_a_header_that_claims_the_moon() -> None:
    with pytest.raises(InputError, match=r"only 60 values, NPTS says 1000000000000"):
        read(at2_with(10**12, wave()))
    with pytest.raises(InputError, match="number of points"):
        read(at2(wave(), f"NPTS= {'9' * 5000}, DT= .01 SEC"), format="peer-at2")


@pytest.mark.parametrize("bad", ["NaN", "inf", "-Infinity", "1E999", "*********"])
def test_not_finite(bad: str) -> None:
    lines = at2_with(60, wave()).splitlines()
    lines[8] = lines[8].replace(lines[8].split()[2], bad)
    with pytest.raises(InputError, match=r"Line 9 of record.txt must hold finite numbers"):
        read("\n".join(lines))


def test_text_between_numbers() -> None:
    lines = rows(wave()).splitlines()
    lines.insert(5, "here somebody wrote a note")
    with pytest.raises(InputError, match=r"Line 6 of record.txt must hold numbers. Got 'here somebody"):
        read("\n".join(lines), dt=0.01, unit="g")


def test_absurd_and_silent() -> None:
    with pytest.raises(
        InputError, match=r"PGA of record.txt must not exceed 10 g. Got .* g. Is the unit right"
    ):
        read(rows(1000.0 * wave()), dt=0.01, unit="g")
    with pytest.raises(InputError, match="All 60 samples are zero"):
        read(rows(0.0 * wave()), dt=0.01, unit="g")


def test_ragged_columns() -> None:
    with pytest.raises(InputError, match=r"Row 3 .* must hold 2 columns. Got 1. The file seems truncated"):
        read("0.0 1\n0.1 2\n0.2\n", unit="m/s2", format="csv")
    with pytest.raises(InputError, match=r"Row 2 .* must hold one value"):
        read("1\n2 3\n4\n", unit="m/s2", dt=1, format="one-column")


def test_files_that_are_none(tmp_path: Path) -> None:
    def refused(path: object, part: str) -> None:
        with pytest.raises(InputError, match=part):
            carom.read_motion(path)  # type: ignore[arg-type]

    refused(tmp_path, "is a folder")
    refused(tmp_path / "none.at2", "There is no file")
    refused(3, "read from a path")
    refused("with\0zero", "cannot be read|There is no file")
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b" \r\n\n")
    refused(empty, "is empty")
    packed = tmp_path / "packed.at2"
    packed.write_bytes(bytes(range(256)) * 8)
    refused(packed, "is not a text file")
    words = tmp_path / "words.txt"
    words.write_text("lorem ipsum\ndolor sit\n")
    refused(words, "format of words.txt is not recognised. Known: .*peer-at2")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        refused(tmp_path / "pipe", "not an ordinary file")


def test_huge_files_are_refused_unread(tmp_path: Path) -> None:
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(10**11)  # sparse
    with pytest.raises(InputError, match="no record is that long"):
        carom.read_motion(huge)


def test_options_are_checked() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown motion format 'at3'. Did you mean"):
        read("1\n2\n", format="at3")
    with pytest.raises(InputError, match="`dt` of read_motion must be positive"):
        read("1\n2\n", dt=-1.0)
    with pytest.raises(InputError, match="`unit` of read_motion"):
        read("1\n2\n", unit="parsec")
    with pytest.raises(InputError, match="`column`"):
        read("1\n2\n", column=0)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("Origin Time  2018/01/24 19:51\nSampling Freq(Hz) 100Hz\nScale Factor 3920(gal)/6182761\n", "K-NET"),
        ("2 CORRECTED ACCELEROGRAM   \n*\n", "SMC"),
        ("Corrected accelerogram   58667-L2866-14236.52\n", "CSMIP"),
        ("Uncorrected acceleration  (Format v01.20 with 13 text lines)\n", "COSMOS"),
        ("FILE     0 OF UNCORRECTED ACCELEROGRAM DATA OF VOL\n", "USC"),
    ],
)  # fmt: skip
def test_formats_of_networks_are_not_mistaken_for_columns(head: str, name: str) -> None:
    text = head + rows(wave())
    with pytest.raises(InputError, match=f"looks like a {name}.*not read yet"):
        read(text, dt=0.01, unit="g")


def test_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "RSN1.AT2"
    path.write_text(at2_with(60, wave()))
    motion = carom.read_motion(path)
    assert (motion.name, motion.npts) == ("RSN1", 60)
    assert carom.read_motion(str(path)) == motion


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_end_in_a_motion_or_a_clear_error(name: str) -> None:
    """300 of the 20,000 that ``python -m tests.motions.samples 20000`` runs."""
    tally = survive(name, 300, seed=1)
    assert sum(tally.values()) == 300
    assert min(tally.values()) > 5


@pytest.mark.parametrize("filler", [" ", "\t", "units ", "dt ", "0,0;", "acc ", "1.", "1e", "-"])
def test_long_lines_do_not_hang(filler: str) -> None:
    long = filler * (200_000 // len(filler))
    for text in (long + "\n" + rows(wave()), "units" + long, "NPTS=" + long + "\n" + rows(wave())):
        for form in (None, *FORMATS):
            with pytest.raises(InputError):
                read(text, format=form)
