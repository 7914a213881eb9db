"""Records changed at random, read in every format."""

from __future__ import annotations

import random
from pathlib import Path

from carom.motions import read_motion
from tests.motions.samples import FORMATS, damaged
from tests.mutations.words import Depth, called, commanded

HEADERS = (
    (b"NPTS=     60", (b"NPTS=-5", b"NPTS=1e12", b"NPTS=999999999999", b"NPTS=0", b"NPTS=", b"NPTS=60.5")),
    (b"DT=   .0100", (b"DT=1e-300", b"DT=-0.01", b"DT=0", b"DT=nan", b"DT=1e300", b"DT=", b"DT=.0100E9")),
    (b"UNITS OF G", (b"UNITS OF \x1b[31mG", b"UNITS OF", b"UNITS OF KM")),
    (b"Nowhere-01", (b"\x1b]0;title\x07", b"=HYPERLINK(1)", b"$\\frac$", b"\xe2\x80\xae", b"\x9b31m")),
    (b"time (s)", (b"time (us)", b"time (min)", b"\x1b[2J")),
)


def mutate_record(seed: int) -> bytes:
    """Return the record of a seed."""
    chance = random.Random(f"record {seed}")
    make, _ = FORMATS[chance.choice(list(FORMATS))]
    content = make().encode()
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
        return called(lambda: read_motion(path, **({"dt": 0.01, "unit": "g"} if known else {})).measures())
    words = ["info", str(path)] if depth is Depth.TOLD else ["convert", str(path), "--out", str(folder / "other.csv")]
    code, _ = commanded(["motion", *words, *(["--dt", "0.01", "--unit", "g"] if known else [])])
    return ("sound", "failed", "refused")[code]
