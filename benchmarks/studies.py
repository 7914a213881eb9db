"""What studies cost beyond their runs, and that they survive being killed.

    python -m benchmarks studies

A store of a million rows, made up: stored, read, reported; time and largest memory. Then the cost of a study beside
its runs alone, for runs of the kernel and for single runs of about 10 ms. Then a study killed by SIGKILL at fifty
random moments and resumed, against one that was left alone. ``CAROM_MILLION=cpu`` or ``=cuda`` adds the whole
million of runs.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import carom
from carom.scenario.studies.reading import study_of
from carom.studies.distributions import sampled
from carom.studies.drive import _begun, _checked, _planned, run_study, table_of
from carom.studies.engine import compute
from carom.studies.files.store import Store
from carom.studies.plan import Task, plan_of
from carom.studies.statuses import FINISHED, STATUSES

NEIGHBOURS = """
title = "Two oscillators"
outputs = ["displacement", "acceleration", "impacts", "peak_force", "impulse"]

[sampler]
kind = "latin-hypercube"
samples = {samples}
seed = 2026

[scenario.structures.left]
kind = "oscillator"
mass = "4600 kg"
period = "0.6 s"
damping_ratio = "5 %"

[scenario.structures.right]
kind = "oscillator"
mass = "3500 kg"
period = "0.3 s"
damping_ratio = "5 %"

[scenario.laws.pad]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65

[[scenario.contacts]]
left = "left"
right = "right"
gap = "2 cm"
law = "pad"

[parameters.gap]
path = "contacts.0.gap"
distribution = "lognormal"
median = "2 cm"
dispersion = 0.4

[parameters.period]
path = "structures.left.period"
distribution = "uniform"
low = "0.5 s"
high = "1.0 s"

[parameters.restitution]
path = "laws.pad.restitution"
distribution = "uniform"
low = 0.5
high = 0.8

[motions]
{motions}
scales = {{from = {low}, to = {high}, count = {factors}}}
"""

FRAGILITY = """
[analyses.fragility]
"""

TOWERS = """
title = "Towers"
scenario = "default"
outputs = ["displacement", "drift", "impacts", "peak_force"]

[sampler]
kind = "latin-hypercube"
samples = {samples}

[parameters.gap]
path = "contacts.0.gap"
distribution = "uniform"
low = "1 cm"
high = "5 cm"

[motions]
records = ["default"]
"""

KILLS = 50


def neighbours(
    samples: int, factors: int, motions: str = 'suite = "thirty"', low: float = 0.1, high: float = 3.3
) -> str:
    return NEIGHBOURS.format(samples=samples, factors=factors, motions=motions, low=low, high=high)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        million_rows(folder)
        overhead_of_kernel(folder)
        overhead_of_processes(folder)
        killed(folder)
        if device := os.environ.get("CAROM_MILLION"):
            million_runs(folder, device)


def million_rows(folder: Path) -> None:
    """Print how long a million made-up rows take to store, and to read and report in a process of their own."""
    study = study_of(neighbours(1000, 33) + FRAGILITY, "million.toml", folder)
    place = folder / "rows"
    place.mkdir()
    begin = time.perf_counter()
    plan, columns = _checked(study, _planned(study))
    store = _begun(study, plan, columns, place)
    rng = np.random.default_rng(1)
    for motion in range(len(plan.motions)):
        task = Task((motion,), 0, plan.count)
        count = plan.size_of(task)
        rows = {**plan.inputs(task), **{name: rng.lognormal(size=count) for name in plan.kept.units}}
        rows["status"] = np.full(count, STATUSES.index(FINISHED), dtype=np.int8)
        rows["message"] = np.full(count, "", dtype=object)
        store.write(rows, plan.runs(task), 0.0)
    size = sum(path.stat().st_size for path in store.paths)
    print(f"  {store.stored} rows: stored in {time.perf_counter() - begin:.1f} s, {size / 1e6:.0f} MB")
    begin = time.perf_counter()
    made = subprocess.run(
        [sys.executable, "-c", REPORT, str(place)], check=True, capture_output=True, text=True
    )  # fmt: skip
    seconds = time.perf_counter() - begin
    print(f"    read and reported in {seconds:.1f} s, {int(made.stdout) / 1e3:.0f} MB of memory at most")


REPORT = """
import resource, sys
from pathlib import Path
from carom.reports.study import write_study_report
from carom.studies.files.store import Store
write_study_report(Store.open(Path(sys.argv[1])))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def overhead_of_kernel(folder: Path) -> None:
    """Print how much longer a study takes than its runs in one ensemble."""
    study = study_of(neighbours(600, 33, 'records = ["thirty-05b"]'), "kernel.toml", folder)
    samples = sampled(study)
    plan = plan_of(study, samples, 600)
    compute(plan, Task((0,), 0, 8))
    begin = time.perf_counter()
    compute(plan, Task((0,), 0, plan.count))
    alone = time.perf_counter() - begin
    begin = time.perf_counter()
    run_study(study, folder / "kernel")
    whole = time.perf_counter() - begin
    print(
        f"  kernel, {plan.size} runs: alone {alone:.2f} s ({1e3 * alone / plan.size:.2f} ms each), as a study "
        f"{whole:.2f} s, {100 * (whole / alone - 1):+.1f} %"
    )


