"""What every joint keeps: trials change nothing, tangents are its own, and no path gives more than went in."""

from __future__ import annotations

import math
import re
from dataclasses import fields, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.integrate.tables.joint_rules import kernel_with, rules_of, springs_from
from carom.joints import Driven, InternalSpring, Joint, joints
from carom.kernels.joints import PULL_ROWS, drive
from carom.testing.hold import hold

__all__ = ["check_joint"]

Array: TypeAlias = npt.NDArray[np.float64]

POINTS = 40
"""States along a path at which trials and tangents are looked at."""
CYCLES = 6
"""Swings of a path."""
PER_CYCLE = 2000
"""Steps of a swing, for work by the trapezoidal rule."""
LOST = 1e-4
"""Energy that quadrature may miss, as a share of the largest."""
LENGTH, FORCE, TIME = 2.0, 3.0, 5.0
"""Other units, in which a joint must say the same."""
DIMENSIONS = {"m": (1, 0, 0), "N": (0, 1, 0), "s": (0, 0, 1), "kg": (-1, 1, 2), "J": (1, 1, 0), "Pa": (-2, 1, 0)}
"""Length, force and time in units."""


def check_joint(joint: Joint, *, deformation: float, rate: float = 0.1, seed: int = 0) -> None:
    """Hold a joint to its contract, on paths up to a deformation [m] and a rate [m/s] that show what is peculiar to it.

    It says what it is, and is registered. At rest it has no force. A trial changes neither memory nor numbers, and says
    the same again. Tangents are those of the force, but for kinks; the rate matters only where it says so. Along a path
    of many swings work done is never less than what is stored, nor does a swing give more than it took. A straight path
    gone in one step or in many ends at one force, up to the rule's `step_error`. Compiled it says what it says in
    Python. In other units of length, force and time it is the same joint.
    """
    hold(isinstance(joint, Joint), f"{joint!r} must be of a class derived from Joint, with its parameters.")
    rng = np.random.default_rng(seed)
    _says_what_it_is(type(joint))
    still = Driven(joint).try_at(0.0).force
    hold(not still.any(), f"{joint.name}: no force before any movement; got {still} N.")
    phase = rng.uniform(0.0, 2.0 * math.pi, joint.dimension) if joint.dimension > 1 else np.zeros(1)
    path, rates = _swings(deformation, rate, phase)
    forces, kept = _driven(joint, path, rates)
    _trials(joint, path, rates, float(np.abs(forces).max()), rng)
    _energy(joint, path, forces, kept)
    _steps(joint, deformation, rate, rng)
    _compiled(joint, path, rates, forces, kept)
    _other_units(joint, path, rates, forces)


def _says_what_it_is(kind: type[Joint]) -> None:
    told = kind.__doc__ or ""
    generated = told.startswith(f"{kind.__name__}(")  # by `dataclass`, where there is none
    hold(bool(told) and not generated, f"{kind.__name__} must say what it is, in its docstring.")
    hold(kind.name in joints and joints.get(kind.name) is kind, f"{kind.__name__} must be under @register_joint.")
    unsaid = [entry.name for entry in fields(kind) if entry.init and entry.name not in kind.units]
    hold(not unsaid, f"{kind.__name__}.units must have {', '.join(unsaid)}.")


def _swings(deformation: float, rate: float, phase: Array) -> tuple[Array, Array]:
    """Return a path of swings that grow and shrink, shape (steps, rows), and its rates."""
    angle = np.linspace(0.0, 2.0 * math.pi * CYCLES, CYCLES * PER_CYCLE + 1)[1:, None]
    slow = 0.5 / CYCLES
    size, growth = np.sin(slow * angle), slow * np.cos(slow * angle)
    path = deformation * size * np.sin(angle + phase)
    per_angle = deformation * (growth * np.sin(angle + phase) + size * np.cos(angle + phase))
    return path, per_angle * (rate / deformation)


