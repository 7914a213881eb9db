"""Records changed at random, read in every format."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from carom.motions import read_motions
from tests.motions.network_samples import NETWORKS
from tests.motions.samples import FORMATS, damaged
from tests.mutations.words import Depth, called, commanded

HEADERS = (
    (b"NPTS=     60", (b"NPTS=-5", b"NPTS=1e12", b"NPTS=999999999999", b"NPTS=0", b"NPTS=", b"NPTS=60.5")),
    (b"DT=   .0100", (b"DT=1e-300", b"DT=-0.01", b"DT=0", b"DT=nan", b"DT=1e300", b"DT=", b"DT=.0100E9")),
    (b"UNITS OF G", (b"UNITS OF \x1b[31mG", b"UNITS OF", b"UNITS OF KM")),
    (b"Nowhere-01", (b"\x1b]0;title\x07", b"=HYPERLINK(1)", b"$\\frac$", b"\xe2\x80\xae", b"\x9b31m")),
    (b"     60", (b"1000000000000", b"     -5", b"      0", b"   60.5", b"       ", b"    nan")),
    (b"60 ", (b"999999999999 ", b"-5 ", b"0 ", b"61 ")),
    (b"Format=(8f9.6)", (b"Format=(8f0.6)", b"Format=(99f99.6)", b"Format=()", b"")),
    (b"/8388608", (b"/0", b"/-1", b"/1e400", b"")),
    (b"time (s)", (b"time (us)", b"time (min)", b"\x1b[2J")),
)


@cache
def sources() -> list[bytes]:
    """Return the files before anything is changed."""
    return [make().encode() for make, _ in FORMATS.values()] + [make().content for _, make in NETWORKS.values()]


def mutate_record(seed: int) -> bytes:
    """Return the record of a seed."""
    chance = random.Random(f"record {seed}")
    content = chance.choice(sources())
    old, new = chance.choice(HEADERS)
    if chance.random() < 0.4:
        content = content.replace(old, chance.choice(new))
    return damaged(content, chance) if chance.random() < 0.85 else content


def answer_record(content: bytes, folder: Path, depth: Depth = Depth.READ) -> str:
    """Read a record, have it described, or write it in another format; return what came of it."""
    path = folder / "mutated.txt"
    path.write_bytes(content)
    known = len(content) % 2 == 1
    if depth is Depth.READ:
        given = {"dt": 0.01, "unit": "g"} if known else {}
        return called(lambda: [motion.measures() for motion in read_motions(path, **given)])
    words = ["info", str(path)] if depth is Depth.TOLD else ["convert", str(path), "--out", str(folder / "other.csv")]
    code, _ = commanded(["motion", *words, *(["--dt", "0.01", "--unit", "g"] if known else [])])
    return ("sound", "failed", "refused")[code]
