"""Run a problem in carom and in OpenSees, by the script that would be exported."""

from __future__ import annotations

import importlib.util
import subprocess  # nosec B404: one program, this very Python
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import InputError, RunError
from carom.integrate.simulate import simulate
from carom.interchange.opensees_model import model_of
from carom.interchange.opensees_script import OpenSeesScript, opensees_script
from carom.problem import Problem
from carom.results import Simulation
from carom.results.comparisons.opensees import OpenSeesComparison, OpenSeesRun

__all__ = ["compare_opensees"]

TIGHTER = 0.1
"""By how much the tolerance of a scheme with steps is tightened to see its own error."""
PATIENCE = 1800.0
"""Seconds that a run of OpenSees may take."""
MISSING = (
    "OpenSees is not installed here: pip install 'carom[opensees]'. `carom export --to opensees` writes the script."
)


def compare_opensees(
    problem: Problem,
    *,
    step: object = None,
    duration: object = None,
    title: str = "carom and OpenSees",
    **simulation: Any,
) -> OpenSeesComparison:
    """Run a problem in carom, and in OpenSees at a step and at half of it.

    Parameters
    ----------
    problem
        What is run.
    step
        The longer step of OpenSees [s]; by default 0.1 ms.
    duration
        How long [s]; by default as long as the motion.
    title
        For the script and the figure.
    simulation
        Further options of `carom.simulate`, its own step ``dt`` among them.

    Raises
    ------
    RunError
        Where OpenSees ends before its run does; steps that do not converge are counted in the result instead.
    """
    if importlib.util.find_spec("openseespy") is None:
        raise InputError(MISSING)
    script = opensees_script(problem, dt=step, duration=duration, title=title)
    with tempfile.TemporaryDirectory() as folder:
        runs = [_run(script, Path(folder), script.step / parts) for parts in (1, 2)]
    (coarse, found), (fine, _) = runs
    samples = found["time"]
    begin = time.perf_counter()
    options = {"sampling": float(samples[1] - samples[0]), "duration": float(samples[-1])} | simulation
    ours = simulate(problem, **options)
    seconds = time.perf_counter() - begin
    at = problem.flat().start + samples
    history = ours.history.interp(time=at)
    finer = _finer(problem, ours, options)
    kept = [i for i, name in enumerate(found["names"]) if name in ours.dofs]
    names = tuple(str(found["names"][i]) for i in kept)
    cut = [
        OpenSeesRun(run.step, run.displacement[:, kept], run.force, run.steps, run.failures, run.seconds)
        for run in (coarse, fine)
    ]
    return OpenSeesComparison(
        title=title, time=samples, names=names, contacts=ours.contacts,
        displacement=history.displacement.sel(dof=list(names)).values, force=np.abs(history.force.values),
        coarse=cut[0], fine=cut[1], exact=all(material.exact for _, _, material in model_of(problem).contacts),
        remarks=script.remarks, seconds=seconds,
        finer=None if finer is None else finer.history.interp(time=at).displacement.sel(dof=list(names)).values,
    )  # fmt: skip


def _finer(problem: Problem, run: Simulation, options: dict[str, Any]) -> Simulation | None:
    """Run again with half the step, or a tighter tolerance of steps; None of a run from event to event."""
    if run.evidence["scheme"] == "event":
        return None
    step = run.evidence.get("time_step", run.evidence.get("step"))
    if step is not None:
        return simulate(problem, **(options | {"dt": 0.5 * float(step)}))
    return simulate(problem, **(options | {"rtol": TIGHTER * float(run.evidence["rtol"])}))


def _run(script: OpenSeesScript, folder: Path, step: float) -> tuple[OpenSeesRun, Any]:
    """Run the script in a process of its own: OpenSees ends the process where it does not like a number."""
    path, results, said = folder / "script.py", folder / "results.npz", folder / "said"
    path.write_text(script.text, encoding="utf-8")
    begin = time.perf_counter()
    with said.open("wb") as words:
        try:
            code = subprocess.run(  # nosec B603: no shell; the script is this package's own text
                [sys.executable, str(path), repr(step), str(results)], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=words, stderr=words, timeout=PATIENCE, check=False,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            raise RunError(
                f"OpenSees took more than {PATIENCE:g} s at a step of {step:g} s. Pass a longer one."
            ) from None
    if code != 0 or not results.exists():
        lines = [
            line for line in said.read_text(errors="replace").splitlines() if line.strip() and "Terminating" not in line
        ]
        raise RunError(f"OpenSees ended before its run did: {(lines or ['it said nothing'])[-1][:300]}")
    with np.load(results) as stored:
        found = {name: stored[name] for name in stored.files}
    run = OpenSeesRun(
        float(found["step"]), found["displacement"], found["force"], int(found["steps"]), int(found["failures"]),
        time.perf_counter() - begin,
    )  # fmt: skip
    results.unlink()
    return run, found
