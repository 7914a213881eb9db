"""carom: structures that hit each other.

The words a user types. Heavy rooms load on first use, so that ``import carom`` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom import motions
    from carom.errors import CaromError, CaromWarning, InputError, RunError
    from carom.motions import Motion, MotionSet, read_motion, response_spectrum

__version__ = "0.1.0"

_HOMES = {
    "CaromError": "carom.errors",
    "CaromWarning": "carom.errors",
    "InputError": "carom.errors",
    "Motion": "carom.motions",
    "MotionSet": "carom.motions",
    "RunError": "carom.errors",
    "motions": "carom.motions",
    "read_motion": "carom.motions",
    "response_spectrum": "carom.motions",
}

__all__ = [
    "CaromError",
    "CaromWarning",
    "InputError",
    "Motion",
    "MotionSet",
    "RunError",
    "__version__",
    "motions",
    "read_motion",
    "response_spectrum",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'carom' has no attribute {name!r}")
    module = importlib.import_module(home)
    value = module if home == f"carom.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(__all__) | set(globals()))
