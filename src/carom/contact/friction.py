"""Friction of a contact whose law has a force: Coulomb's, with a spring and a dashpot along the contact.

    ξ̇ = w − ẏ,    T = k_t ξ + c_t ξ̇,    |T| ≤ μ_s N where it sticks (ẏ = 0),    |T| = μ_k N where it slides, T along ẏ

w is the rate of slip between the two sides, ξ what the spring gives, ẏ what slides, N the normal force, T the friction.
Spring and dashpot act in series with the slider: with the trial T* = k_t ξ + c_t w it sticks until |T*| reaches μ_s N,
slides with T = μ_k N T*/|T*|, and sticks again where |T*| falls to μ_k N, which is where ẏ vanishes; the force is
continuous there. No energy is ever gained, for the spring is of constant stiffness and T works against ẏ.

`rule="zhu2002"` is the printed rule of Zhu, Abe and Fujino instead, for comparison. It looks at the state every `step`
seconds: a contact that slides for one step has its spring emptied at the end of it, and so sticks in the next. What
results is not Coulomb's friction (references: v_t 0.80 after an oblique impact where Coulomb's gives 0.70).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from carom.errors import refusal
from carom.units import NONNEGATIVE, POSITIVE, Range, number

__all__ = ["RULES", "Friction"]

RULES = ("coulomb", "zhu2002")
TANGENTIAL = Range(0.0, 0.99, low_open=False, high_open=False)
"""Where e_t is nearer to one the dashpot is so weak that sliding would need ever shorter steps."""
PRINTED = Range(0.0, 1.0, low_open=False, high_open=False)
"""By the printed rule the dashpot has no part in sliding."""


@dataclass(frozen=True)
class Friction:
    """Coulomb's friction between two places that touch, with what gives along the contact while they stick.

    Examples
    --------
    >>> import carom
    >>> carom.Friction(static=0.3, kinetic=0.2).kinetic
    0.2
    >>> carom.Friction(0.3).kinetic
    0.3
    """

    static: float
    """μ_s [–], ≥ 0."""
    kinetic: float | None = None
    """μ_k [–], 0 ≤ μ_k ≤ μ_s; None: as `static`."""
    stiffness_ratio: float | None = None
    """k_t/k_n [–], > 0; None: 1, as zhu2002's one spring has, unless `stiffness` is given. k_n is K of a linear law;
    of others the secant stiffness K δⁿ⁻¹ at the overlap at which the spring alone stops the effective mass from
    0.2 m/s."""
    stiffness: float | None = None
    """k_t [N/m] itself, > 0, in place of the ratio."""
    restitution: float = 0.0
    """e_t [–], 0 ≤ e_t ≤ 0.99, by the printed rule up to 1: c_t = 2ζ√(k_t m_eff) with ζ = −ln e_t/√(π² + ln² e_t), and
    ζ = 1 for e_t = 0."""
    rule: str = "coulomb"
    """``"coulomb"``, or ``"zhu2002"`` as printed there."""
    step: float | None = None
    """How often the printed rule looks at the state [s]; its results depend on it. Coulomb's has none."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "static", self._number("static", "", NONNEGATIVE))
        put(self, "kinetic", self.static if self.kinetic is None else self._number("kinetic", "", NONNEGATIVE))
        if self.mu_k > self.static:
            raise refusal(
                "kinetic", "Friction", f"must not be above the static coefficient {self.static:g}", self.kinetic,
                "A body that slides is held no better than one that rests.",
            )  # fmt: skip
        if self.stiffness is not None and self.stiffness_ratio is not None:
            raise refusal(
                "stiffness", "Friction", "must be left out where `stiffness_ratio` is given", self.stiffness,
                "Give one of the two.",
            )  # fmt: skip
        if self.stiffness is not None:
            put(self, "stiffness", self._number("stiffness", "N/m", POSITIVE))
        elif self.stiffness_ratio is None:
            put(self, "stiffness_ratio", 1.0)
        else:
            put(self, "stiffness_ratio", self._number("stiffness_ratio", "", POSITIVE))
        if self.rule not in RULES:
            raise refusal("rule", "Friction", f"must be {' or '.join(map(repr, RULES))}", self.rule)
        way_out = "Use 0 for a tangential spring that gives nothing back, 0.99 for one that gives back nearly all."
        within = TANGENTIAL if self.rule == "coulomb" else PRINTED
        put(self, "restitution", self._number("restitution", "", within, way_out))
        self._take_step()

    def _take_step(self) -> None:
        if self.rule == "coulomb":
            if self.step is not None:
                raise refusal("step", "Friction", "must be left out of Coulomb's rule, which has none", self.step)
        elif self.step is None:
            raise refusal(
                "step", "Friction", "must be given for the rule of zhu2002, whose results depend on it", None,
                'The paper takes "1 ms".',
            )  # fmt: skip
        else:
            object.__setattr__(self, "step", self._number("step", "s", POSITIVE))

    def _number(self, name: str, unit: str, within: Range, way_out: str = "") -> float:
        return number(getattr(self, name), unit, name=name, owner="Friction", within=within, way_out=way_out)

    @property
    def mu_k(self) -> float:
        """The kinetic coefficient."""
        assert self.kinetic is not None  # set by __post_init__
        return self.kinetic

    @property
    def damping_ratio(self) -> float:
        """ζ of spring and dashpot along the contact."""
        if self.restitution == 0.0:
            return 1.0
        log = math.log(self.restitution)
        return -log / math.hypot(math.pi, log)

    def packed(self, normal_stiffness: float, mass: float) -> tuple[float, ...]:
        """Return what kernels take (`carom.kernels.scene.rows`), for k_n [N/m] and an effective mass [kg]."""
        k = self.stiffness if self.stiffness is not None else (self.stiffness_ratio or 1.0) * normal_stiffness
        c = 2.0 * self.damping_ratio * math.sqrt(k * mass)
        return self.static, self.mu_k, k, c, float(self.rule == "zhu2002"), self.step or 0.0

    def replace(self, **changes: Any) -> Friction:
        """Return a copy with some fields changed."""
        if "stiffness" in changes and "stiffness_ratio" not in changes:
            changes["stiffness_ratio"] = None
        if "stiffness_ratio" in changes and "stiffness" not in changes:
            changes["stiffness"] = None
        return replace(self, **changes)
