"""The joints inside structures as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.structures import LinearStructure, Modes

__all__ = ["packed_joints"]


def packed_joints(
    structures: Sequence[LinearStructure], modes: Sequence[Modes], columns: Sequence[slice], total: int
) -> dict[str, Any]:
    """Return the fields of a `FlatProblem` that say all about its joints; structures have their modes in `columns`."""
    if not any(structure.joints for structure in structures):
        return {
            "spring_reach": np.zeros((0, total)),
            "springs": np.zeros((0, 0)),
            "spring_rows": np.zeros(0, dtype=np.int64),
            "spring_rules": (),
        }
    reach, numbers, rows, rules = [np.zeros((0, total))], [], [], []
    for structure, found, at in zip(structures, modes, columns, strict=True):
        for ties, joint in structure.joints:
            if np.shape(ties) != (joint.dimension, len(structure.dof_names)):
                rule = f"must have {joint.dimension} × {len(structure.dof_names)} numbers for joint '{joint.name}'"
                raise refusal("rows", structure.owner, rule, np.shape(ties))
            own = np.zeros((joint.dimension, total))
            own[:, at] = ties @ found.shapes
            reach.append(own)
            numbers.append(joint.numbers())
            rows.append(joint.dimension)
            rules.append(joint.name)
    table = np.zeros((len(numbers), max(map(len, numbers), default=0)))
    for line, those in zip(table, numbers, strict=True):
        line[: len(those)] = those
    return {
        "spring_reach": np.vstack(reach),
        "springs": table,
        "spring_rows": np.array(rows, dtype=np.int64),
        "spring_rules": tuple(rules),
    }
