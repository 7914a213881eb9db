"""The tables of a run by a step-by-step scheme, in the groups in which its functions hand them on."""

from typing import NamedTuple

from carom.kernels.types import Codes, Counts, Matrix, Vector


class State(NamedTuple):
    """What a step changes (columns in `rows`): parts of one buffer, so that a step is undone by one copy."""

    buffer: Vector
    """All of it, with what the joints inside structures remember."""
    modes: Matrix
    contacts: Matrix
    joints: Matrix
    """The contacts, and behind them the rows of the joints inside structures."""
    floors: Matrix
    run: Vector


class Scheme(NamedTuple):
    """The scheme's map of a step, for each level of step lengths."""

    tables: Matrix
    """Shape (levels, 2s+3, 5+s, modes): what `free_row` takes."""
    answers: Matrix
    """Shape (levels, 2, s·joints, s·joints): how overlaps and rates at the stages answer forces there."""
    weights: Vector
    """Of the stages, for work and impulse."""
    blocks: Codes
    """Ranges of stages that are solved together."""


class Links(NamedTuple):
    """Matrices between modes, joints and floors; each with the first and last column that is not zero in a row."""

    reach: Matrix
    reach_spans: Counts
    push: Matrix
    push_spans: Counts
    shapes: Matrix
    shape_spans: Counts


class Loads(NamedTuple):
    """What never changes of the modes, and what shakes them."""

    given: Matrix
    support: Codes
    ground: Matrix


class Scratch(NamedTuple):
    """Room to work in."""

    work: Matrix
    """Rows of `stage_forces`, a column for every force at every stage."""
    matrix: Matrix
    """Newton's."""
    trial: Matrix
    """Displacements and velocities of the modes after a step taken whole."""
    before: Vector
    """The state before a step that may be undone, as the buffer has it."""


class History(NamedTuple):
    """What a run leaves: a line for every sample, and one for every impact."""

    q: Matrix
    v: Matrix
    force: Matrix
    ledger: Matrix
    impacts: Matrix
