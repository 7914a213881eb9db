"""What force follows from an overlap: the catalogue of contact laws.

``law("flores-2011", stiffness=…, restitution=…)`` builds one; `laws` is the registry of all; `register_law`
adds a user's own.
"""

from __future__ import annotations

from carom.laws.base import Coefficients, CompliantLaw, DampedLaw, FunctionLaw, Number, option, parameter
from carom.laws.catalogue import impulsive_laws, law, laws, register_impulsive_law, register_law
from carom.laws.families import ConstantDamping, MassScaledDamping, RateScaledDamping
from carom.laws.impulse import ImpulsiveLaw

__all__ = [
    "Coefficients",
    "CompliantLaw",
    "ConstantDamping",
    "DampedLaw",
    "FunctionLaw",
    "ImpulsiveLaw",
    "MassScaledDamping",
    "Number",
    "RateScaledDamping",
    "impulsive_laws",
    "law",
    "laws",
    "option",
    "parameter",
    "register_impulsive_law",
    "register_law",
]
