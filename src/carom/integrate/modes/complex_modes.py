"""Damping that couples modes, in flight: the modes that it makes, as twice as many that nothing couples.

With dashpots, q̈ + 2σ q̇ + ω² q = f − Σ c bᵀ b q̇ over the natural modes, and free motion is a sum of xⱼ yⱼ over
complex modes, each with a number of its own that follows ẏⱼ = λⱼ yⱼ + xⱼ·f/aⱼ, with (λ² + λD + Ω²) x = 0, D the
whole damping and a = x·(2λ + D) x. Of a pair λ, λ̄ both Re y and Im y move as a mode with ω = |λ| and σ = −Re λ does,

    ẍ + 2σ ẋ + ω² x = L̇ − λ̄ L,        L = xⱼ·f/aⱼ,

under loads that are linear in time within a sample, since the ground's acceleration is. Of two real λ each moves so,
with the other one in the place of λ̄. So flight needs no other kernels than those for modes that are on their
own: closed forms, bounds on touches and true extremes hold as they are, for any damping, with no tolerance. The price
is that there are twice as many modes, and one change of coordinates whenever the first contact closes or the last one
opens. In contact the natural modes are used, with dashpots as forces beside those of contacts (`dashpots`), since
complex modes would ask there for Ḟ besides F.

Tried against it: dashpots as contacts all along, which takes steps that resolve the quickest mode (ten times the cost
of a run without dashpots, at 300 degrees of freedom); their forces as polynomials over a sample, which modes with
ω·dt ≫ 1 do not let be polynomials.

What L̇ takes is constant within a sample, and comes as a constant load of that sample (column STEADY). It does not
show in what moves: Σ shape·Re L = 0. Neither does it in absolute accelerations. What the ground's acceleration itself
leaves in these, as the sum of −ω²x − 2σẋ over such modes is not that over natural ones, two modes more tell: one
without stiffness, whose velocity is a_g/s and whose share in accelerations is −s times that, and one that takes its
displacement back.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from scipy.sparse import csgraph

from carom.integrate.modes.few_dashpots import FEW, few_dashpots
from carom.problem import FlatProblem, moving_along

__all__ = ["ComplexModes", "complex_modes_of"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Complex: TypeAlias = npt.NDArray[np.complex128]

LEFT_OUT = 1e-10
"""Share of a state that may be lost on the way to complex modes and back. More is lost where two of them are all but
one, as at critical damping: such a problem keeps its natural modes, and its dashpots are contacts all along."""
ROUNDED = 1e-13
"""Share of a dashpot's row, of length one, or of what couples two modes, that is rounding of none."""
MOST_TIED = 600
"""Natural modes that many dashpots couple, up to which their complex ones are sought, which takes a second or two then;
it grows with the third power."""
MOST_TIED_BY_FEW = 1200
"""The same of few dashpots: what these take grows with the square."""
GROWING = 1e-9
"""Real part of λ, as share of the largest |λ|, up to which it is rounding of none."""
FAIR = 1e-12
"""Share that may be lost where formulas tell how natural modes make complex ones; else an inverse does."""
TRIALS = 4
"""States with which that is tried."""


class ComplexModes(NamedTuple):
    """Complex modes of a problem as modes that nothing couples, and how they and the natural ones tell each other.

    N natural modes, M of these.
    """

    flat: FlatProblem
    """The problem in these modes, without dashpots; its modes carry no energy, and contacts do not push them."""
    shapes: Array
    """Displacements and velocities of the natural modes by those of these, shape (M, N)."""
    states: Array
    """Displacements and velocities of these modes, without loads, by those of the natural ones, shape (2N, 2M)."""
    lags: Array
    """Their loads by the negative slope of the ground's acceleration, shape (M,)."""
    starts: Array
    """What constant loads add to their velocities, shape (M,)."""
    work: Array
    """Shape (2, M): in the directions of these the negative acceleration of the ground and constant loads do work."""


_known: WeakKeyDictionary[FlatProblem, ComplexModes | None] = WeakKeyDictionary()
"""Those of problems, for as long as these live."""


def complex_modes_of(flat: FlatProblem) -> ComplexModes | None:
    """Return the complex modes of a problem; None where they do not serve it.

    That is so where two are all but one, where there are too many to be found in a short time, where dashpots join
    structures on different grounds, and where the ground moves along several axes.
    """
    if flat not in _known:
        _known[flat] = _complex_modes(flat)
    return _known[flat]


class Part(NamedTuple):
    """M modes that tell N natural ones, those of some structures."""

    omega: Array
    sigma: Array
    participation: Array
    load: Array
    lags: Array
    starts: Array
    shapes: Array
    """Shape (M, N)."""
    states: Array
    """Shape (2N, 2M)."""
    outputs: Array
    """Shape (O, M)."""


def _complex_modes(flat: FlatProblem) -> ComplexModes | None:
    along = np.count_nonzero(moving_along(flat.ground).any(axis=0))
    if along > 1 or flat.dashpot_reach[:, flat.modal_mass == 0.0].any():
        return None
    group = _tied(flat)
    of_mode = np.where(flat.mode_structure < 0, -1, group[flat.mode_structure])
    members = [np.flatnonzero(of_mode == one) for one in np.unique(of_mode[of_mode >= 0])]
    parts = []
    for at in members:
        if np.unique(flat.support[at]).size > 1:
            return None
        part = _part(flat, at)
        if part is None:
            return None
        parts.append(part)
    return _joined(flat, group, [*members, np.flatnonzero(of_mode < 0)], parts)


def _tied(flat: FlatProblem) -> Integers:
    """Return for each structure the first of those that dashpots tie it to, or itself."""
    group = np.arange(len(flat.structure_names))
    for row in flat.dashpot_reach:
        tied = np.unique(group[flat.mode_structure[row != 0.0]])
        group[np.isin(group, tied)] = tied[0]
    return group


def _part(flat: FlatProblem, at: Integers) -> Part | None:
    """Return the modes that dashpots make of some natural ones.

    A mode that they couple to no other is only damped more.
    """
    omega, rows = flat.omega[at], flat.dashpot_reach[:, at]
    turned = _turned(omega, flat.sigma[at], rows)
    rows = rows @ turned
    rows[np.abs(rows) <= ROUNDED] = 0.0
    damping = np.diag(2.0 * flat.sigma[at]) + rows.T @ (flat.dashpots[:, None] * rows)
    size = np.sqrt((rows * rows).T @ np.abs(flat.dashpots))
    damping[np.abs(damping) <= ROUNDED * np.outer(size, size)] = 0.0
    drives = np.stack([flat.drives.share[at], flat.load[at]]) @ turned
    outputs = flat.outputs[:, at] @ turned
    blocks = _blocks(damping)
    alone = np.array([block[0] for block in blocks if block.size == 1], dtype=np.int64)
    parts = [_modes_alone(omega, damping, drives, outputs, alone)]
    for block in blocks:
        if block.size > 1:
            found = _spectrum(omega[block], flat.sigma[at][block], rows[:, block], flat.dashpots)
            if found is None:
                return None
            parts += _modes_coupled(found, drives, outputs, block)
    joined = _beside(parts)
    if not (turned == np.eye(at.size)).all():
        states = turned @ joined.states.reshape(2, at.size, -1)
        joined = joined._replace(shapes=joined.shapes @ turned.T, states=states.reshape(2 * at.size, -1))
    return joined


def _turned(omega: Array, sigma: Array, rows: Array) -> Array:
    """Return modes that move alike on their own, as orthogonal sums such that dashpots move as few as can be.

    They are the columns of what is returned. Of two bodies that nothing holds, or two towers alike, a damper between
    them moves the difference, and leaves the sum alone.
    """
    found = np.eye(omega.size)
    order = np.lexsort((sigma, omega))
    alike = (np.diff(omega[order]) == 0.0) & (np.diff(sigma[order]) == 0.0)
    for same in np.split(order, np.flatnonzero(~alike) + 1):
        if same.size > 1 and rows[:, same].any():
            found[np.ix_(same, same)] = np.linalg.svd(rows[:, same])[2].T
    return found


