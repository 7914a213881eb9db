"""Two modes that share one contact: the functions written by hand for them, put in by the compiler.

The loop and the state machine are those of `engine` and `contact`.
"""

from carom.kernels.contact.events import NOTHING
from carom.kernels.explicit import contact, flight, floors, step, warp
from carom.kernels.explicit.pairs import flight as pair_flight
from carom.kernels.explicit.pairs import peaks as pair_peaks
from carom.kernels.explicit.pairs import step as pair_step
from carom.kernels.explicit.step_control import choose, first_event
from carom.kernels.explicit.touches import NOBODY
from carom.kernels.rows import PEAK_OVERLAP, Q_END, V_END, W_END, Q, V, W
from carom.kernels.types import Matrix, Vector


def one_contact(contacts: Matrix) -> int:
    """Return that one contact takes one turn."""
    return 1


def choose_alone(remaining: float, contacts: Matrix, run: Vector) -> tuple[int, float, int, bool]:
    """Return what `contact.choose_together` does, of one contact that is closed."""
    kind, length, aimed = choose(remaining, contacts[0], run)
    return kind, length, 0 if aimed else NOBODY, contacts[0, PEAK_OVERLAP] == 0.0


def first_alone(
    h: float, angle: float, tolerance: float, event_there: int, there: int, contacts: Matrix
) -> tuple[int, int, float]:
    """Return what happens first in a step that is tried, to the one contact, and about when."""
    event, when = first_event(h, tolerance, contacts[0])
    return event, NOBODY if event == NOTHING else 0, when


def arrive(load: int, modes: Matrix) -> None:
    """Make the end of a step the present."""
    for k in range(2):
        row = modes[k]
        row[Q], row[V], row[W] = row[Q_END], row[V_END], row[W_END]


PAIR_PARTS = (
    (flight.fly_clear, pair_flight.fly_clear),
    (flight.fly, pair_flight.fly),
    (floors.note_floors, pair_peaks.note_floors),
    (floors.end_peaks, pair_peaks.end_peaks),
    (step.settle, pair_step.settle),
    (step.stride, pair_step.stride),
    (step.end_step, pair_step.end_step),
    (warp.contact_turns, one_contact),
    (contact.choose_together, choose_alone),
    (contact.earliest, first_alone),
    (flight.arrive, arrive),
)
"""What is put in for a pair: a function for many modes, and the one that takes its place."""
