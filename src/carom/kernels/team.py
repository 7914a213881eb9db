"""Threads that work on one run together, and what they need to agree.

On a GPU the threads of a warp share a run: each takes every so-many-th mode, contact and degree of freedom. The same
text runs on a single thread, where all of this is nothing. Rules that make it right:

- a row of a table is written by its own thread alone, the one that `lane` names for its number;
- between writing a row and another thread's reading of it, or the reverse, all `meet`;
- what decides the way is the same in all threads: read from tables after a meeting, or agreed on by `anyone`;
- sums that only the account needs stay apart until the end of the run, where `total` adds them.
"""


def lane() -> int:
    """Return the number of this thread in its team."""
    return 0


def lanes() -> int:
    """Return how many threads are in a team."""
    return 1


def meet() -> None:
    """Wait until all threads of the team are here and see what the others wrote."""


def anyone(flag: bool) -> bool:
    """Return whether the flag of any thread is set."""
    return flag


def total(part: float) -> float:
    """Return the sum of the threads' parts."""
    return part


TEAMWORK = (lane, lanes, meet, anyone, total)
"""What a GPU does in its own way."""
