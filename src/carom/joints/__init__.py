"""What ties rows of a structure together with force and memory: springs that yield, stops, bearings, dashpots."""

from carom.joints.base import InternalSpring, Joint, joints, register_joint
from carom.joints.bilinear import Bilinear
from carom.joints.bouc_wen import BoucWen
from carom.joints.drive import Driven
from carom.joints.ramberg_osgood import RambergOsgood
from carom.joints.stops import GapStop, HookStop
from carom.joints.takeda import Takeda

__all__ = [
    "Bilinear",
    "BoucWen",
    "Driven",
    "GapStop",
    "HookStop",
    "InternalSpring",
    "Joint",
    "RambergOsgood",
    "Takeda",
    "joints",
    "register_joint",
]
