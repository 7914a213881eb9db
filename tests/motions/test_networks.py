"""Files of strong-motion networks: read to the last printed digit, in any dress, and refused with the line."""

from __future__ import annotations

import importlib.util
import os
import struct
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import CaromWarning, InputError
from carom.motions import read_motion, read_motions, read_set
from carom.motions.readers import READERS, read_bytes
from carom.testing import check_reader
from tests.motions.network_samples import BINARY, DT, NETWORKS, Sample, bhrc, cosmos, csmip_v2, knet, packed, smc
from tests.motions.samples import survive

HAS_OBSPY = importlib.util.find_spec("obspy") is not None
ALL = {**NETWORKS, **(BINARY if HAS_OBSPY else {})}
TRIALS = 60


def file_of(sample: Sample, folder: Path, name: str = "record.txt") -> Path:
    path = folder / name
    path.write_bytes(sample.content)
    return path


@pytest.mark.parametrize("name", ALL)
def test_every_component_is_exact_and_labelled(name: str, tmp_path: Path) -> None:
    form, make = ALL[name]
    sample = make()
    path = file_of(sample, tmp_path)
    found = read_motions(path, **sample.options)
    assert tuple(motion.component for motion in found) == sample.labels
    for motion, expected in zip(found, sample.samples, strict=True):
        np.testing.assert_allclose(motion.acceleration, expected, rtol=0.0, atol=sample.digits * np.abs(expected).max())
        assert motion.dt == pytest.approx(DT, rel=1e-12)
        assert read_motion(path, component=motion.component, format=form, **sample.options) == motion
        assert any(word in motion.station.casefold() for word in ("fiel", "campo", "viña", "kütahya"))
    assert len({motion.name for motion in found}) == len(found)
    if len(found) == 3:
        together = read_set(path, **sample.options)
        assert [motion.component for motion in together] == list(sample.labels)
        with pytest.raises(InputError, match=r"`component` of record\.txt must be named where there are several"):
            read_motion(path, **sample.options)


@pytest.mark.parametrize("name", NETWORKS)
def test_readers_keep_the_contract(name: str) -> None:
    form, make = NETWORKS[name]
    sample = make()
    check_reader(form, sample.content, sample.samples[0], DT, options=sample.given, trials=TRIALS)


@pytest.mark.parametrize("name", ALL)
def test_damaged_files_end_in_motions_or_a_clear_error(name: str) -> None:
    """60 of the 20,000 that ``python -m tests.motions 20000`` runs."""
    form, make = ALL[name]
    sample = make()
    assert min(survive(form, sample.content, sample.given, TRIALS, seed=1).values()) > 0