def _blocks(matrix: Array) -> list[Integers]:
    """Return the modes that a matrix couples with each other, directly or by others."""
    count, label = csgraph.connected_components(matrix != 0.0, directed=False)
    return [np.flatnonzero(label == i) for i in range(count)]


def _modes_alone(omega: Array, damping: Array, drives: Array, outputs: Array, alone: Integers) -> Part:
    """Return natural modes that nothing couples with others, as they are."""
    nothing, still = np.zeros(alone.size), np.eye(omega.size)[alone]
    fades, away = np.maximum(0.5 * np.diag(damping)[alone], 0.0), np.zeros_like(still.T)
    return Part(
        omega[alone], fades, drives[0, alone], drives[1, alone], nothing, nothing, still,
        np.block([[still.T, away], [away, still.T]]), outputs[:, alone],
    )  # fmt: skip


class Spectrum(NamedTuple):
    """Complex modes of n natural ones: pairs of them first, each by the one with Im λ > 0, then those with real λ.

    Of the real ones the second half are the partners of the first.
    """

    values: Complex
    """λ."""
    partners: Complex
    """What makes a real mode with each: λ̄, or another real one."""
    right: Complex
    """Shape (…, n): displacements of the natural modes by these."""
    left: Complex
    """Shape (…, 2n): these by displacements and velocities of the natural modes."""
    pairs: int
    """How many pairs there are."""

    def apart(self, numbers: Complex) -> Array:
        """Return real numbers for those of all modes: of pairs the real and the imaginary parts, of two real ones with
        nearly the same shape, as slow and quick motion of a mode that creeps are, their sum and their difference.
        """
        pairs = self.pairs
        one, other = np.split(numbers[pairs:].real, 2)
        return np.concatenate([numbers[:pairs].real, numbers[:pairs].imag, one + other, one - other])

    @property
    def weights(self) -> Array:
        """By what shapes taken `apart` are to be multiplied to go with numbers taken apart, shape (2n,).

        Of a pair 2 Re x y = 2 Re x Re y − 2 Im x Im y, of two real ones half the product of the sums and half that of
        the differences.
        """
        return np.repeat([2.0, -2.0, 0.5], [self.pairs, self.pairs, self.values.size - self.pairs])


def _modes_coupled(found: Spectrum, drives: Array, outputs: Array, block: Integers) -> list[Part]:
    """Return complex modes as modes that nothing couples, and those that ride beside them; `block` says of which."""
    n, natural, pairs = block.size, drives.shape[1], found.pairs
    shapes, states = np.zeros((2 * n, natural)), np.zeros((2, natural, 4 * n))
    shapes[:, block] = found.apart(found.right) * found.weights[:, None]
    read = np.vstack([found.apart(found.left), found.apart(found.values[:, None] * found.left)])
    states[:, block] = read.T.reshape(2, n, 4 * n)
    felt = found.left[:, n:] @ drives[:, block].T
    apart = found.apart(np.hstack([felt, -found.partners[:, None] * felt]))
    own = np.stack([(found.values * found.partners).real, -0.5 * (found.values + found.partners).real])
    squares, fades = np.maximum(np.hstack([own[:, :pairs], own]), 0.0)
    made = Part(
        omega=np.sqrt(squares), sigma=fades, participation=apart[:, 2], load=apart[:, 3], lags=apart[:, 0],
        starts=apart[:, 1], shapes=shapes, states=states.reshape(2 * natural, -1), outputs=outputs @ shapes.T,
    )  # fmt: skip
    return [made, _riders(made, outputs[:, block] @ drives[0, block], natural)]


