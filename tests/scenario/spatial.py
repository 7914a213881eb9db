"""Sound scenarios in space, one for each kind of structure and place, and the problems they state in Python."""

from __future__ import annotations

import numpy as np

import carom

MATRICES = """
title = "A slab by its matrices, beside a wall"

[structures.slab]
kind = "matrices"
dofs = ["ux", "uy", "rz"]
mass = ["20 t", 2e4, 9e4]
stiffness = [["8 kN/mm", 0, 0], [0, 6e6, 0], [0, 0, 4e7]]
damping = {alpha = 0.2, beta = "1 ms"}
influence = [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
load = [0, "5 kN", 0]
dashpots = [{place = "ux", constant = "50 kN*s/m"}, {place = {ux = 1, rz = 2}, to = "uy", constant = 100}]
outputs = {corner = {ux = 1, rz = -2}, centre = "ux"}

[structures.slab.points.north-east]
position = ["3 m", 2, 4]
x = {ux = 1, rz = -2}
y = {uy = 1, rz = 3}

[structures.slab.points.south-east]
position = [3, -2, 4]
x = {ux = 1, rz = 2}
y = {uy = 1, rz = 3}

[structures.wall]
kind = "wall"

[laws.stone]
name = "hertz"
stiffness = "2e9 N/m^1.5"

[[contacts]]
left = {structure = "slab", point = "north-east", direction = "x"}
right = "wall"
gap = "1 cm"
law = "stone"
mass = "5 t"

[[contacts]]
left = {structure = "slab", point = "south-east", direction = [0.8, 0.6, 0]}
right = "wall"
gap = "2 cm"
law = "stone"
label = "south"

[[contacts]]
left = {structure = "slab", weights = {ux = 0.6, uy = 0.8}}
right = {structure = "slab", dof = "rz"}
gap = "3 cm"
law = "stone"

[[outputs]]
structure = "slab"
point = "south-east"
direction = "-y"

[motion]
record = "default"
end = "4 s"

[initial.slab]
displacement = {uy = "2 mm", rz = 1e-4}
velocity = [0, "1 cm/s", 0]
"""


def of_matrices() -> dict[str, object]:
    slab = carom.Structure(
        [2e4, 2e4, 9e4], np.diag([8e6, 6e6, 4e7]), damping=carom.Rayleigh(alpha=0.2, beta=1e-3),
        dofs=["ux", "uy", "rz"], influence=[[1, 0, 0], [0, 1, 0], [0, 0, 0]], load=[0, 5e3, 0],
        dashpots=[("ux", 5e4), (({"ux": 1, "rz": 2}, "uy"), 100.0)],
        outputs={"corner": {"ux": 1, "rz": -2}, "centre": "ux"},
        points={
            "north-east": carom.Point((3, 2, 4), x={"ux": 1, "rz": -2}, y={"uy": 1, "rz": 3}),
            "south-east": carom.Point((3, -2, 4), x={"ux": 1, "rz": 2}, y={"uy": 1, "rz": 3}),
        },
        name="slab",
    )  # fmt: skip
    law = carom.law("hertz", stiffness=2e9)
    contacts = (
        carom.Contact(("slab", "north-east", "x"), "wall", gap=0.01, law=law, mass=5e3),
        carom.Contact(("slab", "south-east", (0.8, 0.6, 0.0)), "wall", gap=0.02, law=law, name="south"),
        carom.Contact(("slab", {"ux": 0.6, "uy": 0.8}), ("slab", "rz"), gap=0.03, law=law),
    )
    return {
        "structures": (slab, carom.Wall("wall")),
        "contacts": contacts,
        "outputs": (("slab", "south-east", "-y"),),
        "initial_displacement": {"slab": (0.0, 2e-3, 1e-4)},
        "initial_velocity": {"slab": (0.0, 0.01, 0.0)},
    }


