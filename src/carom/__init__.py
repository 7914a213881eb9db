"""carom: structures that hit each other.

The words a user types. Heavy rooms load on first use, so that ``import carom`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom import cases as cases
    from carom import laws as laws
    from carom import motions as motions
    from carom.errors import CaromError, CaromWarning, InputError, RunError
    from carom.integrate.impact import impact
    from carom.laws import stiffness as stiffness
    from carom.laws.catalogue import law, register_law
    from carom.motions import Motion, MotionSet, read_motion, response_spectrum
    from carom.results import Impact, Impacts, Outcome
    from carom.studies.reproduce import reproduce

__version__ = "0.1.0"

__all__ = [
    "CaromError",
    "CaromWarning",
    "Impact",
    "Impacts",
    "InputError",
    "Motion",
    "MotionSet",
    "Outcome",
    "RunError",
    "__version__",
    "cases",
    "impact",
    "law",
    "laws",
    "motions",
    "read_motion",
    "register_law",
    "reproduce",
    "response_spectrum",
    "stiffness",
]

# where each public word lives; a name without a colon is a module
_HOMES = {
    "CaromError": "carom.errors:CaromError",
    "CaromWarning": "carom.errors:CaromWarning",
    "Impact": "carom.results:Impact",
    "Impacts": "carom.results:Impacts",
    "InputError": "carom.errors:InputError",
    "Motion": "carom.motions:Motion",
    "MotionSet": "carom.motions:MotionSet",
    "Outcome": "carom.results:Outcome",
    "RunError": "carom.errors:RunError",
    "cases": "carom.cases",
    "impact": "carom.integrate.impact:impact",
    "law": "carom.laws.catalogue:law",
    "laws": "carom.laws",
    "motions": "carom.motions",
    "read_motion": "carom.motions:read_motion",
    "register_law": "carom.laws.catalogue:register_law",
    "reproduce": "carom.studies.reproduce:reproduce",
    "response_spectrum": "carom.motions:response_spectrum",
    "stiffness": "carom.laws.stiffness",
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
