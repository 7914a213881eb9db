"""The arrays of a structure given by matrices, read from an ``.npz`` file: bounded in size, without pickles."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, Refusal, refusal
from carom.given_files import read_given
from carom.structures import LinearStructure
from carom.structures.damping import Ratios, Viscous
from carom.whole_files import write_whole

__all__ = ["ARRAYS", "arrays_of", "matrix_arrays", "matrix_bytes", "save_matrices"]

LARGEST = 200_000_000
"""Bytes of a file, and of all its arrays together: 3,000 degrees of freedom with three full matrices."""
MOST_DOFS = 3000

ARRAYS = {
    "mass": "N or N × N",
    "stiffness": "N × N",
    "damping": "N × N",
    "damping_ratio": "one number or N",
    "influence": "N or N × 3",
    "load": "N",
    "dofs": "N texts",
    "point_names": "P texts",
    "point_positions": "P × 3",
    "point_rows": "P × 3 × N",
    "line_ends": "L × 2 × 3",
    "dashpot_rows": "D × N",
    "dashpot_constants": "D",
    "output_names": "O texts",
    "output_rows": "O × N",
}
"""Names of arrays that a file may hold, and their shapes."""
TOGETHER = (
    ("point_names", "point_rows"),
    ("dashpot_rows", "dashpot_constants"),
    ("output_names", "output_rows"),
)
"""Arrays of which none says anything alone."""

Arrays = dict[str, npt.NDArray[Any]]
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, TypeError, KeyError, NotImplementedError,
    RuntimeError, SyntaxError, MemoryError, OverflowError,
)  # fmt: skip
"""What the readers of zip files and arrays raise where a file is damaged."""


def arrays_of(folder: Path, name: str, owner: str) -> Arrays:
    """Return the arrays of a file, found sound one by one and with each other."""
    if Path(name).suffix.lower() != ".npz":
        way_out = 'Write one with numpy.savez("model.npz", mass=M, stiffness=K).'
        raise refusal("file", owner, "must be a file .npz", name, way_out)
    try:
        content = read_given(folder / name, most=LARGEST, what="model")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise refusal("file", owner, f"must be a file in {folder.resolve()}", name) from None
    arrays = _read(content, name, owner)
    _refuse_shapes(arrays, owner)
    return arrays


def _read(content: bytes, file: str, owner: str) -> Arrays:
    """Return the arrays; refuse names that are not known, and more than the limit once unpacked."""
    found: Arrays = {}
    left = LARGEST
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            for member in names:
                name = member.removesuffix(".npy")
                if name not in ARRAYS or names.count(member) > 1:
                    rule = "must hold each array once, by names that are known"
                    raise refusal("file", owner, rule, name[:60], f"Known: {', '.join(ARRAYS)}.")
                with archive.open(member) as stream:
                    data = stream.read(left + 1)  # what a file says of its size is not what comes out of it
                if len(data) > left:
                    rule = f"must have arrays of {LARGEST // 10**6} MB at most, unpacked"
                    raise refusal("file", owner, rule, file)
                left -= len(data)
                found[name] = _array(data, name, owner)
    except InputError:
        raise
    except UNREADABLE as error:
        way_out = "numpy.savez writes such files."
        raise refusal("file", owner, f"must be an archive of arrays that can be read ({_brief(error)})", file, way_out)\
            from None  # fmt: skip
    return found


def _array(data: bytes, name: str, owner: str) -> npt.NDArray[Any]:
    """Return an array of numbers or texts; one that says it is larger than its data is refused before it is made."""
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, kind = reader(stream)
    if kind.hasobject or kind.kind not in "fiuU":
        what = "texts" if name in ("dofs", "point_names", "output_names") else "real numbers"
        raise _refused(name, owner, f"must be an array of {what}", str(kind)[:40], "Objects are not read from files.")
    size = float(kind.itemsize) * float(np.prod([float(n) for n in shape]))
    if min(shape, default=0) < 0 or len(shape) > 3 or size > len(data):
        raise _refused(name, owner, f"must be {ARRAYS[name]}", shape, "N is the number of degrees of freedom.")
    found = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    texts = name in ("dofs", "point_names", "output_names")
    if texts != (found.dtype.kind == "U"):
        raise _refused(name, owner, f"must be an array of {'texts' if texts else 'numbers'}", str(found.dtype))
    if texts:
        return found
    numbers = found.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise _refused(name, owner, "must be finite everywhere", float(numbers[~np.isfinite(numbers)][0]))
    return numbers


def _refused(name: str, owner: str, rule: str, value: object, way_out: str = "") -> Refusal:
    """Return the refusal of an array: at the field that it stands for, or at the file's where there is none."""
    if name.startswith(("point_", "line_", "dashpot_", "output_")):
        return refusal("file", owner, f"must have a `{name}` that fits: it {rule}", value, way_out)
    return refusal(name, owner, rule, value, way_out)


