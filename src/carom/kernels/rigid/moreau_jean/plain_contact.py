"""Moreau-Jean's steps without friction and without springs inside: less to compile where neither is met.

The text is the same. Functions that would never be called are replaced by ones that do nothing, so that they need not
be compiled: half the waiting on a first run.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, cast

from carom.kernels.endings import NOT_COMPLEMENTARY
from carom.kernels.joints import Springs
from carom.kernels.rigid.moreau_jean import steps as moreau_jean
from carom.kernels.rigid.moving import Scene
from carom.kernels.rigid.tables import Linearised, System
from carom.kernels.types import Codes, Matrix, Vector


def rewired(function: Callable[..., Any], name: str, **others: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function under another name, with other functions in place of some that it calls."""
    plain = cast(FunctionType, function)
    twin = FunctionType(plain.__code__, {**plain.__globals__, **others}, name, plain.__defaults__)
    twin.__qualname__, twin.__doc__, twin.__module__ = name, plain.__doc__, plain.__module__
    return twin


def no_friction(
    _hypothesis: int, _noise: float, _n: int, _tangents: int, _w: Matrix, _struck: Matrix, _work: Matrix, _kept: Codes,
    _course: Matrix,
) -> tuple[int, float]:  # fmt: skip
    """Stand where friction is solved for."""
    return NOT_COMPLEMENTARY, 0.0


def no_forces(_springs: Springs, _pull: Matrix) -> bool:
    """Stand where the forces of joints are worked out."""
    return False


def no_memory(_springs: Springs) -> None:
    """Stand where joints remember."""


def no_energy(_springs: Springs, _d: Vector) -> float:
    """Stand where joints say what they can give back."""
    return 0.0


def no_tangents(
    _h: float, _theta: float, _damping: Matrix, _sprung: Matrix, _springs: Springs, _pull: Matrix, _reach: Matrix,
    _push: Matrix, _modes: Matrix, _inverse: Matrix, _answer: Matrix, _w: Matrix,
) -> None:  # fmt: skip
    """Stand where springs' tangents enter J."""


def no_places(_now: float, _system: System, _scene: Scene) -> None:
    """Stand where rows of contacts change with position."""


def no_middle(_h: float, _theta: float, _system: System, _scene: Scene, _linear: Linearised) -> None:
    """Stand where they are written for the middle of a step."""


def no_work(_h: float, _system: System, _scene: Scene, _trail_v: Matrix) -> None:
    """Stand where joints between bodies take energy."""


def no_spin(_h: float, _theta: float, _turn: int, _system: System, _scene: Scene) -> bool:
    """Stand where bodies that turn change their own turning."""
    return False


def no_record(_i: int, _system: System, _scene: Scene) -> None:
    """Stand where scenes are written down."""


STILL: dict[str, Callable[..., Any]] = {
    "look_around": no_places, "look_ahead": no_middle, "look_back": no_work, "write_scene": no_record,
    "spin_through": no_spin,
}  # fmt: skip
"""What stands where nothing turns."""
still_march = rewired(moreau_jean.march, "still_march", **STILL)
march = rewired(
    moreau_jean.march,
    "plain_march",
    strike_rough=no_friction,
    linearise=no_tangents,
    give_back=no_energy,
    residual=rewired(moreau_jean.residual, "plain_residual", follow_all=no_forces),
    move_on=rewired(moreau_jean.move_on, "plain_move_on", follow_all=no_forces, remember=no_memory),
    **STILL,
)
