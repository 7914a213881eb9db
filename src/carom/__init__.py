"""carom: structures that hit each other.

The words a user types. Heavy rooms load on first use, so that ``import carom`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom import cases as cases
    from carom import laws as laws
    from carom.errors import CaromError, CaromWarning, InputError, RunError
    from carom.integrate.impact import impact
    from carom.laws import stiffness as stiffness
    from carom.laws.catalogue import law, register_law
    from carom.results import Impact, Impacts, Outcome
    from carom.studies.reproduce import reproduce

__version__ = "0.1.0"

__all__ = [
    "CaromError",
    "CaromWarning",
    "Impact",
    "Impacts",
    "InputError",
    "Outcome",
    "RunError",
    "__version__",
    "cases",
    "impact",
    "law",
    "laws",
    "register_law",
    "reproduce",
    "stiffness",
]

# where each public word lives; a name without a colon is a module
_HOMES = {
    "CaromError": "carom.errors:CaromError",
    "CaromWarning": "carom.errors:CaromWarning",
    "Impact": "carom.results:Impact",
    "Impacts": "carom.results:Impacts",
    "InputError": "carom.errors:InputError",
    "Outcome": "carom.results:Outcome",
    "RunError": "carom.errors:RunError",
    "cases": "carom.cases",
    "impact": "carom.integrate.impact:impact",
    "law": "carom.laws.catalogue:law",
    "laws": "carom.laws",
    "register_law": "carom.laws.catalogue:register_law",
    "reproduce": "carom.studies.reproduce:reproduce",
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
