"""Run all benchmarks, or those named: ``python -m benchmarks impacts startup``."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from pathlib import Path


def main(names: list[str]) -> None:
    known = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if not m.name.startswith("_")]
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"Unknown benchmark {', '.join(sorted(unknown))}. Known: {', '.join(known)}.")
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when NumPy is loaded: matrix products on one thread, as peers
    for name in names or known:
        print(f"\n== {name}")
        importlib.import_module(f"benchmarks.{name}").main()


main(sys.argv[1:])
