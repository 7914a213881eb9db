"""Bodies in space with named points and plane faces: rigid bodies, girders, and what stands fixed on the ground."""

from carom.structures.solids.fixed_body import FixedBody
from carom.structures.solids.girder import Girder
from carom.structures.solids.rigid_body import RigidBody

__all__ = ["FixedBody", "Girder", "RigidBody"]
