"""How much memory and work one computation may take: estimated before it begins, refused with its numbers.

The budget is one amount of memory, 1 GB by default, or half of what the machine has where that is less; the time of
computing that goes with it is ten minutes for each GB. ``--budget 8GB`` on the command line, or the environment
variable ``CAROM_BUDGET=8GB`` anywhere, raises both. Estimates are rough: they are there to tell a run of minutes from
one that no machine ends.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass

from carom.errors import InputError, refusal

__all__ = ["VARIABLE", "RunSize", "afford", "afford_samples", "allowed", "amount_of", "in_bytes", "in_time"]

VARIABLE = "CAROM_BUDGET"
USUAL = 1e9
"""Bytes."""
SECONDS = 600.0
"""Of computing, for each GB that is allowed."""
PROGRAM = 250e6
"""Bytes that carom and its libraries take themselves."""

FLOAT = 8
"""Bytes of a number."""
LEVELS = 28
"""Step lengths that a scheme with error control keeps tables for."""
STAGES = 3
"""Of a scheme, where nothing better is known."""

# seconds, measured: what makes up the work of a run
PRODUCT = 2e-9  # one mode at one place, at one sample
STEP = 5e-7  # one step, whatever it holds
EIGEN = 4e-8  # one of n³ of a structure of n floors
SOLVE = 8e-9  # one of n³ of n contacts that close together
TOGETHER = 20
"""Steps with all contacts closed that are reckoned with."""

_AMOUNT = re.compile(r"\s*([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([kMGT]?)(i?)B?\s*", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


@dataclass(frozen=True)
class RunSize:
    """What decides how much memory and work a run takes."""

    samples: float
    """Of its histories."""
    modes: int
    contacts: int
    supports: int = 1
    floors: tuple[int, ...] = ()
    """Of each structure; their modes are found by work that grows with the third power."""
    steps: float = 0.0
    """Of a scheme with a step of its own; 0: it goes from sample to sample."""
    stepping: bool = False
    """Whether a scheme goes step by step: it keeps tables for every pair of contacts."""
    held: int = 1
    """Runs that are kept at a time."""
    runs: int = 1
    """Runs that are made, one after the other."""

    @property
    def values(self) -> int:
        """Numbers of a sample: displacements, velocities, accelerations, gaps, forces, energies."""
        return self.held * (3 * self.modes + 2 * self.contacts + 10) + 3 * self.modes + self.supports

    @property
    def memory(self) -> float:
        """Bytes."""
        tables = 4.0 * self.contacts * self.modes + 6.0 * sum(float(n) * n for n in self.floors) + 9.0 * self.modes
        levels = 1 if not self.stepping else 2 * (1 if self.steps else LEVELS)
        tables += levels * (STAGES * float(self.contacts)) ** 2
        return PROGRAM + FLOAT * (self.samples * self.values + tables)

    @property
    def seconds(self) -> float:
        """Time of computing, roughly."""
        moments = max(self.samples, self.steps)
        flight = moments * (PRODUCT * self.modes * (self.modes + self.contacts + 10.0) + STEP)
        solve = SOLVE * TOGETHER * float(self.contacts) ** 3
        return EIGEN * sum(float(n) ** 3 for n in self.floors) + self.runs * (flight + solve)

    @property
    def words(self) -> str:
        """The numbers that matter, for a message."""
        steps = f", {_count(self.steps)} steps" if self.steps > self.samples else ""
        parts = f"{_count(self.modes)} modes, {_count(self.contacts)} contacts"
        return f"{_count(self.samples)} samples of {_count(self.values)} values{steps}, {parts}"

    def refuse_beyond(self, *, what: str = "The run", way_out: str = "") -> None:
        """Refuse a run that the budget does not allow."""
        afford(self.memory, self.seconds, what=what, because=self.words, way_out=way_out or self.relief)

    @property
    def relief(self) -> str:
        """What to change, by what takes most."""
        if self.steps > max(self.samples, 1e6):
            return "Lengthen `dt`, or shorten `duration`."
        if self.samples > 1e6:
            return "Shorten `duration` or `delay`, or lengthen `sampling`."
        return "Give fewer floors or contacts, or a shorter motion."


def afford(memory: float, seconds: float = 0.0, *, what: str, because: str, way_out: str, usual: float = USUAL) -> None:
    """Refuse what takes more memory [bytes] or time [s] than the budget allows; `because` has the numbers.

    `usual` is the budget where none is given; it is never more than half of the machine's memory.
    """
    most = allowed(usual)
    longest = SECONDS * most / 1e9
    if memory <= most and seconds <= longest:
        return
    if memory > most:
        rule = f"{what} would take about {in_bytes(memory)} of memory ({because}); {in_bytes(most)} are allowed"
    else:
        rule = f"{what} would take about {in_time(seconds)} of computing ({because}); {in_time(longest)} are allowed"
    raise InputError(f"{rule}. {way_out}{_raised(memory, seconds)}")


def afford_samples(count: float, *, way_out: str) -> None:
    """Refuse a motion of more samples than the budget has room for: they are kept a few times while it is shaped."""
    afford(PROGRAM + 5.0 * FLOAT * count, what="The motion", because=f"{_count(count)} samples", way_out=way_out)


def allowed(usual: float = USUAL) -> float:
    """Return the budget [bytes]."""
    given = os.environ.get(VARIABLE, "").strip()
    return amount_of(given, VARIABLE) if given else min(usual, 0.5 * _machine())


def amount_of(text: str, name: str) -> float:
    """Take an amount of memory such as ``8GB``, ``500 MB`` or ``2GiB`` [bytes]."""
    found = _AMOUNT.fullmatch(text)
    size = 0.0 if found is None else float(found[1]) * (1024.0 if found[3] else 1000.0) ** _POWERS[found[2].lower()]
    if size < 1e6:
        raise refusal(
            name, "the budget", "must be an amount of memory of at least 1 MB", text, "Write 8GB, for example."
        )
    return size


def in_bytes(amount: float) -> str:
    """Return an amount of memory as people say it."""
    for size, unit in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if amount >= size:
            return f"{amount / size:.3g} {unit}"
    return f"{amount / 1e3:.3g} kB"


def in_time(seconds: float) -> str:
    """Return a time of computing as people say it."""
    for size, unit in ((3.15e7, "years"), (86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.2g} s"


def _raised(memory: float, seconds: float) -> str:
    """Return how to allow it, where a machine could do it."""
    wanted = max(memory, 1e9 * seconds / SECONDS)
    if memory > 2.0 * _machine() or wanted > 1e12:
        return ""
    enough = math.ceil(1.2 * wanted / 1e9)
    return f" Or allow it: --budget {enough}GB (in Python, the environment variable {VARIABLE}={enough}GB)."


def _machine() -> float:
    """Return the memory of the machine [bytes]."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * float(os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # not every system tells
        return 4.0 * USUAL


def _count(number: float) -> str:
    if number != number or number > 1e9:
        return f"{number:.3g}"
    return f"{round(number):,}"
