"""Random frames, and what OpenSees makes of them: `python -m tests.structures.frame.random_frames` writes the table.

OpenSees' consistent mass has no inertia of turning cross-sections, and takes ρJ for that of twisting; sections here say
`polar` = J, so that conventions are equal.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import carom

TABLE = Path(__file__).parents[2] / "reference" / "frames" / "opensees.json"
SEEDS = range(6)
MODES = 8


def frame(seed: int) -> tuple[carom.Frame, dict[str, list[float]]]:
    """Return a frame, plane for even seeds, and loads on its nodes."""
    rng = np.random.default_rng([22, seed])
    plane = seed % 2 == 0
    wide, deep, high = int(rng.integers(2, 4)), 1 if plane else int(rng.integers(2, 4)), int(rng.integers(2, 5))
    nodes, members = {}, []

    def section() -> carom.Section:
        area, y, z, j = (float(10 ** rng.uniform(*r)) for r in ((-2.5, -1), (-5, -3), (-5, -3), (-5, -3)))
        return carom.Section(area, y, z, j, polar=j)

    for i in range(wide):
        for j in range(deep):
            for k in range(high + 1):
                shift = rng.uniform(-0.5, 0.5, 3) * (k > 0)
                nodes[f"{i}-{j}-{k}"] = (5.0 * i + shift[0], 0.0 if plane else 4.0 * j + shift[1], 3.0 * k + shift[2])
                before = [(i, j, k - 1)] if k else []
                before += [(i - 1, j, k)] if k and i else []
                before += [(i, j - 1, k)] if k and j else []
                for a, b, c in before:
                    members.append(carom.Member(
                        f"{a}-{b}-{c}", f"{i}-{j}-{k}", section(),
                        carom.Material(float(rng.uniform(2e10, 2e11)), 0.25, float(rng.uniform(2e3, 8e3))),
                        turn=0.0 if plane else float(rng.uniform(-1.0, 1.0)),
                    ))  # fmt: skip
    held = {name: str(rng.choice(["fixed", "pinned"])) for name in nodes if name.endswith("-0")}
    held[next(iter(held))] = "fixed"
    masses = {name: float(rng.uniform(0.0, 5e3)) for name in nodes if name not in held}
    loads = {name: [float(x) for x in rng.uniform(-1e4, 1e4, 3) * [1, not plane, 1]] for name in masses}
    made = carom.Frame(
        nodes=nodes, members=members, supports=held, masses=masses, plane="xz" if plane else None, rotary=False
    )
    return made, loads


def by_opensees(made: carom.Frame, loads: dict[str, list[float]]) -> dict[str, Any]:
    """Return eigenvalues, displacements and member forces of OpenSees, the plane held by supports."""
    import openseespy.opensees as ops

    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    tags = {name: i + 1 for i, name in enumerate(made.nodes)}
    ways = ("ux", "uy", "uz", "rx", "ry", "rz")
    out = () if made.plane is None else ("uy", "rx", "rz")
    for name, at in made.nodes.items():
        ops.node(tags[name], *map(float, at))
        held = made.supports.get(name, frozenset()) | set(out)
        if held:
            ops.fix(tags[name], *(int(way in held) for way in ways))
    for name, values in made.masses.items():
        ops.mass(tags[name], *map(float, values))
    for tag, member in enumerate(made.members, 1):
        axes = made._assembled.placed[member.name].axes
        ops.geomTransf("Linear", tag, *map(float, axes[2]))
        s, m = member.section, member.material
        ops.element(
            "elasticBeamColumn", tag, tags[member.start], tags[member.end], s.area, m.young, m.shear, s.torsion,
            s.inertia_y, s.inertia_z, tag, "-mass", member.mass_per_length, "-cMass",
        )  # fmt: skip
    eigenvalues = ops.eigen("-fullGenLapack", MODES)
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 1, 1)
    for name, values in loads.items():
        ops.load(tags[name], *values, 0.0, 0.0, 0.0)
    ops.system("UmfPack")
    ops.numberer("Plain")
    ops.constraints("Plain")
    ops.integrator("LoadControl", 1.0)
    ops.algorithm("Linear")
    ops.analysis("Static")
    assert ops.analyze(1) == 0
    return {
        "eigenvalues": list(eigenvalues),
        "displacements": {name: [ops.nodeDisp(tag, i) for i in range(1, 7)] for name, tag in tags.items()},
        "forces": {member.name: ops.eleResponse(tag, "localForce") for tag, member in enumerate(made.members, 1)},
    }


def by_carom(made: carom.Frame, loads: dict[str, list[float]]) -> dict[str, Any]:
    """Return the same of carom."""
    rest = made.static(loads)
    return {
        "eigenvalues": (made.modes().omega[:MODES] ** 2).tolist(),
        "displacements": {name: values.tolist() for name, values in rest.displacements.items()},
        "forces": {name: values.tolist() for name, values in rest.forces.items()},
    }


def largest_difference(one: dict[str, Any], other: dict[str, Any]) -> dict[str, float]:
    """Return the largest difference of each kind, eigenvalues beside themselves, others beside their largest."""
    found = {"eigenvalues": float(np.max(np.abs(np.divide(one["eigenvalues"], other["eigenvalues"]) - 1.0)))}
    for kind, parts in (("displacements", 3), ("forces", 3)):
        pairs = [(np.array(one[kind][name]), np.array(other[kind][name])) for name in one[kind]]
        for first, what in ((0, "shift"), (parts, "turn")):
            at = [i for i in range(len(pairs[0][0])) if (i % 6 < 3) == (first == 0)]
            size = max(float(np.abs(b[at]).max()) for _, b in pairs)
            found[f"{kind} {what}"] = max(float(np.abs(a[at] - b[at]).max()) for a, b in pairs) / max(size, math.ulp(0))
    return found


if __name__ == "__main__":
    TABLE.parent.mkdir(exist_ok=True)
    table = {}
    for seed in SEEDS:
        made, loads = frame(seed)
        table[str(seed)] = by_opensees(made, loads)
        print(seed, made, largest_difference(by_carom(made, loads), table[str(seed)]))
    TABLE.write_text(json.dumps(table))
