"""The order in which items are shown: similar ones next to each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require

ORDERS = ("left", "leaf", "given")
# Above this many different rows, the optimal order of the leaves would take too long.
_MANY = 400

Positions = npt.NDArray[np.int64]


def item_order(matrix: Any, order: Any = "left") -> Positions:
    """Positions of the items in a given order.

    Parameters
    ----------
    matrix
        (n, K): similar rows are put next to each other.
    order
        "left": by the first feature, then the second, and so on, as in left-ordered form.
        "leaf": as the leaves of a tree of the rows (average linkage, Hamming distance; needs
        scipy). "given": unchanged. Or the positions themselves, each once.

    Examples
    --------
    >>> item_order([[0, 1], [1, 0], [1, 1]])
    array([2, 1, 0])
    """
    rows = np.asarray(matrix)
    n_items = len(rows)
    if not isinstance(order, str):
        positions = np.asarray(order)
        if positions.shape != (n_items,) or not np.array_equal(
            np.sort(positions), np.arange(n_items)
        ):
            raise ValueError(f"order must name each of the {n_items} items once, from 0 on")
        return positions.astype(np.int64)
    if order not in ORDERS:
        raise ValueError(f"order = {order!r} is unknown; choose one of {', '.join(ORDERS)}")
    if order == "given" or not rows.size:
        return np.arange(n_items)
    if order == "left":
        return np.lexsort((-rows.astype(np.float64)).T[::-1])
    return _leaves(rows)


def _leaves(rows: npt.NDArray[Any]) -> Positions:
    hierarchy = require("scipy.cluster.hierarchy", extra="plot")
    kinds, kind = np.unique(rows.astype(np.float64), axis=0, return_inverse=True)
    if len(kinds) < 3:
        return np.argsort(kind.ravel(), kind="stable")
    tree = hierarchy.linkage(
        kinds, "average", metric="cityblock", optimal_ordering=len(kinds) <= _MANY
    )
    place = np.argsort(hierarchy.leaves_list(tree))
    return np.argsort(place[kind.ravel()], kind="stable")
