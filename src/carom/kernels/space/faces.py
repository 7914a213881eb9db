"""A node against a plane quadrilateral: where its foot is, how it moves there, and who takes the reaction.

Zhu, Abe and Fujino's model (zhu2002, equations 1-11). The face abcd runs counter-clockwise seen from outside; with its
diagonals D₁ = c − a and D₂ = d − b

    n = D₁ × D₂ / |D₁ × D₂|,    g = n·(k − x̄),    p = k − g n,    x̄ the mean of the corners.

The paper wants the reaction in static equilibrium and leaves open how four corners share it. Here they share it as the
plane of mean and diagonals moves with them, so that power is the same on both sides, also where a face on a frame
warps a little: with l₁ = n × D₂/|D₁ × D₂| and l₂ = n × D₁/|D₁ × D₂|,

    w_a, w_c = ¼ ± l₁·(p − x̄),   w_b, w_d = ¼ ∓ l₂·(p − x̄),   Σ w = 1,   Σ w x = p,   dn/dt = ḋ₁ l₁ − ḋ₂ l₂

where ḋ = n·Ḋ. The matter of the face moves at height h over p with Σ w v + h dn/dt, and forces on the corners are the
transpose of that: force and moment are in equilibrium with what acts on the node. With d = c a face is a triangle.

A node may carry a sphere of radius ρ: it touches at k − ρ n, and friction there turns its body.
"""

import math

from carom.kernels.space.rows import (
    FOOT,
    FX,
    GAP,
    LEAN,
    LEAN_2,
    MARGIN,
    MX,
    NORMAL,
    ROUND,
    SPIN,
    TANGENT,
    TANGENT_2,
    VX,
    WEIGHT,
    X,
)
from carom.kernels.types import Vector


def see_face(node: Vector, a: Vector, b: Vector, c: Vector, d: Vector, view: Vector) -> None:
    """Write how a node sees a face: normal, tangents, weights of the corners, gap, distance to the ends."""
    ux, uy, uz = c[X] - a[X], c[X + 1] - a[X + 1], c[X + 2] - a[X + 2]
    wx, wy, wz = d[X] - b[X], d[X + 1] - b[X + 1], d[X + 2] - b[X + 2]
    nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
    area = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / area, ny / area, nz / area
    view[NORMAL], view[NORMAL + 1], view[NORMAL + 2] = nx, ny, nz
    tx, ty, tz = b[X] - a[X], b[X + 1] - a[X + 1], b[X + 2] - a[X + 2]
    off = nx * tx + ny * ty + nz * tz
    tx, ty, tz = tx - off * nx, ty - off * ny, tz - off * nz
    length = math.sqrt(tx * tx + ty * ty + tz * tz)
    tx, ty, tz = tx / length, ty / length, tz / length
    view[TANGENT], view[TANGENT + 1], view[TANGENT + 2] = tx, ty, tz
    view[TANGENT_2], view[TANGENT_2 + 1] = ny * tz - nz * ty, nz * tx - nx * tz
    view[TANGENT_2 + 2] = nx * ty - ny * tx
    view[LEAN], view[LEAN + 1] = (ny * wz - nz * wy) / area, (nz * wx - nx * wz) / area
    view[LEAN + 2] = (nx * wy - ny * wx) / area
    view[LEAN_2], view[LEAN_2 + 1] = (ny * uz - nz * uy) / area, (nz * ux - nx * uz) / area
    view[LEAN_2 + 2] = (nx * uy - ny * ux) / area
    gap, first, second = 0.0, 0.0, 0.0
    for i in range(3):
        r = node[X + i] - 0.25 * (a[X + i] + b[X + i] + c[X + i] + d[X + i])
        gap += view[NORMAL + i] * r
        first += view[LEAN + i] * r
        second -= view[LEAN_2 + i] * r
    view[GAP] = gap
    view[WEIGHT], view[WEIGHT + 1], view[WEIGHT + 2] = 0.25 + first, 0.25 + second, 0.25 - first
    view[WEIGHT + 3] = 0.25 - second
    for i in range(3):
        view[FOOT + i] = node[X + i] - gap * view[NORMAL + i]
    view[MARGIN], view[ROUND] = math.inf, 0.0
    see_edge(a, b, view)
    see_edge(b, c, view)
    see_edge(c, d, view)
    see_edge(d, a, view)


