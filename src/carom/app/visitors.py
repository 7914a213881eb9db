"""Visitors: each has a scenario of his own, and only his latest wish is computed.

A slider that is dragged sends wishes faster than they can be computed. While one is under way the next ones replace
each other; when it is done the one that is left begins. All visitors share a few threads, so that many of them wait for
each other in turn and none is left out.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from carom.app.wire import frame
from carom.errors import CaromError, CaromWarning

__all__ = ["Visitor"]

LONGEST = 20_000
"""Letters of a wish."""
Answering = Callable[[Mapping[str, Any]], bytes]


class Visitor:
    """One socket."""

    def __init__(self, socket: Any, threads: ThreadPoolExecutor, answers: Mapping[str, Answering]) -> None:
        self.socket = socket
        self.threads = threads
        self.answers = answers
        """Kind of a wish to what answers it."""
        self.latest: dict[str, Mapping[str, Any]] = {}
        self.news = asyncio.Event()

    async def stay(self) -> None:
        """Listen and answer until the visitor leaves."""
        answering = asyncio.create_task(self._answer())
        try:
            async for text in self.socket.iter_text():
                wish = _wish(text, self.answers)
                if wish is None:
                    await self.socket.send_bytes(
                        frame({"kind": "refused", "words": "This is no wish that is known here."}, {})
                    )
                    continue
                self.latest[str(wish["kind"])] = wish
                self.news.set()
        finally:
            answering.cancel()

    async def _answer(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self.news.wait()
            self.news.clear()
            while self.latest:
                kind = next(iter(self.latest))
                wish = self.latest.pop(kind)
                said = await loop.run_in_executor(self.threads, self._computed, kind, wish)
                await self.socket.send_bytes(said)

    def _computed(self, kind: str, wish: Mapping[str, Any]) -> bytes:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CaromWarning)  # a slider passes through much that is unlikely
                return self.answers[kind](wish)
        except CaromError as error:
            words = str(error)
        except Exception as error:  # a visitor's wish never ends the server
            words = f"This is a mistake of carom's, not yours: {type(error).__name__}. Please report it."
        return frame({"kind": "refused", "number": wish.get("number", 0), "words": words}, {})


def _wish(text: str, known: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what a message says, if it is a wish."""
    if len(text) > LONGEST:
        return None
    try:
        wish = json.loads(text)
    except (ValueError, RecursionError):
        return None
    whole = isinstance(wish, dict) and wish.get("kind") in known and isinstance(wish.get("number", 0), int)
    return wish if whole else None
