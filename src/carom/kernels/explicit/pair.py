"""Two modes that share one contact: the functions written by hand for them, put in by the compiler.

The loop and the state machine are those of `engine` and `contact`.
"""

from carom.kernels.explicit import flight, floors, pair_flight, pair_peaks, pair_step, step, warp
from carom.kernels.types import Matrix


def one_contact(contacts: Matrix) -> int:  # noqa: ARG001 stands where `warp.contact_turns` does
    """Return that one contact takes one turn."""
    return 1


PAIR_PARTS = (
    (flight.fly_clear, pair_flight.fly_clear),
    (flight.fly, pair_flight.fly),
    (floors.note_floors, pair_peaks.note_floors),
    (floors.end_peaks, pair_peaks.end_peaks),
    (step.settle, pair_step.settle),
    (step.stride, pair_step.stride),
    (step.end_step, pair_step.end_step),
    (warp.contact_turns, one_contact),
)
"""What is put in for a pair: a function for many modes, and the one that takes its place."""
