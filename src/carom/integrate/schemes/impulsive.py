"""What the two schemes for impulsive laws share: the laws taken, the table of impacts, how a run ended."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import backend_name
from carom.errors import InputError
from carom.integrate.schemes import base as schemes
from carom.kernels import complementarity, ledger, moreau_jean
from carom.laws.impulse import ImpulsiveLaw
from carom.problem import Problem
from carom.results import Outcome

__all__ = ["METHODS", "OUTCOMES", "balanced", "common_evidence", "hypothesis_of", "restitution_of"]

Array = npt.NDArray[np.float64]

OUTCOMES = {**schemes.OUTCOMES, moreau_jean.NOT_COMPLEMENTARY: Outcome.NOT_COMPLEMENTARY}
METHODS = {
    "auto": complementarity.AUTO,
    "gauss-seidel": complementarity.GAUSS_SEIDEL,
    "active-set": complementarity.ACTIVE_SET,
}


def impulsive(problem: Problem) -> bool:
    """Tell whether a problem's contacts are all impulsive; a mixture is refused."""
    kinds = {isinstance(contact.law, ImpulsiveLaw) for contact in problem.pairs}
    if kinds == {True, False}:
        raise InputError(
            "simulate takes either impulsive laws or laws with a stiffness, not both in one problem. "
            'Set one for all: problem.replace(law=carom.law("newton", restitution=…)).'
        )
    return kinds == {True}


def hypothesis_of(problem: Problem, scheme: str) -> int:
    """Return the hypothesis that all laws of a problem share; plastic impacts go with any."""
    if problem.pairs and not impulsive(problem):
        raise InputError(
            f"scheme='{scheme}' takes impulsive laws. "
            'Write problem.replace(law=carom.law("newton", restitution=…)), or use scheme="event".'
        )
    if problem.flat().springs.shape[0]:
        raise InputError(
            f"simulate with scheme='{scheme}' and impulsive laws needs structures that are linear between impacts; "
            "this problem has inelastic storeys or stops. Use laws with a stiffness and scheme='newmark', for example."
        )
    laws = [contact.law for contact in problem.pairs if isinstance(contact.law, ImpulsiveLaw)]
    found = {law.hypothesis: law.name for law in laws if law.restitution != 0.0}
    if len(found) > 1:
        names = " and ".join(sorted(found.values()))
        raise InputError(f"Impulsive laws of one problem must share their hypothesis. Got {names}. Choose one for all.")
    return next(iter(found), 0)


def restitution_of(problem: Problem) -> Array:
    """Return e of every contact as kernels take it, one row each."""
    rows = [contact.law.packed() for contact in problem.pairs if isinstance(contact.law, ImpulsiveLaw)]
    table = np.zeros((len(rows), max((row.size for row in rows), default=3)))
    for into, row in zip(table, rows, strict=True):
        into[: row.size] = row
    return table


def balanced(table: Array) -> dict[str, Array]:
    """Return the ledger by name; residual: what was held and came in, less what is held and was lost."""
    names = ("input", "kinetic", "strain", "damping", "contact")
    found = {name: table[:, i] for i, name in enumerate(names)}
    at_start = table[0, ledger.KINETIC] + table[0, ledger.STRAIN]
    found["residual"] = at_start + table[:, ledger.INPUT] - table[:, ledger.KINETIC :].sum(axis=1)
    return found


def common_evidence(seconds: float) -> dict[str, Any]:
    """Return what every run says of the machine it ran on."""
    import numba

    return {
        "wall_time": seconds,
        "backend": backend_name(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
