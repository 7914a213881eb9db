"""What a browser talks to: page and modules, a socket for wishes, records that are brought, files to take home."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from carom.app.explorer import Explorer
from carom.app.guard import Guard
from carom.app.questions import advice, gaps, laws_beside
from carom.app.visitors import Visitor
from carom.app.wire import frame
from carom.errors import CaromError, InputError

__all__ = ["application", "serve"]

LARGEST = 40_000_000
"""Bytes of a record that is brought."""
SLOWEST = 20.0
"""Seconds that it may take to arrive."""
VISITORS = 40
"""At one time."""
THREADS = 4
KINDS = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def application(start: Callable[[], Explorer], hosts: frozenset[str]) -> Any:
    """Return the explorer as an ASGI application; `start` makes what each visitor begins with."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket

    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="explorer")
    here: dict[str, Explorer] = {}
    threading.Thread(target=_warm, args=(start,), daemon=True).start()

    async def page(_request: Request) -> Any:
        return _file("carom.app.page", "index.html")

    async def module(request: Request) -> Any:
        name = request.path_params["name"]
        room = "carom.app.page" if request.path_params["room"] == "page" else "carom.web"
        return _file(room, name)

    async def explore(socket: WebSocket) -> None:
        await socket.accept()
        if len(here) >= VISITORS:
            await socket.send_bytes(
                frame({"kind": "refused", "words": f"{VISITORS} visitors are here already. Try again later."}, {})
            )
            await socket.close()
            return
        token = secrets.token_urlsafe(18)
        loop = asyncio.get_running_loop()
        explorer = here[token] = await loop.run_in_executor(threads, start)
        try:
            await socket.send_bytes(frame({**explorer.told(), "token": token}, {}))

            def tell(share: float) -> None:
                said = frame({"kind": "progress", "share": share}, {})
                asyncio.run_coroutine_threadsafe(socket.send_bytes(said), loop)

            def study(wish: Mapping[str, Any]) -> bytes:
                return gaps(explorer.problem(wish), wish, tell)

            answers = {
                "run": explorer.answer,
                "details": explorer.details,
                "laws": laws_beside,
                "advice": advice,
                "gaps": study,
            }
            await Visitor(socket, threads, answers).stay()
        finally:
            del here[token]

    async def record(request: Request) -> Response:
        explorer = here.get(request.query_params.get("token", ""))
        if explorer is None:
            return PlainTextResponse("This visitor has left.", 404)
        content = bytearray()
        try:
            async with asyncio.timeout(SLOWEST):
                async for part in request.stream():
                    content += part
                    if len(content) > LARGEST:
                        return PlainTextResponse(f"A record has {LARGEST // 1_000_000} MB at most.", 413)
            loop = asyncio.get_running_loop()
            name = await loop.run_in_executor(threads, partial(_taken, explorer, bytes(content)))
        except TimeoutError:
            return PlainTextResponse("The record took too long to arrive.", 408)
        except CaromError as error:
            return PlainTextResponse(str(error), 422)
        return PlainTextResponse(name)

    async def download(request: Request) -> Response:
        explorer = here.get(request.query_params.get("token", ""))
        if explorer is None:
            return PlainTextResponse("This visitor has left.", 404)
        name = request.path_params["name"]
        loop = asyncio.get_running_loop()
        try:
            content = await loop.run_in_executor(threads, partial(_made, explorer, name))
        except CaromError as error:
            return PlainTextResponse(str(error), 422)
        return Response(
            content,
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
    return Guard(Starlette(routes=routes), hosts)


def serve(start: Callable[[], Explorer], *, host: str, port: int) -> None:
    """Serve the explorer until it is interrupted."""
    import uvicorn

    names = {f"{name}:{port}" for name in {host, "127.0.0.1", "localhost", "[::1]"}}
    uvicorn.run(
        application(start, frozenset(names)), host=host, port=port, log_level="warning", ws_max_size=100_000,
        server_header=False, timeout_graceful_shutdown=1,
    )  # fmt: skip


def _warm(start: Callable[[], Explorer]) -> None:
    """Have the kernels compiled while the page opens."""
    try:
        start().answer({})
    except CaromError:  # it is told to whoever asks
        return


def _file(room: str, name: str) -> Any:
    from starlette.responses import PlainTextResponse, Response

    kind = KINDS.get(name.rpartition(".")[2])
    place = files(room) / name
    if kind is None or "/" in name or os.sep in name or name.startswith(".") or not place.is_file():
        return PlainTextResponse("There is no such page.", 404)
    return Response(place.read_bytes(), media_type=kind)


def _taken(explorer: Explorer, content: bytes) -> str:
    from carom.motions.readers import read_bytes

    return explorer.add_motion(read_bytes(content, "a record of yours"))


def _made(explorer: Explorer, name: str) -> bytes:
    """Return a file of the last answer."""
    if explorer.result is None:
        raise InputError("Nothing has been computed yet.")
    if name == "scenario.toml":
        import tomli_w

        return bytes(tomli_w.dumps(explorer.last), "utf-8")
    if name == "response.nc":
        with tempfile.TemporaryDirectory() as folder:
            return explorer.result.run.save(Path(folder) / name).read_bytes()
    if name == "impacts.csv":
        return bytes(explorer.result.run.impacts.to_dataframe().to_csv(), "utf-8")
    raise InputError(f"There is no file '{name}' to take home.")
