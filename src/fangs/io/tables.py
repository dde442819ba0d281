"""Tables of files: draws from long and wide ones, block by block, and draws as a long table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.interop.columns import Coder
from fangs.interop.long_table import LongTable
from fangs.interop.roles import Columns, is_long, role_of
from fangs.interop.wide_table import Grid, find_grid, find_grids, row_order
from fangs.io.source import DrawSource
from fangs.samples import Samples

__all__ = [
    "Grid",
    "draws_of_long",
    "draws_of_wide",
    "find_grid",
    "find_grids",
    "is_long",
    "long_blocks",
    "role_of",
]


ROW_NAMES = re.compile(r"|__index_level_\d+__|rownames")
"""What programs call the column of the names of the rows, which mean nothing here."""


def draws_of_long(columns: Columns | Iterable[Columns]) -> DrawSource:
    """Draws from a long table.

    Parameters
    ----------
    columns
        The columns by name, all of one length; or blocks of rows, each in this form.

    Returns
    -------
    DrawSource
        ``.samples()`` turns it into `Samples`.

    Examples
    --------
    >>> columns = {"draw": [1, 1, 1, 2], "item": ["a", "b", "b", "a"], "feature": [1, 1, 2, 1]}
    >>> samples = draws_of_long(columns).samples()
    >>> samples.items, samples[0].tolist(), samples[1].tolist()
    (('a', 'b'), [[1, 0], [1, 1]], [[1], [0]])
    """
    blocks = iter([columns] if isinstance(columns, Mapping) else columns)
    start = next(blocks, None)
    if start is None:
        raise ValueError("the table has no rows")
    roles = role_of(list(start))
    kept: list[Columns] = []
    binary = {n for n in start if n not in roles.values() and not ROW_NAMES.fullmatch(n)}
    unknown = sorted(binary)
    for block in _joined(start, blocks):
        kept.append({name: block[name] for name in (*roles.values(), *binary)})
        binary = {name for name in binary if _is_binary(block[name])}
    if unknown:
        value = _value_column(roles, unknown, sorted(binary))
        roles = role_of(list(start), {"value": value})
    return _source(LongTable.of(kept, roles), None)


def _value_column(roles: dict[str, str], unknown: list[str], binary: list[str]) -> str:
    """The column that tells ones from zeros, where it has a name that nobody knows."""
    if "value" in roles or len(binary) != 1 or len(unknown) > 1:
        raise ValueError(
            f"the table has the column {unknown[0]!r}, which has no meaning in a table of draw, "
            "item and feature; drop it, or call it 'value' if it holds 0 and 1"
        )
    return binary[0]


def _is_binary(cells: Any) -> bool:
    if isinstance(cells, list):
        return set(cells) <= {"0", "1", "0.0", "1.0", "", "NA"}
    array = np.asarray(cells)
    return array.dtype.kind in "biuf" and bool(np.isin(array[array == array], (0, 1)).all())


def _joined(start: Columns, rest: Iterator[Columns]) -> Iterator[Columns]:
    yield start
    yield from rest


def _source(table: LongTable, items: tuple[str, ...] | None) -> DrawSource:
    over = table.over(items)
    return DrawSource(
        n_draws=table.n_draws,
        read=lambda kept: table.matrices(over, kept),
        items=over.labels,
        chains=table.chains,
        weights=table.weights,
        over_items=None if items is not None else lambda items: _source(table, items),
    )


def draws_of_wide(
    names: Sequence[str],
    blocks: Iterable[tuple[npt.NDArray[Any], Columns]],
    *,
    variable: str | None = None,
) -> DrawSource:
    """Draws from a wide table.

    Parameters
    ----------
    names
        Names of all its columns.
    blocks
        Blocks of rows: the cells as a (rows, n K) array in the order of ``find_grid(...).names``,
        and those of the columns chain, draw and weight that there are.
    variable
        Whose columns hold the draws, where there are several.

    Examples
    --------
    >>> names = ["Z[1,1]", "Z[2,1]", "Z[1,2]", "Z[2,2]"]
    >>> draws_of_wide(names, [(np.array([[1, 0, 1, 1]]), {})]).samples()[0]
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    grid = find_grid(names, variable)
    roles = role_of(names)
    coders = {role: Coder(roles[role]) for role in ("chain", "draw", "weight") if role in roles}

    def matrices() -> Iterator[npt.NDArray[Any]]:
        for cells, columns in blocks:
            for role, coder in coders.items():
                coder.add(columns[roles[role]])
            yield from cells.reshape(len(cells), grid.n_items, grid.n_features)

    samples = Samples(matrices())
    chains = coders["chain"].values() if "chain" in coders else None
    weights = coders["weight"].numbers() if "weight" in coders else None
    draw = coders["draw"].values() if "draw" in coders else None
    order = row_order(len(samples), draw, chains)
    return DrawSource.of_samples(
        samples.select(order),
        chains=None if chains is None else chains[order],
        weights=None if weights is None else weights[order],
    )


def long_blocks(samples: Samples, *, n_rows: int = 200_000) -> Iterator[dict[str, Any]]:
    """The long table of samples, in blocks of about `n_rows` rows, as `draws_of_long` reads it.

    Draws and features are counted from 1, and so are items without labels. The first draw has a row
    for every item, and a draw without features has a single row. The feature of a row without one
    is 0 in the column feature, which is masked.

    Examples
    --------
    >>> block, = long_blocks(Samples([[[1, 1], [0, 0]], [[1], [1]]], items=["a", "b"]))
    >>> list(zip(block["draw"].tolist(), block["item"].tolist(), block["feature"].tolist()))
    [(1, 'a', 1), (1, 'a', 2), (1, 'b', None), (2, 'a', 1), (2, 'b', 1)]
    """
    labels = np.arange(1, samples.n_items + 1)
    if samples.items is not None:
        labels = np.array(samples.items, dtype=object)
    pieces: list[tuple[int, IntArray, IntArray]] = []
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
            yield _block(samples, labels, pieces)
            pieces, size = [], 0
    if pieces:
        yield _block(samples, labels, pieces)


def _block(
    samples: Samples, labels: npt.NDArray[Any], pieces: list[tuple[int, IntArray, IntArray]]
) -> dict[str, Any]:
    draws = np.repeat([b for b, _, _ in pieces], [len(rows) for _, rows, _ in pieces])
    features = np.concatenate([features for _, _, features in pieces])
    block: dict[str, Any] = {}
    if samples.chains is not None:
        block["chain"] = samples.chains[draws]
    block["draw"] = draws + 1
    block["item"] = labels[np.concatenate([rows for _, rows, _ in pieces])]
    block["feature"] = np.ma.masked_equal(features, 0)
    if samples.weights is not None:
        block["weight"] = samples.weights[draws]
    return block
