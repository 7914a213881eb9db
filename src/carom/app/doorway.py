"""Connections that wait for nothing: a client who says nothing, or too slowly, is let go, and so is one too many."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Doorway"]

SILENT = 10.0
"""Seconds in which a first request must have come."""
MOST = 400
"""Connections at one time: of forty visitors, each with as many as a browser opens."""


class Doorway(H11Protocol):
    """The server's side of one connection."""

    def connection_made(self, transport: Any) -> None:
        """Take a connection, if there is room."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.abort()
            return
        asyncio.get_running_loop().call_later(SILENT, self._let_go)

    def _let_go(self) -> None:
        # a web socket has another protocol by then; the scope is that of a request
        if getattr(self, "scope", None) is None and self.transport.get_protocol() is self:
            self.transport.abort()
