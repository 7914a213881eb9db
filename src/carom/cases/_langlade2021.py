"""What the pull-back cases of langlade2021 share: the two structures, the release, the penalty laws."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.cases.base import Run
from carom.contact import Contact, Place
from carom.laws import CompliantLaw, ImpulsiveLaw, law
from carom.motions import Motion, Spectrum, response_spectrum
from carom.problem import Problem
from carom.results import Simulation
from carom.structures import Oscillator

__all__ = [
    "DURATION", "EFFECTIVE_MASS", "FACTORS", "GAP", "MODELS", "RESTITUTION", "RESTITUTIONS", "STEP", "STEPPED",
    "STRUCTURES", "Model", "build", "floor_spectra", "pull_back", "released", "rigid", "structures",
]  # fmt: skip

# Table 3
MASS = (4600.0, 3500.0)  # kg
STIFFNESS = (2.11e6, 5.31e6)  # N/m
GAP = 0.02  # m, section 4.2
PULL = 0.024  # m, Figure 8
STEP = 1e-3  # s, Figures 8 and 10
STIFFER = max(STIFFNESS)
EFFECTIVE_MASS = MASS[0] * MASS[1] / sum(MASS)

# Table 4: the penalty laws
RESTITUTION = 0.65
FACTORS = (0.01, 0.1, 1.0, 10.0, 100.0)  # contact stiffness over max(k1, k2)

# ours
DAMPING = 0.005  # the middle of the printed 0.4 to 0.6 %
DURATION = 2.0  # s
PERIODS = tuple(float(period) for period in np.geomspace(0.02, 2.0, 120))  # s, of spectra

RESTITUTIONS = (0.2, 0.6, 0.9)  # section 4.2
STEPPED = {"scheme": "moreau-jean", "dt": STEP, "theta": 0.5, "gamma": 1.5}
"""The paper's own method: NSCD at 1 ms."""


def structures(damping: tuple[float, float] = (DAMPING, DAMPING)) -> tuple[Oscillator, ...]:
    """Return the two single-storey frames as oscillators."""
    return tuple(
        Oscillator(mass=mass, stiffness=stiffness, damping_ratio=ratio, name=name)
        for mass, stiffness, ratio, name in zip(MASS, STIFFNESS, damping, ("1", "2"), strict=True)
    )


STRUCTURES = structures()


class Model(NamedTuple):
    """A gap element of Table 1 or 4."""

    law: str
    short: str
    title: str


MODELS = (
    Model("kelvin-voigt", "LVE", "LVE (Anagnostopoulos)"),
    Model("jankowski-2005", "NLVE", "NLVE (Jankowski)"),
    Model("khatami-2019", "Khatami", "NLVE (Khatami)"),
    Model("mahmoud-jankowski-2011", "MLVE", "MLVE (Table 1 only)"),
    Model("flores-2011", "HDNL", "HDNL (Table 1 only)"),
)
"""The three of Table 4 and Figure 10, then two that Table 1 lists besides."""


def build(model: Model, factor: float) -> CompliantLaw:
    """Return the law at so many times max(k1, k2), in N/m or, with the same number, in N/m^1.5."""
    return law(model.law, stiffness=factor * STIFFER, restitution=RESTITUTION, v0="published")


def rigid(restitution: float) -> ImpulsiveLaw:
    """Return Newton's law, the paper's own."""
    return law("newton", restitution=restitution)


def released(contact: CompliantLaw | ImpulsiveLaw) -> Problem:
    """Return the two structures, the first pulled back by 24 mm."""
    between = Contact(Place("1"), Place("2"), gap=GAP, law=contact)
    return Problem(STRUCTURES, (between,), initial_displacement={"1": (-PULL,)})


def pull_back(run: Run, contact: CompliantLaw | ImpulsiveLaw, **how: Any) -> Simulation:
    """Let go, and follow both, sampled every millisecond."""
    result: Simulation = run(released(contact), duration=DURATION, sampling=STEP, **how)
    return result


def floor_spectra(result: Simulation) -> Spectrum:
    """Return 5 % spectra of the slabs' accelerations, which are means over a sample."""
    dt = float(result.time[1] - result.time[0])
    return response_spectrum([Motion(result.acceleration[:, i], dt=dt) for i in range(2)], PERIODS, 0.05)
