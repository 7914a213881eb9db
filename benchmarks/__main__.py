"""Run all benchmarks, or those named: ``python -m benchmarks impacts startup``."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path


def main(names: list[str]) -> None:
    known = [m.name for m in pkgutil.iter_modules([str(Path(__file__).parent)]) if not m.name.startswith("_")]
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"Unknown benchmark {', '.join(sorted(unknown))}. Known: {', '.join(known)}.")
    for name in names or known:
        print(f"\n== {name}")
        importlib.import_module(f"benchmarks.{name}").main()


main(sys.argv[1:])
