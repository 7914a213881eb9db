"""`python -m tests.mutations scenarios --seed 0 --count 1000`: changed files, as many or as long as asked.

Without a kind all of them take turns, each for its share of the time.
"""

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

from tests.mutations import records, scenarios, studies
from tests.mutations.caches import mutate_cache
from tests.mutations.records import answer_record, mutate_record
from tests.mutations.saved_runs import mutate_saved_run
from tests.mutations.scenarios import answer_scenario, mutate_scenario
from tests.mutations.stores import mutate_manifest, mutate_part
from tests.mutations.studies import answer_study, mutate_study
from tests.mutations.trial import OWN_PROCESS
from tests.mutations.words import LONGEST, WORK, Depth, Unanswered, hold

KINDS = {
    "scenarios": (mutate_scenario, answer_scenario, "check"),
    "studies": (mutate_study, answer_study, "study"),
    "records": (mutate_record, answer_record, "motion info"),
}
TRIALS = {
    "manifests": mutate_manifest,
    "parts": mutate_part,
    "saved-runs": mutate_saved_run,
    "caches": mutate_cache,
}
"""Files of our own that are damaged: each trial looks at all that may be read of them."""
SOUND = {
    "scenarios": lambda: [text.encode() for text in scenarios.sources()],
    "studies": lambda: [text.encode() for text in studies.sources()],
    "records": records.sources,
}
"""Files as they are before anything is changed."""
WRONG = "NOT ANSWERED"
MEMORY = 1 << 30
"""Bytes that an answer may take."""


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="kind", help=f"of {', '.join((*KINDS, *TRIALS))}; all without one")
    parser.add_argument("--seed", type=int, default=0, help="of the first file")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--told-every", type=int, default=20, help="take one in so many through the command line")
    parser.add_argument("--run-every", type=int, default=0, help="run one in so many; 0: none")
    parser.add_argument("--command", action="store_true", help="by the command, in a process of its own each")
    parser.add_argument("--keep", type=Path, help="folder for the files that were not answered")
    given = parser.parse_args()
    if unknown := set(given.kinds) - {*KINDS, *TRIALS}:
        parser.error(f"no such kind: {', '.join(unknown)}")
    given.kinds = given.kinds or [*KINDS, *TRIALS]
    return given


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


def report(kind: str, tally: Counter[str], seconds: float, slowest: tuple[float, int], peak: float) -> None:
    """Print the closing line of a kind."""
    print(
        f"{kind}: {sum(tally.values())} in {seconds:.0f} s: {dict(tally)}; slowest {slowest[0]:.1f} s "
        f"(seed {slowest[1]}), largest memory {peak / 1e6:.0f} MB",
        flush=True,
    )


def answered(given: argparse.Namespace, kind: str, seed: int, folder: Path) -> str:
    """Change one file and hand it over; return what came of it, or raise what was wrong."""
    if kind in TRIALS:
        trial = TRIALS[kind](seed)
        if trial.fault:
            raise Unanswered(trial.fault)
        return trial.word
    mutate, answer, _ = KINDS[kind]
    content = mutate(seed)
    depth = Depth.TOLD if seed % given.told_every == 0 else Depth.READ
    depth = Depth.RUN if given.run_every and seed % given.run_every == 0 else depth
    if not given.command:  # which has a limit of its own
        signal.alarm(int((2 if depth < Depth.RUN else 6) * LONGEST))
    try:
        return by_command(kind, content, folder) if given.command else answer(content, folder, depth)
    except Exception:
        if given.keep:
            (given.keep / f"{kind}-{seed}").write_bytes(content)
        raise
    finally:
        signal.alarm(0)


def run(given: argparse.Namespace, kind: str, minutes: float) -> bool:
    """Change files of one kind; return whether all were answered, within their memory."""
    tally: Counter[str] = Counter()
    slowest, began = (0.0, -1), time.monotonic()
    signal.signal(signal.SIGALRM, late)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for sound in SOUND[kind]() if kind in SOUND else ():  # what is compiled on first use is not the files' fault
            if given.command:
                by_command(kind, sound, folder)
            else:
                KINDS[kind][1](sound, folder)
        for seed in range(given.seed, given.seed + given.count):
            if time.monotonic() - began > 60.0 * minutes:
                break
            start = time.monotonic()
            try:
                word = answered(given, kind, seed, folder)
            except Exception as error:
                word = WRONG
                print(f"{kind} {seed}: {type(error).__name__}: {str(error)[:600]}", flush=True)
            tally[word] += 1
            slowest = max(slowest, (time.monotonic() - start, seed))
    whose = resource.RUSAGE_CHILDREN if given.command else resource.RUSAGE_SELF
    peak = resource.getrusage(whose).ru_maxrss * 1024
    report(kind, tally, time.monotonic() - began, slowest, peak)
    return not tally[WRONG] and peak <= MEMORY


def main() -> int:
    """Run; 1 where a file was not answered."""
    given = arguments()
    os.environ.setdefault("COLUMNS", "140")
    if given.command:
        os.environ[OWN_PROCESS] = "1"
    held = [run(given, kind, given.minutes / len(given.kinds)) for kind in given.kinds]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
