"""The option --budget, which all commands that may take long share."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from carom.budget import VARIABLE, amount_of

__all__ = ["Budget", "allow"]

Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="SIZE",
        help="Allow so much memory, such as 8GB, and ten minutes for each GB. [default: 1GB]",
    ),
]


def allow(size: str | None) -> None:
    """Raise the budget for this command and the processes that it starts."""
    if size is not None:
        amount_of(size, "--budget")
        os.environ[VARIABLE] = size