def _refuse_shapes(arrays: Arrays, owner: str) -> None:
    """Refuse arrays that do not fit each other."""
    for group in TOGETHER:
        given = [name for name in group if name in arrays]
        if 0 < len(given) < len(group):
            missing = next(name for name in group if name not in arrays)
            raise refusal("file", owner, f"must hold `{missing}` beside `{given[0]}`", sorted(arrays))
    if "point_positions" in arrays and "point_names" not in arrays:
        raise refusal("file", owner, "must hold `point_names` beside `point_positions`", sorted(arrays))
    known = next((name for name in ("stiffness", "mass", "damping") if name in arrays), None)
    n = arrays[known].shape[0] if known and arrays[known].ndim else None
    if n is not None and n > MOST_DOFS:
        raise refusal("file", owner, f"must have {MOST_DOFS} degrees of freedom at most", n, "Reduce the model first.")
    sizes = {"N": n}
    for names, letter in (("point_names", "P"), ("dashpot_constants", "D"), ("output_names", "O"), ("line_ends", "L")):
        sizes[letter] = arrays[names].shape[0] if names in arrays and arrays[names].ndim else None
    for name, array in arrays.items():
        if not any(_fits(array.shape, form, sizes) for form in _forms(name)):
            rule = f"must be {ARRAYS[name]}, with N = {n if n is not None else 'the number of degrees of freedom'}"
            raise _refused(name, owner, rule, array.shape)


def _forms(name: str) -> list[tuple[str, ...]]:
    """Return the shapes that an array may have, by letters: ``N or N × N`` is ``[("N",), ("N", "N")]``."""
    return [
        () if form == "one number" else tuple(form.removesuffix(" texts").split(" × "))
        for form in ARRAYS[name].split(" or ")
    ]


def _fits(shape: tuple[int, ...], form: tuple[str, ...], sizes: dict[str, int | None]) -> bool:
    wanted = [int(letter) if letter.isdigit() else sizes[letter] for letter in form]
    return len(shape) == len(wanted) and all(w is None or w == n for n, w in zip(shape, wanted, strict=True))


def _brief(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:80].strip().rstrip(".")


def matrix_arrays(structure: LinearStructure) -> Arrays:
    """Return a structure as the arrays of a file; refuse what these cannot say."""
    if not structure.dof_names or not structure.massive:
        raise refusal("structure", "save_matrices", "must have masses that move", structure.owner)
    if structure.joints:
        raise refusal("structure", "save_matrices", "must be linear: joints have no matrices", structure.owner)
    found: Arrays = {
        "mass": structure._lumped if structure._lumped is not None else structure.mass_matrix,
        "stiffness": structure.stiffness_matrix, "influence": structure.influence,
        "dofs": np.array(structure.dof_names),
    }  # fmt: skip
    damping = structure._damping()
    if isinstance(damping, Ratios):
        found["damping_ratio"] = np.array(damping.values if len(damping.values) > 1 else damping.values[0])
    else:
        dashpots = sum((c * np.outer(row, row) for row, c in structure.dashpots), np.zeros_like(structure.mass_matrix))
        found["damping"] = damping.matrix if isinstance(damping, Viscous) else structure.damping_matrix - dashpots
    if structure.load.any():
        found["load"] = structure.load
    if structure.dashpots:
        found["dashpot_rows"] = np.array([row for row, _ in structure.dashpots])
        found["dashpot_constants"] = np.array([constant for _, constant in structure.dashpots])
    if structure.outputs:
        found["output_names"] = np.array(list(structure.outputs))
        found["output_rows"] = np.array(list(structure.outputs.values()))
    points = {name: point for name, point in structure.points.items() if name not in structure.dof_names}
    if points:
        found["point_names"] = np.array(list(points))
        found["point_rows"] = np.array([point.rows for point in points.values()])
        if all(point.position is not None for point in points.values()):
            found["point_positions"] = np.array([point.position for point in points.values()])
    if (lines := _lines(structure)) is not None:
        found["line_ends"] = lines
    return found


def _lines(structure: LinearStructure) -> npt.NDArray[np.float64] | None:
    """Return the ends of the lines by which a structure is drawn, those that stand still or at a point."""
    frame = structure.wireframe()
    if frame is None:
        return None
    places = {np.round(point.position, 6).tobytes() for point in structure.points.values() if point.position}
    stand = [
        not rows.any() or np.round(at, 6).tobytes() in places
        for at, rows in zip(frame.positions, frame.rows, strict=True)
    ]
    kept = [edge for edge in frame.edges if stand[edge[0]] and stand[edge[1]]]
    return frame.positions[np.array(kept)] if kept else None


def save_matrices(structure: LinearStructure, path: str | Path) -> None:
    """Write a structure as an ``.npz`` file of its matrices and points, which scenario files and `read_matrices` read.

    Frames, imported models and buildings alike become M, C (or ratios), K, ι and points; names stay.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "pier.npz")
    >>> carom.save_matrices(carom.Oscillator(mass="20 t", stiffness="8 MN/m", name="pier"), file)
    >>> carom.read_matrices(file).frequencies.round(3)
    array([3.183])
    """
    if Path(path).suffix.lower() != ".npz":
        raise refusal("path", "save_matrices", "must be a file .npz", str(path))
    write_whole(Path(path), matrix_bytes(structure))


def matrix_bytes(structure: LinearStructure, *, damped: bool = True) -> bytes:
    """Return the content of such a file; without damping where a scenario says its own."""
    arrays = matrix_arrays(structure)
    kept = {name: array for name, array in arrays.items() if damped or name not in ("damping", "damping_ratio")}
    stream = io.BytesIO()
    np.savez_compressed(stream, **kept)  # type: ignore[arg-type]
    return stream.getvalue()
