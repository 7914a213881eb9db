"""Energy of modes: what they hold, and what linear loads bring in during flight."""

from carom.kernels.types import Vector


def modal_energy(omega: Vector, energy: Vector, q: Vector, v: Vector) -> tuple[float, float]:
    """Return kinetic and strain energy relative to the ground [J]."""
    kinetic = 0.0
    strain = 0.0
    for k in range(q.size):
        kinetic += 0.5 * energy[k] * v[k] * v[k]
        strain += 0.5 * energy[k] * omega[k] * omega[k] * q[k] * q[k]
    return kinetic, strain


def flight_input(
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    energy: Vector,
    q: Vector,
    v: Vector,
    q_end: Vector,
    v_end: Vector,
    t: float,
) -> float:
    """Return the work of linear loads over a stretch of flight: ∫ p q̇ dt = [p q] − p′ ∫ q dt [J]."""
    total = 0.0
    for k in range(q.size):
        if energy[k] == 0.0:
            continue
        end_load = load[k] + slope[k] * t
        if omega[k] * t > 1e-3:
            mean = 0.5 * (load[k] + end_load)
            area = (mean * t - (v_end[k] - v[k]) - 2.0 * sigma[k] * (q_end[k] - q[k])) / (omega[k] * omega[k])
        else:  # Hermite's quintic: exact for the cubic of a rigid mode
            a0 = load[k] - 2.0 * sigma[k] * v[k] - omega[k] * omega[k] * q[k]
            a1 = end_load - 2.0 * sigma[k] * v_end[k] - omega[k] * omega[k] * q_end[k]
            area = t * (0.5 * (q[k] + q_end[k]) + t * (0.1 * (v[k] - v_end[k]) + t * (a0 + a1) / 120.0))
        total += energy[k] * (end_load * q_end[k] - load[k] * q[k] - slope[k] * area)
    return total
