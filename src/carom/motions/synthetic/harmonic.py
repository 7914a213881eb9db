"""Sine waves of constant and of changing frequency."""

from __future__ import annotations

import math

import numpy as np

from carom import units
from carom.budget import afford_samples
from carom.errors import refusal
from carom.motions.motion import Motion
from carom.motions.quantities import acceleration

__all__ = ["harmonic", "sine_cycles", "sweep"]


def harmonic(
    frequency: object, amplitude: object, *, duration: object = 10.0, dt: object = 0.01, phase: object = 0.0
) -> Motion:
    """Return ``amplitude·sin(2π·frequency·t + phase)``.

    Parameters
    ----------
    frequency
        Frequency [Hz], below half the sampling rate.
    amplitude
        Amplitude [m/s², or "0.3 g"].
    duration, dt
        Length and time step [s].
    phase
        Phase [rad].
    """
    owner = "harmonic"
    size = acceleration(amplitude, name="amplitude", owner=owner)
    time, step = _times(duration, dt, owner)
    hertz = _frequency(frequency, "frequency", step, owner)
    shift = units.number(phase, "rad", name="phase", owner=owner)
    values = size * np.sin(2.0 * math.pi * hertz * time + shift)
    return Motion(values, step, source=f"harmonic {hertz:g} Hz", processing=(f"harmonic of {hertz:g} Hz made",))


def sine_cycles(frequency: float, amplitude: float, *, cycles: int, samples: int = 60, phase: float = 0.0) -> Motion:
    """Return so many cycles of ``amplitude·sin(2π·frequency·t + phase)`` [Hz, m/s²], sampled in step with it.

    The samples are joined by straight lines; the amplitude is raised by what this takes from the sine, 0.1 % with 60
    samples in a cycle.
    """
    raised = amplitude / float(np.sinc(1.0 / samples)) ** 2
    return harmonic(frequency, raised, duration=cycles / frequency, dt=1.0 / (samples * frequency), phase=phase)


def sweep(
    first: object,
    last: object,
    amplitude: object,
    *,
    duration: object = 30.0,
    dt: object = 0.01,
    kind: str = "log",
) -> Motion:
    """Return a sine sweep whose frequency goes from ``first`` to ``last`` [Hz].

    ``kind`` is ``"linear"`` (equal time per hertz) or ``"log"`` (equal time per octave). The amplitude
    [m/s², or "0.3 g"] stays; the phase is the exact integral of the frequency.
    """
    owner = "sweep"
    size = acceleration(amplitude, name="amplitude", owner=owner)
    time, step = _times(duration, dt, owner)
    f0, f1 = (_frequency(f, n, step, owner) for n, f in (("first", first), ("last", last)))
    length = float(time[-1])
    if kind == "linear":
        cycles = time * (f0 + 0.5 * (f1 - f0) * time / length)
    elif kind == "log":
        rate = math.log(f1 / f0) / length
        cycles = f0 * (np.expm1(rate * time) / rate if rate != 0.0 else time)
    else:
        raise refusal("kind", owner, "must be 'linear' or 'log'", kind)
    note = f"{kind} sweep from {f0:g} to {f1:g} Hz made"
    return Motion(size * np.sin(2.0 * math.pi * cycles), step, source=f"sweep {f0:g}-{f1:g} Hz", processing=(note,))


def _times(duration: object, dt: object, owner: str) -> tuple[np.ndarray, float]:
    length = units.number(duration, "s", name="duration", owner=owner, within=units.POSITIVE)
    step = units.number(dt, "s", name="dt", owner=owner, within=units.POSITIVE)
    afford_samples(length / step, way_out="Shorten its duration, or lengthen its time step.")
    count = round(length / step)
    if count < 2:
        raise refusal("duration", owner, "must be at least two time steps long", duration)
    return step * np.arange(count + 1), step


def _frequency(value: object, name: str, dt: float, owner: str) -> float:
    return units.number(
        value, "Hz", name=name, owner=owner, within=units.Range(0.0, 0.5 / dt),
        way_out=f"At dt={dt:g} s frequencies up to {0.5 / dt:g} Hz can be sampled.",
    )  # fmt: skip
