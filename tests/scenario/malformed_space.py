"""What newcomers get wrong in space: what was changed in a sound scenario, and the fields and words they must read."""

from __future__ import annotations

Changes = tuple[tuple[str, str], ...]
Words = tuple[tuple[str, str], ...]

NORTH_EAST = 'left = {structure = "slab", point = "north-east", direction = "x"}'
NODE = 'left = {structure = "tower", node = "1-0-1", direction = "x"}'
SLAB = 'left = {structure = "tower", slab = "floor 1", at = [6, "5 m"]}'
MEMBER = 'left = {structure = "tower", member = "column 1-0-2", share = 0.0, direction = "x"}'
DAMPER = """[[dampers]]
left = {structure = "tower", node = "1-0-1", direction = "x"}
right = {structure = "annex", node = "0-0-1"}
constant = "2 MN*s/m"

"""
TIED = DAMPER.replace('{structure = "annex", node = "0-0-1"}', '{structure = "tower", node = "1-0-1"}')
STIFFNESS = 'stiffness = [["8 kN/mm", 0, 0], [0, 6e6, 0], [0, 0, 4e7]]'
UNEQUAL = "stiffness = [[1, 2], [2, 1]]"

# which sound scenario, what is replaced by what, and the words of each fault, in any order
MALFORMED: dict[str, tuple[str, Changes, Words]] = {
    "direction of zero length": (
        "matrices", ((NORTH_EAST, NORTH_EAST.replace('"x"', "[0, 0, 0]")),),
        (("contacts[1].left.direction", "must not have the length zero. Got [0.0, 0.0, 0.0]"),),
    ),
    "direction that is none": (
        "matrices", ((NORTH_EAST, NORTH_EAST.replace('"x"', '"north"')),),
        (("contacts[1].left.direction", """or a vector. Got "north". Write "x", "-y" or [0.8, 0.6, 0]."""),),
    ),
    "direction of one number": (
        "matrices", ((NORTH_EAST, NORTH_EAST.replace('"x"', "[1]")),),
        (("contacts[1].left.direction", "must be 'x', 'y' or 'z'"),),
    ),
    "direction with weights": (
        "matrices", (("weights = {ux = 0.6, uy = 0.8}", 'weights = {ux = 0.6, uy = 0.8}, direction = "x"'),),
        (("contacts[3].left.direction", "must be left out where a place is a degree of freedom, or weights"),),
    ),
    "place that does not exist": (
        "matrices", ((NORTH_EAST, NORTH_EAST.replace("north-east", "north-west")),),
        (("contacts[1].left.point", """must be a place of Structure 'slab'. Got "north-west". Known: """),),
    ),
    "degree of freedom that does not exist": (
        "matrices", (('dof = "rz"', 'dof = "rx"'),),
        (("contacts[3].right.dof", """must be a place of Structure 'slab'. Got "rx". """),),
    ),
    "two ways of saying where": (
        "matrices", (('dof = "rz"', 'dof = "rz", floor = 1'),),
        (("contacts[3].right", "takes one of `floor`, `height`, `dof`"),),
    ),
    "corner without its floor": (
        "matrices", (('dof = "rz"', 'corner = "ne"'),), (("contacts[3].right.corner", "must stand beside `floor`"),),
    ),
    "an output that is no place": (
        "matrices", (('point = "south-east"\ndirection', 'point = "south"\ndirection'),),
        (("outputs[1].point", "must be a place of Structure 'slab'"),),
    ),
    "a drift of a storey that is not there": (
        "moment frames", (('node = "1-1-1"\ndirection = "y"', 'drift = 7\ndirection = "y"'),),
        (("outputs[1].drift", "must lie in 1…"),),
    ),
    "a force of no member": (
        "moment frames", (('node = "1-1-1"\ndirection = "y"', 'force = "my"'),),
        (("outputs[1].force", "must stand beside `member`"),),
    ),
    "a force within a member": (
        "moment frames", (('node = "1-1-1"\ndirection = "y"', 'member = "column 0-0-1"\nshare = 0.5\nforce = "my"'),),
        (("outputs[1].share", "must be left out where `force` is given"),),
    ),
    "a contact at a drift": (
        "matrices", ((NORTH_EAST, 'left = {structure = "slab", drift = 1}'),),
        (("contacts[1].left.drift", "is not known here"),),
    ),
    "a damper at a place that is not there": (
        "moment frames", (('[motion]', DAMPER.replace("1-0-1", "9-9-9") + '[motion]'),),
        (("dampers[1].left.node", "must be a place of Frame 'tower'"),),
    ),
    "a damper of a stranger": (
        "moment frames", (('[motion]', DAMPER.replace('"annex"', '"shed"') + '[motion]'),),
        (("dampers[1].right", "must be the name of a structure"),),
    ),
    "a damper that drives": (
        "moment frames", (('[motion]', DAMPER.replace("2 MN*s/m", "-2 MN*s/m") + '[motion]'),),
        (("dampers[1].constant", "must not be negative"),),
    ),
    "a damper from a place to itself": (
        "moment frames",
        (('[motion]', TIED + '[motion]'),),
        (("dampers[1]", "joins 'tower' with itself"),),
    ),
    "an output of nobody": (
        "matrices", (('[[outputs]]\nstructure = "slab"', '[[outputs]]\nstructure = "slap"'),),
        (("outputs[1].structure", "must be the name of a structure"),),
    ),
    "matrices of unequal size": (
        "matrices", ((STIFFNESS, UNEQUAL),), (("structures.slab.stiffness", "must be a 3 × 3 matrix. Got [2, 2]"),),
    ),
    "rows of unequal length": (
        "matrices", ((STIFFNESS, "stiffness = [[1, 2, 3], [2, 1], [3, 1, 1]]"),),
        (("structures.slab.stiffness", "must have rows of one length. Got [3, 2, 3]"),),
    ),
    "a stiffness that is not symmetric": (
        "matrices", ((STIFFNESS, "stiffness = [[8e6, 1, 0], [0, 6e6, 0], [0, 0, 4e7]]"),),
        (("structures.slab.stiffness", "must be symmetric"),),
    ),
    "a stiffness that pushes": (
        "matrices", ((STIFFNESS, "stiffness = [[-8e6, 0, 0], [0, 6e6, 0], [0, 0, 4e7]]"),),
        (("structures.slab.stiffness", "must not be negative in any direction"),),
    ),
    "no mass": (
        "matrices", (('mass = ["20 t", 2e4, 9e4]\n', ""),), (("structures.slab.mass", "must be given"),),
    ),
    "no mass in one direction": (
        "matrices", (('["20 t", 2e4, 9e4]', "[2e4, 0, 9e4]"),),
        (("structures.slab.dashpots", "must not act on degrees of freedom without mass"),),
    ),
    "a mass below zero": (
        "matrices", (('["20 t", 2e4, 9e4]', "[2e4, -2e4, 9e4]"),),
        (("structures.slab.mass", "must be positive definite"),),
    ),
    "a mass in metres": (
        "matrices", (('["20 t", 2e4, 9e4]', '["20 m", 2e4, 9e4]'),),
        (("structures.slab.mass[1]", "must be convertible to kg"),),
    ),
    "an influence of another size": (
        "matrices", (("influence = [[1, 0, 0], [0, 1, 0], [0, 0, 0]]", "influence = [[1, 0], [0, 1], [0, 0]]"),),
        (("structures.slab.influence", "must be one number for each of 3 degrees of freedom, or three"),),
    ),
    "too few names": (
        "matrices", (('dofs = ["ux", "uy", "rz"]', 'dofs = ["ux", "uy"]'),),
        (("structures.slab.points.north-east.x", """of freedom of Structure 'slab'. Got "rz"."""),),
    ),
    "a point by a stranger": (
        "matrices", (("y = {uy = 1, rz = 3}", "y = {vy = 1, rz = 3}"),),
        (("structures.slab.points.north-east.y", """of Structure 'slab'. Got "vy". Known: ux, uy, """),),
    ),
    "a point that does not move": (
        "matrices", (("x = {ux = 1, rz = -2}\ny = {uy = 1, rz = 3}\n", ""),),
        (("structures.slab.points.north-east", "must say for one direction at least how the point moves"),),
    ),
    "a position in a plane": (
        "matrices", (('position = ["3 m", 2, 4]', "position = [3, 2]"),),
        (("structures.slab.points.north-east.position", "must be three coordinates x, y, z"),),
    ),
    "a dashpot that pushes": (
        "matrices", (("constant = 100", "constant = -100"),),
        (("structures.slab.dashpots[2].constant", "must not be negative"),),
    ),
    "a dashpot to nowhere": (
        "matrices", (('to = "uy"', 'to = "uz"'),),
        (("structures.slab.dashpots[2].to", "must be one of the degrees of freedom of Structure 'slab'"),),
    ),
    "a start of a stranger": (
        "matrices", (("{uy = \"2 mm\", rz = 1e-4}", '{uz = "2 mm"}'),),
        (("initial.slab.displacement.uz", "must be given by degrees of freedom of Structure 'slab'"),),
    ),
    "a start too short": (
        "matrices", (('[0, "1 cm/s", 0]', '["1 cm/s"]'),),
        (("initial.slab.velocity", "must be a list of 3 values, one for each degree of freedom"),),
    ),
    "a file that is not there": (
        "matrices", (("kind = \"matrices\"", 'kind = "matrices"\nfile = "model.npz"'),),
        (("structures.slab.file", "must be a file in "),),
    ),
    "a file that is none of ours": (
        "matrices", (("kind = \"matrices\"", 'kind = "matrices"\nfile = "model.mat"'),),
        (("structures.slab.file", 'must be a file .npz. Got "model.mat". Write one with numpy.savez('),),
    ),
    "tangent of facing floors": (
        "matrices", ((NORTH_EAST, 'left = "slab"\ntangent = "y"'),),
        (("contacts[1].tangent", "is for a single place"),),
    ),
    "tangent and a law with a stiffness": (
        "matrices", ((NORTH_EAST, f'{NORTH_EAST}\ntangent = "y"'),),
        (("contacts[1].tangent", "must be left out for a law with a stiffness"),),
    ),
    "friction without a tangent": (
        "sliding", (('tangent = "y"\n', ""),),
        (("contacts[1].friction", "must be 0 for a contact without a tangent"),),
    ),
    "a tangent along nothing": (
        "sliding", (('tangent = "y"', "tangent = [0, 0, 0]"),), (("contacts[1]", "must not have the length zero"),),
    ),
    "a node that does not exist": (
        "moment frames", ((NODE, NODE.replace("1-0-1", "2-0-1")),),
        (("contacts[1].left.node", """must be a place of Frame 'tower'. Got "2-0-1"."""),),
    ),
    "a slab without a point": (
        "moment frames", ((SLAB, SLAB.replace(', at = [6, "5 m"]', "")),),
        (("contacts[2].left.at", "must be given with `slab`. Write at = [6.0, 2.5]"),),
    ),
    "a slab that does not exist": (
        "moment frames", ((SLAB, SLAB.replace("floor 1", "floor 9")),),
        (("contacts[2].left.slab", "must be a "),),
    ),
    "a member without a share": (
        "moment frames", ((MEMBER, MEMBER.replace(", share = 0.0", "")),),
        (("contacts[3].left.share", "must be given with `member`"),),
    ),
    "a share beyond the end": (
        "moment frames", ((MEMBER, MEMBER.replace("0.0", "1.4")),),
        (("contacts[3].left.share", "must lie in [0, 1]. Got 1.4"),),
    ),
    "no storeys": (
        "moment frames", (('storeys = ["3.2 m", "3 m"]\n', ""),),
        (("structures.tower.storeys", """must be given. Write storeys = ["3.2 m", "3.2 m"]"""),),
    ),
    "columns for another height": (
        "moment frames", (('storeys = ["3.2 m", "3 m"]', "storeys = [3]"),),
        (("structures.tower.columns", "or one for each of 1 storeys"),),
    ),
    "a shape that nobody rolls": (
        "moment frames", (('"HEB 240"', '"HEB 241"'),), (("structures.annex.columns", "must be a rolled shape"),),
    ),
    "a section of two shapes": (
        "moment frames", (('{rectangle = ["0.3 m", "0.6 m"]}', '{circle = 1, steel = "IPE 330"}'),),
        (("structures.tower.beams", "takes one of `steel`, `rectangle`"),),
    ),
    "a rectangle of one length": (
        "moment frames", (('{rectangle = ["0.3 m", "0.6 m"]}', '{rectangle = ["0.3 m"]}'),),
        (("structures.tower.beams.rectangle", "must be 2 lengths: breadth, depth. Got [0.3]"),),
    ),
    "a material that nobody knows": (
        "moment frames", (('material = "concrete"', 'material = "timber"'),),
        (("structures.tower.material", "Unknown material 'timber'"),),
    ),
    "neither ν nor G": (
        "moment frames", (("poisson = 0.3, ", ""),), (("structures.annex.material", "must be given, one of the two"),),
    ),
    "an output of no member": (
        "moment frames", (('member = "column 0-0-1"', 'member = "column 9"'),),
        (("structures.tower", "Unknown member of Frame 'tower': 'column 9'"),),
    ),
    "an output of a member without a force": (
        "moment frames", ((', force = "my"', ""),),
        (("structures.tower.outputs.base moment.force", "must be given with `member`"),),
    ),
    "a corner outside its slab": (
        "torsion", (('corner = "ne"', 'corner = "center"'),),
        (("contacts[2].left.corner", """must be a place of TorsionalBuilding 'west'. Got "center"."""),),
    ),
    "a corner that a polygon does not have": (
        "torsion", (("corner = 5", "corner = 6"),), (("contacts[2].right.corner", "must lie in 1…5. Got 6"),),
    ),
    "a point beside its slab": (
        "torsion", (('at = [0, "7 m"]', "at = [-1, 7]"),),
        (("contacts[3].right.at", "must lie on the slab, x 0 to 10 m"),),
    ),
    "a floor above the roof": (
        "torsion", (("floor = 2, corner = 5", "floor = 3, corner = 5"),),
        (("contacts[2].right.floor", "must lie in 1…2. Got 3"),),
    ),
    "a height above the roof": (
        "torsion", (('height = "4.5 m"', 'height = "45 m"'),),
        (("contacts[3].left.height", "must lie in (0, 6] m"),),
    ),
    "gaps for three corners": (
        "torsion", (('gap = ["2 cm", "3 cm"]', "gap = [1, 2, 3]"),),
        (("contacts[1].gap", "must be one number, one for each of the 2 points where two slabs meet,"),),
    ),
    "a slab without a width": (
        "torsion", (('width = "12 m"\n', ""),), (("structures.west", "needs `width` and `depth` of its slabs"),),
    ),
    "a centre of mass beside its slab": (
        "torsion", (('centres_of_mass = ["6.5 m", 9]', 'centres_of_mass = ["65 m", 9]'),),
        (("structures.west", "must leave the centre of mass above the slab of floor 1"),),
    ),
    "a column without stiffness": (
        "torsion", (('[0, 15, 5e7, 5e7]]', "[0, 15]]"),),
        (("structures.east.columns", "must be a list of columns and walls, each x, y, kx, ky and perhaps kz"),),
    ),
    "buildings in each other": (
        "torsion", (('origin = ["12.03 m", 1]', "origin = [0, 0]"),),
        (("contacts[1]", "must place the two beside each other"),),
    ),
    "a component without a record": (
        "torsion", (('[motion.y]\nrecord = "default"', "[motion.y]"),),
        (("motion.y.record", "must be given, or `harmonic`, `sweep`, `generated` or `pulse` in its place"),),
    ),
    "a record beside components": (
        "torsion", (("[motion]", '[motion]\nrecord = "default"'),),
        (("motion.record", 'belong to a component where there are some. Got "default". Write it under [motion.x]'),),
    ),
    "a component along nothing": (
        "torsion", (("[motion.z]", "[motion.w]"),), (("motion.w", "is not known here"),),
    ),
    "a component that is not there": (
        "torsion", (('[motion.y]\nrecord = "default"', '[motion.y]\nrecord = "north.AT2"'),),
        (("motion.y.record", "must be a file in "),),
    ),
    "no components at all": (
        "torsion", (('[motion.x]\nrecord = "default"', ""), ('[motion.y]\nrecord = "default"\npga = "0.2 g"', ""),
                    ('[motion.z]\nharmonic = {frequency = "2 Hz", amplitude = "0.1 g", duration = "4 s"}', "")),
        (("motion.record", "must be given, or `harmonic`, `sweep`, `generated` or `pulse` in its place"),),
    ),
    "a member from nowhere": (
        "frame", (('start = "sw0"\nend = "sw1"', 'start = "sw"\nend = "sw1"'),),
        (("structures.shed.members[1].start", """must be a node of Frame 'shed'. Got "sw". Did you mean"""),),
    ),
    "a member without a length": (
        "frame", (('start = "sw0"\nend = "sw1"', 'start = "sw0"\nend = "sw0"'),),
        (("structures.shed.members[1].end", "must be another node than the start"),),
    ),
    "a slack cable": (
        "frame", (('pretension = "5 kN"\n', ""),),
        (("structures.shed.members[9].pretension", "must be > 0 for a cable"),),
    ),
    "two nodes at one place": (
        "frame", (('se0 = ["6 m", 0, 0]', "se0 = [0, 0, 0]"),),
        (("structures.shed", "two nodes at one place, 'sw0' and 'se0'"),),
    ),
    "a node in a plane": (
        "frame", (("ne0 = [6, 5, 0]", "ne0 = [6, 5]"),),
        (("structures.shed.nodes.ne0", "must be three coordinates x, y, z"),),
    ),
    "nothing holds it": (
        "frame", (('supports = {foot = "fixed"}', 'supports = {foot = "ux"}'),), (("structures.mast", "mechanism"),),
    ),
    "a support that holds nothing known": (
        "frame", (('supports = {foot = "fixed"}', 'supports = {foot = "clamped"}'),),
        (("structures.mast", "Unknown support of node 'foot'"),),
    ),
    "a section that is not there": (
        "frame", (('section = "column"', 'section = "colum"'),),
        (("structures.shed.members[1].section", "must be a rolled shape or under `sections`: column, pipe, odd"),),
    ),
    "half a section": (
        "frame", (('torsion = "50 cm^4"\n', ""),),
        (("structures.shed.sections.odd.torsion", "must be given"),),
    ),
    "a slab without inertia": (
        "frame", (('radius = "2.3 m"\n', ""),), (("structures.shed", "must be given with a mass"),),
    ),
    "a spring of another kind": (
        "frame", (('"20 MN*m/rad"', '"20 MN/m"'),),
        (("structures.shed.springs[1].stiffness", "must be convertible to N*m/rad"),),
    ),
    "an unknown kind of member": (
        "frame", (('kind = "cable"', 'kind = "rope"'),),
        (("structures.shed.members[9].kind", "must be 'beam', 'truss' or 'cable'. Got \"rope\""),),
    ),
}  # fmt: skip
