"""Small files of our own in every format, and random damage to them."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

import numpy as np

from carom.errors import InputError
from carom.motions import Motion
from carom.motions.readers import read_bytes


def wave(count: int = 60, dt: float = 0.01) -> np.ndarray:
    """A decaying wave [g] of seven digits, as a file would print it."""
    t = dt * np.arange(count)
    values = 0.3 * np.sin(2.0 * np.pi * 2.1 * t + 0.3) * np.exp(-0.8 * t)
    return np.array([float(f"{value:.7E}") for value in values])


def rows(values: np.ndarray, width: int = 5, form: str = "{:15.7E}") -> str:
    lines = [values[k : k + width] for k in range(0, values.size, width)]
    return "\n".join("".join(form.format(value) for value in line) for line in lines) + "\n"


def at2(values: np.ndarray, count_line: str, units: str = "ACCELERATION TIME SERIES IN UNITS OF G") -> str:
    head = f"PEER NGA STRONG MOTION DATABASE RECORD\nNowhere-01, 1/2/1999, Field Station #3, 45\n{units}\n"
    return head + count_line + "\n" + rows(values)


FORMATS: dict[str, tuple[Callable[[], str], dict[str, object]]] = {
    "peer-at2": (lambda: at2(wave(), "NPTS=     60, DT=   .0100 SEC,"), {}),
    "one-column": (lambda: "\n".join(f"{v:.7E}" for v in wave()) + "\n", {"dt": 0.01, "unit": "g"}),
    "two-column": (
        lambda: "time (s),acceleration (g)\n" + "".join(f"{0.01 * k:.2f},{v:.7E}\n" for k, v in enumerate(wave())),
        {},
    ),
    "opensees": (lambda: rows(wave()), {"dt": 0.01, "unit": "g"}),
}

_PIECES = (
    b"nan", b"inf", b"-inf", b"1e999", b"****", b"NPTS=", b"DT=", b",", b";", b"\n", b"\r\n", b"\0", b"\x1a",
    b"999999999999", b"-", b"+", b".", b"E", b"D+00", b"0.0", b"\xff", b"\xef\xbb\xbf", b"1_0", b"\t", b"#",
    b"0.1E-02-0.2E-03", b"1e-320", "½".encode(), b"UNITS OF CM", b"VELOCITY TIME SERIES", b" " * 50,
    b"9" * 400,
)  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return the content with one to six random injuries."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(8)
        if kind == 0:
            del data[place : place + chance.randint(1, 40)]
        elif kind == 1:
            data[place:place] = chance.choice(_PIECES)
        elif kind == 2:
            data[place : place + 3] = chance.choice(_PIECES)
        elif kind == 3:
            del data[place:]
        elif kind == 4:
            data[place:place] = data[chance.randrange(len(data) + 1) :][: chance.randint(1, 200)]
        elif kind == 5 and data:
            data[place % len(data)] = chance.randrange(256)
        elif kind == 6:
            lines = bytes(data).split(b"\n")
            chance.shuffle(lines)
            data = bytearray(b"\n".join(lines))
        elif data:
            data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 30)))
    return bytes(data)


def survive(name: str, content: bytes, options: dict[str, object], count: int, seed: int) -> dict[str, int]:
    """Read `count` damaged files by the reader `name` or by recognition; a Motion or an InputError may come out."""
    chance = random.Random(f"{name} {seed}")
    tally = {"motion": 0, "refused": 0}
    for _ in range(count):
        data = damaged(content, chance)
        forced = {"format": name} if chance.random() < 0.5 else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                motion = read_bytes(data, f"{name}.txt", **options, **forced)
            except InputError:
                tally["refused"] += 1
            except Exception as error:
                raise AssertionError(f"{type(error).__name__}: {error} from {data!r} ({forced})") from error
            else:
                assert isinstance(motion, Motion)
                assert np.isfinite(motion.acceleration).all()
                assert 0.0 < motion.pga <= 98.1
                assert motion.npts < 10_000
                tally["motion"] += 1
    return tally
