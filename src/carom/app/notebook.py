"""The explorer in a notebook: the page's own components, and messages in place of a socket."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

from carom.app.explored import Explored
from carom.app.problems import ProblemExplorer
from carom.app.wire import frame
from carom.errors import CaromError, CaromWarning, refusal
from carom.problem import Problem
from carom.scenario import Scenario
from carom.web import bundle, style

__all__ = ["answered", "explore"]

STYLES = ("run_view.css", "space_view.css", "notebook_view.css")


def explore(problem: Problem | Scenario, *, title: str = "", **options: Any) -> Any:
    """Return the live explorer of a problem, to be shown in a notebook: move a slider, see what pounding does.

    Gaps, laws, contact stiffness, restitution, masses, stiffnesses, damping and the strength of the motion have a
    slider each. Every movement is computed by this notebook's kernel, with contact and without, and drawn. It needs the
    extra `notebook`; without a notebook, `carom app` opens the same explorer as a page.

    Parameters
    ----------
    problem
        Structures, contacts and motion, or a scenario with them.
    title
        One line above the pictures.
    options
        As for `carom.simulate`; in contact `rtol` is 1e-5 unless it is given, for pictures show three digits.
    """
    if importlib.util.find_spec("anywidget") is None:
        raise CaromError("carom.explore needs anywidget: pip install 'carom[notebook]'. `carom app` needs no notebook.")
    if isinstance(problem, Scenario):
        title = title or problem.title
        problem = problem.problem
    if not isinstance(problem, Problem):
        raise refusal("problem", "explore", "must be a carom.Problem or a scenario", problem)
    return _kind()(ProblemExplorer(problem, title, **options))


def answered(explorer: Explored, wish: Any) -> bytes:
    """Return what answers a message of the notebook's page; what is refused, and what fails, is told in it."""
    kind = wish.get("kind") if isinstance(wish, Mapping) else None
    number = wish.get("number", 0) if isinstance(wish, Mapping) else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CaromWarning)  # a slider passes through much that is unlikely
            if kind == "told":
                return frame({**explorer.told(), "number": number}, {})
            if kind == "run":
                return explorer.answer(wish)
            if kind == "details":
                return explorer.details(wish)
        words = "This is no wish that is known here."
    except CaromError as error:
        words = str(error)
    except Exception as error:  # else the page would wait for an answer that never comes
        words = f"This is a mistake of carom's, not yours: {type(error).__name__}: {error}. Please report it."
    return frame({"kind": "refused", "number": number, "words": words}, {})


@cache
def _kind() -> Any:
    """Return the kind of widget, made once anywidget is there."""
    import anywidget

    class ExplorerWidget(anywidget.AnyWidget):
        """Sliders and pictures of one problem."""

        _esm = bundle("notebook_view.js") + "\nexport default { render: notebookView };\n"
        _css = "".join(style(name) for name in STYLES)

        def __init__(self, explorer: Explored) -> None:
            super().__init__()
            self.explorer = explorer
            self.on_msg(lambda _, wish, __: self.send({"kind": "frame"}, buffers=[answered(explorer, wish)]))

    return ExplorerWidget
