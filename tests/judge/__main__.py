"""`python -m tests.judge --seed S --minutes M`: random problems until the time is up."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace

import numpy as np

from tests.judge.check import Report, check
from tests.judge.compare import KINDS, Finding, Tally
from tests.judge.settings import SETTINGS

CLASSES = ("A<10", "A<100", "A<1e4")
TOLD_EVERY = 500
"""Problems after which a line says how far a run is."""
SPACING = 100_000_000
"""Between the first problems of two seeds of the command line."""


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.judge", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the whole run; its problems count on from it")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--problems", type=int, default=0, help="stop after so many; 0: when the time is up")
    parser.add_argument("--rtol", type=float, default=1e-6)
    parser.add_argument("--judge-share", type=float, default=0.2, help="share of the problems that the judge sees")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    for setting, told in SETTINGS.items():
        first = (told.__doc__ or "").splitlines()[0]
        parser.add_argument(f"--{setting}", dest="setting", action="store_const", const=setting, default="", help=first)
    parser.add_argument("--only", type=int, default=None, help="one problem, everything checked")
    return parser.parse_args()


def work(seed: int, rtol: float, ask: bool, every: bool = False, setting: str = "") -> Report:
    """Check one seed; what goes wrong on the way is a finding too."""
    try:
        report = check(seed, rtol, ask, every, setting)
        report.findings = [replace(finding, setting=setting) for finding in report.findings]
        return report
    except Exception as error:  # an engine that raises is as wrong as one that lies
        what = f"raised {type(error).__name__}"
        return Report(seed, [Finding(seed, what, 1.0, 0.0, str(error)[:200], setting=setting)])


def disagrees(report: Report) -> bool:
    """Whether anything was found that is neither a problem's own tipping nor a failure at every tolerance."""
    return any(not (finding.tips or finding.gives_up) for finding in report.findings)


def gives_up(report: Report) -> bool:
    """Whether a run fails at every tolerance."""
    return any(finding.gives_up for finding in report.findings)


def summary(
    reports: int, asked: int, silent: int, tally: Tally, bad: int, tips: int, lost: int, seconds: float
) -> None:
    """The closing lines."""
    print(
        f"{reports} problems in {seconds:.0f} s, {asked} judged, {silent} that the judge gave up, {bad} disagree, "
        f"{tips} tip, {lost} fail at every tolerance"
    )
    for kind in KINDS:
        for label in CLASSES:
            errors = tally.errors.get((kind, label))
            if errors:
                found = " ".join(f"{x:9.2e}" for x in np.percentile(errors, [50, 90, 99, 100]))
                print(f"  {kind:13s} {label:6s} {len(errors):6d} problems, error at 50, 90, 99, 100 %: {found}")


def main() -> int:
    """Run; 1 where anything disagrees."""
    given = arguments()
    tally, bad, tips, lost, asked, silent, reports = Tally(), 0, 0, 0, 0, 0, 0
    if given.only is not None:
        report = work(given.only, given.rtol, True, every=True, setting=given.setting)
        for finding in report.findings:
            print(finding.line())
        for kind, amplification, error in report.errors:
            print(f"  {kind}: error {error:.3g}, A {amplification:.3g}")
        print(f"judged: {report.judged}")
        return 1 if disagrees(report) else 0
    started = time.monotonic()
    share = np.random.default_rng([18, given.seed])
    seed = given.seed * SPACING
    waiting: set[Future[Report]] = set()
    with ProcessPoolExecutor(given.workers) as pool:
        while True:
            over = time.monotonic() - started > 60.0 * given.minutes
            over = over or (given.problems and seed - given.seed * SPACING >= given.problems)
            while not over and len(waiting) < 2 * given.workers:
                asking = bool(share.random() < given.judge_share)
                waiting.add(pool.submit(work, seed, given.rtol, asking, setting=given.setting))
                seed += 1
            if not waiting:
                break
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                report = future.result()
                reports += 1
                asked += report.judged == "yes"
                silent += report.judged not in ("", "yes")
                bad += disagrees(report)
                lost += gives_up(report)
                tips += any(finding.tips for finding in report.findings) and not disagrees(report)
                for finding in report.findings:
                    print(finding.line(), flush=True)
                for kind, amplification, error in report.errors:
                    tally.add(kind, amplification, error)
                if reports % TOLD_EVERY == 0:
                    print(f"{reports} problems so far, {bad} disagree", file=sys.stderr, flush=True)
    summary(reports, asked, silent, tally, bad, tips, lost, time.monotonic() - started)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
