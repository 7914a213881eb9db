"""What moves: oscillators, shear buildings, decks, bodies, and any M, C, K; what does not; how they are damped."""

from carom.structures.base import LinearStructure, Modes
from carom.structures.body import Body
from carom.structures.bridges.abutment import Abutment
from carom.structures.bridges.deck import Deck
from carom.structures.bridges.pier import Pier
from carom.structures.damping import Caughey, Damping, Rayleigh
from carom.structures.drawing.drawn_modes import MOST_DRAWN
from carom.structures.general import Structure
from carom.structures.oscillator import Oscillator
from carom.structures.points import Location, Point, Reading
from carom.structures.reduced import ReducedStructure
from carom.structures.rigid import Ground, Wall
from carom.structures.shear_building import ShearBuilding
from carom.structures.solids import FixedBody, Girder, RigidBody
from carom.structures.torsional import TorsionalBuilding

__all__ = [
    "MOST_DRAWN",
    "Abutment",
    "Body",
    "Caughey",
    "Damping",
    "Deck",
    "FixedBody",
    "Girder",
    "Ground",
    "LinearStructure",
    "Location",
    "Modes",
    "Oscillator",
    "Pier",
    "Point",
    "Rayleigh",
    "Reading",
    "ReducedStructure",
    "RigidBody",
    "ShearBuilding",
    "Structure",
    "TorsionalBuilding",
    "Wall",
]
