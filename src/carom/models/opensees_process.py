"""A script that builds an OpenSees model, run in a process of its own, which then reads the domain."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

from carom.errors import InputError
from carom.models.opensees_domain import OpenSeesDomain, answers_in, gathered, settled

__all__ = ["read_script"]

PATIENCE = 600.0
"""Seconds that a script may take."""


def read_script(path: Path) -> OpenSeesDomain:
    """Return the domain that a Python script leaves behind."""
    if not path.is_file():
        raise InputError(f"{path} is not there: name a Python script that builds an OpenSees model.")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "carom.models.opensees_process", str(path.resolve()), folder]
        try:
            run = subprocess.run(
                command, cwd=path.resolve().parent, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise InputError(f"{path} took more than {PATIENCE:g} s and was stopped.") from None
        answers = Path(folder) / "answers"
        with answers.open("rb") if answers.exists() else Path(os.devnull).open("rb") as stream:
            return settled(answers_in(stream), run.stderr.replace("Process 0 Terminating", ""))


def main(script: str, folder: str) -> None:
    """Run the script, then read the domain that it leaves."""
    sys.argv = [script]
    sys.path.insert(0, str(Path(script).parent))
    runpy.run_path(script, run_name="__main__")
    ops = sys.modules.get("openseespy.opensees") or sys.modules.get("opensees")
    if ops is None:
        raise InputError("the script does not import openseespy.opensees")
    with (Path(folder) / "answers").open("wb") as answer:
        gathered(ops, Path(folder), answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
