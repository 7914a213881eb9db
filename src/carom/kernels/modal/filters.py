"""Ground as a filter: white noise through two oscillators in a row, marched in closed form."""

from carom.kernels.modal.propagator import fill_propagator
from carom.kernels.types import Vector


def clough_penzien(
    noise: Vector,
    dt: float,
    ground: float,
    ground_decay: float,
    second: float,
    second_decay: float,
    row: Vector,
    out: Vector,
) -> None:
    """Filter `noise` [m/s²], linear between samples, into a ground acceleration `out` [m/s²].

    First the Kanai-Tajimi layer (frequency `ground` [rad/s], decay ζω [1/s]): its absolute acceleration when
    its base moves with `noise`. That drives the second oscillator, whose relative acceleration is the answer
    and carries no power at zero frequency. Both start at rest. `row` (16) is scratch.
    """
    fill_propagator(ground, ground_decay, dt, row[:8])
    fill_propagator(second, second_decay, dt, row[8:])
    u, v, x, y = 0.0, 0.0, 0.0, 0.0
    before = 0.0
    out[0] = 0.0
    for i in range(1, noise.size):
        p0, p1 = -noise[i - 1], -noise[i]
        u, v = (
            row[0] * u + row[1] * v + row[2] * p0 + row[3] * p1,
            row[4] * u + row[5] * v + row[6] * p0 + row[7] * p1,
        )
        layer = -(2.0 * ground_decay * v + ground * ground * u)
        x, y = (
            row[8] * x + row[9] * y + row[10] * before + row[11] * layer,
            row[12] * x + row[13] * y + row[14] * before + row[15] * layer,
        )
        out[i] = layer - 2.0 * second_decay * y - second * second * x
        before = layer
