"""The long table of samples, in blocks of rows: what files of tables hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fangs.draws.samples import Samples

__all__ = ["long_blocks"]


def long_blocks(samples: Samples, *, n_rows: int = 100_000) -> Iterator[dict[str, Any]]:
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
    pieces: list[tuple[Any, Any, Any]] = []
    size = 0
    for b, draw in enumerate(samples):
        items, columns = np.nonzero(draw)
        features = samples.columns(b)[columns] + 1
        bare = np.flatnonzero(~draw.any(axis=1)) if b == 0 else np.arange(0 if len(items) else 1)
        items, features = np.append(items, bare), np.append(features, 0 * bare)
        order = np.argsort(items, kind="stable")
        pieces.append((np.full(len(items), b), items[order], features[order]))
        size += len(items)
        if size >= n_rows or b == len(samples) - 1:
            yield _block(samples, *map(np.concatenate, zip(*pieces, strict=True)))
            pieces, size = [], 0


def _block(samples: Samples, draws: Any, items: Any, features: Any) -> dict[str, Any]:
    labels, first = samples.items, samples.info.first_item
    block: dict[str, Any] = {}
    if samples.chains is not None:
        chains = samples.chains[draws]  # as objects, since NumPy's text loses null characters
        block["chain"] = chains.astype(object) if chains.dtype.kind == "U" else chains
    block["draw"] = draws + 1
    block["item"] = items + first if labels is None else np.array(labels, dtype=object)[items]
    block["feature"] = np.ma.masked_equal(features, 0)
    if samples.weights is not None:
        block["weight"] = samples.weights[draws]
    return block
