"""A real browser: Chromium without a screen, driven by Playwright. `make browser` runs this, `make test` does not."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SCREENS = {"laptop": (1366, 768), "phone": (390, 844)}
PICTURES = Path("out/browser")
"""Where screenshots are put, to be looked at."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make browser")
    if CHROMIUM is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a file as on a screen; what the console says, and what is asked of a network, fails the test."""
    contexts, said = [], []

    def open_page(path: Path, screen: str = "laptop", scheme: str = "light") -> Any:
        width, height = SCREENS[screen]
        phone = screen == "phone"
        context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=3 if phone else 1, is_mobile=phone,
            has_touch=phone, color_scheme=scheme,
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda ask: None if ask.url.startswith(("file:", "data:")) else said.append(ask.url))
        page.goto(path.as_uri())
        page.add_script_tag(path=Path(__file__).with_name("seen.js"))
        page.wait_for_timeout(300)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not said


@pytest.fixture(scope="session")
def pictures() -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES
