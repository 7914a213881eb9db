"""A slow and obvious second implementation of pounding: solve_ivp in physical coordinates, sample by sample.

It shares no code with the engine. Forces come from `tests.naive`, written out law by law; contacts are switched by
events; the ground acceleration is linear between samples.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar

from tests.naive import Force


@dataclass
class NaiveContact:
    """Overlap = row·u − gap; `build` makes the force of an impact from its approach velocity."""

    row: np.ndarray
    gap: float
    build: object
    law: Force | None = None  # of the impact under way; None: open
    start: float = 0.0
    peak: float = 0.0
    approach: float = 0.0


@dataclass
class NaiveRun:
    peaks: np.ndarray
    """Largest |u| of each degree of freedom, sampled finely."""
    impacts: list[tuple[int, float, float, float]] = field(default_factory=list)
    """(contact, start, duration, peak force)."""
    displacement: list[np.ndarray] = field(default_factory=list)
    """At the samples."""


def naive_pounding(
    mass: np.ndarray,
    damping: np.ndarray,
    stiffness: np.ndarray,
    contacts: list[NaiveContact],
    ground: np.ndarray,
    dt: float,
    u0: np.ndarray,
    v0: np.ndarray,
    rtol: float = 1e-10,
    parts: int = 25,
) -> NaiveRun:
    """Run to the last sample; a step is at most a sample over `parts`, so that no touch is stepped over."""
    n = u0.size
    inverse = np.linalg.inv(mass)
    ones = np.ones(n)
    state = np.concatenate([u0, v0])
    run = NaiveRun(peaks=np.abs(u0))
    run.displacement.append(u0.copy())
    scale = 1e-13 * np.ones(2 * n)
    for i in range(ground.size - 1):
        a0, a1 = ground[i], ground[i + 1]
        t = 0.0
        while t < dt:

            def motion(time: float, s: np.ndarray) -> np.ndarray:
                u, v = s[:n], s[n:]
                f = -damping @ v - stiffness @ u
                for contact in contacts:
                    if contact.law is not None:
                        f = f - contact.row * contact.law(max(contact.row @ u - contact.gap, 0.0), contact.row @ v)
                ag = a0 + (a1 - a0) * time / dt  # noqa: B023
                return np.concatenate([v, inverse @ f - ag * ones])

            events = []
            for contact in contacts:
                event = lambda time, s, contact=contact: contact.row @ s[:n] - contact.gap  # noqa: E731
                event.terminal = True
                event.direction = -1 if contact.law is not None else 1
                events.append(event)
            out = solve_ivp(
                motion, (t, dt), state, method="DOP853", rtol=rtol, atol=scale, events=events, dense_output=True,
                max_step=dt / parts, first_step=min(1e-7, dt - t),
            )  # fmt: skip
            fine = np.linspace(t, out.t[-1], 60)
            dense = out.sol(fine)
            run.peaks = np.maximum(run.peaks, np.abs(dense[:n]).max(axis=1))
            for contact in contacts:
                if contact.law is not None:

                    def pressing(s: np.ndarray, contact: NaiveContact = contact) -> float:
                        return contact.law(max(contact.row @ s[:n] - contact.gap, 0.0), contact.row @ s[n:])

                    forces = [pressing(s) for s in dense.T]
                    top = int(np.argmax(forces))
                    contact.peak = max(contact.peak, forces[top])
                    around = fine[max(top - 1, 0)], fine[min(top + 1, fine.size - 1)]
                    best = minimize_scalar(
                        lambda time: -pressing(out.sol(time)), bounds=around, method="bounded",  # noqa: B023
                        options={"xatol": 1e-12},
                    )  # fmt: skip
                    contact.peak = max(contact.peak, -best.fun)
            t, state = out.t[-1], out.y[:, -1]
            for c, contact in enumerate(contacts):
                if out.t_events[c].size:
                    now = i * dt + t
                    if contact.law is None:
                        contact.approach = contact.row @ state[n:]
                        contact.law = contact.build(contact.approach)
                        contact.start, contact.peak = now, 0.0
                    else:
                        run.impacts.append((c, contact.start, now - contact.start, contact.peak))
                        contact.law = None
        run.displacement.append(state[:n].copy())
    return run
