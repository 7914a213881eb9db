"""The live explorer: from a slider to the picture in Chromium, and many visitors at once."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the processes that compute

import numpy as np

from carom.app.explorer import Explorer

TEXT = """
title = "Ten storeys beside ten"
[structures.left]
kind = "shear-building"
floors = 10
masses = "200 t"
stiffnesses = "300 kN/mm"
heights = "3 m"
damping_ratio = "5 %"
[structures.right]
kind = "shear-building"
floors = 10
masses = "180 t"
stiffnesses = "380 kN/mm"
heights = "3 m"
damping_ratio = "5 %"
[laws.slabs]
name = "kelvin-voigt"
stiffness = "5 GN/m"
restitution = 0.65
[[contacts]]
left = "left"
right = "right"
gap = "2 cm"
law = "slabs"
[motion]
record = "default"
pga = "0.4 g"
"""
MOVES = 60
VISITORS, CHANGES = 20, 5.0
SLIDE = "(one, to) => { one.value = String(to); one.dispatchEvent(new Event('input')); }"
PAINTED = """(before) => new Promise((done) => { const look = () => (window.explorer.painted > before
  ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look)); look(); })"""


def main() -> None:
    """Print both; with a number of minutes behind the command, many visitors for so long."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
    print(f"two ten-storey buildings, 25 s; load of the machine {os.getloadavg()[0]:.1f}")
    _answers()
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder)) as (server, port):
        _pictures(port)
        _visitors(port, server.pid, 60.0 * minutes)


def _answers() -> None:
    explorer = Explorer(tomllib.loads(TEXT))
    for gap in np.linspace(0.01, 0.1, 5).tolist():
        explorer.answer({"moved": {"contacts.0.gap": gap}})
    for words, path, values in (
        ("gap", "contacts.0.gap", np.linspace(0.005, 0.12, 40)),
        ("masses", "structures.left.masses", np.linspace(0.5, 2.0, 40)),
    ):
        times = []
        for value in values.tolist():
            begin = time.process_time()
            assert b'"answer"' in explorer.answer({"moved": {path: value}})[:40]
            times.append(time.process_time() - begin)
        middle, slow = 1e3 * np.median(times), 1e3 * np.percentile(times, 95)
        print(f"processor time of an answer, {words} moved: {middle:.1f} ms in the median, {slow:.1f} ms at 95 %")


@contextmanager
def _served(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Serve the explorer as `carom app` does, until it is left."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    (folder / "scenario.toml").write_text(TEXT)
    run = "from carom.cli import main; main(['app', *__import__('sys').argv[1:]])"
    options = [str(folder / "scenario.toml"), "--no-browser", "--port", str(port)]
    server = subprocess.Popen([sys.executable, "-c", run, *options])
    try:
        while server.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
                break
            time.sleep(0.1)
        yield server, port
    finally:
        server.terminate()
        server.wait()


def _pictures(port: int) -> None:
    from playwright.sync_api import sync_playwright

    flags = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page(viewport={"width": 1366, "height": 768}, bypass_csp=True)
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("#state", has_text="computed in").wait_for(timeout=60_000)
        slider = page.locator("[data-path='contacts.0.gap']")
        times = []
        for move in range(MOVES):
            before = page.evaluate("window.explorer.painted")
            begin = slider.evaluate(
                f"(one, to) => {{ const now = performance.now(); ({SLIDE})(one, to); return now; }}", 20 + 5 * move
            )
            times.append(page.evaluate(PAINTED, before) - begin)
        browser.close()
    print(
        f"slider to painted picture: {np.median(times):.0f} ms in the median, {np.percentile(times, 95):.0f} ms at 95 %"
    )


def _visitors(port: int, server: int, seconds: float) -> None:
    import websockets

    waits: list[float] = []
    late: list[float] = []

    async def visit(number: int, until: float) -> None:
        origin = f"http://127.0.0.1:{port}"
        async with websockets.connect(
            f"ws://127.0.0.1:{port}/explore", origin=origin, max_size=None, compression=None
        ) as line:
            await line.recv()
            sent: dict[int, float] = {}

            async def hear() -> None:
                async for message in line:
                    length = int.from_bytes(message[:4], "little")
                    answered = json.loads(message[4 : 4 + length])["number"]
                    waits.append(time.perf_counter() - min(sent.pop(one) for one in [*sent] if one <= answered))

            hearing = asyncio.create_task(hear())
            count = 0
            await asyncio.sleep(number / VISITORS / CHANGES)  # people do not move their hands at the same instant
            while time.perf_counter() < until:
                count += 1
                if not sent:  # the page too sends the next wish once one is answered
                    sent[count] = time.perf_counter()
                    gap = 0.01 + 0.0003 * ((7 * count + number) % 200)
                    await line.send(json.dumps({"kind": "run", "number": count, "moved": {"contacts.0.gap": gap}}))
                asked = time.perf_counter()
                await asyncio.sleep(1.0 / CHANGES)
                late.append(time.perf_counter() - asked - 1.0 / CHANGES)
            hearing.cancel()

    async def watch(until: float) -> None:
        """Print a line each minute."""
        while (left := until - time.perf_counter()) > 0.1:
            before, answered = _spent(server), len(waits)
            await asyncio.sleep(min(60.0, left))
            some = np.array(waits[answered:])
            print(
                f"{VISITORS} visitors, {CHANGES:g} changes a second each: {some.size} answers, waits "
                f"{1e3 * np.median(some):.0f} ms in the median, {1e3 * np.percentile(some, 99.9):.0f} ms at 99.9 %, "
                f"{1e3 * some.max():.0f} ms at most; {1e3 * (_spent(server) - before) / some.size:.1f} ms of processor "
                f"time an answer; memory {_memory(server):.0f} MB; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )

    async def all_visitors() -> None:
        until = time.perf_counter() + seconds
        await asyncio.gather(watch(until), *(visit(number, until) for number in range(VISITORS)))

    asyncio.run(all_visitors())
    print(
        f"visitors themselves were late by {1e3 * np.median(late):.0f} ms in the median, {1e3 * max(late):.0f} at most"
    )


def _tree(process: int) -> list[int]:
    """Return a process and those that it began."""
    found = [process]
    for one in found:
        children = Path(f"/proc/{one}/task/{one}/children")
        found += map(int, children.read_text().split())
    return found


def _memory(process: int) -> float:
    """Return the memory of a process and those that it began [MB]; what some share is counted once."""
    told = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in _tree(process)]
    return sum(int(line.split()[1]) for text in told for line in text.splitlines() if line.startswith("Pss:")) / 1e3


def _spent(process: int) -> float:
    """Return their processor time [s]."""
    fields = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in _tree(process)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
