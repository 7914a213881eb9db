"""The live explorer: from a slider to the picture in Chromium, and many visitors at once."""

from __future__ import annotations

import asyncio
import json
import resource
import shutil
import socket
import threading
import time
import tomllib

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
VISITORS, CHANGES, SECONDS = 20, 5.0, 20.0
SLIDE = "(one, to) => { one.value = String(to); one.dispatchEvent(new Event('input')); }"
PAINTED = """(before) => new Promise((done) => { const look = () => (window.explorer.painted > before
  ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look)); look(); })"""


def main() -> None:
    """Print both."""
    port = _served()
    print("two ten-storey buildings, 25 s")
    _pictures(port)
    _visitors(port)


def _served() -> int:
    import uvicorn

    from carom.app.server import application

    def start() -> Explorer:
        return Explorer(tomllib.loads(TEXT))

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    config = uvicorn.Config(
        application(start, frozenset({f"127.0.0.1:{port}"})), host="127.0.0.1", port=port, log_level="warning"
    )
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, daemon=True).start()
    explorer = start()
    for gap in np.linspace(0.01, 0.1, 5).tolist():
        explorer.answer({"moved": {"contacts.0.gap": gap}})
    times = []
    for gap in np.linspace(0.005, 0.12, 40).tolist():
        begin = time.perf_counter()
        assert b'"answer"' in explorer.answer({"moved": {"contacts.0.gap": gap}})[:40]
        times.append(time.perf_counter() - begin)
    middle, slow = 1e3 * np.median(times), 1e3 * np.percentile(times, 95)
    print(f"computing and packing: {middle:.1f} ms in the median, {slow:.1f} ms at 95 %")
    return port


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


def _visitors(port: int) -> None:
    import websockets

    waits: list[float] = []

    async def visit(number: int) -> None:
        origin = f"http://127.0.0.1:{port}"
        async with websockets.connect(f"ws://127.0.0.1:{port}/explore", origin=origin, max_size=None) as line:
            await line.recv()
            sent: dict[int, float] = {}
            end = time.perf_counter() + SECONDS

            async def hear() -> None:
                async for message in line:
                    length = int.from_bytes(message[:4], "little")
                    answered = json.loads(message[4 : 4 + length])["number"]
                    waits.append(time.perf_counter() - min(sent.pop(one) for one in [*sent] if one <= answered))

            hearing = asyncio.create_task(hear())
            count = 0
            while time.perf_counter() < end:
                count += 1
                if not sent:  # the page too sends the next wish once one is answered
                    sent[count] = time.perf_counter()
                    await line.send(
                        json.dumps(
                            {
                                "kind": "run",
                                "number": count,
                                "moved": {"contacts.0.gap": 0.01 + 0.0003 * ((7 * count + number) % 200)},
                            }
                        )
                    )
                await asyncio.sleep(1.0 / CHANGES)
            hearing.cancel()

    async def all_visitors() -> None:
        await asyncio.gather(*(visit(number) for number in range(VISITORS)))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    asyncio.run(all_visitors())
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"{VISITORS} visitors, {CHANGES:g} changes a second each: waits {1e3 * np.median(waits):.0f} ms in the median, "
        f"{1e3 * max(waits):.0f} ms at most; memory +{more:.0f} MB in {SECONDS:g} s"
    )


if __name__ == "__main__":
    main()
