"""The live explorer in a real browser: every control, records good and bad, a study, both screens, keyboard alone."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import carom
from carom.app.explorer import Explorer
from tests.browser.conftest import PICTURES, SCREENS

uvicorn = pytest.importorskip("uvicorn", reason="the extra `app` is not installed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    from carom.app.server import application

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = application(Explorer, frozenset({f"127.0.0.1:{port}"}))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    Explorer().answer({})  # kernels are compiled before a page is timed out
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(10.0)


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Open the explorer as on a screen; what the console says fails the test."""
    contexts, said = [], []

    def open_page(screen: str = "laptop", scheme: str = "light") -> Any:
        width, height = SCREENS[screen]
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "request", lambda ask: None if ask.url.startswith((address, "data:", "blob:")) else said.append(ask.url)
        )
        page.goto(address)
        page.locator("#state", has_text="computed in").wait_for(timeout=60_000)
        page.locator("[data-part=sentences] li").nth(1).wait_for(timeout=60_000)  # what takes longer comes by itself
        page.wait_for_timeout(300)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not said


def answered(page: Any, act: Callable[[], None]) -> None:
    """Do something, and wait until what comes of it is drawn."""
    before = page.evaluate("window.explorer.painted")
    act()
    for _ in range(300):
        if page.evaluate("window.explorer.painted") > before:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"nothing was drawn: {page.inner_text('#state')}")


MOVE = "(one, share) => { one.value = String(Math.round(share * one.max)); one.dispatchEvent(new Event('input')); }"


def move(page: Any, slider: Any, share: float) -> None:
    answered(page, lambda: slider.evaluate(MOVE, share))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_it_opens_and_fits(visit: Callable[..., Any], screen: str, scheme: str) -> None:
    page = visit(screen, scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert "touch" in page.inner_text("[data-part=sentences]")
    for name in ("sway", "histories", "gap", "force", "loop", "spectra", "energy"):
        assert page.locator(f"canvas[data-part={name}], [data-part={name}] canvas").evaluate(
            "(canvas) => { const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data; "
            "return data.some((value, i) => i % 4 === 3 && value > 0); }"
        ), name
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"explorer-{screen}-{scheme}.png", full_page=True)


def test_every_control_is_computed(visit: Callable[..., Any]) -> None:
    page = visit()
    sliders = page.locator("#moves input[type=range]").all()
    assert len(sliders) > 8
    for slider in sliders:
        move(page, slider, 0.8)
        assert "computed in" in page.inner_text("#state")
        move(page, slider, 0.45)
    answered(page, lambda: page.select_option("#controls select", "hunt-crossley-exact"))
    answered(page, lambda: page.select_option("#motion select", "thirty-04b"))
    words = page.inner_text("[data-part=sentences]")
    answered(page, lambda: page.click("#reset"))
    assert page.inner_text("[data-part=sentences]") != words


def test_a_wide_gap_is_enough(visit: Callable[..., Any]) -> None:
    page = visit()
    move(page, page.locator("[data-path='contacts.0.gap']"), 1.0)
    assert "0 impacts" in page.inner_text("#state")


def test_records(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit()
    good = tmp_path / "good.AT2"
    carom.motions.suite("thirty")[5].trimmed(0, 8).write(good)
    page.click("text=A record of yours")
    answered(page, lambda: page.set_input_files("#record", good))
    assert page.inner_text("#record-said").startswith("Taken as")


def test_a_bad_record_is_answered(browser: Any, address: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("this is no record\n")
    page = browser.new_page()  # its console notes that the server said no
    page.goto(address)
    page.locator("#state", has_text="computed in").wait_for(timeout=60_000)
    page.click("text=A record of yours")
    page.set_input_files("#record", bad)
    page.locator("#record-said", has_text="format").wait_for()
    page.close()


def test_a_study_laws_and_advice(visit: Callable[..., Any]) -> None:
    page = visit()
    page.click("#tab-laws")
    page.locator("#law-table td", has_text="kelvin-voigt").wait_for()
    page.click("#tab-study")
    page.click("#ask-study")
    page.locator("#study-said", has_text="No motion of the suite").wait_for(timeout=120_000)
    page.screenshot(path=PICTURES / "explorer-study.png")
    page.click("#tab-advice")
    page.locator("#advice-said", has_text="spheres").wait_for()


def test_the_keyboard_alone(visit: Callable[..., Any]) -> None:
    page = visit()
    page.locator("[data-path='contacts.0.gap']").focus()
    answered(page, lambda: page.keyboard.press("ArrowRight"))
    page.locator("#tab-run").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#view-laws").is_visible()
    assert page.evaluate("document.activeElement.id") == "tab-laws"
    page.keyboard.press("ArrowLeft")
    page.locator(".carom-sway .play").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert page.inner_text(".carom-sway .play") == "Pause"
    assert page.inner_text(".carom-sway .clock") != "0.00 s"


def test_words_stand_out(visit: Callable[..., Any]) -> None:
    """Contrast of 4.5 at least, as AA asks, of words on what they stand on."""
    for scheme in ("light", "dark"):
        page = visit("laptop", scheme)
        for tab in ("laws", "study", "advice", "run"):
            page.click(f"#tab-{tab}")
            page.wait_for_timeout(100)
            page.screenshot(path=PICTURES / f"explorer-{tab}-{scheme}.png")
            worst = page.evaluate(Path(__file__).with_name("contrast.js").read_text(encoding="utf-8"))
            assert worst >= 4.5, (scheme, tab, worst)