MOMENT_FRAMES = """
title = "Two frames that pound at slab corners"

[structures.tower]
kind = "moment-frame"
storeys = ["3.2 m", "3 m"]
bays = ["6 m"]
rows = ["5 m"]
columns = [{rectangle = ["0.45 m", "0.45 m"]}, {box = [0.4, 0.4, "2 cm"]}]
beams = {rectangle = ["0.3 m", "0.6 m"]}
material = "concrete"
slab = "600 kg/m^2"
damping_ratio = "5 %"
gravity = true

[structures.tower.outputs]
"base moment" = {member = "column 0-0-1", force = "my"}
roof = {node = "1-1-2"}
drift = {weights = {"floor 2 ux" = 1, "floor 1 ux" = -1}}
middle = {slab = "floor 2", at = [3, 2.5]}

[structures.annex]
kind = "moment-frame"
storeys = ["3.2 m"]
bays = ["4 m"]
rows = ["5 m"]
columns = "HEB 240"
beams = {steel = "IPE 330"}
material = {young = "205 GPa", poisson = 0.3, density = "7850 kg/m^3"}
slab = 500
origin = ["6.02 m", 0, 0]
supports = "pinned"
damping = {ratios = [0.02, 0.02], modes = [1, 3]}
lumped = true

[laws.slabs]
name = "kelvin-voigt"
stiffness = "50 MN/m"
restitution = 0.6

[[contacts]]
left = {structure = "tower", node = "1-0-1", direction = "x"}
right = {structure = "annex", node = "0-0-1"}
gap = "1 cm"
law = "slabs"

[[contacts]]
left = {structure = "tower", slab = "floor 1", at = [6, "5 m"]}
right = {structure = "annex", slab = "floor 1", at = [6.02, 5], direction = "x"}
gap = "2 cm"
law = "slabs"

[[contacts]]
left = {structure = "tower", member = "column 1-0-2", share = 0.0, direction = "x"}
right = {structure = "annex", node = "0-0-1", direction = "x"}
gap = "2 cm"
law = "slabs"
label = "column"

[[outputs]]
structure = "annex"
node = "1-1-1"
direction = "y"

[motion]
record = "default"
end = "4 s"

[initial.tower]
velocity = {"floor 1 ux" = "5 cm/s"}
"""


def of_moment_frames() -> dict[str, object]:
    rectangle, box = carom.Section.rectangle, carom.Section.box
    tower = carom.Frame.moment_frame(
        storeys=[3.2, 3.0], bays=[6.0], rows=[5.0], columns=[rectangle(0.45, 0.45), box(0.4, 0.4, 0.02)],
        beams=rectangle(0.3, 0.6), material=carom.Material.concrete(), slab=600.0, damping_ratio=0.05, gravity=True,
        outputs={
            "base moment": ("column 0-0-1", "my", "start"), "roof": "1-1-2",
            "drift": {"floor 2 ux": 1, "floor 1 ux": -1}, "middle": ("floor 2", (3.0, 2.5)),
        },
        name="tower",
    )  # fmt: skip
    annex = carom.Frame.moment_frame(
        storeys=[3.2], bays=[4.0], rows=[5.0], columns=carom.Section.steel("HEB 240"),
        beams=carom.Section.steel("IPE 330"), material=carom.Material(205e9, 0.3, 7850.0), slab=500.0,
        origin=(6.02, 0.0, 0.0), supports="pinned", damping=carom.Caughey([0.02, 0.02], modes=[1, 3]), lumped=True,
        name="annex",
    )  # fmt: skip
    law = carom.law("kelvin-voigt", stiffness=5e7, restitution=0.6)
    contacts = (
        carom.Contact(("tower", "1-0-1", "x"), ("annex", "0-0-1"), gap=0.01, law=law),
        carom.Contact(("tower", ("floor 1", (6.0, 5.0))), ("annex", ("floor 1", (6.02, 5.0)), "x"), gap=0.02, law=law),
        carom.Contact(("tower", ("column 1-0-2", 0.0), "x"), ("annex", "0-0-1", "x"), gap=0.02, law=law, name="column"),
    )
    start = [0.0] * len(tower.dof_names)
    start[tower.dof_names.index("floor 1 ux")] = 0.05
    return {
        "structures": (tower, annex),
        "contacts": contacts,
        "outputs": (("annex", "1-1-1", "y"),),
        "initial_velocity": {"tower": tuple(start)},
    }


