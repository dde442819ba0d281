"""The outline of some entries of a matrix: plots and reports draw the same lines."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fangs._typing import FloatArray


def outline(mask: npt.NDArray[np.bool_]) -> FloatArray:
    """(lines, 2, 2): the lines around the true entries, from (x, y) to (x, y).

    The entry in row i and column j is the square from (j, i) to (j + 1, i + 1).

    Examples
    --------
    >>> outline(np.array([[True], [True]])).tolist()[:2]
    [[[0.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [1.0, 2.0]]]
    """
    padded = np.pad(mask, 1)
    upright = (padded[1:-1, 1:] != padded[1:-1, :-1]).T
    level = padded[1:, 1:-1] != padded[:-1, 1:-1]
    lines = [[(x, begin), (x, end)] for x, begin, end in _runs(upright)]
    lines += [[(begin, y), (end, y)] for y, begin, end in _runs(level)]
    return np.array(lines, dtype=np.float64).reshape(-1, 2, 2)


def _runs(edges: npt.NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Row, begin and end of each run of true values within a row."""
    ends = np.diff(np.pad(edges, ((0, 0), (1, 1))), axis=1)
    rows, places = np.nonzero(ends)
    return list(zip(rows[::2].tolist(), places[::2].tolist(), places[1::2].tolist(), strict=True))
