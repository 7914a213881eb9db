"""Records of arrays that kernels hand to each other: the tables of a run, what shakes it, what it writes down.

A record is a named tuple. Compiled, it costs nothing: its arrays are passed as if each were a parameter of its own.
"""

from typing import NamedTuple

from carom.kernels.types import Codes, Matrix, Vector


class Tables(NamedTuple):
    """What a run works on; `carom.integrate.tables.general` lays it out."""

    modes: Matrix
    """One row for each mode (`rows`)."""
    contacts: Matrix
    """One row for each contact (`rows`)."""
    pairs: Matrix
    """One row for each pair of contacts (`rows`); where contacts are left out, for each of those that were not."""
    floors: Matrix
    """One row for each degree of freedom whose peaks are kept (`rows`)."""
    small: Vector
    """Scratch: what steps in contact share (`contact.step`), and behind it what `side_by_side` asks for."""
    run: Vector
    """The account of the run, its settings and what steps in contact share (`ledger`)."""
    side_by_side: bool
    """Whether the modes of buildings are worked on side by side, from copies in the scratch (`event.mode_columns`,
    `event.floor_sums`, `event.clear_flight`). Otherwise each mode and each degree of freedom is worked on alone."""


class Islands(NamedTuple):
    """Structures that are worked on apart from each other wherever no contact ties them together (`event.islands`).

    Without any, all of a problem is worked on together.
    """

    first_mode: Codes
    """The first mode of each structure, and behind the last structure the number of modes."""
    first_floor: Codes
    """The same of degrees of freedom."""
    left: Codes
    """For each contact, one of the two structures that it ties together."""
    right: Codes
    """The other one, or the same again where there is none."""
    root: Codes
    """Scratch: for each structure one of its island, in the end the first."""
    next_structure: Codes
    """Scratch: for each structure the next one of its island, or −1."""
    next_contact: Codes
    """Scratch: for each contact the next active one of its island, or −1."""
    head: Codes
    """Scratch: for the root of each island its first contact, or −1; behind it, how far a walk has come."""
    active: Codes
    """Scratch: for each contact 1 where it may close in the sample under way, or is not open."""
    members: Vector
    """Scratch: contacts, island by island."""
    place: Codes
    """Scratch: for each structure where its modes begin in those of its island."""
    links: Matrix
    """A row for each contact: what is looked at in every sample, close together (`event.islands`)."""
    numbers: Matrix
    """Scratch, a row for each structure (`event.islands`)."""
    nearest: Vector
    """Scratch: for each contact how near zero its overlap comes in the sample without contact forces, at most [m]."""
    account: Vector
    """Scratch: a copy of the account of the run."""
    modes: Vector
    """Room for the modes of all islands, row by row."""
    contacts: Vector
    """Room for their contacts."""
    floors: Vector
    """Room for their degrees of freedom."""


class Near(NamedTuple):
    """Contacts that may close in a sample, of many between few structures (`contact.near_contacts`).

    Without any, steps in contact look at all contacts.
    """

    reach: Matrix
    """Given: the reaches of each contact, mode by mode."""
    shares: Matrix
    """Given, a row for each degree of freedom: what a force at each contact does to its acceleration."""
    contacts: Matrix
    """Room for the contacts that are chosen."""
    pairs: Matrix
    """Room for pairs of them."""
    answers: Matrix
    """How far a unit impulse at one contact moves another one's overlap in a sample, at most; a row is worked out when
    its contact first closes [m/(N·s)]."""
    slack: Vector
    """For each contact: how far it stays from closing in the sample without contact forces, at least [m]."""
    used: Vector
    """How much of that contact forces have used up, at most [m]."""
    chosen: Vector
    """For each contact 1 where it is looked at in steps, else 0."""
    members: Vector
    """The contacts that are chosen; behind room for them all, how many there are."""
    turns: Vector
    """For each contact, as the how manieth it was first chosen, 0: never; behind them, how many ever were."""


class Shaking(NamedTuple):
    """What moves the ground."""

    support: Codes
    """For each mode, the row of `ground` that drives it."""
    ground: Matrix
    """Ground acceleration, a row for each support and direction along which modes are driven, and a column for each
    sample [m/s²]."""
    scale: float
    """The factor by which `ground` is multiplied."""
    dt: float
    """The time between two samples [s]."""


class Histories(NamedTuple):
    """What a run writes down, sample by sample and impact by impact; what has no rows is not written."""

    q: Matrix
    """Displacement of each mode, a row for each sample [m·√kg]."""
    v: Matrix
    """Velocity of each mode, a row for each sample [m·√kg/s]."""
    force: Matrix
    """Force of each contact, a row for each sample [N]; zeros to begin with."""
    ledger: Matrix
    """Where the energy is, a row for each sample (`ledger`) [J]."""
    impacts: Matrix
    """One row for each impact (`ledger`)."""


class Doubled(NamedTuple):
    """How complex modes and natural ones tell each other (`event.complex_states`): N natural modes, M complex ones."""

    shapes: Matrix
    """Given: displacements and velocities of natural modes by those of complex ones (M, N)."""
    states: Matrix
    """Given: displacements and velocities of complex modes by those of natural ones (2N, 2M)."""
    steady: Vector
    """Given: constant loads on complex modes."""
    lags: Vector
    """Given: their loads by the negative slope of the ground's acceleration."""
    starts: Vector
    """Given: what constant loads add to their velocities."""
    work: Matrix
    """Given: in the directions of these two rows the negative acceleration of the ground and constant loads work."""
    support: Codes
    """Given: for each complex mode, the row of the ground that shakes it."""
    floors: Codes
    """Given: for each degree of freedom of flight, its row in the tables of contact."""
    lines: Vector
    """Scratch: what complex modes have beside their tiles (`event.complex_clear_flight.lay_lines`)."""
    before: Matrix
    """Scratch: q, q̇ and q̈ of complex modes at the start of a stretch of flight (3, M)."""
    room: Matrix
    """Scratch for the way from the ones to the others (2, 2M)."""
    pressed: Vector
    """For each sample of the histories 1 where it holds natural modes, since a contact is closed, else 0."""
