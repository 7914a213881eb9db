"""Where kernels of scenes keep what: columns of tables."""

# friction of a contact, as `carom.Friction.packed` gives it
STATIC = 0  # μ_s [-]
KINETIC = 1  # μ_k [-]
TANGENT_STIFFNESS = 2  # k_t [N/m]; 0: no friction
TANGENT_DAMPING = 3  # c_t [N·s/m]
PRINTED = 4  # 1: zhu2002's rule as printed
PRINTED_STEP = 5  # how often that looks at the state [s]
FRICTION_SIZE = 6

# what a contact is, as histories of scenes write it
OPEN = 0
STICKS = 1
SLIDES = 2
SMOOTH = 3  # closed, without friction
PAST = 4  # overlap without a force: the node came in past an end of the face, or the force has ended before the overlap
