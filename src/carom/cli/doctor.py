"""`carom doctor`: what is installed, where kernels are kept, which device is there, and what is missing for what."""

from __future__ import annotations

import os
import platform
import re
import shutil
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = ["doctor"]

FEATURES = {
    "records": "recorded motions by name, such as el-centro-1940",
    "gpu-cu12": "NVIDIA GPUs with CUDA 12",
    "gpu-cu13": "NVIDIA GPUs with CUDA 13",
    "study": "large studies on many workers",
    "notebook": "the explorer in a notebook: carom.explore",
    "app": "the explorer in a browser",
    "opensees": "comparison and interchange with OpenSees",
    "dev": "work on carom itself: make test",
    "peers": "peers of the benchmarks",
    "seismology": "MiniSEED and SAC files: carom.read_motion",
    "docs": "the documentation: make docs",
    "browser": "pages in a real browser: make browser",
    "audit": "known holes of carom and of what it uses: make audit",
}
"""What each extra of the package is for."""


def doctor(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Tell versions, cache, GPU, and what is missing."""
    from carom.cli.terminal.console import print_json

    found = examine()
    if json:
        print_json(found)
    else:
        _print(found)
    if found["missing"]:
        raise typer.Exit(1)


def examine() -> dict[str, Any]:
    """Return all that the doctor knows."""
    needed, extras = _requirements()
    libraries = {name: _version(name) for name in needed}
    return {
        "carom": _version("carom"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cpus": os.cpu_count(),
        "libraries": libraries,
        "missing": [name for name, found in libraries.items() if found is None],
        "cache": _cache(),
        "gpu": _gpu(),
        "features": [_feature(extra, names) for extra, names in extras.items()],
    }


def _requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Return what carom needs, and what each of its extras does."""
    needed: list[str] = []
    extras: dict[str, list[str]] = {extra: [] for extra in FEATURES}
    try:
        lines = requires("carom") or []
    except PackageNotFoundError:  # a bare checkout: nothing is declared
        lines = []
    for line in lines:
        name = re.split(r"[\s<>=!~;\[(]", line, maxsplit=1)[0]
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", line)
        if extra is None:
            needed.append(name)
        else:
            extras.setdefault(extra[1], []).append(name)
    return needed, extras


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _cache() -> dict[str, Any]:
    """Return where compiled kernels are kept, and what is there."""
    from carom.backends import backend_name
    from carom.backends.numba import cache_folder

    folder = cache_folder()
    files = [] if folder is None else [path for path in folder.iterdir() if path.suffix in (".cpu", ".gpu", ".unit")]
    older = [] if folder is None else [path for path in folder.parent.glob("kernels-*") if path != folder]
    return {
        "backend": backend_name(),
        "folder": None if folder is None else str(folder),
        "lasting": folder is not None and os.access(folder, os.W_OK),
        "kernels": sorted({_kernel(path) for path in files if path.suffix != ".unit"}),
        "bytes": sum(path.stat().st_size for path in files),
        "older": sum(path.is_dir() for path in older),
    }


def _kernel(path: Path) -> str:
    """Return the kernel that a file of the cache holds: ``pound_runs-8b4b60b17e3cd361.cpu`` holds pound_runs."""
    return path.name.rpartition("-")[0]


def _gpu() -> dict[str, Any]:
    """Return whether a GPU can be used, and if not, what is missing."""
    driver = shutil.which("nvidia-smi") is not None or Path("/proc/driver/nvidia/version").exists()
    package = find_spec("numba_cuda") is not None
    usable, name = False, None
    if package and driver:
        try:
            cuda: Any = import_module("carom.backends.gpu.numba_cuda").cuda
            usable = bool(cuda.is_available())
            name = str(cuda.get_current_device().name) if usable else None
        except Exception:  # a driver can fail in many ways; each means that the GPU cannot be used
            usable = False
    if usable:
        said = "ready"
    elif not driver:
        said = "no NVIDIA driver was found"
    elif not package:
        said = "a driver is there; numba-cuda is not: pip install 'carom[gpu-cu12]'"
    else:
        said = "driver and numba-cuda are there, but no device answers"
    return {"driver": driver, "numba_cuda": package, "usable": usable, "device": name, "verdict": said}


def _feature(extra: str, names: list[str]) -> dict[str, Any]:
    missing = [name for name in names if _version(name) is None]
    ready = bool(names) and not missing
    install = "" if ready else f"pip install 'carom[{extra}]'"
    return {"extra": extra, "for": FEATURES.get(extra, ""), "ready": ready, "missing": missing, "install": install}


def _print(found: dict[str, Any]) -> None:
    from rich.table import Table

    from carom.cli.terminal.console import terminal

    console = terminal()
    cache = found["cache"]
    kept = f"{len(cache['kernels'])} kernels, {cache['bytes'] / 1e6:.1f} MB"
    older = f"; {cache['older']} older beside it can be deleted" if cache["older"] else ""
    lasting = "" if cache["lasting"] else " (not lasting: set CAROM_CACHE to a folder that can be written)"
    rows = {
        "carom": found["carom"] or "not installed, run from its source",
        "python": f"{found['python']} on {found['system']}, {found['cpus']} processors",
        "libraries": ", ".join(f"{name} {number or 'MISSING'}" for name, number in found["libraries"].items()),
        "compiled kernels": f"{cache['folder'] or 'kept nowhere'}{lasting}: {kept}{older}; backend {cache['backend']}",
        "GPU": found["gpu"]["device"] or found["gpu"]["verdict"],
    }
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, text in rows.items():
        table.add_row(name, text.replace("[", "\\["))
    console.print(table)
    extras = Table("extra", "for", "state", title="\nOptional features", title_justify="left", box=None, pad_edge=False)
    for one in found["features"]:
        state = "ready" if one["ready"] else f"missing {', '.join(one['missing'])}: {one['install']}"
        extras.add_row(one["extra"], one["for"], state.replace("[", "\\["))
    console.print(extras)
    if found["missing"]:
        console.print(f"Missing: {', '.join(found['missing'])}. Install carom again with pip.", style="red")
