"""Every way a file can be wrong, and what is said about it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import InputError, UnknownNameError
from carom.motions import Motion
from carom.motions.readers import read_bytes
from tests.motions.samples import FORMATS, at2, rows, survive, wave


def read(text: str, **options: object) -> Motion:
    return read_bytes(text.encode(), "record.txt", **options)


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
    with pytest.raises(InputError, match=r"PGA of record.txt must not exceed 10 g. Got .* g. Is the unit right"):
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
            carom.read_motion(path)

    refused(tmp_path, "is a folder")
    refused(tmp_path / "none.at2", "There is no file")
    refused(3, "read from a path")
    refused("with\0zero", "cannot be read|There is no file")
    empty = tmp_path / "empty.txt"
    empty.write_bytes(b" \r\n\n")
    refused(empty, "is empty")
    empty.write_bytes(b"\xef\xbb\xbf")
    refused(empty, "is empty")
    packed = tmp_path / "packed.at2"
    packed.write_bytes(bytes(range(256)) * 8)
    refused(packed, "is not a text file")
    words = tmp_path / "words.txt"
    words.write_text("lorem ipsum\ndolor sit\n")
    refused(words, "format of words.txt is not recognised. It begins with .lorem ipsum.*Known: .*peer-at2")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        refused(tmp_path / "pipe", "not an ordinary file")


def test_huge_files_are_refused_unread(tmp_path: Path) -> None:
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(10**11)  # sparse
    with pytest.raises(InputError, match="has more than 40 MB"):
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


def test_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "RSN1.AT2"
    path.write_text(at2_with(60, wave()))
    motion = carom.read_motion(path)
    assert (motion.name, motion.npts) == ("RSN1", 60)
    assert carom.read_motion(str(path)) == motion


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_end_in_a_motion_or_a_clear_error(name: str) -> None:
    """300 of the 20,000 that ``python -m tests.motions 20000`` runs."""
    make, options = FORMATS[name]
    tally = survive(name, make().encode(), options, 300, seed=1)
    assert sum(tally.values()) == 300
    assert min(tally.values()) > 5


@pytest.mark.parametrize("filler", [" ", "\t", "units ", "dt ", "0,0;", "acc ", "1.", "1e", "-"])
def test_long_lines_do_not_hang(filler: str) -> None:
    long = filler * (200_000 // len(filler))
    for text in (long + "\n" + rows(wave()), "units" + long, "NPTS=" + long + "\n" + rows(wave())):
        for form in (None, *FORMATS):
            with pytest.raises(InputError):
                read(text, format=form)
