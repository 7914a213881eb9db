"""`python -m tests.mutations scenarios --seed 0 --count 1000`: changed files, as many or as long as asked."""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.motions.samples import FORMATS
from tests.mutations import scenarios, studies
from tests.mutations.records import answer_record, mutate_record
from tests.mutations.scenarios import answer_scenario, mutate_scenario
from tests.mutations.studies import answer_study, mutate_study
from tests.mutations.words import LONGEST, WORK, Depth, Unanswered, hold

KINDS = {
    "scenarios": (mutate_scenario, answer_scenario, "check"),
    "studies": (mutate_study, answer_study, "study"),
    "records": (mutate_record, answer_record, "motion info"),
}
SOUND = {
    "scenarios": scenarios.sources,
    "studies": studies.sources,
    "records": lambda: [make() for make, _ in FORMATS.values()],
}
"""Files as they are before anything is changed."""
MEMORY = 1 << 30
"""Bytes that an answer may take."""


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--seed", type=int, default=0, help="of the first file")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--told-every", type=int, default=20, help="take one in so many through the command line")
    parser.add_argument("--run-every", type=int, default=0, help="run one in so many; 0: none")
    parser.add_argument("--command", action="store_true", help="by the command, in a process of its own each")
    parser.add_argument("--keep", type=Path, help="folder for the files that were not answered")
    return parser.parse_args()


def late(*_: object) -> None:
    """Stop an answer that takes too long."""
    raise Unanswered(f"no answer in {2 * LONGEST:g} s")


def by_command(kind: str, content: bytes, folder: Path) -> str:
    """Hand a file to the command in a process of its own, with its memory measured; return what came of it."""
    path = folder / ("mutated.txt" if kind == "records" else "mutated.toml")
    path.write_bytes(content)
    words = KINDS[kind][2].split()
    more = ["--out", str(folder / "out"), "--workers", "1", "--budget", "300MB"] if kind == "studies" else []
    longest = WORK if kind == "studies" else LONGEST  # a sound study is carried out
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "carom.cli", *words, str(path), *more], capture_output=True, timeout=3 * longest
        )
    except subprocess.TimeoutExpired:
        raise Unanswered(f"no answer in {3 * longest:g} s") from None
    out, err = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
    hold(done.returncode, out, err, time.monotonic() - began, longest)
    subprocess.run(["rm", "-rf", str(folder / "out")], check=False)
    return str(done.returncode)


def main() -> int:
    """Run; 1 where a file was not answered."""
    given = arguments()
    mutate, answer, _ = KINDS[given.kind]
    tally: Counter[str] = Counter()
    bad, slowest, began = 0, (0.0, -1), time.monotonic()
    signal.signal(signal.SIGALRM, late)
    os.environ.setdefault("COLUMNS", "140")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for sound in SOUND[given.kind]():  # what is compiled on first use is not the files' fault
            answer(sound.encode(), folder)
        for seed in range(given.seed, given.seed + given.count):
            if time.monotonic() - began > 60.0 * given.minutes:
                break
            content, start = mutate(seed), time.monotonic()
            depth = Depth.TOLD if seed % given.told_every == 0 else Depth.READ
            depth = Depth.RUN if given.run_every and seed % given.run_every == 0 else depth
            signal.alarm(int((2 if depth < Depth.RUN else 6) * LONGEST))
            try:
                word = by_command(given.kind, content, folder) if given.command else answer(content, folder, depth)
            except Exception as error:
                bad += 1
                word = "NOT ANSWERED"
                print(f"{given.kind} {seed}: {type(error).__name__}: {str(error)[:600]}", flush=True)
                if given.keep:
                    (given.keep / f"{given.kind}-{seed}").write_bytes(content)
            finally:
                signal.alarm(0)
            tally[word] += 1
            slowest = max(slowest, (time.monotonic() - start, seed))
    whose = resource.RUSAGE_CHILDREN if given.command else resource.RUSAGE_SELF
    peak = resource.getrusage(whose).ru_maxrss * 1024
    seconds = time.monotonic() - began
    print(
        f"{given.kind}: {sum(tally.values())} in {seconds:.0f} s: {dict(tally)}; slowest {slowest[0]:.1f} s "
        f"(seed {slowest[1]}), largest memory {peak / 1e6:.0f} MB"
    )
    return 1 if bad or peak > MEMORY else 0


if __name__ == "__main__":
    sys.exit(main())
