"""Buildings whose slabs move along x and y and turn: `TorsionalBuilding`, and the plans of its slabs."""

from carom.structures.torsional.building import TorsionalBuilding
from carom.structures.torsional.plan import Plan

__all__ = ["Plan", "TorsionalBuilding"]
