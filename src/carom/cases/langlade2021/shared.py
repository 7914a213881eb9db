"""What the single-storey cases of langlade2021 share: the two structures, the release, the penalty laws.

Table 3 prints 4600 and 3500 kg beside frequencies of 3.50 and 6.55 Hz, which do not belong together. These masses are
half of the two-storey totals (9200 and 7000 kg, section 4.1). With the printed stiffnesses the printed frequencies ask
for 4363 and 3135 kg, and these give the printed ξ_d of Table 4 too: they are taken for all single-storey runs.
"""

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
    "DURATION", "EFFECTIVE_MASS", "FACTORS", "FREQUENCY", "GAP", "MODELS", "PRINTED_MASS", "PULLS", "RESTITUTION",
    "RESTITUTIONS", "STEP", "STEPPED", "STIFFNESS", "STRUCTURES", "TWO_STOREY_MASS", "Model", "build", "floor_spectra",
    "pull_back", "released", "rigid", "structures",
]  # fmt: skip

# Table 3, section 4.1
PRINTED_MASS = (4600.0, 3500.0)  # kg
TWO_STOREY_MASS = (9200.0, 7000.0)  # kg
FREQUENCY = (3.50, 6.55)  # Hz
STIFFNESS = (2.11e6, 5.31e6)  # N/m
GAP = 0.02  # m, section 4.2
PULL = 0.024  # m, Figure 8
PULLS = (0.021, 0.024, 0.026, 0.029, 0.032, 0.034)  # m: "from 2.1 cm to 3.4 cm"; those between the ends are ours
STEP = 1e-3  # s, Figures 8 and 10
STIFFER = max(STIFFNESS)
MASS = (4363.0, 3135.0)  # kg, from stiffness and frequency
EFFECTIVE_MASS = MASS[0] * MASS[1] / sum(MASS)

# Table 4: the penalty laws
RESTITUTION = 0.65
FACTORS = (0.01, 0.1, 1.0, 10.0, 100.0)  # contact stiffness over max(k1, k2)

# ours
DAMPING = 0.005  # the middle of the printed 0.4 to 0.6 %
DURATION = 2.0  # s
PERIODS = tuple(float(period) for period in np.geomspace(0.02, 2.0, 120))  # s, of spectra

RESTITUTIONS = (0.2, 0.6, 0.9)  # section 4.2
STEPPED: dict[str, Any] = {"scheme": "moreau-jean", "dt": STEP, "theta": 0.5, "gamma": 1.5}
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


def released(contact: CompliantLaw | ImpulsiveLaw, pull: float = PULL) -> Problem:
    """Return the two structures, the first pulled back, by default by the 24 mm of Figure 8."""
    between = Contact(Place("1"), Place("2"), gap=GAP, law=contact)
    return Problem(STRUCTURES, (between,), initial_displacement={"1": (-pull,)})


def pull_back(run: Run, contact: CompliantLaw | ImpulsiveLaw, pull: float = PULL, **how: Any) -> Simulation:
    """Let go, and follow both, sampled every millisecond unless told otherwise."""
    result: Simulation = run(released(contact, pull), **{"duration": DURATION, "sampling": STEP, **how})
    return result


def floor_spectra(result: Simulation) -> Spectrum:
    """Return 5 % spectra of the slabs' accelerations, which are means over a sample."""
    dt = float(result.time[1] - result.time[0])
    return response_spectrum([Motion(result.acceleration[:, i], dt=dt) for i in range(2)], PERIODS, 0.05)
