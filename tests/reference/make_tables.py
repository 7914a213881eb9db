"""Write the reference tables of the laws with the naive implementation (python -m tests.reference.make_tables).

Each table is tests/reference/<law>.csv: columns in_… are what went in, out_… what the naive implementation gave.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from tests.naive import LAWS, naive_impact

GIVEN = {  # the law's own damping parameter, where no relation to e is published: three sizes
    "ristow-1992": (2e6, 2e7, 1e8),
    "lee-herrmann-1993": (1e6, 1e7, 5e7),
    "kuwabara-kono-1987": (2e4, 2e5, 6e5),
    "bordbar-hyppanen-2007": (8e4, 8e5, 3e6),
}


def main(names: list[str]) -> None:
    for name in names or list(LAWS):
        linear = name in ("linear", "kelvin-voigt", "mahmoud-jankowski-2011", "ye-2009", "papi-2022")
        k, m = (4.0e7, 1.5) if linear else (1.0e9, 2.0)
        kind = "in_damping" if name in GIVEN else "in_restitution"
        if name in ("linear", "hertz"):
            values: tuple[float, ...] = (1.0,)
        else:
            values = GIVEN.get(name, (0.15, 0.4, 0.65, 0.9))
        rows = []
        for value in values:
            for v in (0.05, 1.2):
                n = 1.0 if linear else 1.5
                size = ((n + 1) / 2 * m * v * v / k) ** (1 / (n + 1))
                run = naive_impact(LAWS[name](k, value, m, v), m, v, span=20 * size / v)
                rows.append([k, value, m, v, *(f"{x:.12e}" for x in run.values())])
        header = ["in_stiffness", kind, "in_mass", "in_velocity", *(f"out_{key}" for key in run)]
        with (Path(__file__).parent / f"{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)
        print(name, rows[0])


if __name__ == "__main__":
    main(sys.argv[1:])
