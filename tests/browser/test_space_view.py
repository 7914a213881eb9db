"""The turnable picture in a report with a frame of 408 degrees of freedom: quick, silent, by mouse, finger and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carom
from carom.reports.runs.page import pounding_page
from carom.scenario import Scenario
from carom.scenario.analysis import Analysis
from carom.studies.single.assess import study_pounding

PICTURES_A_SECOND = 30.0
MOST_SECONDS = 12
LARGEST = 5e6


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parts: dict[str, Any] = {
        "columns": carom.Section.rectangle(0.4, 0.4), "beams": carom.Section.rectangle(0.3, 0.5),
        "material": carom.Material.concrete(), "slab": "600 kg/m^2", "damping_ratio": 0.05,
    }  # fmt: skip
    tower = carom.Frame.moment_frame(storeys=["3 m"] * 8, bays=["6 m"] * 3, rows=["5 m"] * 3, name="tower", **parts)
    annex = carom.Frame.moment_frame(
        storeys=["3 m"] * 4, bays=["6 m"], rows=["5 m"] * 3, origin=("18.02 m", 0, 0), name="annex", **parts
    )
    assert len(tower.dof_names) == 408
    law = carom.law("kelvin-voigt", stiffness="5 GN/m", restitution=0.65)
    contacts = [
        carom.Contact(("tower", f"3-{j}-{level}", "x"), ("annex", f"0-{j}-{level}", "x"), gap="2 cm", law=law)
        for j in (0, 3) for level in (1, 2, 3, 4)
    ]  # fmt: skip
    motion = carom.motions.get("default").scaled(pga="0.4 g").trimmed(0.0, 8.0)
    problem = carom.Problem([tower, annex], contacts, motion={"x": motion, "y": motion})
    result = study_pounding(problem, title="Tower and annex", checks=False)
    assert result.pounds
    scenario = Scenario(result.title, "", problem, Analysis(), {"x": motion, "y": motion}, name="", text="")
    path = tmp_path_factory.mktemp("browser") / "report.html"
    path.write_text(pounding_page(scenario, result), encoding="utf-8")
    return path


def test_it_is_small(report: Path) -> None:
    assert report.stat().st_size < LARGEST


@pytest.mark.parametrize("screen", ["laptop", "phone"])
@pytest.mark.parametrize("forces", [False, True])
def test_it_turns_thirty_times_a_second(report: Path, opened: Callable[..., Any], screen: str, forces: bool) -> None:
    """While it plays. Other work on the machine takes pictures away and adds none: the best of some seconds counts."""
    page = opened(report, screen)
    page.locator("#sway").scroll_into_view_if_needed()
    if forces:
        page.locator("#sway select").nth(2).select_option("2")
    rates: list[float] = []
    while len(rates) < MOST_SECONDS and max(rates, default=0.0) < PICTURES_A_SECOND:
        rates.append(round(page.evaluate("seen.rate(1.0)"), 1))
    print(f"{screen}, {'members by force' if forces else 'plain'}: {rates} pictures a second")
    assert max(rates) >= PICTURES_A_SECOND, rates


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_how_it_looks(report: Path, opened: Callable[..., Any], pictures: Path, screen: str, scheme: str) -> None:
    page = opened(report, screen, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    figure = page.locator("#sway")
    page.screenshot(path=pictures / f"top-{screen}-{scheme}.png")
    figure.screenshot(path=pictures / f"space-{screen}-{scheme}.png")
    ratio, where = page.evaluate("seen.leastContrast()")
    assert ratio >= 4.5, where
    page.locator("#sway select").nth(2).select_option("0")
    page.wait_for_timeout(100)
    assert page.locator(".forces").is_visible()
    figure.screenshot(path=pictures / f"space-{screen}-{scheme}-forces.png")


def test_mouse(report: Path, opened: Callable[..., Any]) -> None:
    page = opened(report)
    canvas = page.locator("#sway canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
    before, seen = page.evaluate("seen.camera()"), page.evaluate("seen.picture()")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 100, y + 40, steps=5)
    page.mouse.up()
    page.wait_for_timeout(100)
    after = page.evaluate("seen.camera()")
    assert after[0] == pytest.approx(before[0] - 0.8)
    assert after[1] == pytest.approx(before[1] + 0.32)
    assert page.evaluate("seen.picture()") != seen
    page.mouse.move(x + 200, y, steps=3)  # nothing is held any more
    assert page.evaluate("seen.camera()") == after
    page.mouse.wheel(0, -300)  # the canvas has the focus by the click
    page.wait_for_timeout(100)
    assert page.evaluate("seen.camera()")[2] > 1.3
    page.get_by_role("button", name="from above").click()
    page.wait_for_timeout(100)
    assert page.evaluate("seen.camera()")[1:] == pytest.approx([1.5708, 1.0], abs=1e-3)


def test_keys(report: Path, opened: Callable[..., Any]) -> None:
    page = opened(report)
    page.locator("#sway canvas").focus()
    begin = page.evaluate("seen.camera()")
    for key in ("ArrowLeft", "ArrowUp", "+"):
        page.keyboard.press(key)
    moved = page.evaluate("seen.camera()")
    assert all(a > b for a, b in zip(moved, begin, strict=True))
    page.keyboard.press("Home")
    assert page.evaluate("seen.camera()") == begin
    clock = page.locator("#sway .clock")
    at = clock.text_content()
    page.keyboard.press(" ")
    page.wait_for_timeout(500)
    page.keyboard.press(" ")
    assert clock.text_content() != at
    reached = set()
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.textContent.slice(0, 12) || document.activeElement.ariaLabel")
        )
    assert {"Play", "Moment", "in space", "from above", "along x", "along y"} <= reached


def test_fingers(report: Path, opened: Callable[..., Any]) -> None:
    """One turns, two zoom; up and down scroll the page."""
    page = opened(report, "phone")
    canvas = page.locator("#sway canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
    hand = page.context.new_cdp_session(page)

    def touch(kind: str, *fingers: tuple[float, float]) -> None:
        points = [{"x": a, "y": b, "id": k} for k, (a, b) in enumerate(fingers)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = page.evaluate("seen.camera()")
    touch("touchStart", (x, y))
    for k in range(1, 6):
        touch("touchMove", (x + 12 * k, y))
    touch("touchEnd")
    turned = page.evaluate("seen.camera()")
    assert turned[0] < before[0] - 0.2
    touch("touchStart", (x - 30, y), (x + 30, y))
    for k in range(1, 6):
        touch("touchMove", (x - 30 - 8 * k, y), (x + 30 + 8 * k, y))
    touch("touchEnd")
    assert page.evaluate("seen.camera()")[2] > 1.5
    scrolled = page.evaluate("scrollY")
    touch("touchStart", (x, y))
    for k in range(1, 9):
        touch("touchMove", (x, y - 15 * k))
    touch("touchEnd")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > scrolled + 50


def test_motion_modes_and_magnification(report: Path, opened: Callable[..., Any], pictures: Path) -> None:
    page = opened(report)
    figure = page.locator("#sway")
    assert page.evaluate("seen.lit()") > 50  # it begins at the first impact
    first = float(figure.locator(".clock").text_content().split()[0])
    figure.locator(".moment").evaluate("e => { e.value = 0; e.dispatchEvent(new Event('input')); }")
    page.wait_for_timeout(100)
    assert float(figure.locator(".clock").text_content().split()[0]) < first
    assert page.evaluate("seen.lit()") == 0
    seen = page.evaluate("seen.picture()")
    figure.locator(".size").evaluate("e => { e.value = 400; e.dispatchEvent(new Event('input')); }")
    page.wait_for_timeout(100)
    assert page.evaluate("seen.picture()") != seen  # gaps are wider
    figure.locator("select").nth(1).select_option("0-1")
    page.wait_for_timeout(200)
    a = page.evaluate("seen.picture()")
    page.wait_for_timeout(400)
    assert page.evaluate("seen.picture()") != a  # it swings
    assert figure.locator(".clock").text_content().endswith("Hz")
    assert figure.locator(".moment").is_disabled()
    figure.screenshot(path=pictures / "space-mode.png")
    figure.locator("select").nth(1).select_option("motion")
    page.wait_for_timeout(100)
    assert figure.locator(".clock").text_content().endswith(" s")
    figure.locator(".play").click()
    page.wait_for_timeout(300)
    assert figure.locator(".play").text_content() == "Pause"
