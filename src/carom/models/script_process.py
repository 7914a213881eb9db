"""A script that builds a model, run in a process of its own, which then says what it built."""

from __future__ import annotations

import os
import pickle  # nosec B403: between processes of our own
import runpy
import subprocess  # nosec B404: one program, this very Python
import sys
import tempfile
from pathlib import Path
from typing import Any

from carom.errors import InputError
from carom.models.opensees_domain import OpenSeesDomain, answers_in, gathered, settled

__all__ = ["read_script"]

PATIENCE = 600.0
"""Seconds that a script may take."""


def read_script(path: Path) -> Any:
    """Return what a Python script built: an `OpenSeesDomain`, or a PyNite model."""
    if not path.is_file():
        raise InputError(f"{path} is not there: name a Python script that builds a model.")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "carom.models.script_process", str(path.resolve()), folder]
        try:
            run = subprocess.run(  # nosec B603: no shell; the path is an argument, and its code is what the user asks to run
                command, cwd=path.resolve().parent, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=PATIENCE, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise InputError(f"{path} took more than {PATIENCE:g} s and was stopped.") from None
        answers = Path(folder) / "answers"
        with answers.open("rb") if answers.exists() else Path(os.devnull).open("rb") as stream:
            found = answers_in(stream)
    if found and not isinstance(found[0], (str, OpenSeesDomain)):
        return found[0]
    return settled(found, run.stderr.replace("Process 0 Terminating", ""), f"The model of {path.name}")


def main(script: str, folder: str) -> None:
    """Run the script, then send what it built."""
    sys.argv = [script]
    sys.path.insert(0, str(Path(script).parent))
    left = runpy.run_path(script, run_name="__main__")
    ops = sys.modules.get("openseespy.opensees") or sys.modules.get("opensees")
    frames = [value for value in left.values() if type(value).__name__ == "FEModel3D"]
    with (Path(folder) / "answers").open("wb") as answer:
        if ops is not None and (ops.getNodeTags() or not frames):
            gathered(ops, Path(folder), answer)
        elif len({id(frame) for frame in frames}) == 1:
            pickle.dump(frames[0], answer)
        else:
            what = "imports neither openseespy.opensees nor PyNite" if not frames else "leaves several PyNite models"
            pickle.dump(f"the script {what}", answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
