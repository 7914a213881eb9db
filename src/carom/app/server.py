"""What a browser talks to: page and modules, a socket for wishes, records that are brought, files to take home."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from carom.app.guard import Guard
from carom.app.visitors import RECORDS, Visitor
from carom.app.wire import frame
from carom.app.worker import FILES
from carom.app.workers import Answer, Job, Process
from carom.backends.threads import worker_count

__all__ = ["application", "serve"]

Explorer = Any
LARGEST = 40_000_000
"""Bytes of a record that is brought."""
SLOWEST = 20.0
"""Seconds that it may take to arrive."""
VISITORS = 40
"""At one time."""
MOST_PROCESSES = 4
"""That compute, besides the one for studies; no more than there are cores."""
READERS = 2
"""Records that are read at one time."""
PATIENCE = 20.0
"""Seconds that an answer may take."""
STUDY_PATIENCE = 300.0
"""Seconds that a study may take."""
FRUGAL = {"CAROM_BUDGET": "300MB"}
"""Memory that a visitor's run may take."""
KINDS = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def application(start: Callable[[], Explorer], hosts: frozenset[str]) -> Any:
    """Return the explorer as an ASGI application.

    `start` makes what each visitor begins with; it goes to other processes, so it can be pickled.
    """
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket

    quick = [Process(start, patience=PATIENCE, environment=FRUGAL) for _ in range(min(worker_count(), MOST_PROCESSES))]
    studies = Process(start, patience=STUDY_PATIENCE, environment=FRUGAL)
    reading = asyncio.Semaphore(READERS)
    here: dict[str, Visitor] = {}

    @asynccontextmanager
    async def life(_: Any) -> AsyncIterator[None]:
        warming = asyncio.create_task(_warm(quick))
        yield
        warming.cancel()
        for process in (*quick, studies):
            process.closed = True
        for process in (*quick, studies):
            await process.end()

    async def page(_request: Request) -> Any:
        return _file("carom.app.page", "index.html")

    async def module(request: Request) -> Any:
        name = request.path_params["name"]
        room = "carom.app.page" if request.path_params["room"] == "page" else "carom.web"
        return _file(room, name)

    async def explore(socket: WebSocket) -> None:
        await socket.accept()
        if len(here) >= VISITORS:
            words = f"{VISITORS} visitors are here already. Try again later."
            await socket.send_bytes(frame({"kind": "refused", "words": words}, {}))
            await socket.close()
            return
        token = secrets.token_urlsafe(18)
        served = Counter(one.quick for one in here.values())
        visitor = here[token] = Visitor(socket, token, min(quick, key=lambda one: served[one]), studies)
        try:
            await visitor.stay()
        finally:
            del here[token]

    async def record(request: Request) -> Response:
        visitor = here.get(request.query_params.get("token", ""))
        if visitor is None:
            return PlainTextResponse("This visitor has left.", 404)
        if len(visitor.motions) >= RECORDS:
            return PlainTextResponse(f"{RECORDS} records are kept for a visitor. Open the page anew for others.", 429)
        if visitor.bringing:
            return PlainTextResponse("Another record of yours is under way.", 429)
        visitor.bringing = True
        content = bytearray()
        try:
            async with asyncio.timeout(SLOWEST):
                async for part in request.stream():
                    content += part
                    if len(content) > LARGEST:
                        return PlainTextResponse(f"A record has {LARGEST // 1_000_000} MB at most.", 413)
            async with reading:
                found = await _read(bytes(content))
            if not found.refused:
                found = await visitor.brought(found.value)
        except TimeoutError:
            return PlainTextResponse("The record took too long to arrive.", 408)
        finally:
            visitor.bringing = False
        return PlainTextResponse(found.refused, 422) if found.refused else PlainTextResponse(found.value)

    async def download(request: Request) -> Response:
        visitor = here.get(request.query_params.get("token", ""))
        if visitor is None:
            return PlainTextResponse("This visitor has left.", 404)
        name = request.path_params["name"]
        if name not in FILES:
            return PlainTextResponse("There is no such file to take home.", 404)
        found = await visitor.made(name)
        if found.refused:
            return PlainTextResponse(found.refused, 422)
        return Response(
            found.value,
            media_type="application/octet-stream",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    routes = [
        Route("/", page),
        Route("/{room:str}/{name:str}", module, methods=["GET"]),
        Route("/record", record, methods=["PUT"]),
        Route("/download/files/{name:str}", download, methods=["GET"]),
        WebSocketRoute("/explore", explore),
    ]
    return Guard(Starlette(routes=routes, lifespan=life), hosts)


def serve(start: Callable[[], Explorer], *, host: str, port: int) -> None:
    """Serve the explorer until it is interrupted."""
    import uvicorn

    from carom.app.doorway import Doorway

    names = {f"{name}:{port}" for name in {host, "127.0.0.1", "localhost", "[::1]"}}
    uvicorn.run(
        application(start, frozenset(names)), host=host, port=port, log_level="warning", ws_max_size=100_000,
        ws_per_message_deflate=False, server_header=False, http=Doorway, timeout_graceful_shutdown=1,
    )  # fmt: skip


async def _warm(processes: Sequence[Process]) -> None:
    """Have the kernels compiled while the page opens, by the first process for all."""
    for process in processes:
        await process.ask(None, lambda: Job("warm"))


async def _read(content: bytes) -> Answer:
    """Return the motion in a record, read by a process that is for this alone."""
    process = Process(None, patience=SLOWEST, first=SLOWEST)
    try:
        found = await process.ask(None, lambda: Job("read", (content,)))
    finally:
        await process.end()
    assert found is not None
    return found


def _file(room: str, name: str) -> Any:
    from starlette.responses import PlainTextResponse, Response

    kind = KINDS.get(name.rpartition(".")[2])
    place = files(room) / name
    if kind is None or "/" in name or os.sep in name or name.startswith(".") or not place.is_file():
        return PlainTextResponse("There is no such page.", 404)
    return Response(place.read_bytes(), media_type=kind)
