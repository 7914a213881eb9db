"""Who may talk to the explorer: pages that it served itself, under the names by which it is reached.

Any page in a browser can send requests to this machine. A host name that is not ours means that someone has pointed a
name of theirs here; an origin that is not ours, that another page is asking. Both are turned away.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

__all__ = ["Guard"]

NOTHING_ELSE = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; "
    "base-uri 'none'"
)
HEADERS = (
    (b"content-security-policy", NOTHING_ELSE.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)  # fmt: skip
"""Of every answer: a page loads nothing but what comes from here."""


class Guard:
    """An ASGI application around another one."""

    def __init__(self, inner: Any, hosts: frozenset[str]) -> None:
        self.inner = inner
        self.hosts = hosts
        """Names with ports, such as ``127.0.0.1:8765``."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass on what may pass."""
        if scope["type"] not in ("http", "websocket"):
            await self.inner(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get("origin")
        asks_to_change = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        known = headers.get("host", "").lower() in self.hosts
        ours = origin is not None and urlsplit(origin).netloc.lower() in self.hosts and origin.startswith("http://")
        if not known or (asks_to_change and not ours) or (origin is not None and not ours):
            await _refuse(scope, receive, send)
            return

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
            await send(message)

        await self.inner(scope, receive, sent)


async def _refuse(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await send(
        {"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain; charset=utf-8")]}
    )
    await send({"type": "http.response.body", "body": b"This page is served to itself alone.\n"})
