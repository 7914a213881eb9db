"""The notebook's explorer in a real page: anywidget's contract with a model of ours, answered by the Python side."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import carom
from carom.app.notebook import answered
from carom.app.problems import ProblemExplorer

anywidget = pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>notebook</title>
<link rel="icon" href="data:,"><style>{css}</style></head>
<body data-jp-theme-light="{light}"><div id="cell"></div><script type="module">
const module = await import(URL.createObjectURL(new Blob([{esm}], {{ type: "text/javascript" }})));
const heard = new Set();
const model = {{
  on: (_, hear) => heard.add(hear), off: (_, hear) => heard.delete(hear),
  send: async (wish) => {{
    const bytes = Uint8Array.from(atob(await window.kernel(wish)), (letter) => letter.charCodeAt(0));
    heard.forEach((hear) => hear({{ kind: "frame" }}, [new DataView(bytes.buffer)]));
  }},
}};
window.end = module.default.render({{ model, el: document.getElementById("cell") }});
window.heard = heard;
</script></body></html>"""


def two() -> carom.Problem:
    law = carom.law("kelvin-voigt", stiffness="2 GN/m", restitution=0.6)
    tall = carom.ShearBuilding(masses=[2e5] * 4, stiffnesses=[2e8] * 4, damping_ratio=0.05, name="tall")
    low = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=[4e8] * 3, damping_ratio=0.05, name="low")
    motion = carom.motions.get("default").scaled(pga="0.5 g").trimmed(0.0, 12.0)
    return carom.Problem([tall, low], [carom.facing("tall", "low", gap="1 cm", law=law)], motion=motion)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sliders_reach_the_kernel_and_pictures_come_back(
    browser: Any, tmp_path: Path, pictures: Path, scheme: str
) -> None:
    explorer = ProblemExplorer(two())
    wishes: list[Any] = []

    def kernel(wish: Any) -> str:
        wishes.append(wish)
        return base64.b64encode(answered(explorer, wish)).decode()

    widget = carom.explore(two())
    path = tmp_path / "cell.html"
    light = str(scheme == "light").lower()
    path.write_text(PAGE.format(css=widget._css, esm=json.dumps(widget._esm), light=light), "utf-8")
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.expose_function("kernel", kernel)
    page.goto(path.as_uri())
    page.locator(".state", has_text="computed in").wait_for(timeout=60_000)
    page.locator("[data-part=sentences] li").nth(1).wait_for(timeout=60_000)
    before = page.inner_text(".state")
    page.locator("[data-path='contacts.0.gap']").evaluate(
        "(one) => { one.value = one.max; one.dispatchEvent(new Event('input')); }"
    )
    page.locator(".state", has_text="0 impacts").wait_for(timeout=60_000)
    assert page.inner_text(".state") != before
    page.wait_for_timeout(600)
    assert {"told", "run", "details"} == {wish["kind"] for wish in wishes}
    assert page.evaluate(Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")) >= 4.5
    page.screenshot(path=pictures / f"notebook-{scheme}.png", full_page=True)
    page.evaluate("window.end()")
    assert page.evaluate("window.heard.size") == 0
    page.close()
    assert not said
