"""Kill studies at random moments, on every runner and by every signal, and look what is left.

    python -m tests.studies.kills --count 100 --seed 0

Each round begins a study, kills it once by SIGKILL, SIGTERM or Ctrl-C, resumes it, and asks four things: was the exit
code the signal's, is no process left over, does the store open with all that it says it holds, and is the table, once
resumed, that of a study that was left alone.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from carom.errors import InputError
from carom.studies.drive import run_study, table_of
from carom.studies.files.store import Store
from tests.studies.example import changed, example

LONG = (("samples = 6", "samples = 400"), ('"default", ', '"default", "thirty-03b", '))
WORDS = (
    ('distribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"', "values = [true, false]"),
    ("structures.left.period", "laws.pad.tension"),
    ("samples = 6", "samples = 60"),
)
"""A study that the kernel does not take."""
RUNNERS = {
    "kernel": (LONG, ["--workers", "1"]),
    "processes": (WORDS, ["--workers", "2"]),
    "dask": (WORDS, ["--cluster", "local", "--workers", "2"]),
}
CODES = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}
PATIENCE = 300.0
"""Seconds after which a study is taken to hang."""
FAREWELL = 20.0
"""Seconds that processes have to end after the one that started them."""


@dataclass(frozen=True)
class Kill:
    """One study killed once."""

    runner: str
    way: signal.Signals
    delay: float
    """Seconds after the first rows are stored; negative: after the start, whatever is there by then."""


def drawn(chance: random.Random, runner: str, way: signal.Signals) -> Kill:
    """Return a kill at a random moment: one in four while the study is being prepared."""
    early = chance.random() < 0.25
    return Kill(runner, way, -chance.uniform(0.3, 4.0) if early else chance.uniform(0.0, 1.5))


def killed(kill: Kill, folder: Path, expected: dict[str, np.ndarray]) -> str:
    """Begin a study, kill it, resume it; return what went wrong, ``"too late"``, or nothing."""
    changes, options = RUNNERS[kill.runner]
    file, place = folder / "study.toml", folder / "out"
    file.write_text(changed(*changes), encoding="utf-8")
    mark = f"carom-kill-{os.getpid()}-{folder.name}"
    command = [sys.executable, "-m", "carom.cli", "study", str(file), "--out", str(place), *options]
    environment = {**os.environ, "CAROM_STUDY_INTERVAL": "0.05", "CAROM_THREADS": "1", "CAROM_KILL_MARK": mark}
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=said, start_new_session=True)
        _wait(process, place, kill.delay)
        process.send_signal(kill.way)
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            return "did not end"
    finished = "→" in (folder / "said").read_text()
    late = code == 0 or (finished and code == -kill.way)  # the program was leaving, and no longer Python's
    if not late and code != CODES[kill.way]:
        return f"exit code {code} instead of {CODES[kill.way]}: {(folder / 'said').read_text()[-400:]}"
    if left := _left(mark):
        return f"processes left: {left}"
    if not late and "Traceback" in (folder / "said").read_text():
        return f"traceback: {(folder / 'said').read_text()[-400:]}"
    try:
        if Store.exists(place):
            table_of(Store.open(place))["run"]
    except InputError as error:
        return f"the store does not hold what it says: {error}"
    resumed = ["--resume"] if Store.exists(place) else []
    again = subprocess.run([*command, *resumed], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    if again.returncode != 0:
        return f"resuming ended with {again.returncode}: {again.stderr[-400:]}"
    found = table_of(Store.open(place))
    wrong = [name for name in found.columns if not _equal(found[name], expected[name])]
    return f"columns differ: {wrong}" if wrong else "too late" if late else ""


def reference(runner: str, folder: Path) -> dict[str, np.ndarray]:
    """Return the table of a study that is left alone."""
    table = table_of(run_study(example(*RUNNERS[runner][0]), folder))
    return {name: table[name] for name in table.columns}


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))


def _wait(process: subprocess.Popen[bytes], place: Path, delay: float) -> None:
    """Wait for the moment of the kill."""
    end = time.monotonic() + PATIENCE
    if delay < 0.0:
        end = time.monotonic() - delay
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
        if delay >= 0.0 and Store.exists(place) and Store.open(place).stored:
            time.sleep(delay)
            return


def _left(mark: str) -> list[str]:
    """Return the processes that a study has left behind, once they had time to end; zombies are no processes."""
    end = time.monotonic() + FAREWELL
    while (found := _marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _marked(mark: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text().replace("\0", " ")[:120])
        except OSError:
            continue
    return found


def main() -> int:
    """Kill so many studies, each runner and each signal in turn; return how many did not survive it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runner", choices=RUNNERS, action="append")
    asked = parser.parse_args()
    chance, tally, wrong = random.Random(asked.seed), Counter[str](), 0
    with tempfile.TemporaryDirectory(prefix="carom-kills-") as temporary:
        runners = asked.runner or list(RUNNERS)
        expected = {name: reference(name, Path(temporary) / name) for name in runners}
        for i in range(asked.count):
            ways = list(CODES)
            kill = drawn(chance, runners[i % len(runners)], ways[i // len(runners) % len(ways)])
            folder = Path(temporary) / f"kill-{i}"
            folder.mkdir()
            found = killed(kill, folder, expected[kill.runner])
            shutil.rmtree(folder)
            tally[found or "survived"] += 1
            wrong += found not in ("", "too late")
            moment = f"{kill.delay:.2f} s after the first rows" if kill.delay >= 0.0 else f"{-kill.delay:.2f} s in"
            print(f"{i + 1:4d} {kill.runner:10s} {kill.way.name:8s} {moment:30s} {found or 'survived'}", flush=True)
    print(dict(tally))
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