FRAME = """
title = "A shed, node by node, and a mast"

[structures.shed]
kind = "frame"
supports = {sw0 = "fixed", se0 = "fixed", ne0 = "fixed", nw0 = "ux uy uz rz"}
masses = {sw1 = "1 t", se1 = [100, 100, 200], ne1 = [100, 100, 100, 1, 1, "2 kg*m^2"]}
springs = [{node = "nw0", way = "ry", stiffness = "20 MN*m/rad"}, {node = "nw0", way = "rx", stiffness = 2e7}]
links = [{node = "edge", to = "ne1"}]
loads = {ne1 = ["1 kN", 0, "-10 kN"]}
gravity = "9.81 m/s^2"
rotary = false
damping_ratio = 0.02

[structures.shed.nodes]
sw0 = [0, 0, 0]
se0 = ["6 m", 0, 0]
ne0 = [6, 5, 0]
nw0 = [0, 5, 0]
sw1 = [0, 0, 3.5]
se1 = [6, 0, 3.5]
ne1 = [6, 5, 3.5]
nw1 = [0, 5, 3.5]
edge = [6.3, 5, 3.5]

[structures.shed.sections]
column = "HEB 240"
pipe = {tube = ["0.3 m", "1 cm"]}

[structures.shed.sections.odd]
area = "50 cm^2"
inertia_y = "3000 cm^4"
inertia_z = "1000 cm^4"
torsion = "50 cm^4"
shear_y = 2e-3
shear_z = "20 cm^2"

[structures.shed.materials]
wood = {young = "11 GPa", shear = "690 MPa", density = 420}

[[structures.shed.members]]
name = "column-sw"
start = "sw0"
end = "sw1"
section = "column"

[[structures.shed.members]]
name = "column-se"
start = "se0"
end = "se1"
section = "pipe"
turn = "90 deg"

[[structures.shed.members]]
start = "ne0"
end = "ne1"
section = {rectangle = [0.3, 0.3]}
material = "wood"
shear = true

[[structures.shed.members]]
start = "nw0"
end = "nw1"
section = "odd"
material = "concrete"
shear = true

[[structures.shed.members]]
start = "sw1"
end = "se1"
section = "IPE 330"
load = [0, 0, "-12 kN/m"]
offsets = [[0.1, 0, 0], ["-0.1 m", 0, 0]]

[[structures.shed.members]]
start = "se1"
end = "ne1"
section = "IPE 330"
released = ["start ry", "end ry"]

[[structures.shed.members]]
start = "ne1"
end = "nw1"
section = {circle = "0.1 m"}

[[structures.shed.members]]
start = "nw1"
end = "sw1"
section = "IPE 330"

[[structures.shed.members]]
name = "brace"
start = "sw0"
end = "se1"
section = {circle = "0.02 m"}
kind = "cable"
pretension = "5 kN"

[[structures.shed.diaphragms]]
name = "roof"
nodes = ["sw1", "se1", "ne1", "nw1"]
mass = "15 t"
radius = "2.3 m"
at = [3.1, 2.5]

[structures.mast]
kind = "frame"
plane = "xz"
nodes = {foot = [6.5, 0, 0], head = [6.5, 0, 3.5]}
members = [{start = "foot", end = "head", section = "HEB 140"}]
supports = {foot = "fixed"}
masses = {head = "500 kg"}

[laws.pad]
name = "kelvin-voigt"
stiffness = "20 MN/m"
restitution = 0.6

[[contacts]]
left = {structure = "shed", node = "edge", direction = "x"}
right = {structure = "mast", node = "head"}
gap = "2 cm"
law = "pad"

[motion]
record = "default"
end = "4 s"
"""


