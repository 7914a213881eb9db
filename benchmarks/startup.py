"""Start-up: import, help, first compile, warm start; each in a fresh process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

IMPACT = "import carom; carom.impact(carom.law('hertzdamp', stiffness=1e9, restitution=0.6), mass=1.0, velocity=1.0)"


def seconds(arguments: list[str], cache: str | None = None) -> float:
    import os

    environment = {**os.environ, **({"CAROM_CACHE": cache} if cache else {})}
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def main() -> None:
    bare = min(seconds(["-c", "pass"]) for _ in range(5))
    imported = min(seconds(["-c", "import carom"]) for _ in range(5))
    helped = min(seconds(["-m", "carom.cli", "--help"]) for _ in range(5))
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds(["-c", IMPACT], folder)
        warm = min(seconds(["-c", IMPACT], folder) for _ in range(3))
    print(f"python alone {bare:.3f} s, import carom +{imported - bare:.3f} s, carom --help {helped:.3f} s")
    print(f"first impact: {cold:.1f} s with nothing compiled, {warm:.2f} s with a warm cache, imports included")
