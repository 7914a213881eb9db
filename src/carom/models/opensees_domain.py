"""What an OpenSees domain says of itself: M, C and K over all nodes, and its constraints.

OpenSees has one domain to a process, and reading matrices out of it needs an analysis of our own, without constraints:
the user's analysis would be gone, recorders would write. So the reading is done by a copy of the process (`fork`), to
which no file can be opened and whose open files lead nowhere; the domain of the user is not touched. Where a model is
read from a script, the script runs in a process of its own, and that process reads.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle  # nosec B403: between processes of our own
import re
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import InputError
from carom.structures.matrices import Array, Integers

__all__ = ["OpenSeesDomain", "answers_in", "gathered", "read_copy", "settled"]

MOST_DOFS = 6000
"""Of all nodes, supports included: three full matrices of them take 860 MB."""
SHARES = (1e-4, 1e-3, 1e-2, 0.1)
"""Sizes of the displacements by which linearity is probed, as shares of the model's extent; rotations in radians."""
CHANGED = 1e-9
"""Relative change of an entry from which a matrix counts as changed by displacements."""
OF_DAMPING = ("globalDampingForces", "localDampingForces")
"""Responses that elements with a damping object have, and no others."""
MATERIAL = re.compile(r'"type": "(\w+)"')
SEED = 20010
"""Of the displacements and velocities that probe linearity."""
NO_COPY = (
    "Reading a live OpenSees model needs a copy of the process, which this system cannot make. "
    'Put the model into a script and write carom.from_opensees("model.py").'
)