def of_frame() -> dict[str, object]:
    steel, wood = carom.Material.steel(), carom.Material(11e9, shear=690e6, density=420.0)
    section = carom.Section
    odd = section(50e-4, 3000e-8, 1000e-8, 50e-8, 2e-3, 20e-4)
    beam = section.steel("IPE 330")
    corners = {"sw": (0.0, 0.0), "se": (6.0, 0.0), "ne": (6.0, 5.0), "nw": (0.0, 5.0)}
    nodes = {f"{name}{level}": (*at, 3.5 * level) for level in (0, 1) for name, at in corners.items()}
    member = carom.Member
    shed = carom.Frame(
        nodes=nodes | {"edge": (6.3, 5.0, 3.5)},
        members=[
            member("sw0", "sw1", section.steel("HEB 240"), steel, name="column-sw"),
            member("se0", "se1", section.tube(0.3, 0.01), steel, name="column-se", turn=np.pi / 2),
            member("ne0", "ne1", section.rectangle(0.3, 0.3), wood, shear=True),
            member("nw0", "nw1", odd, carom.Material.concrete(), shear=True),
            member("sw1", "se1", beam, steel, load=(0, 0, -12e3), offsets=((0.1, 0, 0), (-0.1, 0, 0))),
            member("se1", "ne1", beam, steel, released=("start ry", "end ry")),
            member("ne1", "nw1", section.circle(0.1), steel),
            member("nw1", "sw1", beam, steel),
            member("sw0", "se1", section.circle(0.02), steel, name="brace", kind="cable", pretension=5e3),
        ],
        supports={"sw0": "fixed", "se0": "fixed", "ne0": "fixed", "nw0": "ux uy uz rz"},
        masses={"sw1": 1e3, "se1": (100, 100, 200), "ne1": (100, 100, 100, 1, 1, 2)},
        springs=[carom.Spring("nw0", 2e7, "ry"), carom.Spring("nw0", 2e7, "rx")],
        links=[carom.Link("edge", "ne1")],
        diaphragms=[
            carom.Diaphragm("roof", ("sw1", "se1", "ne1", "nw1"), mass=15e3, radius=2.3, at=(3.1, 2.5))
        ],
        loads={"ne1": (1e3, 0, -10e3)}, gravity=9.81, rotary=False, damping_ratio=0.02, name="shed",
    )  # fmt: skip
    mast = carom.Frame(
        nodes={"foot": (6.5, 0, 0), "head": (6.5, 0, 3.5)},
        members=[member("foot", "head", section.steel("HEB 140"), steel)], supports={"foot": "fixed"},
        masses={"head": 500.0}, plane="xz", name="mast",
    )  # fmt: skip
    law = carom.law("kelvin-voigt", stiffness=2e7, restitution=0.6)
    return {
        "structures": (shed, mast),
        "contacts": (carom.Contact(("shed", "edge", "x"), ("mast", "head"), gap=0.02, law=law),),
    }


SLIDING = """
title = "A block thrown at a corner of walls"

[structures.block]
kind = "matrices"
dofs = ["x", "y"]
mass = [2, 2]
stiffness = [[0, 0], [0, 0]]
influence = [[1, 0, 0], [0, 1, 0]]
points = {tip = {position = [0, 0, 0], x = "x", y = "y"}}

[structures.east]
kind = "ground"

[structures.north]
kind = "ground"

[laws.steel]
name = "newton"
restitution = 0.5
friction = 0.3

[[contacts]]
left = {structure = "block", point = "tip", direction = "x"}
right = "east"
gap = "1 cm"
law = "steel"
tangent = "y"

[[contacts]]
left = {structure = "block", weights = {y = 1}}
right = "north"
gap = "2 cm"
law = "steel"
tangent = {left = {x = -1}}

[initial.block]
velocity = {x = "0.5 m/s", y = 1}

[analysis]
scheme = "moreau-jean"
duration = "0.2 s"
dt = "1 ms"
"""


def of_sliding() -> dict[str, object]:
    block = carom.Structure(
        [2.0, 2.0], np.zeros((2, 2)), dofs=["x", "y"], influence=[[1, 0, 0], [0, 1, 0]],
        points={"tip": carom.Point((0, 0, 0), x="x", y="y")}, name="block",
    )  # fmt: skip
    law = carom.law("newton", restitution=0.5, friction=0.3)
    contacts = (
        carom.Contact(("block", "tip", "x"), "east", gap=0.01, law=law, tangent="y"),
        carom.Contact(("block", {"y": 1.0}), "north", gap=0.02, law=law, tangent=({"x": -1.0}, None)),
    )
    return {
        "structures": (block, carom.Ground("east"), carom.Ground("north")),
        "contacts": contacts,
        "initial_velocity": {"block": (0.5, 1.0)},
    }


