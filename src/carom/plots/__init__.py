"""Draw a result, return the axes."""

from __future__ import annotations

from carom.plots.panels import draw
from carom.plots.style import style

__all__ = ["draw", "style"]
