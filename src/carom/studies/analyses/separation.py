"""How far apart is far enough: the gap that each motion needs, beside the rules of codes.

Without contact two structures close the distance to u_a − u_b; its largest value is the gap below which they touch. The
rules make a gap of the two peaks alone: their sum; √(a² + b²), EN 1998-1 4.4.2.7 and ASCE 7-22 12.12.3; that times 0.7,
which EN 1998-1 allows where floors are level; and the double difference combination √(a² + b² − 2ρab), Jeng, Kasai and
Maison (1992), Earthquake Spectra 8(2), 201-223, with the correlation ρ of two oscillators under white noise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from carom.errors import InputError, UnknownNameError, refusal
from carom.integrate.simulate import simulate
from carom.motions.motion import Motion, MotionSet
from carom.problem import Problem, Support, distinct_labels, over_outputs, read_normal
from carom.registry import late
from carom.results import ContactName, Table, contact_number
from carom.structures.base import LinearStructure
from carom.studies.analyses.asked import SHARE
from carom.studies.analyses.columns import Array
from carom.studies.analyses.suite import checked_sets
from carom.studies.between import largest_between
from carom.studies.section import Picture, Section
from carom.units import NONNEGATIVE, POSITIVE, array, number

__all__ = ["RULES", "Separation", "correlation", "gap_for", "rule_gaps", "separation"]

OWNER = "separation"
RULES = ("absolute sum", "SRSS", "0.7 SRSS", "DDC")
WORDS = {
    "absolute sum": "sum of the two peaks",
    "SRSS": "√(a² + b²): EN 1998-1 4.4.2.7(2), ASCE 7-22 12.12.3",
    "0.7 SRSS": "the same where floors are level: EN 1998-1 4.4.2.7(3)",
    "DDC": "double difference combination √(a² + b² − 2ρab)",
}
RESAMPLES = 1000


def correlation(periods: tuple[float, float], damping: tuple[float, float]) -> float:
    """Return the correlation ρ of the displacements of two oscillators under white noise.

    Der Kiureghian A. (1981). A response spectrum method for random vibration analysis of MDF systems. Earthquake Eng.
    Struct. Dyn. 9(5), 419-435.
    """
    za, zb = (number(z, "", name="damping", owner=OWNER, within=NONNEGATIVE) for z in damping)
    ta, tb = (number(t, "s", name="periods", owner=OWNER, within=POSITIVE) for t in periods)
    if ta == tb and za == zb:
        return 1.0
    r = ta / tb
    above = 8.0 * math.sqrt(za * zb) * (za + r * zb) * r**1.5
    below = (1.0 - r * r) ** 2 + 4.0 * za * zb * r * (1.0 + r * r) + 4.0 * (za * za + zb * zb) * r * r
    return float(above / below)


def rule_gaps(a: npt.ArrayLike, b: npt.ArrayLike, rho: float) -> dict[str, Array]:
    """Return the gap that each rule makes of the peaks a and b [m]."""
    left = array(a, "m", name="a", owner=OWNER, within=NONNEGATIVE)
    right = array(b, "m", name="b", owner=OWNER, within=NONNEGATIVE)
    if not -1.0 <= rho <= 1.0:
        raise refusal("rho", OWNER, "must lie in [-1, 1]", rho)
    srss = np.hypot(left, right)
    ddc = np.sqrt(np.maximum(left**2 + right**2 - 2.0 * rho * left * right, 0.0))
    return {"absolute sum": left + right, "SRSS": srss, "0.7 SRSS": 0.7 * srss, "DDC": ddc}


def gap_for(needed: npt.ArrayLike, probability: float) -> float:
    """Return the smallest gap at which at most that share of the motions makes contact; 0: none does."""
    values = np.sort(np.asarray(needed, dtype=np.float64))
    if not 0.0 <= probability < 1.0:
        raise refusal("probability", OWNER, "must lie in [0, 1)", probability)
    allowed = math.floor(probability * values.size + 1e-9)
    return float(values[values.size - 1 - allowed])


@dataclass(frozen=True, eq=False)
class Separation:
    """The gaps that motions need at one contact and those that rules give; `others` holds the other contacts."""

    motions: tuple[str, ...]
    contact: str
    gap: float
    """The gap that the problem has there [m]."""
    needed: Array
    """Gap without contact under each motion [m]."""
    peaks: Array
    """Largest displacements of the two sides without contact [m], shape (motions, 2)."""
    rules: Mapping[str, Array]
    """For each rule the gap it gives under each motion [m]."""
    rho: float
    """Correlation that the double difference combination took."""
    probabilities: tuple[float, ...]
    gaps: Array
    """Gap at each contact probability [m], from the suite itself, shape (probabilities,)."""
    fitted: Array
    """The same from a lognormal distribution with the suite's moments."""
    intervals: Array
    """Confidence interval of `fitted` from resampled motions, shape (probabilities, 2)."""
    confidence: float
    others: tuple[Separation, ...] = ()
    """The contacts that need less, by falling need: the contact that governs is the one that holds them."""
    left_out: tuple[str, ...] = ()
    """Why contacts have no answer."""

    @property
    def contacts(self) -> tuple[Separation, ...]:
        """All contacts, the one that needs the largest gap first."""
        return self, *self.others

    def margin(self, rule: str) -> Array:
        """Return what a rule gives over what each motion needs; NaN where none is needed."""
        if rule not in self.rules:
            raise UnknownNameError("rule", rule, self.rules)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.needed > 0.0, self.rules[rule] / self.needed, np.nan)

    def touching(self, gap: float) -> float:
        """Return the share of motions that make contact at a gap [m]."""
        return float((self.needed > gap).mean())

    def section(self) -> Section:
        """Return the gap of every contact, then of the governing one the rules and their margins."""
        most = int(self.needed.argmax())
        governs = f" It governs: {_counted(len(self.others))} less." if self.others else ""
        words = (
            f"No motion of this suite closes a gap of {1e3 * self.needed[most]:.4g} mm at {self.contact}; "
            f"{self.motions[most]} needs the most.{governs}",
            f"Rules take each motion's own peaks without contact{f', at {self.contact}' if self.others else ''}; a "
            f"margin is the rule's gap over the gap needed. Correlation of the double difference combination: "
            f"{self.rho:.4g}.",
        )
        draw = late("carom.plots.studies.separation:plot_separation")
        picture = Picture("separation", draw, self, f"Separation at {self.contact}.", False)
        tables = (self.contact_table(), self.rule_table(), self.gap_table(), self.motion_table())
        return Section("Separation", words, (picture,), tables, self.left_out)

    def contact_table(self) -> Table:
        """Return a row for each contact, the governing one first."""
        head = (
            "contact", "gap [m]", "gap needed [m]", "under", "median gap needed [m]", "share of motions that touch",
        )  # fmt: skip
        rows = tuple(
            (one.contact, one.gap, float(one.needed.max()), one.motions[int(one.needed.argmax())],
             float(np.median(one.needed)), one.touching(one.gap))
            for one in self.contacts
        )  # fmt: skip
        return Table("separation-contacts", "Every contact, the governing one first", head, rows)

    def rule_table(self) -> Table:
        """Return a row for each rule: its mean gap, its margins, how often it is too small."""
        rows = []
        for rule, gaps in self.rules.items():
            margin = self.margin(rule)
            margin = margin[np.isfinite(margin)]
            said = [float(f(margin)) if margin.size else None for f in (np.mean, np.min, np.max)]
            mean = float(gaps.mean())
            rows.append((rule, mean, *said, float((gaps < self.needed).mean()), self.touching(mean)))
        head = (
            "rule", "mean gap [m]", "mean margin", "least margin", "largest margin",
            "share of motions it is too small for", "contact probability at the mean gap",
        )  # fmt: skip
        return Table("separation-rules", "Rules and their margins", head, tuple(rows))

    def gap_table(self) -> Table:
        """Return a row for each contact probability."""
        rows = zip(self.probabilities, *(v.tolist() for v in (self.gaps, self.fitted, *self.intervals.T)), strict=True)
        head = ("contact probability", "gap in this suite [m]", "gap, lognormal [m]", "low [m]", "high [m]")
        return Table("separation-gaps", "Gap for a contact probability", head, tuple(rows))

    def motion_table(self) -> Table:
        """Return a row for each motion at each contact."""
        head = (
            "contact", "motion", "gap needed [m]", "peak a [m]", "peak b [m]", *(f"{rule} [m]" for rule in self.rules)
        )  # fmt: skip
        rows: list[tuple[str | float, ...]] = []
        for one in self.contacts:
            columns = [column.tolist() for column in (one.needed, *one.peaks.T, *one.rules.values())]
            rows += zip([one.contact] * len(one.motions), one.motions, *columns, strict=True)
        return Table("separation-motions", "Motion by motion", head, tuple(rows))


