"""The rule of comparison: error ≤ 30·rtol·max(1, A), with the sensitivity A measured by the judge."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tests.judge.describe import Description
from tests.judge.judge import Verdict, judge

SHIFT = 1e-9
"""Of the peak displacement: how far the gaps are moved to measure the sensitivity."""
FACTOR = 30.0
"""Error allowed over rtol, where A ≤ 1."""
SENSITIVE = 1e4
"""Sensitivity beyond which outputs are compared only up to the sample before it is reached."""
FLOOR = 1e-3
"""Of the largest peak of a kind in the whole problem: the least size that a structure's peaks are compared with."""
RANDOM_MOVES = 8
"""Ways to move all gaps by random shares, where an output is beyond the bound."""
JUMP = 4.0
"""Times the bound: what an output moves by where it is not linear in gaps moved by FACTOR times rtol."""
KINDS = ("displacement", "velocity", "acceleration", "force")


@dataclass(frozen=True)
class Judgement:
    """What carom is compared with."""

    verdict: Verdict
    sample: int
    """The last sample up to which it is compared."""
    amplification: np.ndarray
    """A of each output, up to that sample."""
    sizes: np.ndarray
    """What an error of each output is divided by."""
    kinds: np.ndarray
    """Index of each output's kind."""
    impulse_amplification: np.ndarray
    """A of the impulse that each contact carried up to that sample."""

    def errors(self, outputs: np.ndarray) -> np.ndarray:
        """Relative errors of carom's outputs."""
        return np.abs(outputs - self.verdict.running[self.sample]) / self.sizes

    def impulse_errors(self, impulses: np.ndarray) -> np.ndarray:
        """Errors of carom's impulses, relative to the largest."""
        carried = self.verdict.carried[self.sample]
        return np.abs(impulses - carried) / largest(carried)


@dataclass
class Finding:
    """One disagreement."""

    seed: int
    what: str
    amount: float
    allowed: float
    note: str = ""
    tips: bool = False
    """Whether gaps moved by the tolerance itself change it as much: the problem tips from one answer to the other."""
    gives_up: bool = False
    """Whether it is a run that ends as failed at every tolerance, and says so: no answer, but no wrong one either."""
    setting: str = ""
    """In which setting the problem of the seed stands; empty: as it is."""

    def line(self) -> str:
        """One line, with the command that repeats it."""
        note = f" ({self.note})" if self.note else ""
        note += ", but the problem tips" if self.tips else ""
        note += ", at every tolerance" if self.gives_up else ""
        return (
            f"seed {self.seed}: {self.what} {self.amount:.3g}, allowed {self.allowed:.3g}{note}; "
            f"python -m tests.judge{f' --{self.setting}' if self.setting else ''} --only {self.seed}"
        )


@dataclass
class Tally:
    """Errors over rtol by kind and class of sensitivity."""

    errors: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def add(self, kind: str, amplification: float, error: float) -> None:
        """Count one error."""
        label = "A<10" if amplification < 10 else "A<100" if amplification < 100 else "A<1e4"
        self.errors.setdefault((kind, label), []).append(error)


def sizes_of(problem: Description, running: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What errors are relative to, and the kind of each output.

    Peaks of a degree of freedom: the largest of that kind in its structure, at least a thousandth of the largest in
    the problem, since the engine's tolerance is relative to typical size. Forces: the largest of all contacts.
    """
    n = sum(structure.dofs for structure in problem.structures)
    sizes, kinds = np.zeros_like(running), np.full(running.shape[-1], 3)
    for kind in range(3):
        part = running[..., kind * n : (kind + 1) * n]
        kinds[kind * n : (kind + 1) * n] = kind
        least = FLOOR * part.max(axis=-1)
        for structure, at in zip(problem.structures, problem.firsts, strict=True):
            if structure.dofs:
                own = part[..., at : at + structure.dofs].max(axis=-1)
                sizes[..., kind * n + at : kind * n + at + structure.dofs] = np.maximum(own, least)[..., None]
    if running.shape[-1] > 3 * n:
        sizes[..., 3 * n :] = running[..., 3 * n :].max(axis=-1)[..., None]
    return np.maximum(sizes, 1e-300), kinds


def largest(impulses: np.ndarray) -> float:
    """What errors of impulses are relative to [N·s]."""
    return max(float(np.abs(impulses).max(initial=0.0)), 1e-300)


def tipped(problem: Description, judgement: Judgement, rtol: float) -> tuple[np.ndarray, np.ndarray]:
    """Return how far each output, and the impulse of each contact, moves when gaps are moved by what is allowed.

    A is a derivative, and all gaps are moved alike for it: it does not tell of an impact that a change of 1e-9 leaves
    out and one of 1e-6 does not, nor of gaps that move an output by much, one up and the other down, nor of a later
    impact that is not the largest, but might have been. Here all are moved together, one by one, and each by a random
    share: by the tolerance itself, and by FACTOR times as much, which moves a linear output by the bound; of the
    latter only what is beyond JUMP times the bound counts. Where outputs move beyond the bound, a solver to this
    tolerance is as right with the one answer as with the other.
    """
    peak = float(judgement.verdict.peaks()[0].max())
    outputs, impulses = np.zeros_like(judgement.sizes), np.zeros_like(judgement.impulse_amplification)
    count = len(problem.contacts)
    shares = np.random.default_rng(count).uniform(-1.0, 1.0, (RANDOM_MOVES, count))
    for shift, worth in ((rtol, 1.0), (FACTOR * rtol, 1.0 / JUMP)):
        for moved in (np.ones(count), *np.eye(count), *shares):
            for sign in (1.0, -1.0):
                other = judge(problem, gap_shift=sign * shift * peak * moved)
                if other.status == "done":
                    change = np.abs(other.running - judgement.verdict.running)[: judgement.sample + 1].max(axis=0)
                    outputs = np.maximum(outputs, worth * change / judgement.sizes)
                    carried = judgement.impulse_errors(other.carried[judgement.sample])
                    impulses = np.maximum(impulses, worth * carried)
    return outputs, impulses


def judged(problem: Description, tolerance: float | None = None) -> Judgement | str:
    """Run the judge twice, the second time with moved gaps; a word where it gives no answer."""
    options = {} if tolerance is None else {"tolerance": tolerance}
    one = judge(problem, **options)
    if one.status != "done":
        return one.status
    shift = SHIFT * float(one.peaks()[0].max())
    two = judge(problem, gap_shift=shift, **options)
    if two.status != "done":
        return two.status
    # early on, peaks are tiny and so are their changes: sizes are those at the end, but for the forces
    final, kinds = sizes_of(problem, one.running[-1])
    change = (np.abs(two.running - one.running) / final).max(axis=1)
    change = np.maximum(change, np.abs(two.carried - one.carried).max(axis=1) / largest(one.carried[-1]))
    passed = np.flatnonzero(change / SHIFT >= SENSITIVE)
    sample = one.running.shape[0] - 1 if passed.size == 0 else max(int(passed[0]) - 1, 0)
    sizes, _ = sizes_of(problem, one.running[sample])
    amplification = np.abs(two.running - one.running)[: sample + 1].max(axis=0) / sizes / SHIFT
    moved = np.abs(two.carried - one.carried)[: sample + 1].max(axis=0) / largest(one.carried[sample]) / SHIFT
    return Judgement(one, sample, amplification, sizes, kinds, moved)
