"""Where kernels of scenes in space keep what: columns of tables, where they differ from those in the plane."""

from carom.kernels.scene import rows as scene

# a body and an anchor, in the world: place, velocity, spin, force and moment on it
X = 0
VX = 3
SPIN = 6
FX = 9
MX = 12
# a body: its rotation matrix from its own axes to the world, row by row
ROTATION = 15
BODY_SIZE = 24
# an anchor: its arm from the centre of its body, and small rotations of the point of a structure
ARM = 15
TURNED = 18
ANCHOR_SIZE = 21

# a body, given: scales of x, y, z and of the three spins by their modes, place and orientation at q = 0
SCALES = 0
POSE = 6
QUATERNION = 9  # w, x, y, z
BODY_GIVEN = 13
ORIENTATION = 4  # numbers of a quaternion
BODY_MODES = 6

# the anchors of a contact
NODE = 0
CORNERS = 1

ANCHOR_ROWS = 6  # rows over the modes of an anchor: x, y, z, rotations about x, y, z

# how a node sees a face (`space.faces`), from column VIEW on of a contact's row
NORMAL = 0
TANGENT = 3  # along the edge a → b
TANGENT_2 = 6  # n × t
LEAN = 9  # how n leans where c rises over a [1/m]
LEAN_2 = 12  # where b rises over d
WEIGHT = 15  # of the four corners at the foot of the node
GAP = 19  # of the node before the plane of the face [m]
MARGIN = 20  # from the foot to the nearest end of the face, positive inside [m]
ROUND = 21  # length of the outline [m]
FOOT = 22  # x, y, z of the foot of the node on the face
VIEW_SIZE = 25

W_VIEW = 6  # what is written of it: foot [m], and force on the node [N]

VIEW = scene.CONTACT_SIZE
RADIUS = VIEW + VIEW_SIZE  # of the sphere around the node [m]
OVERHANG = RADIUS + 1  # how far the face counts past its ends [m]
CONTACT_SIZE = OVERHANG + 1