def separation(
    problem: Problem,
    motions: Sequence[Motion | MotionSet],
    *,
    contact: ContactName | None = None,
    scale: float = 1.0,
    probabilities: Sequence[float] = (0.0, 0.02, 0.05, 0.1, 0.5),
    rho: float | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    refine: int = 1,
    **options: Any,
) -> Separation:
    """Return the gap needed under each motion at the contact that needs most, the other contacts with it.

    Parameters
    ----------
    problem
        Structures and contacts; laws do not matter, and gaps only for how many motions close them.
    motions
        The suite: motions along x, or sets of components.
    contact
        Label of one contact, or its number from 0, to look at that one alone; by default all of them.
    scale
        Factor on all motions.
    probabilities
        Contact probabilities for which gaps are wanted; 0: no contact in this suite.
    rho
        Correlation for the double difference combination; by default that of the two first modes.
    confidence
        Of the intervals.
    seed
        Of the resampling behind them.
    refine
        Samples of the response in each of the record's: more than 1 where modes are shorter than a few samples.
    options
        As for `carom.simulate`: ``scheme`` and its own options, which yielding storeys need, ``rtol``.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    if not problem.pairs:
        raise InputError("separation needs a problem with contacts: it asks at which gap they would touch.")
    if confidence not in SHARE:
        raise refusal("confidence", OWNER, SHARE.rule, confidence)
    motions = checked_sets(motions, OWNER)
    labels = problem.flat().contact_labels
    asked = range(len(labels)) if contact is None else (contact_number(labels, contact, owner=OWNER),)
    looked_at, left_out = _comparable(problem, asked)
    names = distinct_labels(motion.name for motion in motions)
    wanted = tuple(float(p) for p in probabilities)
    needed, peaks = _closings(problem, motions, scale, refine, [rows for _, rows in looked_at.values()], options)
    found = []
    for i, (at, (sides, _)) in enumerate(looked_at.items()):
        given = _rho(sides) if rho is None else rho
        fitted, intervals = _lognormal(needed[i], wanted, confidence, seed)
        found.append(
            Separation(
                motions=names,
                contact=labels[at],
                gap=float(problem.pairs[at].gap),
                needed=needed[i],
                peaks=peaks[i],
                rules=rule_gaps(peaks[i][:, 0], peaks[i][:, 1], given),
                rho=given,
                probabilities=wanted,
                gaps=np.array([gap_for(needed[i], p) for p in wanted]),
                fitted=fitted,
                intervals=intervals,
                confidence=confidence,
            )
        )
    first, *others = sorted(found, key=lambda one: -float(one.needed.max()))
    return replace(first, others=tuple(others), left_out=left_out)


def _counted(others: int) -> str:
    return "the other contact needs" if others == 1 else f"the other {others} contacts need"


Rows = tuple[Array, Array]
"""Of a contact's two sides: how each follows from all degrees of freedom."""


