"""A process that computes for visitors: what it holds of them, and the jobs it knows.

Kernels, readers of files and their memory live here, apart from the process that browsers talk to, which is never kept
waiting by who computes. One thread, so that memory is used again by the next run. The process ends when its input does.
"""

from __future__ import annotations

import gc
import os
import pickle  # nosec B403: between two processes of our own
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from carom.errors import CaromError, InputError

__all__ = ["FILES", "SHARE", "Worker", "dump", "load"]

Explorer = Any
FILES = ("scenario.toml", "response.nc", "impacts.csv")
"""What can be taken home."""
SHARE, DONE, REFUSED = "share", "done", "refused"
"""What an answer is: how far a job has come, what came of it, or why nothing did."""
MOST_MEMORY = 4 << 30
"""Bytes that reading a record may take."""
HEAD = 8
"""Bytes that say how long a message is."""


def dump(message: object) -> bytes:
    """Return a message as it goes through a pipe."""
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(text).to_bytes(HEAD, "little") + text


def load(text: bytes) -> Any:
    """Return what a message says."""
    return pickle.loads(text)  # nosec B301: from a process of our own


class Worker:
    """The explorers of visitors, by their tokens."""

    def __init__(self, start: Callable[[], Explorer], tell: Callable[[float], None]) -> None:
        self.start = start
        self.tell = tell
        self.explorers: dict[str, Explorer] = {}

    def warm(self) -> None:
        """Have the kernels compiled; from then on one run takes one core."""
        with suppress(CaromError):  # it is told to whoever asks
            explorer = self.start()
            explorer.answer({})
            explorer.details({})
        os.environ["CAROM_THREADS"] = "1"
        gc.collect()
        gc.freeze()  # what stays is not looked through again, hence what runs leave behind is found often

    def enter(self, token: str, motions: Mapping[str, Any]) -> None:
        """Begin with a visitor, who has brought some records."""
        explorer = self.explorers[token] = self.start()
        explorer.motions.update(motions)

    def leave(self, token: str) -> None:
        """Forget a visitor."""
        self.explorers.pop(token, None)

    def told(self, token: str) -> dict[str, Any]:
        """Return what a visitor's page needs first."""
        found: dict[str, Any] = self.explorers[token].told()
        return found

    def bring(self, token: str, motion: Any) -> str:
        """Add a record of a visitor; return what it is called."""
        name: str = self.explorers[token].add_motion(motion)
        return name

    def answer(self, token: str, wish: Mapping[str, Any], hurried: bool) -> bytes:
        """Return what answers a wish; `hurried`: others wait."""
        from carom.app import questions

        explorer, kind = self.explorers[token], wish["kind"]
        if kind == "run":
            return bytes(explorer.answer(wish, hurried=hurried))
        if kind == "details":
            return bytes(explorer.details(wish))
        if kind == "study":
            return questions.study(lambda: explorer.problem(wish), wish, self.tell)
        return {"laws": questions.laws_beside, "advice": questions.advice}[kind](wish)

    def made(self, token: str, name: str) -> bytes:
        """Return a file of the last answer."""
        explorer = self.explorers[token]
        if explorer.result is None:
            raise InputError("Nothing has been computed yet.")
        if name == "scenario.toml":
            import tomli_w

            return bytes(tomli_w.dumps(explorer.last), "utf-8")
        if name == "response.nc":
            with tempfile.TemporaryDirectory() as folder:
                content: bytes = explorer.result.run.save(Path(folder) / name).read_bytes()
                return content
        if name == "impacts.csv":
            return bytes(explorer.result.run.impacts.to_dataframe().to_csv(), "utf-8")
        raise InputError(f"There is no file '{name}' to take home.")

    def read(self, content: bytes) -> Any:
        """Return the motion that a record holds; its process is for this alone."""
        from carom.motions.readers import read_bytes

        with suppress(ImportError):  # not on Windows
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        return read_bytes(content, "a record of yours")


JOBS = ("warm", "enter", "leave", "told", "bring", "answer", "made", "read")


def _serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Do one job after another until nobody asks any more."""

    def say(kind: str, value: object) -> None:
        sink.write(dump((kind, value)))
        sink.flush()

    worker = Worker(_heard(source), lambda share: say(SHARE, share))
    while True:
        job, given = _heard(source)
        assert job in JOBS, job
        try:
            kind, value = DONE, getattr(worker, job)(*given)
        except CaromError as error:
            kind, value = REFUSED, str(error)
        except MemoryError:
            kind, value = REFUSED, "This takes more memory than a visitor may have here."
        except Exception as error:  # a visitor's wish never ends the process
            kind, value = (
                REFUSED,
                f"This is a mistake of carom's, not yours: {type(error).__name__}. Please report it.",
            )
        say(kind, value)


def _heard(source: BinaryIO) -> Any:
    head = source.read(HEAD)
    if len(head) < HEAD:
        raise EOFError
    return load(source.read(int.from_bytes(head, "little")))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # a slider passes through much that is unlikely
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing that is printed may come between
    with suppress(EOFError, OSError, KeyboardInterrupt):
        _serve(sys.stdin.buffer, answers)
