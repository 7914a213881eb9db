"""Study files changed at random, read and planned, and, some of them, carried out."""

from __future__ import annotations

import random
import shutil
from functools import cache
from pathlib import Path

from carom.scenario.studies.reading import read_study
from carom.scenario.templates.study import study_text
from carom.studies import drive
from tests.mutations.words import WORK, Depth, called, commanded, mutated
from tests.studies.example import STUDY

FEW = 'records = ["default"]'
LISTS = """
title = "Lists"
scenario = "default"
outputs = ["impacts", "peak_force", "drift"]
[sampler]
kind = "latin-hypercube"
samples = 4
[parameters.gap]
path = "contacts.*.gap"
range = {from = "1 cm", to = "5 cm", count = 3}
[parameters.e]
path = "laws.*.restitution"
values = [0.4, 0.7]
[[correlations]]
parameters = ["gap", "e"]
value = 0.2
[motions]
records = ["default"]
scales = [0.5, 1.0]
[run]
duration = "2 s"
[analyses.separation]
resamples = 100
"""


@cache
def sources() -> tuple[str, ...]:
    """Sound studies to start from, with a few seconds of work in them."""
    usual = study_text("default", "Mutated").replace("samples = 50", "samples = 2").replace('suite = "thirty"', FEW)
    return (STUDY, LISTS, usual)


def mutate_study(seed: int) -> bytes:
    """Return the study file of a seed."""
    chance = random.Random(f"study {seed}")
    return mutated(chance.choice(sources()), chance)


def answer_study(content: bytes, folder: Path, depth: Depth = Depth.READ) -> str:
    """Read and plan a study file, or carry it out; return what came of it."""
    path = folder / "mutated.toml"
    path.write_bytes(content)
    if depth is not Depth.RUN:
        return called(lambda: _planned(path))
    out = folder / "study"
    shutil.rmtree(out, ignore_errors=True)
    code, _ = commanded(["study", str(path), "--out", str(out), "--workers", "1", "--budget", "300MB"], WORK)
    return ("done", "failed", "refused")[code]


def _planned(path: Path) -> None:
    """Read a study and plan it, as far as `carom study` goes before a folder is made."""
    study = read_study(path)
    drive._checked(study, drive._planned(study))
