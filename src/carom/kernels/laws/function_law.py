"""The functions of `power_law` for a law that is any function of overlap and rate.

`contact_function` stands for the user's function and is replaced by it before compiling. The coefficient row of a
single impact carries no stiffness then; its first place holds a typical speed. Between structures (`…_in_contact`) it
carries one, for the sake of scales; a row without is a dashpot between modes, which keeps its own force.
"""

from carom.kernels.laws.power_law import STIFFNESS
from carom.kernels.types import Vector

SPEED = 0


def contact_function(overlap: float, rate: float) -> float:
    """Stand for the user's function F(δ, δ̇) [N]."""
    return 0.0 * overlap * rate


def elastic_force(c: Vector, overlap: float, root: float) -> float:
    """Return the force at rest, taken as the part that stores energy [N]."""
    return contact_function(overlap, 0.0)


def damping_force(c: Vector, chi: float, overlap: float, root: float, rate: float) -> float:
    """Return what the rate adds, taken as the part that dissipates [N]."""
    return contact_function(overlap, rate) - contact_function(overlap, 0.0)


def force(c: Vector, chi: float, overlap: float, root: float, rate: float) -> float:
    """Return the user's force [N]."""
    return contact_function(overlap, rate)


def force_slopes(c: Vector, chi: float, overlap: float, root: float, rate: float) -> tuple[float, float]:
    """Return ∂F/∂δ and ∂F/∂δ̇ by central differences; they only help to find the peak."""
    high = overlap * (1.0 + 1e-6) + 1e-300
    low = overlap * (1.0 - 1e-6)
    dv = 1e-6 * c[SPEED]
    by_overlap = (contact_function(high, rate) - contact_function(low, rate)) / (high - low)
    by_rate = (contact_function(overlap, rate + dv) - contact_function(overlap, rate - dv)) / (2.0 * dv)
    return by_overlap, by_rate


def elastic_force_in_contact(c: Vector, overlap: float, root: float) -> float:
    """Return 0, as `stored_energy_in_contact` does [N]."""
    return 0.0


def stored_energy_in_contact(c: Vector, overlap: float, root: float) -> float:
    """Return 0: what a function stores is not known beforehand, and all of its work counts as work [J]."""
    return 0.0


def damping_force_in_contact(c: Vector, chi: float, overlap: float, root: float, rate: float) -> float:
    """Return the whole force [N]."""
    return force_in_contact(c, chi, overlap, root, rate)


def force_in_contact(c: Vector, chi: float, overlap: float, root: float, rate: float) -> float:
    """Return the user's force, or that of a dashpot between modes [N]."""
    return chi * rate if c[STIFFNESS] == 0.0 else contact_function(overlap, rate)


def slopes_in_contact(c: Vector, chi: float, overlap: float, root: float, rate: float) -> tuple[float, float]:
    """Return ∂F/∂δ and ∂F/∂δ̇ by central differences, for a row that carries a stiffness and no speed."""
    if c[STIFFNESS] == 0.0:
        return 0.0, chi
    high = overlap * (1.0 + 1e-6) + 1e-300
    low = overlap * (1.0 - 1e-6)
    dv = 1e-6 * (abs(rate) + 1e-3)
    by_overlap = (contact_function(high, rate) - contact_function(low, rate)) / (high - low)
    by_rate = (contact_function(overlap, rate + dv) - contact_function(overlap, rate - dv)) / (2.0 * dv)
    return by_overlap, by_rate


def grading(c: Vector) -> float:
    """Return q = 4, smooth for every power k/4 the function may contain."""
    return 4.0


def grading_in_contact(c: Vector) -> float:
    """Return q = 4 for the user's function, 1 for a dashpot between modes."""
    return 1.0 if c[STIFFNESS] == 0.0 else 4.0


def speed_scale(c: Vector, mass: float, touch_rate: float, gravity: float) -> float:
    """Return the typical speed that came with the row [m/s]."""
    return c[SPEED]


def never_separates(c: Vector, mass: float) -> bool:
    """Return False: of a function it is not known beforehand."""
    return False


def resting_overlap(c: Vector, mass: float, gravity: float, pendulum: float) -> float:
    """Return 0: of a function it is not known beforehand [m]."""
    return 0.0
