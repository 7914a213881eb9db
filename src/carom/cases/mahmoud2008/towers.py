"""Two towers under a sine: the problem of mahmoud2008 (15)-(16), its steady states, and their closed form.

A steady state with one impact per n cycles follows in closed form where impacts take no time (v⁺ = −e v⁻). The
relative displacement is then one sine plus the response to a train of equal impulses J = m_eff (1+e) V, n/f apart.
Just before an impact it equals the gap and grows at V:

    gap − d V = r sin θ,    V (1 − s) = 2πf r cos θ,

with r the amplitude of the sine and d V, s V what the train adds: a quadratic in V.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from carom.cases.base import Run
from carom.contact import Contact, Place
from carom.laws import CompliantLaw
from carom.motions.synthetic import sine_cycles
from carom.problem import Problem
from carom.results import SteadyState, steady_state
from carom.structures import Body, Oscillator, Wall

__all__ = ["EFFECTIVE_MASS", "Orbit", "achieved", "orbits", "steady_from", "towers"]

# "Comparison based on shaking table experiments", after Chau et al. (2003)
MASS = np.array([98.0, 146.4])  # kg
FREQUENCY = np.array([5.04, 2.76])  # Hz
DAMPING = np.array([0.072, 0.015])
GAP = 19.8e-3  # m
CYCLES = 10  # "the average of 10 cycles in the steady state"

EFFECTIVE_MASS = float(MASS.prod() / MASS.sum())
TOWARDS = np.array([1.0, -1.0])  # the sense in which each tower closes the gap
OMEGA = 2.0 * math.pi * FREQUENCY
DECAY = (-DAMPING + 1j * np.sqrt(1.0 - DAMPING**2)) * OMEGA

# ours
SETTLING = 30.0  # s: what is left of a start is then below 1e-3
SAMPLES = 60  # of the excitation in a cycle


@dataclass(frozen=True)
class Orbit:
    """One impact per n cycles, impacts without duration: the closed form."""

    frequency: float
    cycles: int
    velocity: float
    """Relative velocity at impact [m/s]."""
    phase: float
    """Phase of the excitation at impact [rad]."""
    impulse: float
    """[N s]."""
    amplitude: float

    def state(self, after: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return displacements and velocities of both towers, at times [s] after an impact and before the next."""
        time = np.atleast_1d(after)[:, None]
        omega = 2.0 * math.pi * self.frequency
        sine = _response(self.frequency, self.amplitude) * np.exp(1j * (self.phase + omega * time))
        train = np.exp(DECAY * time) / (1.0 - np.exp(DECAY * self.cycles / self.frequency))
        train = -TOWARDS * self.impulse / (MASS * DECAY.imag) * train
        return sine.imag + train.imag, omega * sine.real + (DECAY * train).imag

    @property
    def clear(self) -> bool:
        """Whether the towers stay apart between impacts."""
        u, _ = self.state(np.linspace(0.0, self.cycles / self.frequency, 400 * self.cycles + 1)[1:-1])
        return bool(np.all(u @ TOWARDS < GAP))


def orbits(frequency: float, cycles: int, restitution: float, amplitude: float) -> list[Orbit]:
    """Return the steady states with one impact per so many cycles under amplitude·sin(2π·frequency·t) [m/s²]."""
    omega = 2.0 * math.pi * frequency
    share = EFFECTIVE_MASS * (1.0 + restitution)  # impulse over V
    train = np.exp(DECAY * cycles / frequency)
    train = -share / (MASS * DECAY.imag) * train / (1.0 - train)
    d, s = float(train.imag.sum()), float((DECAY * train).imag.sum())
    relative = complex(_response(frequency, amplitude) @ TOWARDS)
    r = abs(relative)
    a, b, c = (omega * d) ** 2 + (1.0 - s) ** 2, -2.0 * omega**2 * GAP * d, omega**2 * (GAP**2 - r**2)
    discriminant = b * b - 4.0 * a * c
    if discriminant < 0.0:
        return []
    found = []
    for sign in (1.0, -1.0):
        velocity = (-b + sign * math.sqrt(discriminant)) / (2.0 * a)
        angle = math.atan2(omega * (GAP - d * velocity), velocity * (1.0 - s))
        phase = angle - math.atan2(relative.imag, relative.real)
        if velocity > 0.0:
            found.append(Orbit(frequency, cycles, velocity, phase, share * velocity, amplitude))
    return [orbit for orbit in found if orbit.clear]


def _response(frequency: float, amplitude: float) -> npt.NDArray[np.complex128]:
    """Return the complex displacements of both towers under that sine, without impacts."""
    omega = 2.0 * math.pi * frequency
    response: npt.NDArray[np.complex128] = -amplitude / (OMEGA**2 - omega**2 + 2j * DAMPING * OMEGA * omega)
    return response


def towers(
    law: CompliantLaw, frequency: float, amplitude: float, start: Orbit | None = None, cycles: int | None = None
) -> Problem:
    """Return the towers under a sine, from rest or half a cycle after an impact of an orbit."""
    count = math.ceil(SETTLING * frequency) + CYCLES if cycles is None else cycles
    phase, u, v = 0.0, np.zeros(2), np.zeros(2)
    if start is not None:
        phase = start.phase + math.pi
        (u,), (v,) = start.state(0.5 / frequency)
    names = ("left", "right")
    pair = tuple(
        Oscillator(mass=mass, frequency=own, damping_ratio=ratio, name=name)
        for mass, own, ratio, name in zip(MASS, FREQUENCY, DAMPING, names, strict=True)
    )
    motion = sine_cycles(frequency, amplitude, cycles=count, samples=SAMPLES, phase=phase)
    return Problem(
        pair,
        (Contact(Place("left"), Place("right"), gap=GAP, law=law),),
        motion,
        initial_displacement={name: (float(x),) for name, x in zip(names, u, strict=True)},
        initial_velocity={name: (float(x),) for name, x in zip(names, v, strict=True)},
    )


def steady_from(
    run: Run, law: CompliantLaw, frequency: float, amplitude: float, start: Orbit | None = None
) -> SteadyState:
    """Run the towers until the start is forgotten and read the impacts of the last ten cycles."""
    return steady_state(run(towers(law, frequency, amplitude, start)), frequency, cycles=CYCLES)


def achieved(run: Run, law: CompliantLaw) -> float:
    """Return the restitution that the law gives the towers' effective mass; for these laws it is free of speed."""
    problem = Problem(
        (Body(mass=EFFECTIVE_MASS, name="body"), Wall("wall")),
        (Contact(Place("body"), Place("wall"), gap=1e-6, law=law),),
        initial_velocity={"body": (0.5,)},
    )
    table = run(problem, duration=0.5, sampling=0.1).table
    return float(table["separation_velocity"][0] / table["approach_velocity"][0])