TORSION = """
title = "Two buildings that turn, shaken from three sides"

[structures.west]
kind = "torsional-building"
floors = 2
masses = "200 t"
stiffnesses_x = "300 kN/mm"
stiffnesses_y = ["250 kN/mm", 2e8]
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
radii = ["6 m", 5.5]
centres_of_mass = ["6.5 m", 9]
centres_of_stiffness = [[5, 9], [5.5, "9 m"]]
accidental_y = "5 %"
heights = "3 m"
damping = {ratios = [0.05, 0.05], modes = [1, 3]}

[structures.east]
kind = "torsional-building"
masses = ["150 t", "120 t"]
columns = [[0, 0, "50 kN/mm", 5e7], [10, 0, 5e7, 5e7], [10, "15 m", 9e7, 5e7, "1 MN*m"], [0, 15, 5e7, 5e7]]
plan = [[0, 0], [10, 0], [10, 15], [5, 16], [0, "15 m"]]
origin = ["12.03 m", 1]
heights = [3, 6]
damping_ratio = "5 %"
delay = "10 ms"

[laws.slabs]
name = "kelvin-voigt"
stiffness = "500 MN/m"
restitution = 0.6

[[contacts]]
left = "west"
right = "east"
gap = ["2 cm", "3 cm"]
law = "slabs"

[[contacts]]
left = {structure = "west", floor = 2, corner = "ne", direction = "x"}
right = {structure = "east", floor = 2, corner = 5}
gap = "2.5 cm"
law = "slabs"
label = "north"

[[contacts]]
left = {structure = "west", height = "4.5 m", corner = "e", direction = "x"}
right = {structure = "east", floor = 2, at = [0, "7 m"]}
gap = "4 cm"
law = "slabs"

[motion]
end = "4 s"
factor = 0.5

[motion.x]
record = "default"

[motion.y]
record = "default"
pga = "0.2 g"

[motion.z]
harmonic = {frequency = "2 Hz", amplitude = "0.1 g", duration = "4 s"}

[initial.west]
displacement = {"floor 2 rz" = 1e-3, "floor 1 uy" = "5 mm"}
"""


def of_torsion() -> dict[str, object]:
    west = carom.TorsionalBuilding(
        masses=[2e5, 2e5], stiffnesses_x=[3e8, 3e8], stiffnesses_y=[2.5e8, 2e8], torsional_stiffnesses=[2e10, 2e10],
        width=12.0, depth=18.0, radii=[6.0, 5.5], centres_of_mass=(6.5, 9.0),
        centres_of_stiffness=[(5.0, 9.0), (5.5, 9.0)], accidental_y=0.05, heights=3.0,
        damping=carom.Caughey([0.05, 0.05], modes=[1, 3]), name="west",
    )  # fmt: skip
    columns = [(0, 0, 5e7, 5e7), (10, 0, 5e7, 5e7), (10, 15, 9e7, 5e7, 1e6), (0, 15, 5e7, 5e7)]
    east = carom.TorsionalBuilding(
        masses=[1.5e5, 1.2e5], columns=columns, plan=[(0, 0), (10, 0), (10, 15), (5, 16), (0, 15)],
        origin=(12.03, 1.0), heights=[3.0, 6.0], damping_ratio=0.05, name="east",
    )  # fmt: skip
    law = carom.law("kelvin-voigt", stiffness=5e8, restitution=0.6)
    start = [0.0] * 6
    start[5], start[1] = 1e-3, 5e-3
    contacts = (
        carom.facing("west", "east", gap=[0.02, 0.03], law=law),
        carom.Contact(("west", (2, "ne"), "x"), ("east", (2, 5)), gap=0.025, law=law, name="north"),
        carom.Contact(("west", (4.5, "e"), "x"), ("east", (2, (0.0, 7.0))), gap=0.04, law=law),
    )
    x = carom.motions.get("default").trimmed(None, 4.0).scaled(factor=0.5).resampled(0.01 / 6)
    y = carom.motions.get("default").scaled(pga="0.2 g").trimmed(None, 4.0).scaled(factor=0.5).resampled(0.01 / 6)
    z = carom.motions.harmonic(2.0, "0.1 g", duration=4.0, dt=0.005).trimmed(None, 4.0).scaled(factor=0.5)
    ground = {"x": x, "y": y, "z": z.resampled(0.005 / 3)}
    return {
        "structures": (west, east),
        "contacts": contacts,
        "motion": {"west": ground, "east": (ground, 0.01)},
        "initial_displacement": {"west": tuple(start)},
    }


SOUND = {
    "torsion": (TORSION, of_torsion),
    "matrices": (MATRICES, of_matrices),
    "moment frames": (MOMENT_FRAMES, of_moment_frames),
    "frame": (FRAME, of_frame),
    "sliding": (SLIDING, of_sliding),
}
"""Texts, and the arguments of `carom.Problem` that they must come to."""
