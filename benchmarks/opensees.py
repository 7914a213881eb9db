"""carom beside OpenSeesPy: speed at equal accuracy, and the same answers on many problems; one run.

    python -m benchmarks opensees    (about twenty minutes)

OpenSees runs by `analyze(N)` with envelope recorders. `_opensees/model.py` says how a problem becomes its model.
"""

from __future__ import annotations

import importlib.metadata
import platform

from benchmarks._opensees import accuracy, model, speed


def main() -> None:
    """Measure and print."""
    if not model.AVAILABLE:
        print("skipped: openseespy is not installed; pip install 'carom[opensees]' (needs libblas3 liblapack3)")
        return
    version = importlib.metadata.version("openseespy")
    print(f"OpenSeesPy {version}, Python {platform.python_version()}, {platform.processor() or platform.machine()}")
    speed.main()
    print()
    accuracy.main()
