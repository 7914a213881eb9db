"""Components as text: one module of many, in which no two names meet; numbers packed for them."""

from __future__ import annotations

import base64
import re
from importlib.resources import files

import numpy as np
import pytest

from carom.web import bundle, packed
from carom.web.bundle import IMPORT, names_of

MODULES = sorted(one.name for one in files("carom.web").iterdir() if one.name.endswith(".js"))


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_of_the_form_that_is_bundled(module: str) -> None:
    """Imports are one line each, from files beside, of names that these export; nothing comes from elsewhere."""
    text = (files("carom.web") / module).read_text(encoding="utf-8")
    found = IMPORT.findall(text)
    assert len(found) == len(re.findall(r"^import\b", text, flags=re.M))
    for names, source in found:
        other = (files("carom.web") / source).read_text(encoding="utf-8")
        for name in names.split(", "):
            assert re.search(rf"^export (async )?(function|class|const) {name}\b", other, flags=re.M), (source, name)
    assert "export default" not in text
    for word in ("http:", "https:", "fetch(", "XMLHttpRequest", "innerHTML", "eval(", "</script"):
        assert word not in text


def test_no_two_modules_share_a_name() -> None:
    every = [name for module in MODULES for name in names_of(module)]
    assert len(every) == len(set(every)), sorted({name for name in every if every.count(name) > 1})


def test_a_bundle_holds_each_module_once_and_first_what_others_need() -> None:
    text = bundle("space_view.js")
    assert "import " not in re.sub(r"//.*|/\*.*?\*/", "", text, flags=re.S)
    assert not re.search(r"^export", text, flags=re.M)
    assert text.count("function unpacked(") == 1
    assert text.index("function unpacked(") < text.index("class Skeleton") < text.index("function spaceView(")


def test_packed_numbers() -> None:
    values = np.random.default_rng(3).normal(size=(7, 4)) * [1e-6, 1.0, 1e6, 0.0]
    table = packed(values, "i2")
    scales = np.frombuffer(base64.b64decode(table["scales"]["data"]), "<f4")
    steps = np.frombuffer(base64.b64decode(table["data"]), "<i2").reshape(7, 4)
    assert np.all(np.abs(steps * scales - values) <= 0.51 * scales)
    assert np.abs(steps).max(axis=0).tolist() == [32767, 32767, 32767, 0]
    assert packed([3, 65535], "u2") == {"kind": "u2", "data": base64.b64encode(b"\x03\x00\xff\xff").decode()}
    assert "scales" not in packed(np.array([[3, -4]]), "i1")
    assert packed(np.zeros((0, 0)), "i2")["data"] == ""
