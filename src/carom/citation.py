"""Where a formula or a number comes from, and how far it has been verified."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PAPERS", "Source"]

PAPERS: dict[str, str] = {
    "mahmoud2008": "Mahmoud S., Chen X., Jankowski R. (2008). Structural pounding models with Hertz spring "
    "and nonlinear damper. Journal of Applied Sciences.",
    "zhu2002": "Zhu P., Abe M., Fujino Y. (2002). Modeling of three-dimensional pounding of bridge girders.",
    "alves2015": "Alves J., Peixinho N., Tavares da Silva M., Flores P., Lankarani H.M. (2015). A "
    "comparative study of the viscoelastic constitutive models for frictionless contact interfaces "
    "in solids.",
    "papi2022": "Papi M., Toopchi-Nezhad H. (2022). New Kelvin-Voigt model to simulate the collision of "
    "rigid bodies. Amirkabir J. Civil Eng. 54(9), 3497-3508 (in Persian).",
    "langlade2021": "Langlade T., Bertrand D., Grange S., Candia G., de la Llera J.C. (2021). Modelling of "
    "earthquake-induced pounding between adjacent structures with a non-smooth contact dynamics method.",
    "friction-closed-forms": "Closed forms of rigid bodies with Coulomb's friction, as textbooks have them.",
    "skew-deck": "Dimitrakopoulos E.G. (2010). Analysis of a frictional oblique impact observed in skew bridges. "
    "Nonlinear Dynamics 60, 575-595; (2011). Seismic response analysis of skew bridges with pounding deck-abutment "
    "joints. Engineering Structures 33, 813-826.",
    "frame-nafems": "NAFEMS (1990). The standard NAFEMS benchmarks, TNSB Rev. 3.",
    "frame-bathe-wilson": "Bathe K.-J., Wilson E.L. (1972). Large eigenvalue problems in dynamic analysis. Journal of "
    "the Engineering Mechanics Division, ASCE 98(6), 1471-1485.",
    "frame-seven-storeys": "Peterson F.E. (1981). EASE2, elastic analysis for structural engineering: example problem "
    "manual; as public verification sheets of frame programs repeat it.",
    "frame-dg25": "Kaehler R.C., White D.W., Kim Y.D. (2011). Frame design using web-tapered members. AISC Steel "
    "Design Guide 25.",
}
"""What is reproduced, by the key used throughout: the five papers whose system carom is, then benchmarks of frames."""


@dataclass(frozen=True)
class Source:
    """The origin of a published model: who, where to find the equation, who checked it."""

    reference: str
    """Author (year), title, journal."""
    equations: str
    """Where the formula stands, such as ``"mahmoud2008 (8)-(10)"``."""
    verified: str
    """Whose numbers it was held against: an author's table, a closed form, an independent code."""
    notes: tuple[str, ...] = ()
    """Misprints found, readings chosen, what the paper leaves open."""

    def __str__(self) -> str:
        return f"{self.reference} [{self.equations}]"
