"""A run with damping that couples modes, from its tables to its histories: flight in complex modes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.modes.complex_modes import ComplexModes
from carom.integrate.tables.general import scratch, tables_of
from carom.kernels import ledger
from carom.kernels.event.clear_flight import WIDTH
from carom.kernels.event.complex_clear_flight import LINES
from carom.kernels.event.complex_flight import pound_damped
from carom.kernels.explicit.buildings import damped
from carom.kernels.laws import power_law
from carom.kernels.tables import Doubled, Histories, Shaking, Tables
from carom.problem import FlatProblem

__all__ = ["DampedRun", "collocation", "explicit_steps"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def collocation() -> Callable[..., int]:
    """Return the kernel that collocates on the forces of contacts and dashpots: whatever the problem."""
    return compiled(pound_damped)


def explicit_steps() -> Callable[..., int]:
    """Return the kernel that takes buildings through contacts in explicit steps, and leaves some runs UNUSUAL."""
    return compiled(damped.damped_buildings, dict(damped.DAMPED_PARTS))


class DampedRun:
    """One run of a problem whose dashpots are the last of its contacts.

    Its histories are in complex modes where it flew. `states`, `forces` and `ledger` translate them, when asked for.
    """

    def __init__(self, flat: FlatProblem, modes: ComplexModes, kernel: Callable[..., int]) -> None:
        self._flat, self._modes, self._kernel = flat, modes, kernel
        self._pressed = np.zeros(0)
        self.histories = np.zeros((2, 0, 0))
        """Displacements and velocities of the modes at each sample: complex ones where it flew, else natural ones."""

    def run(self, tables: Tables, support: Integers, ground: Array, dt: float, histories: Histories) -> int:
        """Run it as `carom.integrate.engine.run_alone` does."""
        twin, samples = self._modes.flat, ground.shape[1]
        real, wide = twin.gap.size, twin.omega.size
        flight = tables_of(twin, by_structure=True, pairs=0)._replace(run=tables.run)
        flight.contacts[:, : power_law.SIZE] = self._flat.laws[:real]
        self.histories = np.zeros((2, samples, wide))
        doubled = self._doubled(twin, support, samples)
        self._pressed = doubled.pressed
        return self._kernel(
            tables, flight, doubled, Shaking(support.copy(), ground.copy(), 1.0, dt),
            histories._replace(q=self.histories[0], v=self.histories[1]),
        )  # fmt: skip

    def _doubled(self, twin: FlatProblem, support: Integers, samples: int) -> Doubled:
        """Return how complex modes and natural ones tell each other, as kernels take it."""
        many, wide = self._flat.omega.size, twin.omega.size
        order, own = (
            np.arange(len(twin.outputs)) if f.output_order is None else f.output_order for f in (twin, self._flat)
        )
        return Doubled(
            shapes=self._modes.shapes, states=self._modes.states, steady=twin.load.copy(), lags=self._modes.lags,
            starts=self._modes.starts, work=self._modes.work, support=twin.support.copy(),
            floors=own.argsort(kind="stable")[order], lines=scratch(LINES * WIDTH * wide),
            before=np.zeros((3, wide)),
            room=np.zeros((2, 2 * max(wide, many))), pressed=np.zeros(samples),
        )  # fmt: skip

    @cached_property
    def states(self) -> tuple[Array, Array]:
        """Displacements and velocities of natural modes, shape (samples, N) each."""
        pressed, many = self._pressed == 1.0, self._flat.omega.size
        found = []
        for history in self.histories:
            natural = history @ self._modes.shapes
            natural[pressed] = history[pressed, :many]
            found.append(natural)
        return found[0], found[1]

    def forces(self, force: Array) -> Array:
        """Return forces of all contacts, with those of dashpots in flight."""
        real, damping = self._modes.flat.gap.size, self._flat.laws[:, power_law.DAMPING]
        found = force.copy()
        found[:, real:] = self.states[1] @ (self._flat.reach[real:] * damping[real:, None]).T
        return found

    def ledger(self, balance: Array) -> Array:
        """Return the ledger with the energy that modes had in flight; DAMPING has it there with what damping took."""
        found, flew, own = balance.copy(), self._pressed == 0.0, self._flat.modal_mass > 0.0
        q, v = (history[flew][:, own] for history in self.states)
        kinetic, strain = 0.5 * (v * v).sum(axis=1), 0.5 * ((q * self._flat.omega[own]) ** 2).sum(axis=1)
        found[flew, ledger.KINETIC], found[flew, ledger.STRAIN] = kinetic, strain
        found[flew, ledger.DAMPING] -= kinetic + strain
        return found
