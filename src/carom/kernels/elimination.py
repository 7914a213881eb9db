"""Small dense linear equations: L and U in place, rows exchanged."""

import math

from carom.kernels.types import Matrix, Vector


def factor(size: int, matrix: Matrix, pivots: Vector) -> bool:
    """Make a matrix, whose columns are the rows here, L and U in place, rows exchanged; return whether it has both."""
    for i in range(size):
        column = matrix[i]
        best = i
        for r in range(i + 1, size):
            if math.fabs(column[r]) > math.fabs(column[best]):
                best = r
        if not math.fabs(column[best]) > 1e-14:
            return False
        pivots[i] = best
        if best != i:
            for c in range(size):
                matrix[c, i], matrix[c, best] = matrix[c, best], matrix[c, i]
        for r in range(i + 1, size):
            column[r] /= column[i]
        for c in range(i + 1, size):
            other, share = matrix[c], matrix[c, i]
            if share != 0.0:
                for r in range(i + 1, size):
                    other[r] -= share * column[r]
    return True


def substitute(size: int, matrix: Matrix, pivots: Vector, right: Vector) -> None:
    """Solve in place with what `factor` left."""
    for i in range(size):
        best = int(pivots[i])
        right[i], right[best] = right[best], right[i]
    for i in range(size):
        x, column = right[i], matrix[i]
        for r in range(i + 1, size):
            right[r] -= x * column[r]
    for i in range(size - 1, -1, -1):
        column = matrix[i]
        x = right[i] / column[i]
        right[i] = x
        for r in range(i):
            right[r] -= x * column[r]
