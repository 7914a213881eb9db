"""The command line."""

from __future__ import annotations

import sys

import typer

from carom.cli import motion
from carom.errors import CaromError

app = typer.Typer(no_args_is_help=True, add_completion=False)
app.add_typer(motion.app, name="motion")


@app.callback()
def _root() -> None:
    """Structures that hit each other."""


def main() -> None:
    """Run the command line; a refusal is one line on stderr and exit code 2."""
    try:
        app()
    except CaromError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
