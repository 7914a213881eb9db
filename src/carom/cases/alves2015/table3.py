"""alves2015 Table 3: contact stiffness of a steel ball on two specimens, from their materials."""

from __future__ import annotations

from typing import ClassVar

from carom.cases.alves2015.shared import MATERIALS, RADIUS
from carom.cases.base import Case, Run, register_case
from carom.laws.stiffness import sphere_on_plane
from carom.results import Row

PUBLISHED = {"C1": 2.46e10, "C2": 2.41e10}  # Table 3 [N/m^1.5]
LAST_DIGIT = 0.005e10  # N/m^1.5


@register_case
class Table3(Case):
    """K = 4√R/(3(σ1+σ2)): the ball on a plane, within the last printed digit."""

    name: ClassVar[str] = "alves2015-table3"
    title: ClassVar[str] = "Contact stiffness of a steel ball on specimens C1 and C2"
    paper: ClassVar[str] = "alves2015"
    place: ClassVar[str] = "Table 3, (3)-(4) with one radius infinite"
    notes: ClassVar[tuple[str, ...]] = (
        "The coefficients of restitution of Table 3 are measured and enter the other cases as data.",
        "The moduli behind K = 5.5e9 N/m^1.5 of the two aluminium spheres (section 4) are not printed; with the "
        "usual 70 GPa and 0.33 the formula gives 5.24e9.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return the two stiffnesses."""
        ball = MATERIALS["ball"]
        specimens = {name: MATERIALS[name] for name in PUBLISHED}
        return [
            Row(
                quantity=f"contact stiffness, ball on {specimen}",
                published=PUBLISHED[specimen],
                computed=sphere_on_plane(young=(ball[0], young), poisson=(ball[1], poisson), radius=RADIUS),
                tolerance=LAST_DIGIT / PUBLISHED[specimen],
                unit="N/m^1.5",
            )
            for specimen, (young, poisson) in specimens.items()
        ]