def _riders(made: Part, ride: Array, natural: int) -> Part:
    """Return the two modes that tell absolute accelerations what the ground's leaves in them, beside modes.

    Outputs `ride` on the ground so far by natural modes.
    """
    pace = max(float(made.omega.max()), 2.0 * float(made.sigma.max()))
    left = made.outputs @ made.participation - ride
    nothing = np.zeros(2)
    return Part(
        omega=nothing, sigma=np.array([0.5 * pace, 0.0]), participation=np.array([-1.0, 0.0]), load=nothing,
        lags=np.array([-1.0, 1.0]) / pace, starts=nothing, shapes=np.zeros((2, natural)),
        states=np.zeros((2 * natural, 4)), outputs=np.stack([left, left], axis=1),
    )  # fmt: skip


def _spectrum(omega: Array, sigma: Array, rows: Array, dashpots: Array) -> Spectrum | None:
    """Return the complex modes of natural ones that dashpots couple; None where two are all but one."""
    scale = np.where(omega > 0.0, omega, 1.0)
    damping = np.diag(2.0 * sigma) + rows.T @ (dashpots[:, None] * rows)
    active, n = np.flatnonzero(rows.any(axis=1) & (dashpots != 0.0)), omega.size
    if active.size <= FEW and n <= MOST_TIED_BY_FEW:
        guess = few_dashpots(omega, sigma, rows[active], dashpots[active])
        found = None if guess is None else _completed(*guess, damping)
        if found is not None and _lost(found, scale) <= FAIR:
            return found
    if n > MOST_TIED:
        return None
    free = np.block([[np.zeros((n, n)), np.diag(scale)], [-np.diag(omega**2 / scale), -damping]])
    values, vectors = np.linalg.eig(free)
    values, right = values.astype(np.complex128), (vectors[:n] / scale[:, None]).T.astype(np.complex128)
    first = np.concatenate([np.flatnonzero(values.imag > 0.0), np.flatnonzero(values.imag == 0.0)])
    found = _completed(values[first], right[first], damping)
    if not np.isfinite(found.left).all() or _lost(found, scale) > FAIR:
        found = _inverted(found, scale)
    grows = found.values.real.max() > GROWING * np.abs(found.values).max()
    return None if grows or not _lost(found, scale) <= LEFT_OUT else found


def _completed(values: Complex, right: Complex, damping: Array) -> Spectrum:
    """Return the spectrum with these modes, pairs first; they are turned such that they are as real as can be."""
    pairs = int((values.imag > 0.0).sum())
    with np.errstate(all="ignore"):  # what cannot be told apart is found by `_serves`
        right = right * np.exp(-0.5j * np.angle((right * right).sum(axis=1)))[:, None]
        right /= np.linalg.norm(right, axis=1)[:, None]
        weight = right @ damping + values[:, None] * right
        left = np.hstack([weight, right]) / ((weight + values[:, None] * right) * right).sum(axis=1)[:, None]
    order = np.concatenate([np.arange(pairs), pairs + _matched(values[pairs:].real, right[pairs:].real)])
    values, right, left = values[order], right[order], left[order]
    one, other = np.split(np.arange(pairs, values.size), 2)
    partners = values.conj()
    partners[one], partners[other] = values[other], values[one]
    against = (right[one].real * right[other].real).sum(axis=1) < 0.0
    right[other[against]], left[other[against]] = -right[other[against]], -left[other[against]]
    return Spectrum(values, partners, right, left, pairs)


def _matched(values: Array, shapes: Array) -> Integers:
    """Return real modes in an order in which the first half and the second go together: slow and quick motion of the
    same natural mode, as far as there are such.
    """
    most = np.abs(shapes).argmax(axis=1)
    order = np.lexsort((values, most))
    same = most[order]
    couples, left, i = [], [], 0
    while i < order.size:
        if i + 1 < order.size and same[i] == same[i + 1]:
            couples.append((order[i], order[i + 1]))
            i += 2
        else:
            left.append(order[i])
            i += 1
    couples += zip(left[0::2], left[1::2], strict=True)
    return np.array(couples, dtype=np.int64).reshape(-1, 2).T.ravel()


