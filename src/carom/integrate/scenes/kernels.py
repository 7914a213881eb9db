"""Which compiled engine runs a scene: that in the plane, or that in space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from carom.integrate.scenes.tables import rules_in, scene_of
from carom.integrate.tables import joint_rules, user_laws
from carom.kernels.scene import engine
from carom.kernels.space.engine import SPACE_PARTS, play_in_space
from carom.problem import FlatProblem

__all__ = ["scene_kernel"]


def scene_kernel(flat: FlatProblem) -> tuple[FlatProblem, joint_rules.Rules, Callable[..., int], bool]:
    """Return a problem with a row for each law, its rules of joints, its engine, and whether laws are a user's own."""
    rules = joint_rules.rules_of(rules_in(flat))
    play, parts = (play_in_space, SPACE_PARTS) if scene_of(flat).spatial else (engine.play, ())
    flat, replaced = user_laws.with_functions(flat, play, rules, parts)
    kernel: Callable[..., Any] = replaced or joint_rules.kernel_with(rules, play, parts)
    return flat, rules, kernel, replaced is not None
