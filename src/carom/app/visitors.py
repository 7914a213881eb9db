"""Visitors: each has a scenario of his own, and only his latest wish of a kind is computed.

A slider that is dragged sends wishes faster than they can be computed. While one is under way the next ones replace
each other; when it is done the one that is left begins. All visitors share a few processes, in each of which they wait
for each other in turn, so that none is left out. What takes longer has a process of its own.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from carom.app.wire import frame
from carom.app.workers import Answer, Job, Process

__all__ = ["Visitor"]

LONGEST = 20_000
"""Letters of a wish."""
QUICK = ("run", "details", "laws", "advice")
LONG = ("study",)
"""Kinds of wishes."""
RECORDS = 8
"""Records that a visitor may bring."""
CROWD = 6
"""How many must wait at a process for answers to be short ones."""


class Visitor:
    """One socket."""

    def __init__(self, socket: Any, token: str, quick: Process, studies: Process) -> None:
        self.socket = socket
        self.token = token
        self.quick = quick
        self.studies = studies
        self.motions: dict[str, Any] = {}
        """Records that the visitor brought, by the names that they were given here."""
        self.bringing = False
        """Whether a record is under way."""
        self._latest: dict[str, Mapping[str, Any]] = {}
        self._sending = asyncio.Lock()
        self._telling: asyncio.Task[None] | None = None

    async def stay(self) -> None:
        """Listen and answer until the visitor leaves."""
        news = {QUICK: asyncio.Event(), LONG: asyncio.Event()}
        answering = [
            asyncio.create_task(self._answer(process, kinds, news[kinds]))
            for process, kinds in ((self.quick, QUICK), (self.studies, LONG))
        ]
        try:
            entered = await self.quick.ask(self, lambda: Job("told", (self.token,)))
            assert entered is not None
            if entered.refused:
                await self._say({"kind": "refused", "words": entered.refused})
                return
            await self._say({**entered.value, "token": self.token})
            while (message := await self.socket.receive())["type"] != "websocket.disconnect":
                wish = _wish(message.get("text") or "")
                if wish is None:
                    await self._say({"kind": "refused", "words": "This is no wish that is known here."})
                    continue
                self._latest[wish["kind"]] = wish
                news[QUICK if wish["kind"] in QUICK else LONG].set()
        finally:
            for task in answering:
                task.cancel()
            for process in (self.quick, self.studies):
                if self.token in process.guests:
                    process.guests.discard(self.token)
                    process.gone.add(self.token)

    async def brought(self, motion: Any) -> Answer:
        """Take a record; return what it is called."""
        found = await self.quick.ask(self, lambda: Job("bring", (self.token, motion)))
        assert found is not None
        if not found.refused:
            self.motions[found.value] = motion
            self.studies.guests.discard(self.token)  # there it is told with the next study
        return found

    async def made(self, name: str) -> Answer:
        """Return a file to take home."""
        found = await self.quick.ask(self, lambda: Job("made", (self.token, name)))
        assert found is not None
        return found

    async def _answer(self, process: Process, kinds: tuple[str, ...], news: asyncio.Event) -> None:
        loop = asyncio.get_running_loop()
        chosen: Mapping[str, Any] = {}

        def choose() -> Job | None:
            nonlocal chosen
            kind = next((one for one in self._latest if one in kinds), None)
            if kind is None:
                return None
            chosen = self._latest.pop(kind)
            hurried = process.waiting > CROWD and not chosen.get("full")
            return Job("answer", (self.token, chosen, hurried))

        def tell(share: float) -> None:
            self._telling = loop.create_task(self._say({"kind": "progress", "share": share}))

        while True:
            await news.wait()
            news.clear()
            while (found := await process.ask(self, choose, tell)) is not None:
                if found.refused:
                    await self._say({"kind": "refused", "number": chosen.get("number", 0), "words": found.refused})
                else:
                    await self._send(found.value)

    async def _say(self, said: Mapping[str, Any]) -> None:
        await self._send(frame(said, {}))

    async def _send(self, message: bytes) -> None:
        from starlette.websockets import WebSocketDisconnect

        async with self._sending:
            with suppress(WebSocketDisconnect, RuntimeError, OSError):  # the visitor has left, as `stay` hears too
                await self.socket.send_bytes(message)


def _wish(text: str) -> Mapping[str, Any] | None:
    """Return what a message says, if it is a wish."""
    if len(text) > LONGEST:
        return None
    try:
        wish = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    whole = isinstance(wish, dict) and wish.get("kind") in QUICK + LONG and type(wish.get("number", 0)) is int
    return wish if whole else None


def _refused(name: str) -> None:
    raise ValueError(name)  # NaN and infinities are no numbers here
