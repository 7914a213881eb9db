"""Joints inside structures: where the rules of a problem's joints stand in a kernel, and the tables that they read.

A rule is a pair of functions of `carom.joints`, or of anyone's module. `follow` and `stored` here only hold their
place: `carom.integrate.tables.joint_rules` makes a chain of the rules of a problem out of `chosen_…`, one link for
each, and has the kernels compiled with it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from carom.kernels.types import Codes, Matrix, Vector

# columns of `Springs.kinds`
RULE = 0  # its place in the chain
FIRST = 1  # its first row among those of all springs
ROWS = 2  # how many it has

# rows of a table of what the rows of joints do, one column for each: deformation and rate come in
DEFORMATION = 0  # d [m]
PACE = 1  # ḋ [m/s]
TENSION = 2  # f [N]
SLOPES = 3  # ∂f/∂d by each row of the same joint [N/m]
PACE_SLOPES = 6  # ∂f/∂ḋ [N·s/m]
PULL_ROWS = 9


class Springs(NamedTuple):
    """The joints inside the structures of a problem, one row for each."""

    kinds: Codes
    """Which rule each follows, and which rows it ties together."""
    numbers: Matrix
    """What their rules take."""
    memory: Matrix
    """What they remember from the end of the last step."""
    after: Matrix
    """Scratch: what they would remember if the step ended at a trial."""
    force: Vector
    """Scratch (3,): the force of a joint of several rows."""
    by_d: Matrix
    """Scratch (3, 3): ∂f/∂d of it."""
    by_rate: Matrix
    """Scratch (3, 3): ∂f/∂ḋ of it."""


def follow(
    _rule: int, _numbers: Vector, _memory: Vector, _d: float, _rate: float, _after: Vector
) -> tuple[float, float, float]:
    """Hold the place of the rules of joints with one row; also the end of their chain."""
    return 0.0, 0.0, 0.0


def follow_rows(
    _rule: int, _numbers: Vector, _memory: Vector, _d: Vector, _rate: Vector, _after: Vector, _force: Vector,
    _by_d: Matrix, _by_rate: Matrix,
) -> None:  # fmt: skip
    """Hold the place of the rules of joints with two rows or three; also the end of their chain."""


def stored(_rule: int, _numbers: Vector, _memory: Vector, _d: float) -> float:
    """Hold the place of what joints with one row can give back."""
    return 0.0


def stored_rows(_rule: int, _numbers: Vector, _memory: Vector, _d: Vector) -> float:
    """Hold the place of what joints with several rows can give back."""
    return 0.0


# a link of the chain: copies of these functions have these names bound to a rule and to the rest of the chain
THIS = -1
this: Callable[..., Any] = follow
others: Callable[..., Any] = follow


def chosen_follow(
    rule: int, numbers: Vector, memory: Vector, d: float, rate: float, after: Vector
) -> tuple[float, float, float]:
    """Ask this rule, or the others."""
    if rule == THIS:
        return this(numbers, memory, d, rate, after)
    return others(rule, numbers, memory, d, rate, after)


def chosen_follow_rows(
    rule: int, numbers: Vector, memory: Vector, d: Vector, rate: Vector, after: Vector, force: Vector, by_d: Matrix,
    by_rate: Matrix,
) -> None:  # fmt: skip
    """Ask this rule, or the others."""
    if rule == THIS:
        this(numbers, memory, d, rate, after, force, by_d, by_rate)
    else:
        others(rule, numbers, memory, d, rate, after, force, by_d, by_rate)


def chosen_stored(rule: int, numbers: Vector, memory: Vector, d: Any) -> float:
    """Ask this rule, or the others."""
    if rule == THIS:
        return this(numbers, memory, d)
    return others(rule, numbers, memory, d)


def remember(springs: Springs) -> None:
    """Make what the last trials left the memory: the step ends there."""
    for j in range(springs.kinds.shape[0]):
        for i in range(springs.memory.shape[1]):
            springs.memory[j, i] = springs.after[j, i]


def give_back(springs: Springs, d: Vector) -> float:
    """Return what all joints can give back [J] at the deformations where the last step ended, one for each row."""
    total = 0.0
    for j in range(springs.kinds.shape[0]):
        rule, first, rows = springs.kinds[j, RULE], springs.kinds[j, FIRST], springs.kinds[j, ROWS]
        if rows == 1:
            total += stored(rule, springs.numbers[j], springs.memory[j], d[first])
        else:
            total += stored_rows(rule, springs.numbers[j], springs.memory[j], d[first : first + rows])
    return total


def follow_all(springs: Springs, pull: Matrix) -> bool:
    """Write forces and tangents of all joints, as a trial; return whether a tangent changed."""
    changed = False
    for j in range(springs.kinds.shape[0]):
        rule, first, rows = springs.kinds[j, RULE], springs.kinds[j, FIRST], springs.kinds[j, ROWS]
        if rows == 1:
            f, by_d, by_rate = follow(
                rule, springs.numbers[j], springs.memory[j], pull[DEFORMATION, first], pull[PACE, first],
                springs.after[j],
            )  # fmt: skip
            changed = changed or by_d != pull[SLOPES, first] or by_rate != pull[PACE_SLOPES, first]
            pull[TENSION, first], pull[SLOPES, first], pull[PACE_SLOPES, first] = f, by_d, by_rate
            continue
        follow_rows(
            rule, springs.numbers[j], springs.memory[j], pull[DEFORMATION, first : first + rows],
            pull[PACE, first : first + rows], springs.after[j], springs.force, springs.by_d, springs.by_rate,
        )  # fmt: skip
        for a in range(rows):
            pull[TENSION, first + a] = springs.force[a]
            for b in range(rows):
                slope, pace_slope = springs.by_d[a, b], springs.by_rate[a, b]
                changed = changed or slope != pull[SLOPES + b, first + a]
                changed = changed or pace_slope != pull[PACE_SLOPES + b, first + a]
                pull[SLOPES + b, first + a], pull[PACE_SLOPES + b, first + a] = slope, pace_slope
    return changed


def soften(by_d: float, by_rate: float, sprung: Matrix, springs: Springs, pull: Matrix, matrix: Matrix) -> None:
    """Add to the matrix of the modes the tangents of all joints, with these weights; `sprung` are their rows."""
    for j in range(springs.kinds.shape[0]):
        first, rows = springs.kinds[j, FIRST], springs.kinds[j, ROWS]
        for a in range(first, first + rows):
            for b in range(rows):
                slope = by_d * pull[SLOPES + b, a] + by_rate * pull[PACE_SLOPES + b, a]
                if slope != 0.0:
                    for k in range(matrix.shape[0]):
                        share = slope * sprung[a, k]
                        for m in range(matrix.shape[1]):
                            matrix[k, m] += share * sprung[first + b, m]


def drive(springs: Springs, path: Matrix, rates: Matrix, pull: Matrix, forces: Matrix, kept: Vector) -> None:
    """Move joints along a path, a step for each of its lines; write forces [N], and what can be had back [J]."""
    for i in range(path.shape[0]):
        for p in range(path.shape[1]):
            pull[DEFORMATION, p], pull[PACE, p] = path[i, p], rates[i, p]
        follow_all(springs, pull)
        remember(springs)
        for p in range(path.shape[1]):
            forces[i, p] = pull[TENSION, p]
        kept[i] = give_back(springs, pull[DEFORMATION])