@dataclass
class OpenSeesDomain:
    """A domain by numbers: matrices over all degrees of freedom of all nodes, as if nothing were held."""

    dimensions: int
    tags: list[int]
    """Nodes."""
    coordinates: dict[int, tuple[float, ...]]
    equations: dict[int, list[int]]
    """Of each node: where its degrees of freedom stand in the matrices."""
    mass: Array
    damping: Array
    stiffness: Array
    """The tangent in the state in which the domain was found."""
    elements: dict[int, tuple[str, list[int]]]
    """Class and nodes of each element, by tag."""
    text: str
    """What `printModel` prints."""
    described: dict[str, Any] = field(default_factory=dict)
    """What `printModel` says as JSON."""
    materials: list[str] = field(default_factory=list)
    """Classes of the materials that were defined, used or not."""
    patterns: list[int] = field(default_factory=list)
    damped: list[int] = field(default_factory=list)
    """Elements with a damping object, which C does not have."""
    displacement: float = 0.0
    """Largest displacement of a node."""
    velocity: float = 0.0
    """Largest velocity of a node."""
    bent: bool = False
    """Whether the tangent differs from the initial stiffness."""
    changing: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of nodes whose stiffness or damping changes with displacement or velocity."""
    probed: bool = True
    """Whether linearity could be probed: elements may fail to follow a displacement."""


def read_copy(ops: Any) -> OpenSeesDomain:
    """Return what the live domain of this process says; a copy of the process reads it."""
    if not hasattr(os, "fork"):
        raise InputError(NO_COPY)
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "said"
        ours, theirs = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads: the copy starts none
            child = os.fork()
        if child == 0:
            _answer_and_leave(ops, Path(folder), said, theirs)
        os.close(theirs)
        with os.fdopen(ours, "rb") as pipe:
            answers = answers_in(pipe)
        os.waitpid(child, 0)
        words = said.read_text(errors="replace") if said.exists() else ""
    return settled(answers, words)


def settled(answers: list[Any], words: str, what: str = "The OpenSees model") -> OpenSeesDomain:
    """Return the domain from what the reader sent: itself, then what probing found; refuse where there is none."""
    if not answers or isinstance(answers[0], str):
        last = [line.strip() for line in words.splitlines() if line.strip()]
        reason = answers[0] if answers else (last[-1] if last else "it ended without a word")
        raise InputError(f"{what} cannot be read: {reason}"[:600])
    domain: OpenSeesDomain = answers[0]
    if len(answers) > 1 and isinstance(answers[1], list):
        domain.changing = answers[1]
    else:
        domain.probed = False
    return domain


def answers_in(pipe: Any) -> list[Any]:
    """Return what a reader sends until it ends."""
    found = []
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            found.append(pickle.load(pipe))  # nosec B301: from a copy of this process, or from one that ran the user's own script
    return found


def _answer_and_leave(ops: Any, folder: Path, said: Path, pipe: int) -> None:
    """Read the domain in the copy of the process, send it, and end without what usually happens at an end."""
    try:
        with os.fdopen(os.dup(pipe), "wb") as answer:
            _close_doors(said, answer.fileno())
            gathered(ops, folder, answer)
    finally:
        os._exit(0)


def _close_doors(said: Path, kept: int) -> None:
    """Let all open files but one lead nowhere, and what is printed into a file of ours."""
    printed = os.open(said, os.O_WRONLY | os.O_CREAT)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in [int(file.name) for file in Path("/dev/fd").iterdir()]:
        if number not in (kept, printed, nowhere):
            with contextlib.suppress(OSError):
                os.dup2(printed if number in (1, 2) else nowhere, number)
    sys.stdout = sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), write_through=True)


def gathered(ops: Any, folder: Path, answer: Any) -> None:
    """Write the domain to a stream, then the pairs of nodes whose matrices change; the domain is spent after this."""
    try:
        domain = _domain(ops, folder)
    except InputError as error:
        pickle.dump(str(error), answer)
        answer.flush()
        return
    pickle.dump(domain, answer)
    answer.flush()  # probing may end the process
    pickle.dump(_changing(ops, domain), answer)
    answer.flush()


def _domain(ops: Any, folder: Path) -> OpenSeesDomain:
    tags = [int(tag) for tag in ops.getNodeTags()]
    if not tags:
        raise InputError("there is no node: the domain is empty. Build the model first, and do not wipe it.")
    elements = {
        int(tag): (str(ops.eleType(tag)), [int(node) for node in ops.eleNodes(tag)]) for tag in ops.getEleTags()
    }
    size = sum(int(ops.getNDF(tag)[0]) for tag in tags)
    if size > MOST_DOFS:
        raise InputError(f"its nodes have {size} degrees of freedom, {MOST_DOFS} are read at most. Condense it first.")
    text, described, materials = _printed(ops, folder)
    _open_no_more_files()
    moved = max((abs(x) for tag in tags for x in ops.nodeDisp(tag)), default=0.0)
    velocity = max((abs(x) for tag in tags for x in ops.nodeVel(tag)), default=0.0)
    patterns = [int(tag) for tag in ops.getPatterns() or []]
    damped = [tag for tag in elements if any(ops.eleResponse(tag, word) for word in OF_DAMPING)]
    _release(ops)
    mass, damping, stiffness, initial = _matrices(ops, first=True)
    return OpenSeesDomain(
        dimensions=int(ops.getNDM()[0]),
        tags=tags,
        coordinates={tag: tuple(float(x) for x in ops.nodeCoord(tag)) for tag in tags},
        equations={tag: [int(at) for at in ops.nodeDOFs(tag)] for tag in tags},
        mass=mass,
        damping=damping,
        stiffness=stiffness,
        elements=elements,
        text=text,
        described=described,
        materials=materials,
        patterns=patterns,
        damped=damped,
        displacement=moved,
        velocity=velocity,
        bent=bool(np.abs(stiffness - initial).max() > CHANGED * np.abs(stiffness).max()),
    )


def _printed(ops: Any, folder: Path) -> tuple[str, dict[str, Any], list[str]]:
    """Return what the model prints of itself, as text and as JSON, and the classes of its materials.

    The JSON is broken for some elements and materials.
    """
    files = folder / "model.txt", folder / "model.json"
    ops.printModel("-file", str(files[0]))
    ops.printModel("-JSON", "-file", str(files[1]))
    text, described = (file.read_text(errors="replace") if file.exists() else "" for file in files)
    stated = described.partition('"uniaxialMaterials"')[2].partition('"sections"')[0]
    materials = sorted(set(MATERIAL.findall(stated)))
    try:
        return text, json.loads(described)["StructuralAnalysisModel"], materials
    except (ValueError, KeyError, TypeError):
        return text, {}, materials


def _open_no_more_files() -> None:
    """Keep recorders, which open files late, from writing over files of the user."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (0, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def _release(ops: Any) -> None:
    """Take all constraints away, so that matrices are over all degrees of freedom."""
    ops.wipeAnalysis()
    for tag in ops.getPatterns() or []:
        ops.remove("loadPattern", tag)
    for node in ops.getFixedNodes() or []:
        for dof in ops.getFixedDOFs(node):
            ops.remove("sp", node, dof)
    for node in ops.getConstrainedNodes() or []:
        ops.remove("mp", node)