def _comparable(
    problem: Problem, contacts: Sequence[int]
) -> tuple[dict[int, tuple[list[LinearStructure], Rows]], tuple[str, ...]]:
    """Return the contacts that can be looked at, with their sides, and why others cannot; refuse where none can."""
    found, left_out = {}, []
    for i in contacts:
        try:
            found[i] = _sides(problem, i)
        except InputError as error:
            left_out.append(str(error))
    if not found:
        raise InputError(left_out[0])
    return found, tuple(left_out)


def _closings(
    problem: Problem,
    motions: Sequence[Motion | MotionSet],
    scale: float,
    refine: int,
    sides: Sequence[Rows],
    options: Mapping[str, Any],
) -> tuple[Array, Array]:
    """Return how far each motion closes each contact (contacts, motions), and its sides' peaks (…, 2), all [m]."""
    free = problem.without_contacts()
    flat = free.flat()
    needed, peaks = np.empty((len(sides), len(motions))), np.empty((len(sides), len(motions), 2))
    for m, motion in enumerate(motions):
        shaken = motion.scaled(factor=scale) if scale != 1.0 else motion
        run = simulate(free.replace(motion=shaken), sampling=shaken.dt / refine, **options)
        relative = run.acceleration
        for axis, one in enumerate(Support.under(shaken).along):
            if one is not None:
                under = np.interp(run.time, one.time, one.acceleration)
                relative = relative - np.outer(under, flat.outputs @ flat.participation[:, axis])
        dt = float(run.time[1] - run.time[0])
        for c, rows in enumerate(sides):
            moved = [np.array([values @ row for values in (run.displacement, run.velocity, relative)]) for row in rows]
            needed[c, m] = largest_between(moved[0] - moved[1], dt)
            peaks[c, m] = [max(largest_between(one, dt), largest_between(-one, dt)) for one in moved]
    return needed, peaks


