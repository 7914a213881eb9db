"""The command line: thin doors to the public API."""

from __future__ import annotations

from carom.cli.app import main

__all__ = ["main"]
