"""Frames: nodes, beam-columns, trusses, cables, springs and rigid slabs, in space or in a plane."""

from carom.structures.frame.frame import Frame
from carom.structures.frame.material import Material
from carom.structures.frame.members import Diaphragm, Link, Member, Spring
from carom.structures.frame.section import Section
from carom.structures.frame.statics import Static

__all__ = ["Diaphragm", "Frame", "Link", "Material", "Member", "Section", "Spring", "Static"]
