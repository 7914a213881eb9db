"""How texts are changed, and what is held against an answer; shared by all kinds of files."""

from __future__ import annotations

import io
import random
import re
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from enum import IntEnum

from carom.cli.app import main
from carom.errors import InputError
from carom.plain_text import has_controls

LONGEST = 10.0
"""Seconds that an answer may take."""
WORK = 60.0
"""Seconds that a sound file may take when it is carried out: it has that much to do."""
CODES = (0, 1, 2)
"""Done, failed, bad input; 3 would be a fault of ours."""

NUMBERS = (
    "0", "-1", "-0.0", "1e9", "1e-9", "1e-12", "1e15", "1e300", "1e309", "-1e309", "1e-300", "5e-324", "nan", "inf",
    "-inf", "1_000_000", "0x7fffffffffffffff", "9223372036854775808", "123456789012345678901234567890", "0b1", "1.",
    "true", "false", "2026-11-16", "12:30:00", "0xf" + "f" * 400, "9" * 4400,
)  # fmt: skip
TEXTS = (
    '""', '"9**9**9 s"', '"1e400 s"', '"2 cm^99"', '"((((1))))"', '"1 m m m m m"', '"1/0 s"', '"٣ m"', '"2,5 cm"',
    '"-3 kN"', '"5 furlong/fortnight"', '"1e308 km"', '"nan s"', '"inf"', '"$\\\\frac$"', '"$"', '"=HYPERLINK(1)"',
    '"\\u001b[31mred"', '"\\u202e"', '"\\u0000"', '"a/../../b"', '"/dev/zero"', '"/"', '"**"', '"default"', '"é"',
    '"' + "x" * 3000 + '"', '"1 ' + "m*" * 60 + '"', "'''\n'''", '"%"', '"5 %"', '"1 g"', '"250 tons"', '"\\n"',
)  # fmt: skip
SHAPES = ("[]", "{}", "[[]]", "[{}]", '[1, "2"]', "[" * 60 + "]" * 60, "[" * 400 + "]" * 400, "{a = {b = {c = 1}}}")

_VALUE = re.compile(r"(?<==)[ \t]*[^\n#]+")
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


class Unanswered(AssertionError):
    """What carom did was neither an answer nor one clear line."""


def mutated(text: str, chance: random.Random) -> bytes:
    """Return a text of TOML with one to four changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 4))):
        text = chance.choice(CHANGES)(text, chance)
    content = text.encode("utf-8", errors="surrogatepass")
    return _bytes(content, chance) if chance.random() < 0.15 else content


def _replaced(pattern: re.Pattern[str], text: str, chance: random.Random, new: str) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = chance.choice(found)
    return text[: one.start()] + new + text[one.end() :]


def _value(text: str, chance: random.Random) -> str:
    return _replaced(_VALUE, text, chance, " " + chance.choice((*NUMBERS, *TEXTS, *SHAPES)))


def _figure(text: str, chance: random.Random) -> str:
    return _replaced(_FIGURE, text, chance, chance.choice(NUMBERS))


def _key(text: str, chance: random.Random) -> str:
    words = sorted(set(_WORD.findall(text)))
    new = chance.choice(("", "x", '"a.b"', '"\\u001b[2J"', "a" * 300, "a." * 50 + "a", *chance.sample(words, 1)))
    return _replaced(_WORD, text, chance, new)


def _line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at:at] = lines[other : other + chance.randint(2, 20)] * chance.choice((1, 1, 2, 100))
    return "\n".join(lines)


def _uncommented(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    hidden = [i for i, line in enumerate(lines) if line.startswith("# ") and ("=" in line or "[" in line)]
    if hidden:
        at = chance.choice(hidden)
        lines[at] = lines[at][2:]
    return "\n".join(lines)


CHANGES = (_value, _value, _value, _figure, _figure, _key, _line, _uncommented)


def _bytes(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 20)))
        elif kind == 2:
            del data[at : at + chance.randint(1, 30)]
        elif data:
            data[at % len(data)] ^= 1 << chance.randrange(8)
    return bytes(data)


class Depth(IntEnum):
    """How far a file is taken."""

    READ = 0
    TOLD = 1
    """By the command line, in this process."""
    RUN = 2


def called(work: Callable[[], object]) -> str:
    """Do some work in this process; return whether its input was sound, and hold the time that it took."""
    began = time.monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            work()
        word = "sound"
    except InputError as error:
        word = "refused" if str(error).strip() else ""
    except BaseException as error:
        raise Unanswered(f"{type(error).__name__}: {error}") from error
    hold(0, word, "", time.monotonic() - began)
    if not word:
        raise Unanswered("refused without a word")
    return word


def commanded(arguments: list[str], longest: float = LONGEST) -> tuple[int, str]:
    """Give carom a command in this process; return its exit code and what it said; hold both against the rules."""
    out, err = io.StringIO(), io.StringIO()
    began = time.monotonic()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
    except BaseException as error:
        raise Unanswered(f"{type(error).__name__}: {error}") from error
    hold(code, out.getvalue(), err.getvalue(), time.monotonic() - began, longest)
    return code, out.getvalue()


def hold(code: int, out: str, err: str, seconds: float, longest: float = LONGEST) -> None:
    """Refuse an answer that is none: another exit code, a traceback, silence, control characters, too late."""
    lines = err.splitlines()
    if code not in CODES:
        raise Unanswered(f"exit code {code}: {err[-400:]}")
    if "Traceback" in err or any(not line.startswith("carom: ") for line in lines) or len(lines) > 60:
        raise Unanswered(f"no clear line: {err[:400]!r}")
    if code and not lines and not out:
        raise Unanswered(f"exit code {code} without a word")
    if has_controls(out) or has_controls(err):
        raise Unanswered("control characters reach the terminal")
    if any(len(line) > 2000 for line in lines):
        raise Unanswered(f"a line of {max(map(len, lines))} characters: {lines[0][:300]}")
    if seconds > longest:
        raise Unanswered(f"{seconds:.1f} s")
