"""The near-fault velocity pulse of Mavroeidis and Papageorgiou.

Mavroeidis and Papageorgiou (2003), A mathematical representation of near-fault ground motions, Bulletin of the
Seismological Society of America 93(3), 1099-1131. With τ = t − t₀, |τ| ≤ γ/(2f_p):

    v(τ) = A/2·[1 + cos(2πf_p·τ/γ)]·cos(2πf_p·τ + ν)                                          (1)
    a(τ) = −A·π·f_p/γ·{sin(2πf_p·τ/γ)·cos(2πf_p·τ + ν) + γ·sin(2πf_p·τ + ν)·[1 + cos(2πf_p·τ/γ)]}      (3)

The ground comes to rest; where ν is not ±90° it stays displaced, as a fling step leaves it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom import units
from carom.budget import afford_samples
from carom.errors import refusal
from carom.motions.motion import Motion

__all__ = ["mavroeidis_2003"]


def mavroeidis_2003(
    amplitude: object,
    period: object,
    *,
    gamma: object = 2.0,
    phase: object = 0.0,
    before: object = 0.0,
    after: object = 0.0,
    dt: object = 0.01,
    **labels: Any,
) -> Motion:
    """Return the pulse.

    Parameters
    ----------
    amplitude
        A [m/s, or "80 cm/s"]; the peak velocity is A or a little less, by ν.
    period
        T_p = 1/f_p [s].
    gamma
        γ [–], above 1: how many half cycles there are; 1.5 to 3 as a rule.
    phase
        ν [degree, or "1.2 rad"]: 0 is a symmetric, ±90 an antisymmetric pulse.
    before, after
        Rest before and after it [s].
    dt
        Time step [s].
    labels
        Event, station, component, source.
    """
    owner = "mavroeidis_2003"
    size = units.number(amplitude, "m/s", name="amplitude", owner=owner, within=units.POSITIVE)
    lasting = units.number(period, "s", name="period", owner=owner, within=units.POSITIVE)
    cycles = units.number(gamma, "", name="gamma", owner=owner, within=units.Range(1.0, 100.0))
    angle = units.number(phase, "rad", name="phase", owner=owner) if isinstance(phase, str) else math.radians(
        units.number(phase, "", name="phase", owner=owner)
    )  # fmt: skip
    step = units.number(dt, "s", name="dt", owner=owner, within=units.POSITIVE)
    rests = [
        units.number(value, "s", name=name, owner=owner, within=units.NONNEGATIVE)
        for name, value in (("before", before), ("after", after))
    ]
    if step > lasting / 10.0:
        raise refusal("dt", owner, f"must be at most a tenth of the period, {lasting / 10.0:g} s", dt)
    length = cycles * lasting
    afford_samples((length + sum(rests)) / step, way_out="Lengthen its time step.")
    count = math.ceil((length + sum(rests)) / step - 1e-9) + 1
    at = step * np.arange(count) - rests[0] - 0.5 * length
    inside = np.abs(at) <= 0.5 * length
    turn = 2.0 * math.pi * at / lasting
    slow, quick = turn / cycles, turn + angle
    values = -size * math.pi / (lasting * cycles) * (
        np.sin(slow) * np.cos(quick) + cycles * np.sin(quick) * (1.0 + np.cos(slow))
    )  # fmt: skip
    note = (
        f"pulse of Mavroeidis and Papageorgiou (2003): A {size:g} m/s, T_p {lasting:g} s, γ {cycles:g}, ν "
        f"{math.degrees(angle):g}°"
    )
    source = {"source": f"pulse {lasting:g} s", **labels}
    return Motion(np.where(inside, values, 0.0), step, processing=(note,), **source)
