"""The long table of samples, in blocks of rows: what files of tables hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fangs.draws.samples import Samples

__all__ = ["long_blocks"]


def long_blocks(samples: Samples, *, n_rows: int = 200_000) -> Iterator[dict[str, Any]]:
    """The columns of the long table, in blocks of about `n_rows` rows.

    Draws and features are counted from 1; items without labels as their source counts them. The
    first draw has a row for every item, and a draw without features has a single row. The feature
    of a row without one is masked.

    Examples
    --------
    >>> from fangs import Samples
    >>> block, = long_blocks(Samples([[[1, 1], [0, 0]], [[1], [1]]], items=["a", "b"]))
    >>> list(zip(block["draw"].tolist(), block["item"].tolist(), block["feature"].tolist()))
    [(1, 'a', 1), (1, 'a', 2), (1, 'b', None), (2, 'a', 1), (2, 'b', 1)]
    """
    pieces: list[tuple[int, Any, Any]] = []
    size = 0
    for b, draw in enumerate(samples):
        rows, columns = np.nonzero(draw)
        features = samples.columns(b)[columns] + 1
        if b == 0 or not len(rows):
            bare = np.flatnonzero(~draw.any(axis=1)) if b == 0 else np.array([0])
            order = np.argsort(np.concatenate([rows, bare]), kind="stable")
            rows = np.concatenate([rows, bare])[order]
            features = np.concatenate([features, 0 * bare])[order]
        pieces.append((b, rows, features))
        size += len(rows)
        if size >= n_rows:
            yield _block(samples, pieces)
            pieces, size = [], 0
    if pieces:
        yield _block(samples, pieces)


def _block(samples: Samples, pieces: list[tuple[int, Any, Any]]) -> dict[str, Any]:
    draws = np.repeat([b for b, _, _ in pieces], [len(rows) for _, rows, _ in pieces])
    items = np.concatenate([rows for _, rows, _ in pieces])
    features = np.concatenate([features for _, _, features in pieces])
    labels = samples.items
    block: dict[str, Any] = {} if samples.chains is None else {"chain": samples.chains[draws]}
    block["draw"] = draws + 1
    first = samples.info.first_item
    block["item"] = items + first if labels is None else np.array(labels, dtype=object)[items]
    block["feature"] = np.ma.masked_equal(features, 0)
    if samples.weights is not None:
        block["weight"] = samples.weights[draws]
    return block
