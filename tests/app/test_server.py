"""The page over HTTP and its socket: who may talk, what is served, what is brought and taken home."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

import carom
from carom.app.explorer import Explorer
from carom.cli import main
from tests.app.test_explorer import read

pytest.importorskip("starlette", reason="the extra `app` is not installed")
pytest.importorskip("httpx", reason="httpx, which drives the page's server, is not installed")
HERE = "http://localhost:8765"
HOST = {"host": "localhost:8765"}
OURS = {"origin": HERE, **HOST}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    from starlette.testclient import TestClient

    from carom.app.server import application

    with TestClient(application(Explorer, frozenset({"localhost:8765", "127.0.0.1:8765"})), base_url=HERE) as found:
        yield found


def test_the_page_and_its_modules(client: Any) -> None:
    page = client.get("/")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for name in ("/page/explorer.js", "/page/explorer.css", "/web/chart.js", "/web/space_view.js"):
        assert client.get(name).status_code == 200
        assert name.startswith("/web") or name in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/web/__init__.py",
        "/web/bundle.py",
        "/page/../server.py",
        "/web/..%2f..%2fcli%2fapp.js",
        "/etc/passwd",
        "/page/",
    ],
)
def test_nothing_else_is_served(client: Any, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_other_names_and_other_pages_are_turned_away(client: Any) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/", headers={"origin": "http://evil.example"}).status_code == 403
    assert client.put("/record?token=x", content=b"1").status_code == 403  # without an origin
    from starlette.websockets import WebSocketDisconnect

    for headers in (HOST, {"origin": HERE}, {**HOST, "origin": "http://evil.example"}, {**HOST, "origin": "null"}):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/explore", headers=headers):
            pass


def test_a_visit(client: Any, tmp_path: Path) -> None:
    with client.websocket_connect("/explore", headers=OURS) as socket:
        told, _ = read(socket.receive_bytes())
        assert told["kind"] == "scenario"
        token = told["token"]
        assert client.get(f"/download/files/scenario.toml?token={token}").status_code == 422  # nothing computed yet
        for number in range(1, 6):
            socket.send_text(json.dumps({"kind": "run", "number": number, "moved": {"contacts.0.gap": 0.01 * number}}))
        answers = []
        while not answers or answers[-1]["number"] < 5:
            answers.append(read(socket.receive_bytes())[0])
        assert [one["kind"] for one in answers] == ["answer"] * len(answers)  # some may be left out, the last never
        socket.send_text("{")
        assert read(socket.receive_bytes())[0]["kind"] == "refused"
        socket.send_bytes(b"\x00")
        assert read(socket.receive_bytes())[0]["kind"] == "refused"
        socket.send_text("[" * 19_000)
        assert read(socket.receive_bytes())[0]["kind"] == "refused"
        socket.send_text('{"kind": "run", "moved": {"contacts.0.gap": NaN}}')
        assert read(socket.receive_bytes())[0]["kind"] == "refused"
        socket.send_text(json.dumps({"kind": "exec", "number": 1}))
        assert read(socket.receive_bytes())[0]["kind"] == "refused"

        scenario = client.get(f"/download/files/scenario.toml?token={token}")
        (tmp_path / "mine.toml").write_bytes(scenario.content)
        assert carom.read_scenario(tmp_path / "mine.toml").problem.pairs[0].gap == 0.05
        (tmp_path / "run.nc").write_bytes(client.get(f"/download/files/response.nc?token={token}").content)
        assert carom.load(tmp_path / "run.nc").impact_count == answers[-1]["impacts"]
        assert client.get(f"/download/files/passwd?token={token}").status_code == 404
        assert client.get("/download/files/scenario.toml?token=other").status_code == 404

        motion = carom.motions.suite("thirty")[3].trimmed(0, 5)
        motion.write(tmp_path / "one.AT2")
        brought = client.put(f"/record?token={token}", content=(tmp_path / "one.AT2").read_bytes(), headers=OURS)
        assert brought.status_code == 200
        socket.send_text(json.dumps({"kind": "run", "number": 9, "motion": brought.text}))
        assert read(socket.receive_bytes())[0]["kind"] == "answer"
        bad = client.put(f"/record?token={token}", content=b"\x00\x01 no record", headers=OURS)
        assert bad.status_code == 422
        assert bad.text


def test_records_have_an_end(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.app.server.LARGEST", 1000)
    with client.websocket_connect("/explore", headers=OURS) as socket:
        token = read(socket.receive_bytes())[0]["token"]
        assert client.put(f"/record?token={token}", content=b"1 " * 2000, headers=OURS).status_code == 413


def test_the_command_refuses_what_it_cannot_serve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", str(tmp_path / "none.toml"), "--no-browser"]) == 2
    assert main(["app", "--port", "99999", "--no-browser"]) == 2
    assert "must be from 1 to 65535" in capsys.readouterr().err


def test_a_process_that_ends_is_begun_anew(client: Any) -> None:
    """What a visitor brought is told to the new one; the one who was answered no more hears why."""
    import asyncio

    from carom.app.workers import Job, Process

    class Guest:
        token = "guest"
        motions: ClassVar[dict[str, Any]] = {"mine": carom.motions.suite("thirty")[0]}

    async def visit() -> list[Any]:
        process = Process(Explorer, patience=60.0)
        asked = Job("answer", ("guest", {"kind": "run", "motion": "mine"}, False))
        found = [await process.ask(Guest(), lambda: asked)]
        await process.end()
        found.append(await process.ask(Guest(), lambda: asked))
        process.patience = 0.0
        found.append(await process.ask(Guest(), lambda: asked))
        found.append(await process.ask(None, lambda: None))
        process.closed = True
        found.append(await process.ask(Guest(), lambda: asked))
        await process.end()
        return found

    first, second, late, nothing, over = asyncio.run(visit())
    assert read(first.value)[0]["impacts"] == read(second.value)[0]["impacts"]
    assert "took longer than 0 s" in late.refused
    assert nothing is None
    assert over.refused


def test_silent_connections_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvicorn", reason="the extra `app` is not installed")
    import socket
    import threading
    import time

    import uvicorn

    from carom.app import doorway

    monkeypatch.setattr(doorway, "SILENT", 0.3)
    monkeypatch.setattr(doorway, "MOST", 5)

    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    settings = uvicorn.Config(nothing, port=0, http=doorway.Doorway, log_level="error", lifespan="off")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    address = server.servers[0].sockets[0].getsockname()
    silent = [socket.create_connection(address, timeout=10.0) for _ in range(8)]
    for one in silent:
        one.sendall(b"GET / HTTP/1.1\r\nX-")
        with suppress(ConnectionResetError):
            assert one.recv(1) == b""
    asking = socket.create_connection(address, timeout=10.0)
    asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert asking.recv(12) == b"HTTP/1.1 200"
    server.should_exit = True
    thread.join(10.0)
