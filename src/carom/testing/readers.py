"""What every reader of records keeps: it knows its own, reads it exactly, and refuses damage in one line."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import InputError
from carom.motions.motion import Motion
from carom.motions.readers import READERS, read_bytes
from carom.testing.hold import hold

__all__ = ["check_reader"]

INJURIES = (b"nan", b"1e999", b"****", b"\n", b"\r\n", b"\0", b"-", b".", b"E", b"\xff", b"\t", b"9" * 400, b" " * 50)
"""What is put into a file to damage it."""


def check_reader(
    name: str, content: str | bytes, acceleration: npt.ArrayLike, dt: float, *,
    options: Mapping[str, Any] | None = None, trials: int = 200, seed: int = 0,
) -> None:  # fmt: skip
    """Hold a reader, by its registered name, to its contract on a file with known accelerations [m/s²] and step [s].

    It is recognised from the content, and read to the last digit, with any line ends and with a mark of UTF-8 before
    it; `options` are those that `carom.read_motion` needs for it. Of files damaged at random each is read or refused by
    an `InputError`, never otherwise.
    """
    data = content.encode() if isinstance(content, str) else content
    expected = np.asarray(acceleration, dtype=np.float64)
    given = dict(options or {})
    reader = READERS.get(name)
    found = read_bytes(data, "record.txt", **given)
    _same(name, "recognised from its content", found, expected, dt)
    _same(name, "read by name", read_bytes(data, "record.txt", format=name, **given), expected, dt)
    for dress, dressed in (
        ("lines that end in CR LF", data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")),
        ("a mark of UTF-8", b"\xef\xbb\xbf" + data),
    ):
        _same(name, dress, read_bytes(dressed, "record.txt", format=reader.name, **given), expected, dt)
    chance = random.Random(seed)  # nosec B311: no secret
    for trial in range(trials):
        injured = _injured(data, chance)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read_bytes(injured, "record.txt", format=name, **given)
        except InputError:
            continue
        except Exception as error:
            raise AssertionError(
                f"{name}: damaged file {trial} of seed {seed} raises {type(error).__name__}: {error}"
            ) from error


def _same(name: str, how: str, found: Motion, expected: npt.NDArray[np.float64], dt: float) -> None:
    hold(found.acceleration.shape == expected.shape, f"{name}, {how}: {found.npts} samples instead of {expected.size}.")
    off = float(np.abs(found.acceleration - expected).max())
    hold(off <= 1e-12 * float(np.abs(expected).max()), f"{name}, {how}: accelerations are off by {off:.3g} m/s².")
    hold(abs(found.dt / dt - 1.0) <= 1e-12, f"{name}, {how}: dt {found.dt} s instead of {dt} s.")


def _injured(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(data) + 1)
        if chance.random() < 0.3:
            del data[place : place + chance.randint(1, 40)]
        else:
            data[place : place + chance.choice((0, 1, 5))] = chance.choice(INJURIES)
    return bytes(data)
