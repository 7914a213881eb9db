"""Two skewed decks that strike each other with friction, once more: geometry, law, friction and time written anew.

SciPy's DOP853 between events; nothing here is of the package. Decks are parallelograms on pads at their four corners,
shaken with the ground; all coordinates are relative to it. Corners of either end strike the edge that faces them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from tests.judge.describe import Law
from tests.judge.laws import row_of

TOLERANCE = 1e-11
TYPICAL = 0.2
"""Speed of the impact whose secant stiffness is k_n [m/s]."""
OPEN, STICKS, SLIDES, BEHIND = range(4)
MOST_EVENTS = 2000
BLIND = 1e-8
"""Time after an event [s] in which none is looked for: until functions that were zero have a sign."""


@dataclass(frozen=True)
class Deck:
    """A parallelogram: length along x, width across, skew of its ends; centre at rest, start relative to that."""

    length: float
    width: float
    skew: float
    mass: float
    centre: tuple[float, float]
    velocity: tuple[float, float, float]
    pad: float
    """Stiffness of each of four pads [N/m]; 0: free."""
    damping: float

    @property
    def corners(self) -> np.ndarray:
        """Sw, se, ne, nw, from the centre."""
        a, b = np.array([self.length, 0.0]), np.array([self.width * math.tan(self.skew), self.width])
        return 0.5 * np.array([-a - b, a - b, a + b, b - a])

    @property
    def inertia(self) -> float:
        """Of a uniform plate about its centre."""
        return self.mass * (self.length**2 + (self.width / math.cos(self.skew)) ** 2) / 12.0


@dataclass(frozen=True)
class Scene:
    """Both decks, the first to the west, what acts between them, and the ground's acceleration along x and y."""

    decks: tuple[Deck, Deck]
    law: Law
    static: float
    kinetic: float
    ratio: float
    tangential: float
    """Restitution e_t."""
    ground: np.ndarray
    """Shape (samples, 2)."""
    dt: float


@dataclass
class Contact:
    """A corner of one deck against the facing edge of the other."""

    node: tuple[int, int]
    edge: tuple[int, int, int]
    """Deck, and its corners from a to b, the deck on the left."""
    row: list[float] = field(default_factory=list)
    k: float = 0.0
    c: float = 0.0
    state: int = OPEN
    touch_rate: float = 1.0


PAIRS = (((0, 1), (1, 3, 0)), ((0, 2), (1, 3, 0)), ((1, 0), (0, 1, 2)), ((1, 3), (0, 1, 2)))
"""Se and ne of the west deck against the west edge of the east deck, nw to sw; sw and nw of that against se to ne."""


def random_scene(seed: int, samples: int = 41) -> Scene:
    """Return a scene that a seed makes, so many samples long."""
    rng = np.random.default_rng([seed, 24])
    skew = math.radians(rng.uniform(-35.0, 35.0))
    free = rng.random() < 0.3
    names = ("linear", "hertz", "kelvin-voigt", "lankarani-nikravesh-1990", "hunt-crossley-exact", "ye-2009",
             "mahmoud-jankowski-2011", "gonthier-2004")  # fmt: skip
    name = names[rng.integers(len(names))]
    stiffness = 10.0 ** (rng.uniform(7.5, 8.5) + (0.7 if name in ("hertz", "hunt-crossley-exact") else 0.0))
    law = Law(
        name=name, stiffness=stiffness, restitution=None if name in ("linear", "hertz") else rng.uniform(0.4, 0.9),
        damping=None, tension=bool(rng.random() < 0.5), published=True,
    )  # fmt: skip
    sizes = rng.uniform(15.0, 35.0, 2)
    decks = []
    at = 0.0
    width = rng.uniform(8.0, 14.0)
    for i, size in enumerate(sizes):
        towards = 1.0 if i == 0 else -1.0
        speed = (towards * rng.uniform(0.2, 1.0), rng.uniform(-0.4, 0.4), rng.uniform(-0.02, 0.02))
        pad = 0.0 if free else 10.0 ** rng.uniform(6.0, 6.7)
        mass = size * width * rng.uniform(800.0, 1500.0)
        damping = 0.0 if free else rng.uniform(0.0, 0.1) * 2.0 * math.sqrt(pad * mass)
        shift = 0.0 if i == 0 else rng.uniform(-1.5, 1.5)
        decks.append(Deck(size, width, skew, mass, (at + shift * math.tan(skew), shift), speed, pad, damping))
        at += 0.5 * sizes.sum() + rng.uniform(0.01, 0.05) / math.cos(skew)
    t = np.arange(41)
    ground = np.zeros((41, 2)) if free else rng.normal(size=(41, 2)) * 2.0 * np.exp(-t / 30.0)[:, None]
    static = rng.uniform(0.05, 0.8)
    kinetic = static * (1.0 if rng.random() < 0.4 else rng.uniform(0.4, 1.0))
    return Scene(
        (decks[0], decks[1]), law, static, kinetic, 10.0 ** rng.uniform(-0.7, 0.7), float(rng.choice([0.0, 0.4, 0.8])),
        ground[:samples], 0.05,
    )  # fmt: skip


