"""What all tests share."""

from __future__ import annotations

import logging

# tests compare what commands print; whether a kernel happens to be compiled on the way must not show
logging.getLogger("carom.compile").addHandler(logging.NullHandler())