def see_edge(start: Vector, end: Vector, view: Vector) -> None:
    """Lower the margin to the distance of the foot from an edge, positive on its inner side."""
    ex, ey, ez = end[X] - start[X], end[X + 1] - start[X + 1], end[X + 2] - start[X + 2]
    length = math.sqrt(ex * ex + ey * ey + ez * ez)
    if length == 0.0:
        return
    nx, ny, nz = view[NORMAL], view[NORMAL + 1], view[NORMAL + 2]
    inside = (ny * ez - nz * ey) * (view[FOOT] - start[X]) + (nz * ex - nx * ez) * (view[FOOT + 1] - start[X + 1])
    inside += (nx * ey - ny * ex) * (view[FOOT + 2] - start[X + 2])
    view[MARGIN] = min(view[MARGIN], inside / length)
    view[ROUND] += length


def rates_at_face(
    node: Vector, a: Vector, b: Vector, c: Vector, d: Vector, radius: float, view: Vector
) -> tuple[float, float, float]:
    """Return how fast a node leaves a face that it sees, and its slip along both tangents [m/s]."""
    rises, rises_2, height = 0.0, 0.0, view[GAP] - radius
    for i in range(3):
        rises += view[NORMAL + i] * (c[VX + i] - a[VX + i])
        rises_2 += view[NORMAL + i] * (d[VX + i] - b[VX + i])
    nx, ny, nz = view[NORMAL], view[NORMAL + 1], view[NORMAL + 2]
    px, py, pz = node[SPIN], node[SPIN + 1], node[SPIN + 2]
    rolls = pz * ny - py * nz, px * nz - pz * nx, py * nx - px * ny  # ω × −n
    leaves, slip, slip_2 = 0.0, 0.0, 0.0
    for i in range(3):
        u = node[VX + i] + radius * rolls[i]
        u -= view[WEIGHT] * a[VX + i] + view[WEIGHT + 1] * b[VX + i]
        u -= view[WEIGHT + 2] * c[VX + i] + view[WEIGHT + 3] * d[VX + i]
        u -= height * (rises * view[LEAN + i] - rises_2 * view[LEAN_2 + i])
        leaves += view[NORMAL + i] * u
        slip += view[TANGENT + i] * u
        slip_2 += view[TANGENT_2 + i] * u
    return leaves, slip, slip_2


def push_face(
    normal: float, friction: float, friction_2: float, radius: float, view: Vector, node: Vector, a: Vector, b: Vector,
    c: Vector, d: Vector,
) -> None:  # fmt: skip
    """Add a force across a face, and friction against both slips, to a node and to the corners of the face [N]."""
    height, along, along_2 = view[GAP] - radius, 0.0, 0.0
    for i in range(3):
        aside = -friction * view[TANGENT + i] - friction_2 * view[TANGENT_2 + i]
        along += aside * view[LEAN + i]
        along_2 += aside * view[LEAN_2 + i]
        push = normal * view[NORMAL + i] + aside
        node[FX + i] += push
        a[FX + i] -= view[WEIGHT] * push
        b[FX + i] -= view[WEIGHT + 1] * push
        c[FX + i] -= view[WEIGHT + 2] * push
        d[FX + i] -= view[WEIGHT + 3] * push
    for i in range(3):
        a[FX + i] += height * along * view[NORMAL + i]
        c[FX + i] -= height * along * view[NORMAL + i]
        b[FX + i] -= height * along_2 * view[NORMAL + i]
        d[FX + i] += height * along_2 * view[NORMAL + i]
    if radius != 0.0:  # −ρ n × T with T = −f₁ t₁ − f₂ t₂, n × t₁ = t₂, n × t₂ = −t₁
        for i in range(3):
            node[MX + i] += radius * (friction * view[TANGENT_2 + i] - friction_2 * view[TANGENT + i])
