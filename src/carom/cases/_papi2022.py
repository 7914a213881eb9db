"""What the cases of papi2022 share: a concrete ball that falls on a thick concrete slab, and four models of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.cases.base import Run
from carom.laws import law
from carom.laws.base import Number
from carom.results import Impact

__all__ = [
    "ALPHAS",
    "ASKED",
    "CONCRETE",
    "MASS",
    "MODELS",
    "RESTITUTIONS",
    "STIFFNESS",
    "VELOCITY",
    "Model",
    "drop_ball",
]

# section 3-2, after (31); the same in section 4-2
MASS = 1.763  # kg
VELOCITY = 0.13  # m/s at touch
STIFFNESS = 4.91e7  # N/m
GRAVITY = 9.8  # m/s²
CONCRETE = 0.76  # restitution of concrete, section 4-2

ASKED = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # Table 1, e_pre
ALPHAS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.0, 1.0)  # Table 1, α
RESTITUTIONS = (0.1272, 0.2077, 0.3002, 0.3975, 0.4962, 0.5950, 0.6933, 0.8013, 0.8897, 0.9883)  # Table 1, e_post


class Model(NamedTuple):
    """One of the four models compared, with its published errors."""

    law: str
    title: str
    error_everywhere: float  # mean error of e, 0.1 ≤ e ≤ 1 [%], Table 2
    error_engineering: float  # mean error of e, 0.5 ≤ e ≤ 0.8 [%], Table 2
    error_of_peak: float  # error of the peak force at e = 0.76 [%], Table 3


MODELS = (
    Model("kelvin-voigt", "Anagnostopoulos", 28.76, 11.65, 2.2),
    Model("mahmoud-jankowski-2011", "Mahmoud & Jankowski", 9.41, 9.04, 3.8),
    Model("ye-2009", "Ye et al.", 10.86, 4.60, 0.8),
    Model("papi-2022", "Papi & Toopchi-Nezhad", 3.68, 0.68, 0.8),
)


def drop_ball(run: Run, name: str, restitution: Number, gravity: float = GRAVITY, **parameters: Any) -> Impact:
    """Return the impact of the ball on the slab by the law of that name."""
    model = law(name, stiffness=STIFFNESS, restitution=restitution, v0="published", **parameters)
    impact: Impact = run(model, mass=MASS, velocity=VELOCITY, gravity=gravity)
    return impact
