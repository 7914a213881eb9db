"""Reading a page as a browser would, as far as tests need it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "input", "img", "path", "use", "rect", "image"}


class Page(HTMLParser):
    """Collects names, links to outside and the balance of elements."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.outside: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for key, value in attributes:
            if key == "id":
                self.names.append(value or "")
            loads = key in ("src", "data") or (key == "href" and tag in ("link", "use", "image"))
            if loads and value and not value.startswith(("data:", "#")):
                self.outside.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def read(text: str) -> Page:
    """Return the page; its elements must balance, its names be unique, and nothing be loaded or missing."""
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.outside == []
    assert len(page.names) == len(set(page.names))
    for used in re.findall(r'xlink:href="#([^"]+)"', text) + re.findall(r"url\(#([^)]+)\)", text):
        assert used in page.names
    return page
