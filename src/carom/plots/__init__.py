"""Draw a result, return the axes; save it as files."""

from __future__ import annotations

from carom.plots.files import save
from carom.plots.panels import draw
from carom.plots.style import style

__all__ = ["draw", "save", "style"]
