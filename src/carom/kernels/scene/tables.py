"""Records of scenes: what never changes in a run, what moves, what a run writes down.

N modes, C contacts, B bodies, A anchors, L links (rows of joints first, gauges behind them), O outputs, G rows of
ground, S structures, K powers.
"""

from typing import NamedTuple

from carom.kernels.types import Codes, Matrix, Vector


class Plan(NamedTuple):
    """What never changes."""

    modes: Matrix
    """Rows of `scene.rows`, (5, N)."""
    support: Codes
    """The row of the ground that drives each mode."""
    group: Codes
    """The structure that each mode counts with in the control of errors, (N,)."""
    first: Codes
    """Where each row over the modes begins in `mode` and `value`, and behind the last one their length."""
    mode: Codes
    value: Vector
    offsets: Codes
    """Which rows are whose (`scene.rows`)."""
    dashpots: Vector
    """Constants of dashpots between modes."""
    friction: Matrix
    """(C, 6)."""
    places: Codes
    """(C, 3): the node and both ends of the edge of each contact; −1: constant rows. In space (C, 5)."""
    clearance: Vector
    """(C,): gap of constant rows, or what lies before the face [m]."""
    body_modes: Codes
    """(B, 3); in space (B, 6)."""
    body_shape: Matrix
    """(B, 6): scales and pose; in space (B, 13)."""
    reach: Vector
    """(B,): of the anchor farthest from the centre of each body, with what lies before its faces [m]."""
    riding: Codes
    """The anchors that rows over the modes move."""
    anchor_body: Codes
    """(A,)."""
    anchor_point: Matrix
    """(A, 3)."""
    links: Codes
    """(L, 3): anchors a and b, −1: a constant row; and the body whose axes turn the direction, −1: none."""
    axes: Matrix
    """(L, 5)."""
    limits: Matrix
    """(gauges, 2)."""


class Motion(NamedTuple):
    """What moves, and room for a step."""

    now: Matrix
    """q, q̇, q̈ at the start of the step, (3, N)."""
    end: Matrix
    """At its end."""
    trial: Matrix
    """At a stage, or anywhere in the step."""
    give: Matrix
    """ξ and dξ/dt of all contacts, (6, 2C): now, at the end, at a trial. In space the quaternions of all bodies stand
    behind, (6, 2C + 4B): whatever first-order states there are."""
    stages: Matrix
    """q̈ of the stages, (7, N)."""
    gives: Matrix
    """dξ/dt of the stages, (7, 2C), and those of quaternions."""
    powers: Matrix
    """(7, K)."""
    sums: Vector
    """What the powers add up to, (K,)."""
    load: Vector
    """Forces on the modes, (N,)."""
    bodies: Matrix
    anchors: Matrix
    contacts: Matrix
    outputs: Matrix
    links: Matrix
    near: Codes
    """The contacts that are looked at, in order; the first of them (`scene.nearness`), (C,)."""
    wake: Vector
    """The TRAVEL at which a contact that sleeps is looked at again [m]; −1 of one that is near, (C,)."""
    moved: Codes
    """The anchors that near contacts and links need, in order; the first of them, (A,)."""
    uses: Codes
    """By how many of these each anchor is needed, (A,)."""
    listed: Codes
    """How many are near, and how many are moved, (2,)."""
    pull: Matrix
    """Deformations, rates and forces of links (`kernels.joints`)."""
    ground: Matrix
    """Acceleration at the start of the sample, and its slope, (2, G)."""
    size: Matrix
    """Of each structure, (3, S): the square of its largest speed so far, room for that of now and for that of errors
    [J]."""
    clock: Vector
    """`scene.clock`."""
    run: Vector
    """The account of the run (`kernels.ledger`)."""


class Writing(NamedTuple):
    """What a run writes down at samples; what has no rows is not written."""

    q: Matrix
    v: Matrix
    own: Matrix
    """Absolute accelerations of the modes."""
    contacts: Matrix
    """Six numbers of each contact (`scene.record`)."""
    views: Matrix
    """In space: of each contact the foot of the node on the face [m], and the force on the node [N]."""
    turns: Matrix
    """In space: the quaternion of each body."""
    links: Matrix
    """Deformation and force of each link."""
    ledger: Matrix
    impacts: Matrix