@pytest.mark.parametrize("name", NETWORKS)
def test_truncated_files_are_refused_and_taken_in_part(name: str) -> None:
    form, make = NETWORKS[name]
    sample = make()
    if name == "cwb":
        return  # a table without a count ends where it ends
    lines = sample.content.split(b"\n")
    cut = b"\n".join(lines[: -max(len(lines) // 20, 3)])
    given = {**sample.given, **({"component": sample.labels[-1]} if len(sample.labels) > 1 else {})}
    if name in ("geonet", "csmip-v2"):
        word, beyond = (b"Component", 1200) if name == "geonet" else (b"POINTS OF ACCEL", 400)
        cut = sample.content[: sample.content.rindex(word) + beyond]
    with pytest.raises(InputError, match=r"truncated|must hold"):
        read_bytes(cut, format=form, **given)
    assert 2 <= read_bytes(cut, format=form, partial=True, **given).npts < 60


def test_gzip_is_unpacked_and_bombs_are_not(tmp_path: Path) -> None:
    sample = knet()
    path = tmp_path / "FIEL.EW.gz"
    path.write_bytes(packed(sample.content))
    assert read_motion(path).source == "FIEL.EW, component EW"
    path.write_bytes(packed(b"0" * 60_000_000))
    with pytest.raises(InputError, match=r"unpacks to more than 40 MB"):
        read_motion(path)
    path.write_bytes(packed(sample.content)[:-40])
    with pytest.raises(InputError, match=r"truncated gzip"):
        read_motion(path)
    path.write_bytes(b"\x1f\x8b" + b"x" * 100)
    with pytest.raises(InputError, match=r"damaged gzip"):
        read_motion(path)


def test_what_no_record_is_is_refused_quickly(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    path.write_bytes(b"0.1 " * 9_000_000)
    with pytest.raises(InputError, match=r"Line 1 of one.txt must have at most 4000000 characters"):
        read_motion(path)
    with path.open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(InputError, match=r"has more than 40 MB"):
        read_motion(path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"a named pipe"):
        read_motion(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"a device"):
        read_motion("/dev/zero")
    big = {
        b"  60 POINTS": b"1000000000000 POINTS",
        b" 60 acceleration": b" 999999999999 acceleration",
        b"        60": b"1000000000",
    }
    for sample, (old, new) in zip((csmip_v2(), cosmos(), smc()), big.items(), strict=True):
        changed = sample.content.replace(old.strip() if b"POINTS" in old else old, new)
        assert changed != sample.content
        with pytest.raises(InputError, match=r"announces (1000000000000|999999999999|1000000000) samples"):
            read_bytes(changed, **sample.given)


def test_an_unknown_format_shows_what_was_seen() -> None:
    with pytest.raises(InputError, match=r"It begins with 'lorem ipsum', 'dolor'.*Known: afad, bhrc, cosmos.*usc"):
        read_bytes(b"lorem ipsum\n\ndolor\n")
    with pytest.raises(InputError, match=r"is not a text file, nor MiniSEED, SAC or gzip"):
        read_bytes(bytes(range(256)) * 8)
    with pytest.raises(InputError, match=r"k-net is read from text"):
        read_bytes(bytes(range(256)) * 8, format="k-net")


def test_fields_that_ran_together_and_blank_ones() -> None:
    text = csmip_v2().content.decode()
    at = text.index("POINTS OF ACCEL")
    first = text.index("\n", at) + 1
    line = text[first : first + 80]
    together = line[:10] + "123.456789" + "98.7654321" + line[30:]
    motion = read_bytes((text[:first] + together + text[first + 80 :]).encode(), component="H1")
    np.testing.assert_allclose(motion.acceleration[1:3], [1.23456789, 0.987654321])
    blank = line[:10] + " " * 10 + line[20:]
    motion = read_bytes((text[:first] + blank + text[first + 80 :]).encode(), component="H1")
    assert motion.acceleration[1] == 0.0
    assert "1 blank fields taken as zero" in motion.processing


def test_components_by_their_place_and_by_loose_names(tmp_path: Path) -> None:
    path = file_of(bhrc(), tmp_path)
    for name, label in (("H1", "352"), ("h2", "082"), ("V", "UP"), ("82", "082"), ("up", "UP")):
        assert read_motion(path, component=name).component == label
    with pytest.raises(InputError, match=r"must be one of 352, UP, 082"):
        read_motion(path, component="NS")
    assert read_motions(path, component="V")[0].component == "UP"


def test_components_of_one_station_from_three_files(tmp_path: Path) -> None:
    text = knet().content
    names = {"5": "EW", "4": "NS", "6": "UD"}
    files = []
    for number, label in names.items():
        files.append(tmp_path / f"FIEL.{label}2")
        files[-1].write_bytes(text.replace(b"Dir.              5", f"Dir.              {number}".encode()))
    together = read_set(files)
    assert [motion.component for motion in together] == ["EW", "NS", "UD"]
    assert together.axes[2] is together["UD"]
    with pytest.raises(InputError, match=r"must hold two or three components. Got 1: EW"):
        read_set(files[0])


def test_counts_take_a_factor(tmp_path: Path) -> None:
    path = tmp_path / "counts.txt"
    path.write_text("1000\n-2000\n500\n")
    motion = read_motion(path, dt=0.01, unit="gal", scale=0.05)
    np.testing.assert_allclose(motion.acceleration, [0.5, -1.0, 0.25])
    with pytest.raises(InputError, match=r"`scale` of read_motion must be positive"):
        read_motion(path, dt=0.01, unit="gal", scale=-1)


def test_film_on_uneven_times_is_put_on_200_samples_a_second() -> None:
    """By hand: 0, 4 and 9 ms and so on; the straight lines between them at 0, 5, 10 ms."""
    form, make = NETWORKS["usc"]
    text = make().content.decode().replace(f"{60:6d}      DURATION", f"{6:6d}      DURATION")
    head = "\n".join(text.split("\n")[:27])
    body = "\n    .000   .100   .004   .500   .009   .000   .013   .400   .017   .800\n    .025   .000\n"
    with pytest.warns(CaromWarning, match=r"uneven \(0.004 s to 0.008 s apart\)"):
        motion = read_bytes((head + body).encode(), format=form)
    expected = 0.1 * np.array([0.1, 0.4, 0.1, 0.6, 0.5, 0.0]) * carom.units.standard_gravity
    np.testing.assert_allclose(motion.acceleration, expected, atol=1e-12)
    assert motion.dt == 0.005


def test_dead_channels_are_left_out_with_a_word(tmp_path: Path) -> None:
    text = bhrc().content.decode()
    parts = text.split("* VOL1DS")
    head, body = parts[2][: parts[2].rindex("E+00\n  ") + 5], parts[2]
    zero = "".join("   .000000E+00"[:13] * 10 + "\n" for _ in range(6))
    lines = body.split("\n")
    dead = "\n".join([*lines[:27], zero.rstrip("\n"), "/&", ""])
    path = tmp_path / "dead.V1"
    path.write_text("* VOL1DS".join([parts[0], parts[1], dead, parts[3]]))
    assert head
    with pytest.warns(CaromWarning, match=r"component UP is zero everywhere"):
        assert [motion.component for motion in read_motions(path)] == ["352", "082"]


def test_spectra_velocity_and_displacement_are_no_motions() -> None:
    with pytest.raises(InputError, match=r"holds velocity, not acceleration"):
        read_bytes(smc().content.replace(b"2 CORRECTED ACCELEROGRAM", b"3 VELOCITY"))
    with pytest.raises(InputError, match=r"holds spectra"):
        read_bytes(b"Response and Fourier amplitude spectra (86 periods)\n" + csmip_v2().content)
    with pytest.raises(InputError, match=r"No channel of it does"):
        read_bytes(cosmos().content.replace(b"acceleration pts", b"velocity pts"))


@pytest.mark.skipif(HAS_OBSPY, reason="ObsPy is here")
def test_without_obspy_the_extra_is_named() -> None:
    sample = BINARY["sac"][1]()
    with pytest.raises(InputError, match=r"pip install carom\[seismology\]"):
        read_bytes(sample.content, unit="g")


def test_every_reader_has_a_sample() -> None:
    made = {form for form, _ in {**NETWORKS, **BINARY}.values()} | {"peer-at2", "one-column", "two-column", "opensees"}
    assert made == set(READERS.names())


@pytest.mark.skipif(not HAS_OBSPY, reason="ObsPy is not installed (extra 'seismology')")
def test_absurd_coordinates_of_a_sac_file_do_not_hang() -> None:
    """Found by mutations: ObsPy takes 360° off a longitude of 1e30 again and again."""
    sample = BINARY["sac"][1]()
    content = bytearray(sample.content)
    for place in (31, 32, 35, 36):
        struct.pack_into("<f", content, 4 * place, 1e30)
    assert read_bytes(bytes(content), **sample.given) == read_bytes(sample.content, **sample.given)


@pytest.mark.skipif(not HAS_OBSPY, reason="ObsPy is not installed")
@pytest.mark.parametrize("order", ["<", ">"])
def test_sac_as_obspy_writes_it(order: str, tmp_path: Path) -> None:
    """Floats of four bytes, in either order, with places of station and event in the header."""
    import obspy

    counts = np.rint(1e5 * np.random.default_rng(7).standard_normal(500)).astype(np.float32)
    trace = obspy.Trace(counts, {"delta": 0.005, "network": "CX", "station": "PB01", "channel": "HNE"})
    trace.stats.sac = {"stla": -21.04, "stlo": -69.49, "evla": -19.6, "evlo": -70.8, "evdp": 25.0}
    trace.write(str(tmp_path / "one.sac"), format="SAC", byteorder=order)
    found = read_motion(tmp_path / "one.sac", unit="cm/s2", scale=1e-4)
    np.testing.assert_allclose(found.acceleration, 1e-6 * counts.astype(float), rtol=1e-12)
    assert found.dt == pytest.approx(0.005, rel=1e-7)
    assert found.component == "E"
    assert "PB01" in found.station
    with pytest.raises(InputError, match="`unit`"):
        read_motion(tmp_path / "one.sac")
    content = (tmp_path / "one.sac").read_bytes()
    with pytest.raises(InputError, match=r"must hold the 500 samples of its header\. Got 499"):
        read_bytes(content[:-4], unit="g")


@pytest.mark.skipif(not HAS_OBSPY, reason="ObsPy is not installed")
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("encoding", ["INT16", "INT32", "STEIM1", "STEIM2", "FLOAT32", "FLOAT64"])
def test_miniseed_as_obspy_writes_it(encoding: str, order: str, tmp_path: Path) -> None:
    import obspy

    kind = {"INT16": "i2", "FLOAT32": "f4", "FLOAT64": "f8"}.get(encoding, "i4")
    rng, wanted, stream = np.random.default_rng(8), [], obspy.Stream()
    for code in ("HNE", "HNN", "HNZ"):
        wanted.append(np.rint(3000.0 * rng.standard_normal(3000)).astype(kind))
        stream += obspy.Trace(wanted[-1], {"delta": 0.01, "network": "CX", "station": "PB01", "channel": code})
    path = tmp_path / "three.mseed"
    stream.write(str(path), format="MSEED", encoding=encoding, byteorder=order, reclen=512)
    found = read_set(path, unit="g", scale=1e-5)
    assert [motion.component for motion in found] == ["E", "N", "UP"]
    for motion, counts in zip(found, wanted, strict=True):
        np.testing.assert_allclose(motion.acceleration, 1e-5 * 9.80665 * counts.astype(float), rtol=1e-12)
    late = obspy.Trace(wanted[0], {"delta": 0.01, "network": "CX", "station": "PB01", "channel": "HNE"})
    late.stats.starttime += 60.0
    obspy.Stream([stream[0], late]).write(str(path), format="MSEED", encoding=encoding, byteorder=order)
    with pytest.raises(InputError, match="must have no gap"):
        read_motion(path, unit="g")