class SceneJudge:
    """Follows a scene through its events."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.contacts = [Contact(node, edge) for node, edge in PAIRS]
        self.impacts = 0
        y = np.zeros(6)
        for contact in self.contacts:
            _, _, n, reach = self.geometry(y, np.zeros(6), contact)[:4]
            mobility = 0.0
            for deck in scene.decks:
                arm = reach - deck.centre
                mobility += 1.0 / deck.mass + (arm[0] * n[1] - arm[1] * n[0]) ** 2 / deck.inertia
            mass = 1.0 / mobility
            contact.row = row_of(scene.law, mass)
            k, power = contact.row[0], contact.row[1]
            deep = (0.5 * (power + 1.0) * mass * TYPICAL**2 / k) ** (1.0 / (power + 1.0))
            contact.k = scene.ratio * k * deep ** (power - 1.0)
            e = scene.tangential
            damping = 1.0 if e == 0.0 else -math.log(e) / math.hypot(math.pi, math.log(e))
            contact.c = 2.0 * damping * math.sqrt(contact.k * mass)

    def point(self, q: np.ndarray, v: np.ndarray, deck: int, corner: int) -> tuple[np.ndarray, np.ndarray]:
        """Where a corner is, and its velocity."""
        x, y, turn = q[3 * deck : 3 * deck + 3]
        vx, vy, spin = v[3 * deck : 3 * deck + 3]
        px, py = self.scene.decks[deck].corners[corner]
        arm = np.array([math.cos(turn) * px - math.sin(turn) * py, math.sin(turn) * px + math.cos(turn) * py])
        centre = np.array(self.scene.decks[deck].centre)
        return centre + np.array([x, y]) + arm, np.array([vx - spin * arm[1], vy + spin * arm[0]])

    def geometry(self, q: np.ndarray, v: np.ndarray, contact: Contact) -> tuple[Any, ...]:
        """Overlap, share of the edge, normal, the node, closing rate and slip, of the matter that meets there."""
        node, velocity = self.point(q, v, *contact.node)
        deck, first, last = contact.edge
        a, _ = self.point(q, v, deck, first)
        b, _ = self.point(q, v, deck, last)
        t = (b - a) / np.hypot(*(b - a))
        n = np.array([t[1], -t[0]])
        centre = np.array(self.scene.decks[deck].centre) + q[3 * deck : 3 * deck + 2]
        arm = node - centre
        spin = v[3 * deck + 2]
        other = v[3 * deck : 3 * deck + 2] + spin * np.array([-arm[1], arm[0]])
        relative = velocity - other
        overlap = -float(n @ (node - a))
        return overlap, float(t @ (node - a) / np.hypot(*(b - a))), n, node, -float(n @ relative), float(t @ relative)

    def force(self, contact: Contact, overlap: float, rate: float) -> float:
        """The normal force, by the judge's own numbers of the law."""
        k, n, chi, m, over, approach, *_ = contact.row
        if approach and rate < 0.0:
            chi = 0.0
        if over:
            chi /= contact.touch_rate
        deep = max(overlap, 0.0)
        return float(k * deep**n + chi * deep**m * rate)

    def pressed(self, y: np.ndarray, contact: Contact, c: int) -> tuple[float, float, float]:
        """Normal force, the trial of friction, slip."""
        overlap, _, _, _, rate, slip = self.geometry(y[:6], y[6:12], contact)
        return self.force(contact, overlap, rate), contact.k * y[12 + c] + contact.c * slip, slip

    def slope(self, t: float, y: np.ndarray, sample: int) -> np.ndarray:
        """dy/dt for positions, velocities and what tangential springs give."""
        scene = self.scene
        q, v = y[:6], y[6:12]
        load, give = np.zeros(6), np.zeros(4)
        share = t / scene.dt - sample
        ground = (1.0 - share) * scene.ground[sample] + share * scene.ground[sample + 1]
        for i, deck in enumerate(scene.decks):
            load[3 * i : 3 * i + 2] -= deck.mass * ground
            if deck.pad:
                for corner in range(4):
                    place, speed = self.point(q, v, i, corner)
                    rest = np.array(deck.centre) + deck.corners[corner]
                    self.add(load, q, i, place, -deck.pad * (place - rest) - deck.damping * speed)
        for c, contact in enumerate(self.contacts):
            if contact.state not in (STICKS, SLIDES):
                continue
            normal, trial, slip = self.pressed(y, contact, c)
            _, _, n, node, _, _ = self.geometry(q, v, contact)
            friction, give[c] = trial, slip
            if contact.state == SLIDES:
                friction = math.copysign(scene.kinetic * max(normal, 0.0), trial)
                give[c] = (friction - contact.k * y[12 + c]) / contact.c
            push = normal * n - friction * np.array([-n[1], n[0]])
            self.add(load, q, contact.node[0], node, push)
            self.add(load, q, contact.edge[0], node, -push)
        masses = [one for deck in scene.decks for one in (deck.mass, deck.mass, deck.inertia)]
        return np.concatenate([v, load / masses, give])

    def add(self, load: np.ndarray, q: np.ndarray, deck: int, place: np.ndarray, force: np.ndarray) -> None:
        """Add a force at a place of the world to a deck."""
        arm = place - np.array(self.scene.decks[deck].centre) - q[3 * deck : 3 * deck + 2]
        load[3 * deck : 3 * deck + 2] += force
        load[3 * deck + 2] += arm[0] * force[1] - arm[1] * force[0]

    def watched(self) -> list[tuple[int, str, Any]]:
        """What may happen now: contact, word, function that rises through zero when it does."""
        scene = self.scene

        def read(contact: Contact, what: int, sign: float) -> Any:
            return lambda y: sign * self.geometry(y[:6], y[6:12], contact)[what]

        def beyond(contact: Contact) -> Any:
            def value(y: np.ndarray) -> float:
                share = self.geometry(y[:6], y[6:12], contact)[1]
                return max(-share, share - 1.0)

            return value

        def cone(contact: Contact, c: int, mu: float, sign: float) -> Any:
            def value(y: np.ndarray) -> float:
                normal, trial, _ = self.pressed(y, contact, c)
                return sign * (abs(trial) - mu * max(normal, 0.0))

            return value

        found: list[tuple[int, str, Any]] = []
        for c, contact in enumerate(self.contacts):
            if contact.state == OPEN:
                found.append((c, "touch", read(contact, 0, 1.0)))
            elif contact.state == BEHIND:
                found.append((c, "clear", read(contact, 0, -1.0)))
            else:
                found += [(c, "part", read(contact, 0, -1.0)), (c, "leave", beyond(contact))]
                if not contact.row[6]:
                    found.append((c, "part", lambda y, one=contact, i=c: -self.pressed(y, one, i)[0]))
                if contact.row[5]:
                    found.append((c, "turn", read(contact, 4, -1.0)))
                if contact.state == STICKS:
                    found.append((c, "slip", cone(contact, c, scene.static, 1.0)))
                else:
                    found.append((c, "hold", cone(contact, c, scene.kinetic, -1.0)))
        return found

    def change(self, word: str, c: int, y: np.ndarray) -> None:
        """Do what an event asks for."""
        contact = self.contacts[c]
        if word == "touch":
            _, share, _, _, rate, _ = self.geometry(y[:6], y[6:12], contact)
            if not 0.0 <= share <= 1.0:
                contact.state = BEHIND
                return
            self.impacts += 1
            contact.touch_rate, contact.state = rate, STICKS
            y[12 + c] = 0.0
            normal, trial, _ = self.pressed(y, contact, c)
            if abs(trial) > self.scene.static * max(normal, 0.0):
                contact.state = SLIDES
        elif word in ("part", "leave"):
            overlap = self.geometry(y[:6], y[6:12], contact)[0]
            contact.state = BEHIND if overlap > 1e-12 else OPEN
        elif word == "clear":
            contact.state = OPEN
        elif word == "slip":
            contact.state = SLIDES
        elif word == "hold":
            contact.state = STICKS

    def follow(self) -> np.ndarray:
        """Return positions and velocities at the samples, shape (samples, 12)."""
        scene = self.scene
        y = np.zeros(16)
        y[6:12] = [one for deck in scene.decks for one in deck.velocity]
        scale = np.concatenate([np.full(6, 1e-2), np.full(6, 1e-1), np.full(4, 1e-4)])
        scale[[2, 5]] *= 0.1
        found, events = [y[:12].copy()], 0
        for contact in self.contacts:
            if self.geometry(y[:6], y[6:12], contact)[0] > 0.0:
                contact.state = BEHIND
        for sample in range(len(scene.ground) - 1):
            t, end = sample * scene.dt, (sample + 1) * scene.dt
            just_changed = False
            while t < end:
                watched = [] if just_changed else self.watched()  # what has just happened is zero to rounding
                functions = []
                for _, _, value in watched:
                    function: Any = lambda _t, y, value=value: value(y)  # noqa: E731
                    function.terminal, function.direction = True, 1.0
                    functions.append(function)
                closed = any(contact.state in (STICKS, SLIDES) for contact in self.contacts)
                until = min(end, t + BLIND) if just_changed else end
                run = solve_ivp(
                    lambda t, y, sample=sample: self.slope(t, y, sample), (t, until), y, method="DOP853",
                    rtol=TOLERANCE, atol=TOLERANCE * scale, events=functions or None, max_step=1e-3 if closed else 1e-2,
                )  # fmt: skip
                t, y = float(run.t[-1]), run.y[:, -1].copy()
                just_changed = False
                for (c, word, _), times in zip(watched, run.t_events or (), strict=bool(watched)):
                    if times.size:
                        self.change(word, c, y)
                        events += 1
                        just_changed = True
                if events > MOST_EVENTS:
                    raise RuntimeError("the judge finds no end of events")
            found.append(y[:12].copy())
        return np.array(found)


def perturbed(scene: Scene, share: float) -> Scene:
    """Return a scene whose first deck starts a little faster."""
    first = scene.decks[0]
    faster = tuple(value * (1.0 + share) for value in first.velocity)
    return replace(scene, decks=(replace(first, velocity=faster), scene.decks[1]))
