"""What a run writes down sample by sample and impact by impact, where it is asked to.

A GPU's threads write none of it: there `keeps` is put in as never (`NO_HISTORIES`), and the compiler leaves all of it
out.
"""

from carom.kernels.ledger import DAMPING, INPUT, write_balance
from carom.kernels.modal.energy import modal_energy
from carom.kernels.rows import CLOSED, FORCE, STATUS, Q, V
from carom.kernels.tables import Histories, Tables


def keeps(histories: Histories) -> bool:
    """Return whether histories are written."""
    return histories.q.shape[0] > 0


def keeps_none(histories: Histories) -> bool:  # noqa: ARG001 stands where `keeps` does
    """Return that no histories are written."""
    return False


NO_HISTORIES = ((keeps, keeps_none),)
"""What is put in where nothing is written down: a function, and the one that takes its place."""


def write_sample(
    i: int, closed: bool, energy_before: float, input_before: float, tables: Tables, histories: Histories
) -> None:
    """Write the state at sample `i`; while contacts are `closed`, their forces too.

    `energy_before` and `input_before` are the energy of the modes and the input when the last flight began [J]: what
    damping took in flight since then follows from the balance of energy (`event.engine`).
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    for k in range(modes.shape[0]):
        histories.q[i, k] = modes[k, Q]
        histories.v[i, k] = modes[k, V]
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            histories.force[i, c] = contacts[c, FORCE]
    kinetic, strain = modal_energy(modes)
    lost_in_flight = 0.0 if closed else run[INPUT] - input_before - (kinetic + strain - energy_before)
    write_balance(kinetic, strain, run[DAMPING] + lost_in_flight, run, histories.ledger[i])
