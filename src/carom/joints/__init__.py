"""What ties rows of a structure together with force and memory: springs that yield, stops, bearings, dashpots."""

from carom.joints.backfill import Backfill, BilinearBackfill
from carom.joints.base import InternalSpring, Joint, joints, register_joint
from carom.joints.bilinear import Bilinear
from carom.joints.bouc_wen import BoucWen
from carom.joints.drive import Driven
from carom.joints.elastomeric import Elastomeric
from carom.joints.fixed import FixedBearing
from carom.joints.ramberg_osgood import RambergOsgood
from carom.joints.restrainers import BearingStops
from carom.joints.shear_key import ShearKey
from carom.joints.sliding import SlidingBearing
from carom.joints.stops import GapStop, HookStop
from carom.joints.takeda import Takeda

__all__ = [
    "Backfill",
    "BearingStops",
    "Bilinear",
    "BilinearBackfill",
    "BoucWen",
    "Driven",
    "Elastomeric",
    "FixedBearing",
    "GapStop",
    "HookStop",
    "InternalSpring",
    "Joint",
    "RambergOsgood",
    "ShearKey",
    "SlidingBearing",
    "Takeda",
    "joints",
    "register_joint",
]
