"""`carom app`: the live explorer, a page of this machine."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from carom.errors import CaromError, refusal

__all__ = ["app"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def app(
    scenario: Annotated[Path | None, typer.Argument(help="Scenario file (TOML); default: the embedded one.")] = None,
    port: Annotated[int, typer.Option("--port", help="Port of the page.")] = 8765,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; others than 127.0.0.1 let others in.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
) -> None:
    """Serve the live explorer: move a slider, see what pounding does.

    On this machine alone unless --host says otherwise. It needs the extra `app`: pip install 'carom[app]'.
    """
    import importlib.util

    from carom.app.explorer import Explorer
    from carom.cli.terminal.console import say

    missing = [
        name for name in ("starlette", "uvicorn", "websockets", "tomli_w") if importlib.util.find_spec(name) is None
    ]
    if missing:
        raise CaromError(f"The explorer needs {', '.join(missing)}. pip install 'carom[app]'.")
    if not 1 <= port <= 65535:
        raise refusal("port", "carom app", "must be from 1 to 65535", port)
    tables, name, folder = _stated(scenario)
    Explorer(tables, name, folder)  # what is wrong with the file is said here, before a page opens
    if host not in LOOPBACK:
        say(f"! Whoever reaches {host}:{port} can use this explorer and this machine's processor: it has no password.")
    address = f"http://{'localhost' if host in LOOPBACK else host}:{port}/"
    say(f"carom explorer: {address} (Ctrl-C ends it)")
    if browser:
        import threading
        import webbrowser

        threading.Timer(0.8, webbrowser.open, (address,)).start()
    from carom.app.server import serve

    serve(partial(Explorer, tables, name, folder), host=host, port=port)


def _stated(scenario: Path | None) -> tuple[dict[str, object], str, Path]:
    """Return the tables of a scenario file, its name and its folder."""
    from carom.scenario.reading import default_text
    from carom.scenario.text import parsed, text_of

    if scenario is None:
        return parsed("default", default_text()), "default", Path()
    text = text_of(
        scenario,
        what="scenario",
        missing="`carom new` writes one to start from.",
        folder="Name the scenario file in it.",
    )
    return parsed(scenario.name, text), scenario.name, scenario.parent