def overhead_of_processes(folder: Path) -> None:
    """Print what a study adds to single runs of 10 ms and more, in this process."""
    study = study_of(TOWERS.format(samples=60), "towers.toml", folder)
    plan = plan_of(study, sampled(study), 60)
    fine = plan.record(0)
    gaps = plan.samples["gap"]

    def alone_once(gap: float) -> None:
        """Do what a script would that knows nothing of studies."""
        run = carom.simulate(plan.base.replace(gap=gap, motion=fine), rtol=plan.run.rtol)
        for dofs in ([0, 1, 2, 3, 4, 5], [6, 7, 8]):
            np.abs(np.diff(run.displacement[:, dofs], axis=1, prepend=0.0)).max()

    def study_once(sample: int) -> None:
        compute(plan, Task((0,), sample, sample + 1))

    study_once(0)
    alone, whole = np.inf, np.inf
    for _ in range(5):
        alone = min(alone, processor_time(lambda: [alone_once(float(gap)) for gap in gaps]))
        whole = min(whole, processor_time(lambda: [study_once(i) for i in range(plan.count)]))
    each, more = 1e3 * alone / plan.count, 1e3 * (whole - alone) / plan.count
    print(f"  single runs: {each:.2f} ms each alone, {more:+.2f} ms as part of a study, {100 * more / each:+.1f} %")


def processor_time(work: Callable[[], object]) -> float:
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


def killed(folder: Path, kills: int = KILLS) -> None:
    """Print whether a study that is killed again and again comes to the same table."""
    text = folder / "killed.toml"
    text.write_text(neighbours(120, 9, 'suite = "thirty"'), encoding="utf-8")
    study = study_of(text.read_text(), "killed.toml", folder)
    begin = time.perf_counter()
    left_alone = table_of(run_study(study, folder / "alone"))
    usual = time.perf_counter() - begin
    place, count, moments = folder / "killed", 0, random.Random(2026)
    while count < kills:
        command = [sys.executable, "-m", "carom.cli", "study", str(text), "--out", str(place)]
        command += ["--resume"] if Store.exists(place) else []
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env={**os.environ, "CAROM_STUDY_INTERVAL": "0.2"}, **quiet)
        try:
            process.wait(moments.uniform(0.5, 4.0 + 2.0 * usual / kills))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            count += 1
        else:
            if process.returncode == 0:
                shutil.rmtree(place)  # finished before it was killed: begin again
    stored = Store.open(place).stored if Store.exists(place) else 0
    found = table_of(run_study(study, place, resume=Store.exists(place)))
    same = all(_equal(found[name], left_alone[name]) for name in left_alone.columns)
    unique = np.unique(found["run"]).size
    print(
        f"  killed {count} times, {stored} of {len(left_alone)} rows then there, resumed: {unique} different rows of "
        f"{len(left_alone)}, {'equal to' if same else 'DIFFERENT FROM'} the table of a study left alone ({usual:.0f} s)"
    )


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))


def million_runs(folder: Path, device: str) -> None:
    """Print how long a fragility study of 1,000 samples × 30 motions × 33 factors takes, store and report included.

    Twice, each in a process of its own: where kernels must be compiled first, the second is without that.
    """
    text = folder / "million-runs.toml"
    text.write_text(neighbours(1000, 33) + FRAGILITY, encoding="utf-8")
    for turn in ("first", "again"):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        place = ["--out", str(folder / turn), "--device", device]
        subprocess.run([sys.executable, "-m", "carom.cli", "study", str(text), *place], check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"  990000 runs end to end on {device}, {turn}: {time.perf_counter() - begin:.1f} s, {processors:.0f} s of "
            f"all processors, {used.ru_maxrss / 1e3:.0f} MB at most"
        )
