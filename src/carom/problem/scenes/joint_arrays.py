"""Joints and gauges, once they are listed, as the arrays of a scene: in the plane and in space alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carom.problem.labels import distinct_labels

__all__ = ["gauge_arrays", "joint_arrays"]


def joint_arrays(
    rules: Sequence[str], numbers: Sequence[Any], rows: Sequence[int], anchors: Sequence[tuple[int, int]],
    bodies: Sequence[int], axes: Sequence[Any], rest: Sequence[float], labels: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """Return the fields of a `FlatScene` about joints: an entry for each joint, of `axes` and `rest` for each row."""
    table = np.zeros((len(numbers), max(map(len, numbers), default=0)))
    for line, those in zip(table, numbers, strict=True):
        line[: len(those)] = those
    return {
        "joint_rules": tuple(rules), "joint_numbers": table, "joint_rows": np.array(rows, dtype=np.int64),
        "joint_anchors": np.array(anchors, dtype=np.int64).reshape(-1, 2),
        "joint_body": np.array(bodies, dtype=np.int64), "joint_axes": np.array(axes).reshape(-1, 4),
        "joint_rest": np.array(rest), "joint_labels": distinct_labels(labels),
    }  # fmt: skip


def gauge_arrays(
    anchors: Sequence[tuple[int, int]], bodies: Sequence[int], axes: Sequence[Any], rest: Sequence[float],
    limits: Sequence[tuple[float, float]], labels: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """Return the fields of a `FlatScene` about gauges, an entry for each."""
    return {
        "gauge_anchors": np.array(anchors, dtype=np.int64).reshape(-1, 2),
        "gauge_body": np.array(bodies, dtype=np.int64), "gauge_axes": np.array(axes).reshape(-1, 4),
        "gauge_rest": np.array(rest), "gauge_limits": np.array(limits).reshape(-1, 2),
        "gauge_labels": distinct_labels(labels),
    }  # fmt: skip
