"""A registry asked by two threads at once: neither sees it half filled."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from carom.registry import Registry


def test_a_second_thread_waits_for_all_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "slow_members"
    package.mkdir()
    (package / "__init__.py").write_text("from carom.registry import Registry\nfound = Registry('member', __name__)\n")
    for name in ("one", "two"):
        (package / f"{name}.py").write_text(
            f"import time\nfrom slow_members import found\ntime.sleep(0.1)\nfound.register('{name}', '{name}')\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    found: Registry[str] = __import__("slow_members").found
    seen: list[object] = []

    def ask() -> None:
        try:
            seen.append(found.get("two"))
        except Exception as error:
            seen.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in [name for name in sys.modules if name.startswith("slow_members")]:
        del sys.modules[name]
    assert seen == ["two"] * 4
    assert found.names() == ["one", "two"]
