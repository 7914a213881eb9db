"""Orientations as they are given, and as rotation matrices: quaternions (w, x, y, z) and rotation vectors."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from carom.errors import refusal
from carom.structures.matrices import Array
from carom.units import array

__all__ = ["matrix_of", "orientation_of", "product", "quaternion_of_matrix", "rotation_vectors"]

WAY_OUT = (
    'Write a rotation vector such as (0, 0, "30 deg"), the axis times the angle, or a quaternion (w, x, y, z) such as '
    "(1, 0, 0, 0)."
)
UNIT = 1e-6
"""By how much the length of a quaternion may differ from one."""


def orientation_of(given: Any, name: str, owner: str) -> tuple[float, float, float, float]:
    """Return a unit quaternion from one, or from a rotation vector [rad]; None: not turned."""
    if given is None:
        return 1.0, 0.0, 0.0, 0.0
    try:
        count = len(given)
    except TypeError:
        count = 0
    if isinstance(given, str) or count not in (3, 4):
        raise refusal(name, owner, "must be three numbers or four", given, WAY_OUT)
    if count == 3:
        vector = array(given, "rad", name=name, owner=owner)
        angle = float(np.linalg.norm(vector))
        share = 0.5 if angle == 0.0 else math.sin(0.5 * angle) / angle
        w, (x, y, z) = math.cos(0.5 * angle), (share * vector).tolist()
        return w, x, y, z
    taken = array(given, "", name=name, owner=owner)
    size = float(np.linalg.norm(taken))
    if abs(size - 1.0) > UNIT:
        raise refusal(name, owner, "must be a quaternion of length one", given, WAY_OUT)
    w, x, y, z = (taken / size).tolist()
    return w, x, y, z


def matrix_of(quaternion: Any) -> Array:
    """Return the rotation matrices of quaternions, shape (…, 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=float), -1, 0)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    rows = [
        [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
    ]
    found: Array = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    return found


def quaternion_of_matrix(matrix: Array) -> Array:
    """Return the quaternion of a rotation matrix, w ≥ 0, by the largest of its four numbers."""
    m = matrix
    squares = np.array([
        1.0 + m[0, 0] + m[1, 1] + m[2, 2], 1.0 + m[0, 0] - m[1, 1] - m[2, 2],
        1.0 - m[0, 0] + m[1, 1] - m[2, 2], 1.0 - m[0, 0] - m[1, 1] + m[2, 2],
    ])  # fmt: skip
    products = np.array([
        [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
        [m[2, 1] - m[1, 2], squares[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
        [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], squares[2], m[1, 2] + m[2, 1]],
        [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[3]],
    ])  # fmt: skip
    found = products[int(squares.argmax())]
    found = found / np.linalg.norm(found)
    return cast(Array, -found if found[0] < 0.0 else found)


def product(first: Array, second: Array) -> Array:
    """Return products of quaternions, as unit quaternions: the second turn, then the first."""
    a, b = np.broadcast_arrays(first, second)
    w, x, y, z = np.moveaxis(a, -1, 0)
    p, i, j, k = np.moveaxis(b, -1, 0)
    found = np.stack([
        w * p - x * i - y * j - z * k, w * i + x * p + y * k - z * j,
        w * j - x * k + y * p + z * i, w * k + x * j - y * i + z * p,
    ], axis=-1)  # fmt: skip
    return cast(Array, found / np.linalg.norm(found, axis=-1, keepdims=True))


def rotation_vectors(quaternions: Array) -> Array:
    """Return the rotation vectors of unit quaternions [rad], shape (…, 3), of angles up to π."""
    q = np.where(quaternions[..., :1] < 0.0, -quaternions, quaternions)
    size = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(size, q[..., :1])
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(size > 0.0, angle / size, 2.0)
    found: Array = share * q[..., 1:]
    return found
