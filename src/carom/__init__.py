"""carom: structures that hit each other.

The words a user types. Heavy rooms load on first use, so that ``import carom`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom import cases as cases
    from carom import joints as joints
    from carom import laws as laws
    from carom import motions as motions
    from carom.app.notebook import explore
    from carom.contact import Bearing, Contact, Damper, facing
    from carom.errors import CaromError, CaromWarning, InputError, RunError
    from carom.integrate.ensembles.ensemble import ensemble
    from carom.integrate.impact import impact
    from carom.integrate.simulate import simulate
    from carom.joints import Bilinear, BoucWen, GapStop, HookStop, RambergOsgood, Takeda, register_joint
    from carom.laws import stiffness as stiffness
    from carom.laws.catalogue import law, register_law
    from carom.models import from_opensees, from_pynite, read_storeys
    from carom.motions import Motion, MotionSet, read_motion, response_spectrum
    from carom.problem import Problem, wave_passage
    from carom.results import Impact, Impacts, Outcome
    from carom.results.files.store import load
    from carom.scenario import read_scenario
    from carom.scenario.structures.matrices import read_matrices
    from carom.scenario.structures.matrix_file import save_matrices
    from carom.scenario.studies.reading import read_study
    from carom.structures import (
        Abutment,
        Body,
        Caughey,
        Deck,
        FixedBody,
        Girder,
        Ground,
        Oscillator,
        Pier,
        Rayleigh,
        RigidBody,
        ShearBuilding,
        Structure,
        TorsionalBuilding,
        Wall,
    )
    from carom.structures.frame import Diaphragm, Frame, Link, Material, Member, Section, Spring
    from carom.studies.drive import run_study
    from carom.studies.fits.gap import estimate_gap
    from carom.studies.fits.restitution import estimate_restitution
    from carom.studies.reproduce import reproduce
    from carom.studies.single.compare import compare

__version__ = "0.1.0"

__all__ = [
    "Abutment",
    "Bearing",
    "Bilinear",
    "Body",
    "BoucWen",
    "CaromError",
    "CaromWarning",
    "Caughey",
    "Contact",
    "Damper",
    "Deck",
    "Diaphragm",
    "FixedBody",
    "Frame",
    "Friction",
    "GapStop",
    "Girder",
    "Ground",
    "HookStop",
    "Impact",
    "Impacts",
    "InputError",
    "Link",
    "Material",
    "Member",
    "Motion",
    "MotionSet",
    "Oscillator",
    "Outcome",
    "Pier",
    "Point",
    "Problem",
    "RambergOsgood",
    "Rayleigh",
    "RigidBody",
    "RunError",
    "Seat",
    "Section",
    "ShearBuilding",
    "Spring",
    "Structure",
    "Takeda",
    "TorsionalBuilding",
    "Wall",
    "__version__",
    "cases",
    "compare",
    "ensemble",
    "estimate_gap",
    "estimate_restitution",
    "explore",
    "facing",
    "from_opensees",
    "from_pynite",
    "impact",
    "joints",
    "law",
    "laws",
    "load",
    "motions",
    "read_matrices",
    "read_motion",
    "read_scenario",
    "read_storeys",
    "read_study",
    "register_joint",
    "register_law",
    "reproduce",
    "response_spectrum",
    "run_study",
    "save_matrices",
    "simulate",
    "stiffness",
    "wave_passage",
]

# where each public word lives; a name without a colon is a module
_HOMES = {
    "Abutment": "carom.structures:Abutment",
    "Deck": "carom.structures:Deck",
    "Bearing": "carom.contact:Bearing",
    "Seat": "carom.contact:Seat",
    "Bilinear": "carom.joints:Bilinear",
    "Body": "carom.structures:Body",
    "BoucWen": "carom.joints:BoucWen",
    "CaromError": "carom.errors:CaromError",
    "CaromWarning": "carom.errors:CaromWarning",
    "Caughey": "carom.structures:Caughey",
    "Contact": "carom.contact:Contact",
    "Damper": "carom.contact:Damper",
    "FixedBody": "carom.structures:FixedBody",
    "Frame": "carom.structures.frame:Frame",
    "Friction": "carom.contact:Friction",
    "Member": "carom.structures.frame:Member",
    "Section": "carom.structures.frame:Section",
    "Material": "carom.structures.frame:Material",
    "Diaphragm": "carom.structures.frame:Diaphragm",
    "Spring": "carom.structures.frame:Spring",
    "Link": "carom.structures.frame:Link",
    "GapStop": "carom.joints:GapStop",
    "Girder": "carom.structures:Girder",
    "Ground": "carom.structures:Ground",
    "HookStop": "carom.joints:HookStop",
    "Impact": "carom.results:Impact",
    "Impacts": "carom.results:Impacts",
    "InputError": "carom.errors:InputError",
    "Motion": "carom.motions:Motion",
    "MotionSet": "carom.motions:MotionSet",
    "Oscillator": "carom.structures:Oscillator",
    "Outcome": "carom.results:Outcome",
    "Pier": "carom.structures:Pier",
    "Point": "carom.structures:Point",
    "Problem": "carom.problem:Problem",
    "RambergOsgood": "carom.joints:RambergOsgood",
    "Rayleigh": "carom.structures:Rayleigh",
    "RigidBody": "carom.structures:RigidBody",
    "RunError": "carom.errors:RunError",
    "ShearBuilding": "carom.structures:ShearBuilding",
    "Structure": "carom.structures:Structure",
    "Takeda": "carom.joints:Takeda",
    "TorsionalBuilding": "carom.structures:TorsionalBuilding",
    "Wall": "carom.structures:Wall",
    "cases": "carom.cases",
    "compare": "carom.studies.single.compare:compare",
    "ensemble": "carom.integrate.ensembles.ensemble:ensemble",
    "estimate_gap": "carom.studies.fits.gap:estimate_gap",
    "explore": "carom.app.notebook:explore",
    "estimate_restitution": "carom.studies.fits.restitution:estimate_restitution",
    "facing": "carom.contact:facing",
    "from_opensees": "carom.models:from_opensees",
    "from_pynite": "carom.models:from_pynite",
    "impact": "carom.integrate.impact:impact",
    "joints": "carom.joints",
    "law": "carom.laws.catalogue:law",
    "laws": "carom.laws",
    "load": "carom.results.files.store:load",
    "motions": "carom.motions",
    "read_matrices": "carom.scenario.structures.matrices:read_matrices",
    "read_motion": "carom.motions:read_motion",
    "read_scenario": "carom.scenario:read_scenario",
    "read_storeys": "carom.models:read_storeys",
    "read_study": "carom.scenario.studies.reading:read_study",
    "register_joint": "carom.joints:register_joint",
    "register_law": "carom.laws.catalogue:register_law",
    "reproduce": "carom.studies.reproduce:reproduce",
    "response_spectrum": "carom.motions:response_spectrum",
    "run_study": "carom.studies.drive:run_study",
    "save_matrices": "carom.scenario.structures.matrix_file:save_matrices",
    "simulate": "carom.integrate.simulate:simulate",
    "stiffness": "carom.laws.stiffness",
    "wave_passage": "carom.problem:wave_passage",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'carom' has no attribute {name!r}")
    home, _, attribute = _HOMES[name].partition(":")
    module = importlib.import_module(home)
    value = getattr(module, attribute) if attribute else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(__all__) | set(globals()))
