"""Records of arrays that the kernels for rigid contacts hand to each other; columns of tables are those of `rows`."""

from typing import NamedTuple

from carom.kernels.joints import Springs
from carom.kernels.types import Codes, Matrix, Vector


class System(NamedTuple):
    """What moves and what may meet. Rows of tangents stand behind those of normals where there is friction."""

    modes: Matrix
    """One row for each mode."""
    contacts: Matrix
    """One row for each contact."""
    damping: Matrix
    """The damping matrix of the modes where it couples them [1/s]; without rows where it does not."""
    reach: Matrix
    """For each contact what each mode does to its overlap, then to its slips [1/√kg]."""
    push: Matrix
    """For each contact what its impulse, then its friction, takes from each mode [1/√kg]."""
    still: Matrix
    """reach·pushᵀ: what impulses do to rates where nothing but masses resists [1/kg]."""
    restitution: Matrix
    """For each contact its coefficient of restitution as a function of speed (`impulses.restitution_at`)."""
    energy: Vector
    """The energies of the run so far [J]."""
    run: Vector
    """Settings and account of the run."""


class Solver(NamedTuple):
    """Scratch for impulses and reactions of contacts that act together."""

    pressed: Matrix
    """W of these contacts: what their impulses do to their rates [1/kg]."""
    struck: Matrix
    """Rates, restitutions and impulses of these contacts (`impulses`)."""
    work: Matrix
    """A factored matrix and two columns beside it (`complementarity`)."""
    active: Codes
    """The contacts that are looked at."""
    kept: Codes
    """The contacts that press, or are held."""
    course: Matrix
    """The course of one impact with two tangents (`hodograph`)."""


class Histories(NamedTuple):
    """What a run writes down."""

    q: Matrix
    """Displacement of each mode, a row for each sample [m·√kg]."""
    v: Matrix
    """Velocity of each mode, a row for each sample [m·√kg/s]."""
    force: Matrix
    """Mean force of each contact over the sample before, a row for each sample [N]."""
    stored: Matrix
    """Energy that joints can give back, a row for each sample [J]; event by event there are none."""
    ledger: Matrix
    """The energies, a row for each sample [J]."""
    impacts: Matrix
    """One row for each impact (`impact_record`)."""


class Flight(NamedTuple):
    """Event by event: motion and reactions as power series in time from the start of a stretch (`motion_series`)."""

    series: Matrix
    """The displacement of each mode."""
    reaction: Matrix
    """The reaction of each contact that is held [N]."""
    pulls: Vector
    """For each contact what its reaction has to balance; in a stretch the tension at which it lets go [N]."""
    overlap: Vector
    """Scratch for one series."""


class Trail(NamedTuple):
    """Time stepping: the motion over a stretch of steps."""

    q: Matrix
    """Displacement of each mode at the start of the stretch and after every step."""
    v: Matrix
    """Velocity of each mode likewise."""
    scratch: Matrix
    """Rows of scratch over the steps, then the mean acceleration of each ground (`free_steps`)."""
    before: Matrix
    """Rate and slip of each contact at the start of a step alone [m/s]."""


class Linearised(NamedTuple):
    """Time stepping: the equations of a step, linear in the impulses."""

    inverse: Matrix
    """J⁻¹, (9) of langlade2021; one row where it is diagonal."""
    answer: Matrix
    """J⁻¹pushᵀ: what impulses do to modal velocities."""
    w: Matrix
    """W = reach J⁻¹ pushᵀ, (20): what impulses do to rates [1/kg]."""


class Inside(NamedTuple):
    """Time stepping: joints inside structures."""

    sprung: Matrix
    """For each row of a joint what each mode does to its deformation."""
    springs: Springs
    """The joints, their rules and memory."""
    pull: Matrix
    """Deformation, force and tangents of each row in the step under way (`carom.kernels.joints`)."""


class Floors(NamedTuple):
    """Time stepping: degrees of freedom whose peaks are kept."""

    shapes: Matrix
    """For each degree of freedom what each mode does to it."""
    floors: Matrix
    """First and last of its modes, the row of ground acceleration it rides on and how much of that it takes."""
    worst: Matrix
    """Three rows of peaks for each, with a column for every step of a stretch."""
