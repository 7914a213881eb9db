"""How the documentation is built: `make docs`, or sphinx-build docs docs/_build/html."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
os.environ |= {"NO_COLOR": "1", "COLUMNS": "110"}  # what commands print stands on light and dark pages

import carom  # noqa: E402  (after the path of the pages below)

project = "carom"
copyright = "the carom developers, MIT licence"
release = version = carom.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "pages",
]
exclude_patterns = [
    "_build",
    "gallery",
    "pages",
    *(f"figures/*.{kind}" for kind in ("ipynb", "json", "md5", "py", "zip")),
]

# Tutorials are notebooks in text; a cell that fails fails the build.
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE / "_build" / "cells")
nb_execution_in_temp = True  # they write files
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True

# The words of the API, each with its arguments.
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "show-inheritance": False}
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_rtype = False
add_module_names = False

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "figures",
    "filename_pattern": r"/plot_",
    "download_all_examples": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "min_reported_time": 10,
    "show_signature": False,
    "image_scrapers": ("pages.gallery.scraper",),
}

html_theme = "pydata_sphinx_theme"
html_title = "carom"
html_static_path = ["static"]
html_css_files = ["carom.css"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_center": ["navbar-nav"],
    "header_links_before_dropdown": 7,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "navigation_with_keys": True,
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": []}
