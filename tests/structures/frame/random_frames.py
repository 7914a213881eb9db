"""Random frames, and what OpenSees makes of them: `python -m tests.structures.frame.random_frames` writes the tables.

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
FEATURES = {
    "shear": {"shear": True, "lumped": True},
    "releases": {"released": True, "lumped": True},
    "arms": {"arms": True, "heavy": False},
    "trusses": {"trusses": True},
    "springs": {"springs": True},
    "all but shear": {"released": True, "arms": True, "trusses": True, "springs": True, "heavy": False},
}
"""What the members of `featured` frames have. OpenSees' consistent masses know no releases, arms and shear: there
masses are lumped, or at nodes alone. Its members with shear know no arms."""
FEATURE_TABLE = TABLE.with_name("opensees_features.json")
WAYS = ("ux", "uy", "uz", "rx", "ry", "rz")


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


def featured(
    seed: int, *, shear: bool = False, released: bool = False, arms: bool = False, trusses: bool = False,
    springs: bool = False, heavy: bool = True, lumped: bool = False,
) -> tuple[carom.Frame, dict[str, list[float]]]:  # fmt: skip
    """Return a frame in space with uniform loads on its members, and loads on its nodes."""
    rng = np.random.default_rng([23, seed])
    nodes, members = {}, []

    def parts() -> tuple[carom.Section, carom.Material]:
        area, y, z, j = (float(10 ** rng.uniform(*r)) for r in ((-2.5, -1), (-5, -3), (-5, -3), (-5, -3)))
        shears = [area * float(share) for share in rng.uniform(0.2, 0.9, 2)]
        density = float(rng.uniform(2e3, 8e3)) if heavy else 0.0
        return carom.Section(area, y, z, j, *shears, polar=j), carom.Material(
            float(rng.uniform(2e10, 2e11)), 0.25, density
        )

    for i, j, k in np.ndindex(2, 2, 3):
        shift = rng.uniform(-0.5, 0.5, 3) * (k > 0)
        here = f"{i}-{j}-{k}"
        nodes[here] = (5.0 * i + shift[0], 4.0 * j + shift[1], 3.0 * k + shift[2])
        before = (
            [f"{i}-{j}-{k - 1}"] * (k > 0)
            + [f"{i - 1}-{j}-{k}"] * (k > 0 and i > 0)
            + [f"{i}-{j - 1}-{k}"] * (k > 0 and j > 0)
        )
        for other in before:
            ends = (other, here) if rng.random() < 0.5 else (here, other)
            free = rng.choice(["start ry", "start rz", "end ry", "end rz"], int(rng.integers(0, 3)), replace=False)
            reach = [tuple(arm) for arm in rng.uniform(-0.3, 0.3, (2, 3)).tolist()]
            members.append(carom.Member(
                *ends, *parts(), turn=float(rng.uniform(-3.0, 3.0)), shear=shear and bool(rng.random() < 0.5),
                released=free.tolist() if released else (), name=f"{other} {here}",
                offsets=reach if arms and rng.random() < 0.5 else None, load=tuple(rng.uniform(-5e3, 5e3, 3).tolist()),
            ))  # fmt: skip
        if trusses and k > 0 and i > 0:
            members.append(carom.Member(f"{i - 1}-{j}-{k - 1}", here, *parts(), kind="truss", name=f"brace {here}"))
    members = [one.replace(released=()) if one.shear else one for one in members]  # OpenSees has not both
    free_nodes = [name for name in nodes if not name.endswith("-0")]
    held = [
        carom.Spring(str(node), float(10 ** rng.uniform(5, 8)), str(rng.choice(WAYS)))
        for node in rng.choice(free_nodes, 3, replace=False)
    ]
    masses = {name: [*[float(rng.uniform(100, 5e3))] * 3, *rng.uniform(10, 100, 3).tolist()] for name in free_nodes}
    loads = {name: rng.uniform(-1e4, 1e4, 6).tolist() for name in free_nodes}
    made = carom.Frame(
        nodes=nodes, members=members, supports={name: "fixed" for name in nodes if name.endswith("-0")}, masses=masses,
        springs=held if springs else [], rotary=False, lumped=lumped,
    )  # fmt: skip
    return made, loads


def by_opensees(made: carom.Frame, loads: dict[str, list[float]]) -> dict[str, Any]:
    """Return eigenvalues, displacements and member forces of OpenSees, the plane held by supports."""
    import openseespy.opensees as ops

    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    tags = {name: i + 1 for i, name in enumerate(made.nodes)}
    out = () if made.plane is None else ("uy", "rx", "rz")
    for name, at in made.nodes.items():
        ops.node(tags[name], *map(float, at))
        held = made.supports.get(name, frozenset()) | set(out)
        if held:
            ops.fix(tags[name], *(int(way in held) for way in WAYS))
    for name, values in made.masses.items():
        ops.mass(tags[name], *map(float, values))
    for tag, member in enumerate(made.members, 1):
        _member_of_opensees(ops, tag, member, tags, made)
    for tag, spring in enumerate(made.springs, 1000):
        ops.uniaxialMaterial("Elastic", tag, spring.stiffness)
        ops.node(tag, *map(float, made.nodes[spring.node]))
        ops.fix(tag, *[1] * 6)
        ops.element("zeroLength", tag, tag, tags[spring.node], "-mat", tag, "-dir", WAYS.index(spring.way) + 1)
    eigenvalues = ops.eigen("-fullGenLapack", MODES)
    ops.timeSeries("Linear", 1)
    ops.pattern("Plain", 1, 1)
    for name, values in loads.items():
        ops.load(tags[name], *values, *[0.0] * (6 - len(values)))
    for tag, member in enumerate(made.members, 1):
        if any(member.load):
            along, y, z = map(float, made._assembled.placed[member.name].axes @ np.array(member.load))
            ops.eleLoad("-ele", tag, "-type", "-beamUniform", y, z, along)
    ops.system("UmfPack")
    ops.numberer("Plain")
    ops.constraints("Plain")
    ops.integrator("LoadControl", 1.0)
    ops.algorithm("Linear")
    ops.analysis("Static")
    assert ops.analyze(1) == 0
    beams = {tag: member.name for tag, member in enumerate(made.members, 1) if member.kind == "beam"}
    return {
        "eigenvalues": list(eigenvalues),
        "displacements": {name: [ops.nodeDisp(tag, i) for i in range(1, 7)] for name, tag in tags.items()},
        "forces": {name: ops.eleResponse(tag, "localForce") for tag, name in beams.items()},
    }


def _member_of_opensees(ops: Any, tag: int, member: carom.Member, tags: dict[str, int], made: carom.Frame) -> None:
    axes, ends = made._assembled.placed[member.name].axes, (tags[member.start], tags[member.end])
    s, m = member.section, member.material
    mass = ["-mass", member.mass_per_length, *([] if made.lumped else ["-cMass"])]
    if member.kind == "truss":
        ops.uniaxialMaterial("Elastic", tag, m.young)
        ops.element("Truss", tag, *ends, s.area, tag, "-rho", member.mass_per_length, "-cMass", 0 if made.lumped else 1)
        return
    arms = [] if member.offsets is None else ["-jntOffset", *map(float, (*member.offsets[0], *member.offsets[1]))]
    ops.geomTransf("Linear", tag, *map(float, axes[2]), *arms)
    bending = (s.area, m.young, m.shear, s.torsion, s.inertia_y, s.inertia_z)
    if member.shear:
        area, young, shear, *rest = bending
        ops.element("ElasticTimoshenkoBeam", tag, *ends, young, shear, area, *rest, s.shear_y, s.shear_z, tag, *mass)
        return
    released = []
    for way in ("rz", "ry"):
        which = (f"start {way}" in member.released) + 2 * (f"end {way}" in member.released)
        released += [f"-release{way[1]}", which] if which else []
    ops.element("elasticBeamColumn", tag, *ends, *bending, tag, *mass, *released)


def by_carom(made: carom.Frame, loads: dict[str, list[float]]) -> dict[str, Any]:
    """Return the same of carom."""
    rest = made.static(loads)
    beams = [member.name for member in made.members if member.kind == "beam"]
    return {
        "eigenvalues": (made.modes().omega[:MODES] ** 2).tolist(),
        "displacements": {name: values.tolist() for name, values in rest.displacements.items()},
        "forces": {name: rest.forces[name].tolist() for name in beams},
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


def _write(path: Path, frames: dict[str, tuple[carom.Frame, dict[str, list[float]]]]) -> None:
    path.parent.mkdir(exist_ok=True)
    table = {}
    for name, (made, loads) in frames.items():
        table[name] = by_opensees(made, loads)
        print(name, made, largest_difference(by_carom(made, loads), table[name]))
    path.write_text(json.dumps(table))


if __name__ == "__main__":
    _write(TABLE, {str(seed): frame(seed) for seed in SEEDS})
    _write(FEATURE_TABLE, {name: featured(seed, **has) for seed, (name, has) in enumerate(FEATURES.items())})
