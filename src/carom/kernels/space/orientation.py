"""Orientations as quaternions (w, x, y, z), from a body's own axes to the world.

A quaternion need not have the length one: rotations are worked out for its direction, so that the stages of a
Runge-Kutta step, which leave the sphere a little, still turn bodies without stretching them.
"""

from carom.kernels.types import Vector


def rotate_into(quaternion: Vector, matrix: Vector) -> None:
    """Write the rotation matrix of a quaternion, nine numbers row by row."""
    w, x, y, z = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    matrix[0], matrix[1], matrix[2] = 1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)
    matrix[3], matrix[4], matrix[5] = s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)
    matrix[6], matrix[7], matrix[8] = s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)


def quaternion_rate(quaternion: Vector, p: float, q: float, r: float) -> tuple[float, float, float, float]:
    """Return dQ/dt = ½ Q∘ω for a spin p, q, r [rad/s] about the body's own axes."""
    w, x, y, z = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
    return (
        -0.5 * (x * p + y * q + z * r),
        0.5 * (w * p + y * r - z * q),
        0.5 * (w * q + z * p - x * r),
        0.5 * (w * r + x * q - y * p),
    )


def to_world(matrix: Vector, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a vector of the body's axes along those of the world."""
    return (
        matrix[0] * x + matrix[1] * y + matrix[2] * z,
        matrix[3] * x + matrix[4] * y + matrix[5] * z,
        matrix[6] * x + matrix[7] * y + matrix[8] * z,
    )


def to_body(matrix: Vector, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a vector of the world along the body's axes."""
    return (
        matrix[0] * x + matrix[3] * y + matrix[6] * z,
        matrix[1] * x + matrix[4] * y + matrix[7] * z,
        matrix[2] * x + matrix[5] * y + matrix[8] * z,
    )
