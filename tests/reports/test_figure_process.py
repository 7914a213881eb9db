"""Figures from a second process: the same as drawn here, whatever becomes of it, and it never outlives its parent."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from dataclasses import fields

import numpy as np
import pytest

import carom
from carom.reports import figure_process
from carom.reports.figure_process import FigureProcess
from carom.reports.pictures import Pictures
from carom.reports.runs.figures import pictures
from carom.results import Pounding, Simulation
from carom.studies.single.assess import study_pounding


@pytest.fixture(scope="module")
def result() -> Pounding:
    ball = carom.Body(mass=2.0, name="ball")
    contact = carom.Contact("ball", "wall", gap=0.01, law=carom.law("hertz", stiffness=1e8))
    problem = carom.Problem([ball, carom.Wall(name="wall")], [contact], initial_velocity={"ball": 1.0})
    return study_pounding(problem, title="Ball", duration=0.1, checks=False)


@pytest.fixture(scope="module")
def drawn_here(result: Pounding) -> Pictures:
    return pictures(result)


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_process, "_cores", lambda: 2)


def test_the_same_pictures(result: Pounding, drawn_here: Pictures) -> None:
    with FigureProcess() as other:
        other.begin(result)
        assert other.pictures() == drawn_here


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_that_dies_is_not_missed(result: Pounding, drawn_here: Pictures, moment: str) -> None:
    with FigureProcess() as other:
        assert other._process is not None
        if moment == "after":
            other.begin(result)
        other._process.kill()
        other._process.wait()
        if moment == "before":
            other.begin(result)
        assert other.pictures() == drawn_here


def test_one_core_draws_alone(result: Pounding, drawn_here: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_process, "_cores", lambda: 1)
    with FigureProcess() as other:
        assert other._process is None
        other.begin(result)
        assert other.pictures() == drawn_here


def test_it_ends_with_the_block() -> None:
    with FigureProcess() as other:
        process = other._process
    assert process is not None
    assert process.poll() is not None


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked for as on POSIX systems")
def test_it_ends_with_a_parent_that_is_killed() -> None:
    parent = (
        "import os, signal; from carom.reports import figure_process\n"
        "from carom.reports.figure_process import FigureProcess\n"
        "figure_process._cores = lambda: 2\n"
        "with FigureProcess() as other:\n"
        "    print(other._process.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)"
    )
    said = subprocess.run([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True, check=False)
    for _ in range(200):
        try:
            os.kill(int(said.stdout), 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the process is still there after ten seconds")


def test_a_late_run_is_worked_out_before_it_travels(result: Pounding) -> None:
    there = pickle.loads(pickle.dumps(result.run))
    assert type(there) is Simulation
    for field in fields(Simulation):
        here, other = getattr(result.run, field.name), getattr(there, field.name)
        np.testing.assert_equal(other, here)