def _matrices(ops: Any, which: str = "MCKI", *, first: bool = False) -> tuple[Array, ...]:
    """Return of M, C, K and the initial K those asked for, as OpenSees assembles them in the present state."""
    if first:
        ops.constraints("Plain")
        ops.numberer("Plain")
        ops.system("FullGeneral")
        ops.algorithm("Linear")
    found: list[Array] = []
    for letter in which:
        ops.integrator("GimmeMCK", *(1.0 if letter == one else 0.0 for one in "MCKI"))
        if first and not found:
            ops.analysis("Transient", "-noWarnings")
        if not found:
            ops.analyze(1, 0.0)  # of no length: numbers the equations, and lets elements see where their nodes are
        size = int(ops.systemSize())
        found.append(np.array(ops.printA("-ret")).reshape(size, size).T)
    return tuple(found)


def _changing(ops: Any, domain: OpenSeesDomain) -> list[tuple[int, int]]:
    """Return the pairs of nodes between which K or C is another once nodes are displaced, or move.

    They are displaced both ways, for some things act in one direction only, and by several sizes. Some elements see
    displacements once these are committed, those that work on increments only before.
    """
    chance = np.random.default_rng(SEED)
    places = np.array(list(domain.coordinates.values()))
    extent = float(np.ptp(places, axis=0).max()) or 1.0
    size = domain.mass.shape[0]
    changed = np.zeros((size, size), dtype=bool)
    for share in SHARES:
        amounts = np.full(size, share * extent)
        for at in domain.equations.values():
            amounts[at[domain.dimensions :]] = share
        field = amounts * chance.uniform(-1.0, 1.0, size)
        none = np.zeros(size)
        for moved, rates, committed in (
            (field, none, False), (-field, none, False), (field, none, True), (-field, none, True), (none, field, True),
        ):  # fmt: skip
            _move(ops, domain, moved, rates, committed)
            damping, stiffness = _matrices(ops, "CK")
            for was, now in ((domain.stiffness, stiffness), (domain.damping, damping)):
                changed |= np.abs(now - was) > CHANGED * max(np.abs(was).max(), np.abs(now).max())
    owner: Integers = np.zeros(size, dtype=np.int64)
    for tag, at in domain.equations.items():
        owner[at] = tag
    return sorted({(int(a), int(b)) for a, b in zip(*(owner[axis] for axis in np.nonzero(changed)), strict=True)})


def _move(ops: Any, domain: OpenSeesDomain, displacements: Array, velocities: Array, committed: bool) -> None:
    last = ("-commit",) if committed else ()
    for tag, at in domain.equations.items():
        for dof, which in enumerate(at, start=1):
            ops.setNodeDisp(tag, dof, float(displacements[which]), *last)
            ops.setNodeVel(tag, dof, float(velocities[which]), *last)