def _lost(found: Spectrum, scale: Array) -> float:
    """Return what is lost of states on the way to complex modes and back, as share of them."""
    states = np.random.default_rng(0).normal(size=(2 * scale.size, TRIALS))
    plain = np.concatenate([1.0 / scale, np.ones(scale.size)])[:, None]
    with np.errstate(all="ignore"):
        numbers = found.left @ (plain * states)
        numbers[: found.pairs] *= 2.0
        back = [(found.right.T @ numbers).real, (found.right.T @ (found.values[:, None] * numbers)).real]
        share = float(np.linalg.norm(np.vstack(back) / plain - states) / np.linalg.norm(states))
    return share if math.isfinite(share) else math.inf


def _inverted(found: Spectrum, scale: Array) -> Spectrum:
    """Return a spectrum whose `left` is the inverse of what the modes make: it is so where values repeat, too."""
    made = np.hstack([found.apart(found.right) * scale, found.apart(found.values[:, None] * found.right)])
    made = made.T * found.weights
    try:
        read = np.linalg.inv(made)
    except np.linalg.LinAlgError:
        return found
    read[:, : scale.size] *= scale
    pairs = found.pairs
    both, between = np.split(read[2 * pairs :], 2)
    left = np.concatenate([read[:pairs] + 1j * read[pairs : 2 * pairs], 0.5 * (both + between), 0.5 * (both - between)])
    return found._replace(left=left)


def _beside(parts: list[Part]) -> Part:
    """Return parts that tell the same natural modes as one."""
    places, speeds = zip(*(np.hsplit(part.states, 2) for part in parts), strict=True)
    omega, sigma, participation, load, lags, starts, shapes = (
        np.concatenate([part[i] for part in parts]) for i in range(7)
    )
    states, outputs = np.hstack([*places, *speeds]), np.hstack([part.outputs for part in parts])
    return Part(omega, sigma, participation, load, lags, starts, shapes, states, outputs)


def _joined(flat: FlatProblem, group: Integers, members: list[Integers], parts: list[Part]) -> ComplexModes:
    """Return the complex modes of a problem from those of its groups of structures; grounds stand behind them."""
    still = members[-1]
    many, grounds = flat.omega.size, still.size
    at = np.cumsum([0, *(part.omega.size for part in parts), grounds])
    total = int(at[-1])
    shapes, states, outputs = (
        np.zeros((total, many)),
        np.zeros((2, many, 2, total)),
        np.zeros((len(flat.outputs), total)),
    )
    given = np.zeros((6, total))
    mode_structure, support = np.full((2, total), -1)
    for first, last, own, part in zip(at, at[1:], members, parts, strict=False):
        place = slice(int(first), int(last))
        given[:, place] = part[:6]
        shapes[place, own] = part.shapes
        states[:, own, :, place] = part.states.reshape(2, own.size, 2, -1)
        outputs[:, place] = part.outputs
        mode_structure[place], support[place] = group[flat.mode_structure[own[0]]], flat.support[own[0]]
    last = np.arange(total - grounds, total)
    given[2, last], support[last], shapes[last, still] = flat.drives.share[still], flat.support[still], 1.0
    for i in range(2):
        states[i, still, i, last] = 1.0
    omega, sigma, participation, load, lags, starts = given
    twin = replace(
        flat, omega=omega, sigma=sigma, participation=np.repeat(participation[:, None], 3, axis=1), load=load,
        modal_mass=np.zeros(total), mode_structure=mode_structure, support=support, q0=np.zeros(total),
        v0=np.zeros(total), dashpot_reach=np.zeros((0, total)), dashpots=np.zeros(0), reach=flat.reach @ shapes.T,
        push=np.zeros((len(flat.reach), total)), slide=np.zeros((len(flat.reach), total)),
        spring_reach=np.zeros((0, total)), outputs=outputs, output_structure=group[flat.output_structure],
    )  # fmt: skip
    work = np.stack([flat.drives.share, flat.load]) * flat.modal_mass @ shapes.T
    return ComplexModes(twin, shapes, states.reshape(2 * many, 2 * total), lags, starts, work)
