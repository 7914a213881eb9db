"""What all tests share."""

from __future__ import annotations

import logging
import os

from hypothesis import settings

# tests compare what commands print; whether a kernel happens to be compiled on the way must not show
logging.getLogger("carom.compile").addHandler(logging.NullHandler())

# elsewhere hypothesis looks in new places every time; where a change is judged, the same places each time
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
