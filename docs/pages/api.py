"""The words of the API, in the order of a day's work; each with its arguments, from its docstring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import carom
from pages.markdown import contents

ROOMS: dict[str, tuple[str, list[str]]] = {
    "laws": ("Laws and single impacts", ["law", "impact", "Impact", "Impacts", "register_law"]),
    "structures": (
        "Structures",
        ["Oscillator", "ShearBuilding", "TorsionalBuilding", "Frame", "Member", "Section", "Material", "Diaphragm", "Spring",
         "Link", "Structure", "Point", "Body", "Wall", "Ground", "Rayleigh", "Caughey"],
    ),
    "joints": ("Joints", ["Bilinear", "BoucWen", "RambergOsgood", "Takeda", "GapStop", "HookStop", "register_joint"]),
    "motions": ("Ground motions", ["Motion", "MotionSet", "read_motion", "response_spectrum"]),
    "problem": ("Problems", ["Problem", "Contact", "facing", "Damper", "read_scenario"]),
    "runs": ("Runs and ensembles", ["simulate", "ensemble", "load", "compare", "Outcome"]),
    "models": (
        "Models of other programs",
        ["from_opensees", "from_pynite", "read_storeys", "read_matrices", "save_matrices"],
    ),
    "studies": ("Studies and estimates", ["explore", "read_study", "run_study", "estimate_gap", "estimate_restitution", "reproduce"]),
    "errors": ("Errors", ["CaromError", "InputError", "RunError", "CaromWarning"]),
}  # fmt: skip
"""Page to its title and words. A word of `carom.__all__` that no page has is put on the page of its kind's module."""
MODULES = {
    "stiffness": "carom.laws.stiffness", "motions": "carom.motions", "plots": "carom.plots", "testing": "carom.testing",
    "joints": "carom.joints", "units": "carom.units",
}  # fmt: skip
"""Modules that users see, and their whole contents."""


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Return a page for each room, one for modules, and the list of them."""
    told = {word for _, words in ROOMS.values() for word in words}
    rest = [
        word
        for word in carom.__all__
        if word not in told and not word.startswith("_") and callable(getattr(carom, word))
    ]
    rooms = ROOMS | ({"more": ("More words", rest)} if rest else {})
    for name, (title, words) in rooms.items():
        yield f"{name}.md", "\n\n".join([f"# {title}", *(_entry(word) for word in words)]) + "\n"
    for name, module in MODULES.items():
        yield (
            f"module-{name}.md",
            f"# {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n   :imported-members:\n   :no-index:\n```\n",
        )
    listed = "\n".join(
        f"- [{title}]({name}.md): " + ", ".join(f"`{word}`" for word in words) for name, (title, words) in rooms.items()
    )
    modules = "\n".join(f"- [`{module}`](module-{name}.md)" for name, module in MODULES.items())
    yield "index.md", "\n\n".join([
        "# Words of the API",
        "SI inside; wherever a number is taken, a string with a unit such as `\"19.8 mm\"` is taken too. All words stand in `carom`.",
        listed,
        "Modules:",
        modules,
        contents([*rooms, *(f"module-{name}" for name in MODULES)]),
    ])  # fmt: skip


def _entry(word: str) -> str:
    kind = "autoclass" if isinstance(getattr(carom, word), type) else "autofunction"
    options = "\n   :members:\n   :exclude-members: __init__" if kind == "autoclass" else ""
    return f"```{{eval-rst}}\n.. {kind}:: carom.{word}{options}\n```"