def _trials(joint: Joint, path: Array, rates: Array, force: float, rng: np.random.Generator) -> None:
    """Look at trials and tangents at points along a path on which forces come to `force` [N]."""
    driven, seen = Driven(joint), 0
    size = float(np.abs(path).max())
    watched = set(rng.choice(len(path) - 1, POINTS, replace=False).tolist())
    for i, (d, rate) in enumerate(zip(path, rates, strict=True)):
        if i in watched:
            where = d + size * rng.uniform(-0.3, 0.3, d.size)
            _leaves_all(joint, driven, where, rate)
            seen += _tangents(joint, driven, where, rate, size, force)
        driven.move_to(d, rate)
    hold(seen > POINTS // 2, f"{joint.name}: at {POINTS - seen} of {POINTS} points its tangent has a kink.")


def _leaves_all(joint: Joint, driven: Driven, d: Array, rate: Array) -> None:
    memory, numbers = driven.memory.copy(), driven.numbers.copy()
    first, again = driven.try_at(d, rate), driven.try_at(d, rate)
    same = np.array_equal(memory, driven.memory) and np.array_equal(numbers, driven.numbers)
    hold(same, f"{joint.name}: a trial at d = {d} m changed its memory or its numbers.")
    hold(np.array_equal(first.force, again.force), f"{joint.name}: the same trial twice says {first} and {again}.")
    if not joint.rate_dependent:
        other = driven.try_at(d, 2.0 * rate + 1.0).force
        hold(np.array_equal(first.force, other), f"{joint.name} depends on the rate, and must say so: rate_dependent.")


def _tangents(joint: Joint, driven: Driven, d: Array, rate: Array, size: float, force: float) -> bool:
    """Compare tangents with differences to either side; return False at a kink."""
    found = driven.try_at(d, rate)
    smooth = True
    pace = max(float(np.abs(rate).max()), 1e-300)
    for name, told, step in (("d", found.by_d, 1e-5 * size), ("rate", found.by_rate, 1e-5 * pace)):
        for j in range(d.size):
            way = step * np.eye(d.size)[j]
            up, down = (
                driven.try_at(d + s * way, rate) if name == "d" else driven.try_at(d, rate + s * way)
                for s in (1.0, -1.0)
            )
            right, left = (up.force - found.force) / step, (found.force - down.force) / step
            allowed = 1e-3 * float(np.abs(told).max()) + 1e-9 * force / step
            if np.abs(right - left).max() > allowed:
                smooth = False
                continue
            off = float(np.abs(0.5 * (right + left) - told[:, j]).max())
            hold(
                off <= allowed, f"{joint.name}: ∂f/∂{name} at d = {d} m is {told[:, j]}; differences of the force say "
                f"{0.5 * (right + left)}.",
            )  # fmt: skip
    return smooth


def _driven(joint: Joint, path: Array, rates: Array) -> tuple[Array, Array]:
    """Return forces along a path, and what can be had back, in plain Python."""
    driven = Driven(joint)
    forces, kept = np.zeros_like(path), np.zeros(len(path))
    for i, (d, rate) in enumerate(zip(path, rates, strict=True)):
        forces[i] = driven.move_to(d, rate)
        kept[i] = driven.stored
    return forces, kept


def _energy(joint: Joint, path: Array, forces: Array, kept: Array) -> None:
    before = np.vstack([np.zeros((1, path.shape[1])), forces[:-1]])
    work = np.cumsum((0.5 * (before + forces) * np.diff(path, axis=0, prepend=0.0)).sum(axis=1))
    size = float(np.abs(work).max() + np.abs(kept).max())
    lost = work - kept
    worst = int(lost.argmin())
    hold(
        lost[worst] >= -LOST * size,
        f"{joint.name} creates energy: at step {worst} of a path it has {kept[worst]:.4g} J to give back, after "
        f"work of {work[worst]:.4g} J.",
    )
    for cycle, taken in enumerate(np.diff(lost[PER_CYCLE - 1 :: PER_CYCLE]), 2):
        hold(taken >= -LOST * size, f"{joint.name} creates {-taken:.4g} J in swing {cycle} of a path.")


def _steps(joint: Joint, deformation: float, rate: float, rng: np.random.Generator) -> None:
    toward = rng.normal(size=joint.dimension)
    end, pace = deformation * toward / np.linalg.norm(toward), rate * toward / np.linalg.norm(toward)
    at_once = Driven(joint).move_to(end, pace)
    driven, force = Driven(joint), at_once
    for share in np.append(np.sort(rng.uniform(0.0, 1.0, 37)), 1.0):
        force = driven.move_to(share * end, pace)
    off, size = float(np.abs(force - at_once).max()), float(np.abs(at_once).max())
    hold(
        off <= joint.step_error * size + 1e-13 * size,
        f"{joint.name}: a path in one step ends at {at_once} N, in 38 steps at {force} N; its step_error says less.",
    )


def _compiled(joint: Joint, path: Array, rates: Array, forces: Array, kept: Array) -> None:
    rules = rules_of([joint.name])
    run: Any = kernel_with(rules, drive)
    rows, numbers = np.array([joint.dimension]), np.array([joint.numbers()])
    springs = springs_from(rules, [joint.name], rows, numbers, np.zeros((1, joint.slots)))
    others, held = np.zeros_like(forces), np.zeros_like(kept)
    run(springs, path, rates, np.zeros((PULL_ROWS, joint.dimension)), others, held)
    for what, found, told in (("force", others, forces), ("stored energy", held, kept)):
        off = float(np.abs(found - told).max())
        hold(off <= 1e-9 * float(np.abs(told).max()), f"{joint.name}: compiled, its {what} is off by {off:.3g}.")


def _other_units(joint: Joint, path: Array, rates: Array, forces: Array) -> None:
    given = {e.name: value for e in fields(joint) if e.init and (value := getattr(joint, e.name)) is not None}
    scaled: Any = replace(joint, **{name: value * _factor(joint, name) for name, value in given.items()})
    if isinstance(joint, InternalSpring):
        scaled = scaled.bound_to(joint.elastic * FORCE / LENGTH)
    found, _ = _driven(scaled, LENGTH * path, LENGTH / TIME * rates)
    off, size = float(np.abs(found / FORCE - forces).max()), float(np.abs(forces).max())
    hold(off <= 1e-9 * size, f"{joint.name}: in other units of length, force and time it is off by {off:.3g} N.")


def _factor(joint: Joint, name: str) -> float:
    """Return what a parameter is multiplied by in other units."""
    unit = joint.units[name][0]
    total, sense = [0.0, 0.0, 0.0], 1.0
    for sign, symbol, power in re.findall(r"([/·*]?)\s*([A-Za-z]+)(?:\^?([\d.]+))?", unit):
        sense = -1.0 if sign == "/" else sense
        hold(symbol in DIMENSIONS, f"{joint.name}.units: {unit!r} of {name} is not made of {', '.join(DIMENSIONS)}.")
        total = [
            sum + sense * float(power or 1.0) * one for sum, one in zip(total, DIMENSIONS[symbol], strict=True)
        ]  # fmt: skip
    return float(LENGTH ** total[0] * FORCE ** total[1] * TIME ** total[2])
