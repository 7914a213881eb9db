"""Threads that work on one run together, and what they need to agree.

On a GPU the 32 threads of a warp share a run: a thread takes every 32nd mode, contact and degree of freedom. The same
text runs on a single thread, where all of this is nothing. Rules that make it right:

- a row of a table is written by its own thread alone, the one that `takes` it;
- between writing a row and another thread's reading of it, or the reverse, all `meet`;
- what decides the way is the same in all threads: read from tables after a meeting, or agreed on (`anyone`, `agreed`,
  `smallest`), which all threads must come to;
- sums that only the account needs stay apart until the end of the run, where `total` adds them.
"""

from carom.kernels.types import Matrix


def turns(count: int) -> int:
    """Return in how many turns the warp takes `count` rows, a row each; the last turn may be short."""
    return count


def place(turn: int) -> int:
    """Return the row that this thread takes in a turn; there may be no such row in the last one."""
    return turn


def takes(row: int) -> bool:  # noqa: ARG001 the thread that is alone takes all
    """Return whether a row is this thread's."""
    return True


def contact_turns(contacts: Matrix) -> int:
    """Return in how many turns the warp takes all contacts; of a pair there is one (`pairs.parts`)."""
    return turns(contacts.shape[0])


def meet() -> None:
    """Wait until all threads of the warp are here and see what the others wrote."""


def in_step() -> None:
    """Wait for the other warps that began together: at the same place in a program they share its instructions."""


def anyone(flag: bool) -> bool:
    """Return whether the flag of any thread is set."""
    return flag


def smallest(part: float) -> float:
    """Return the smallest of the threads' parts."""
    return part


def agreed(row: int) -> int:
    """Return the row that a thread has found, of the first one that has; −1: none."""
    return row


def among(first: int, after: int, count: int) -> tuple[int, int]:  # noqa: ARG001 a GPU needs to know how many there are
    """Return between which of `count` rows to add up what all but those from `first` to before `after` have none of."""
    return first, after


def total(part: float) -> float:
    """Return the sum of the threads' parts."""
    return part


WARP_FUNCTIONS = (turns, place, takes, meet, in_step, anyone, smallest, agreed, among, total)
"""What a GPU does in its own way."""
