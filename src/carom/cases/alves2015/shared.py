"""What the cases of alves2015 share: its steel ball tests (Tables 2-4) and its two aluminium spheres (section 4)."""

from __future__ import annotations

from typing import NamedTuple

from carom.cases.base import Run
from carom.laws import CompliantLaw, law
from carom.laws.base import Number
from carom.laws.stiffness import sphere_on_plane
from carom.results import Impact

__all__ = [
    "BALL_MASS",
    "ERRORS",
    "MATERIALS",
    "MODELS",
    "PEAKS",
    "RADIUS",
    "ROUNDING",
    "TRIALS",
    "Trial",
    "drop_ball",
    "model",
    "two_spheres",
]

MODELS: dict[str, str] = {
    "hertz": "Hertz",
    "hunt-crossley-1975": "Hunt & Crossley",
    "herbert-mcwhannell-1977": "Herbert & McWhannell",
    "lee-wang-1983": "Lee & Wang",
    "lankarani-nikravesh-1990": "Lankarani & Nikravesh",
    "gonthier-2004": "Gonthier, Zhang & Sharf",
    "zhiying-qishao-2006": "Zhiying & Qishao",
    "flores-2011": "Flores et al.",
    "gharib-hurmuzlu-2012": "Gharib & Hurmuzlu",
}
"""Name in the catalogue: name in the paper, in its order."""

BALL_MASS = 0.54  # kg, section 4; the text has "diameter and mass ... 0.54 kg and 5.08 cm" the other way round


RADIUS = 0.0508 / 2.0  # m, section 4
MATERIALS = {"ball": (210e9, 0.30), "C1": (213e9, 0.29), "C2": (205e9, 0.29)}  # Table 2: modulus [Pa], Poisson's ratio
UNROUNDED = {0.094: 0.0939, 0.500: 0.5007}
"""Velocities [m/s] that the printed ones seem to be rounded from: ours, one for each column pair of Table 4."""


class Trial(NamedTuple):
    """One column of Table 4, with its row of Table 3."""

    specimen: str
    velocity: float  # [m/s]
    stiffness: float  # [N/m^1.5], Table 3
    restitution: float  # Table 3
    measured: float  # measured peak force [N], Table 4
    figure: int  # where its force histories are drawn

    @property
    def unrounded(self) -> Trial:
        """The same with what the printed inputs were rounded from: K by (3)-(4), and a velocity that is ours."""
        ball, specimen = MATERIALS["ball"], MATERIALS[self.specimen]
        young, poisson = (ball[0], specimen[0]), (ball[1], specimen[1])
        stiffness = sphere_on_plane(young=young, poisson=poisson, radius=RADIUS)
        return self._replace(velocity=UNROUNDED[self.velocity], stiffness=stiffness)

    def __str__(self) -> str:
        return f"{self.specimen}, {self.velocity:.3f} m/s"


TRIALS = (
    Trial("C1", 0.094, 2.46e10, 0.974, 663.0, 6),
    Trial("C1", 0.500, 2.46e10, 0.955, 4709.6, 8),
    Trial("C2", 0.094, 2.41e10, 0.917, 660.2, 7),
    Trial("C2", 0.500, 2.41e10, 0.757, 4364.6, 9),
)

ROUNDING = 0.00065
"""Of a peak: what half the last digit of 0.0939 m/s decides, F ∝ v^1.2."""

# Table 4: peak force [N], columns as TRIALS
PEAKS: dict[str, tuple[float, float, float, float]] = {
    "hertz": (662.5, 4937.8, 657.5, 4899.9),
    "hunt-crossley-1975": (652.7, 4817.6, 630.6, 4496.4),
    "herbert-mcwhannell-1977": (652.4, 4812.8, 628.9, 4464.1),
    "lee-wang-1983": (657.4, 4874.3, 642.6, 4633.5),
    "lankarani-nikravesh-1990": (652.8, 4820.0, 631.5, 4522.3),
    "gonthier-2004": (649.5, 4780.2, 622.9, 4436.0),
    "zhiying-qishao-2006": (652.3, 4810.1, 627.8, 4444.0),
    "flores-2011": (651.8, 4805.2, 627.2, 4445.5),
}

# Table 4: error of the peak against the measured one [%], columns as TRIALS
ERRORS: dict[str, tuple[float, float, float, float]] = {
    "hertz": (-0.1, 4.8, -0.4, 12.3),
    "hunt-crossley-1975": (-1.6, 2.3, -4.5, 3.0),
    "herbert-mcwhannell-1977": (-1.6, 2.2, -4.7, 2.3),
    "lee-wang-1983": (-0.8, 3.5, -2.7, 6.2),
    "lankarani-nikravesh-1990": (-1.5, 2.3, -4.3, 3.6),
    "gonthier-2004": (-2.0, 1.5, -5.7, 1.6),
    "zhiying-qishao-2006": (-1.6, 2.1, -4.9, 1.8),
    "flores-2011": (-1.7, 2.0, -5.0, 1.9),
}


def model(name: str, stiffness: float, restitution: Number) -> CompliantLaw:
    """Return the law of that name; Hertz's has no restitution to take."""
    if name == "hertz":
        return law(name, stiffness=stiffness)
    return law(name, stiffness=stiffness, restitution=restitution, v0="published")


def drop_ball(run: Run, name: str, test: Trial) -> Impact:
    """Return the impact of the steel ball on a specimen, by one of the models."""
    impact: Impact = run(model(name, test.stiffness, test.restitution), mass=BALL_MASS, velocity=test.velocity)
    return impact


def two_spheres(run: Run, name: str) -> Impact:
    """Return the impact of the two aluminium spheres: 0.092 kg and 0.15 m/s each, K = 5.5e9, e = 0.7."""
    impact: Impact = run(model(name, 5.5e9, 0.7), masses=(0.092, 0.092), velocity=0.15 + 0.15)
    return impact