def _sides(problem: Problem, contact: int) -> tuple[list[LinearStructure], Rows]:
    """Return the structures on both sides and, over all outputs, how their places follow from them."""
    flat = problem.flat()
    both = read_normal(problem, problem.pairs[contact])
    rows = []
    for i, row, _ in both:
        own = flat.mode_structure == i
        modal = np.zeros(own.size)
        modal[own] = row @ problem.structures[i].modes().shapes
        rows.append(over_outputs(flat, modal))
    if not np.array_equal(both[0].share, both[1].share):
        label = flat.contact_labels[contact]
        raise InputError(f"{OWNER} compares places on the same ground; the sides of {label} are not shaken alike.")
    return [problem.structures[read.structure] for read in both], (rows[0], rows[1])


def _rho(sides: Sequence[LinearStructure]) -> float:
    """Return the correlation of the two first modes; 0 beside a wall, which does not move."""
    first = []
    for side in sides:
        modes = side.modes()
        if not modes.omega.size or modes.omega[0] <= 0.0:
            return 0.0
        first.append((2.0 * math.pi / float(modes.omega[0]), float(modes.sigma[0] / modes.omega[0])))
    (ta, za), (tb, zb) = first
    return correlation((ta, tb), (za, zb))


def _lognormal(needed: Array, wanted: tuple[float, ...], confidence: float, seed: int) -> tuple[Array, Array]:
    """Return quantiles of a lognormal distribution with the suite's moments, and their basic bootstrap intervals.

    NaN at probability 0, where it has none, and where motions need no gap at all or there are fewer than three.
    """
    nothing = np.full(len(wanted), np.nan)
    if needed.size < 3 or needed.min() <= 0.0:
        return nothing, np.stack([nothing, nothing], axis=1)
    logs = np.log(needed)
    z = np.array([-ndtri(p) if p > 0.0 else np.nan for p in wanted])
    at = logs.mean() + z * logs.std(ddof=1)
    drawn = logs[np.random.default_rng(seed).integers(0, logs.size, (RESAMPLES, logs.size))]
    values = drawn.mean(axis=1)[:, None] + drawn.std(axis=1, ddof=1)[:, None] * z
    tails = [0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)]
    low, high = np.quantile(values, tails, axis=0)
    return np.exp(at), np.exp(np.stack([2.0 * at - high, 2.0 * at - low], axis=1))
