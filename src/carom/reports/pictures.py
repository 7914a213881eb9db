"""What is drawn for a page, as the page holds it: text and numbers, nothing of the library that drew them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

__all__ = ["Graphic", "Pictures"]


@dataclass(frozen=True)
class Graphic:
    """A drawn figure as a page holds it."""

    key: str
    """Its name in the page."""
    svg: Markup
    panels: list[dict[str, Any]]
    """What is needed to read values off its curves."""
    size: tuple[float, float]
    """Width and height [pt]."""

    @property
    def wide(self) -> bool:
        """Whether it fills both columns of a page."""
        return self.size[0] > 300.0


@dataclass(frozen=True)
class Pictures:
    """All that is drawn of a run."""

    figures: Mapping[str, tuple[Graphic, str]]
    """Figures with their captions, by key."""
    animation: dict[str, Any] | None
    """What the script needs to let the structures sway; None where nothing can."""
