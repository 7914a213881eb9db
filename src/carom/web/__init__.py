"""Components for pages: ES modules that draw on a canvas, and what they are told, packed.

One set serves the report, which holds everything it shows, an app that serves the files, and a notebook. Modules import
each other by relative paths and export by name; no step builds them. A page that holds all in itself takes them as one
text (`bundle`): each module once, those first that others need, without the lines that join them.
"""

from carom.web.bundle import bundle, style
from carom.web.packing import packed

__all__ = ["bundle", "packed", "style"]
