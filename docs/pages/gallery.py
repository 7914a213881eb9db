"""How pictures of the gallery are found: figures of carom belong to no window, so that they are looked for by name."""

from __future__ import annotations

from typing import Any


def scraper(block: Any, found: dict[str, Any], settings: dict[str, Any]) -> str:
    """Save the figures that a block has put into ``drawn``, and return how the page shows them."""
    from sphinx_gallery.scrapers import figure_rst

    paths = []
    for figure in found["example_globals"].pop("drawn", []):
        path = next(found["image_path_iterator"])
        figure.savefig(path, dpi=160)
        paths.append(path)
    return figure_rst(paths, settings["src_dir"])
