"""Long tables: a row for each one of each draw.

The columns are draw, item and feature, and may be chain, weight and value. A row says that the
feature has the item in that draw. A row without a feature only names its draw and its item: that is
how a draw without features, or an item without any, is known. With a column value, only rows with
value 1 count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.io.source import DrawSource
from fangs.io.tabular.columns import Coder
from fangs.io.tabular.roles import Columns, role_of, some
from fangs.samples import Samples

__all__ = ["draws_of_long", "long_blocks"]

MAX_DRAW_BYTES = 2**30
"""Largest unpacked draw; beyond it a number of a feature or an item is taken for a mistake."""


def draws_of_long(columns: Columns | Iterable[Columns], *, items: Any = None) -> DrawSource:
    """Draws from a long table.

    Parameters
    ----------
    columns
        The columns by name, all of one length; or blocks of rows, each in this form.
    items
        All item labels in order, where the table may lack some.

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
    blocks = [columns] if isinstance(columns, Mapping) else columns
    coders: dict[str, Coder] = {}
    for block in blocks:
        roles = role_of(list(block))
        if missing := [role for role in ("draw", "item", "feature") if role not in roles]:
            raise ValueError(f"a long table needs a column {missing[0]!r}; it has {some(block)}")
        lengths = {role: len(block[name]) for role, name in roles.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns have different lengths: {lengths}")
        for role, name in roles.items():
            coders.setdefault(role, Coder(role)).add(block[name])
    if not coders:
        raise ValueError("the table has no rows")
    return _LongTable.of(coders).source(items)


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


@dataclass(frozen=True, eq=False)
class _LongTable:
    """A long table whose rows are sorted by draw."""

    draw: IntArray
    """Number of each row's draw, ascending from 0."""
    item: IntArray
    feature: IntArray
    """-1 where the row has none."""
    is_one: npt.NDArray[np.bool_]
    labels: npt.NDArray[Any]
    """The items that occur, in order."""
    has_names: bool
    """Whether features have names and not numbers; then each draw counts its own."""
    chains: npt.NDArray[Any] | None
    weights: npt.NDArray[Any] | None

    @classmethod
    def of(cls, coders: dict[str, Coder]) -> _LongTable:
        numbers = coders["draw"].required()
        chain = coders["chain"].required() if "chain" in coders else 0 * numbers
        names = coders["draw"].labels
        draw, first = _draw_order(numbers, chain, names)
        _refuse_gaps(numbers[first], chain[first], names)
        item = coders["item"].required()
        labels = coders["item"].labels
        if coders["item"].has_text:
            labels = labels.astype(str).astype(object)
        elif labels.dtype.kind == "i":
            item, labels = _sorted(item, labels)
        feature = _feature_positions(coders["feature"])
        is_one = feature >= 0
        if "value" in coders:
            value = coders["value"].numbers()
            if not np.isin(value, (0, 1)).all():
                raise ValueError("the column 'value' has values other than 0 and 1")
            is_one &= value == 1
        chains = weights = None
        if "chain" in coders:
            chains = coders["chain"].values()[first]
        if "weight" in coders:
            every = coders["weight"].numbers()
            weights = every[first]
            if (bad := np.flatnonzero(every != weights[draw])).size:
                name = coders["draw"].values()[bad[0]]
                raise ValueError(f"draw {name} has different weights in different rows")
        order = np.argsort(draw, kind="stable")
        has_names = coders["feature"].labels.dtype.kind != "i"
        rows = (draw[order], item[order], feature[order], is_one[order])
        return cls(*rows, labels, has_names, chains, weights)

    def source(self, items: Any = None) -> DrawSource:
        """The draws, over the items that occur or over these."""
        labels = tuple(str(label) for label in self.labels)
        numbers = self.labels
        n, start = len(labels), int(numbers[0]) if numbers.dtype.kind == "i" else -1
        # Numbers 1 to n (or 0 to n - 1) are positions, all others are labels.
        is_counted = start in (0, 1) and bool((numbers == np.arange(start, start + n)).all())
        wanted = labels
        if items is not None:
            wanted = tuple(str(item) for item in items)
            known = set(wanted)
            lacking = [label for label in labels if label not in known]
            if lacking and is_counted and n <= len(wanted) and start == 1:
                labels = wanted[:n]
            elif lacking and is_counted and n == len(wanted):
                labels = wanted
            elif lacking:
                raise ValueError(f"items= lacks {lacking[0]!r}, an item of the table")
        place = {label: i for i, label in enumerate(wanted)}
        positions = np.array([place[label] for label in labels], dtype=np.int64)
        n_draws = int(self.draw[-1]) + 1
        ends = np.searchsorted(self.draw, np.arange(n_draws), side="right")

        def read(kept: IntArray) -> Iterator[BinaryMatrix]:
            for b in kept:
                here = slice(0 if b == 0 else ends[b - 1], ends[b])
                yield self._matrix(here, positions, len(wanted), name=f"draws[{b}]")

        return DrawSource(
            n_draws=n_draws,
            read=read,
            items=None if items is None and is_counted else wanted,
            chains=self.chains,
            weights=self.weights,
            over_items=self.source if items is None else None,
        )

    def _matrix(self, here: slice, positions: IntArray, n_items: int, *, name: str) -> BinaryMatrix:
        is_one = self.is_one[here]
        features = self.feature[here]
        if self.has_names:
            features = np.unique(features, return_inverse=True)[1] - bool((features < 0).any())
        n_features = int(features.max(initial=-1)) + 1
        if n_items * n_features > MAX_DRAW_BYTES:
            raise ValueError(
                f"{name} has a feature with the number {n_features}; features are counted from 1 "
                "in each draw"
            )
        matrix = np.zeros((n_items, n_features), dtype=np.uint8)
        rows, columns = positions[self.item[here][is_one]], features[is_one]
        matrix[rows, columns] = 1
        if int(matrix.sum()) != len(rows):
            raise ValueError(f"{name} has the same item twice in a feature")
        return matrix


def _draw_order(
    numbers: IntArray, chain: IntArray, names: npt.NDArray[Any]
) -> tuple[IntArray, IntArray]:
    """The position of each row's draw, and the first row of each draw.

    Draws are told apart by chain and number. They are sorted by number where no two chains share
    one, else by chain first; draws with names come in the order of their first rows.
    """
    n_names = len(names)
    pairs, first, inverse = np.unique(
        chain * n_names + numbers, return_index=True, return_inverse=True
    )
    by_name = pairs % n_names
    if names.dtype.kind != "i":
        order = np.argsort(first, kind="stable")
    elif len(np.unique(by_name)) == len(pairs):
        order = np.argsort(names[by_name], kind="stable")
    else:
        order = np.lexsort((names[by_name], pairs // n_names))
    rank = np.empty(len(pairs), dtype=np.int64)
    rank[order] = np.arange(len(pairs))
    return rank[inverse], first[order]


def _refuse_gaps(numbers: IntArray, chain: IntArray, names: npt.NDArray[Any]) -> None:
    """Refuse numbers with irregular gaps: a draw without features may have lost its row."""
    if names.dtype.kind != "i":
        return
    for one in np.unique(chain):
        steps = np.diff(here := names[numbers[chain == one]])
        if len(np.unique(steps)) > 1:
            gap = int(np.argmax(steps > steps.min()))
            raise ValueError(
                f"no row has a draw between {here[gap]} and {here[gap + 1]}; give a draw without "
                "features one row without a feature, or number the draws without gaps"
            )


def _feature_positions(coder: Coder) -> IntArray:
    """Columns of the features by their numbers, from 0; or codes of their names."""
    codes = coder.codes()
    if coder.labels.dtype.kind != "i" or not len(coder.labels):
        return codes
    lowest = int(coder.labels.min())
    if lowest < 0:
        raise ValueError(f"the column 'feature' has the number {lowest}; count from 1")
    positions = coder.labels - (0 if lowest == 0 else 1)
    found: IntArray = np.where(codes < 0, -1, positions[codes])
    return found


def _sorted(codes: IntArray, labels: npt.NDArray[Any]) -> tuple[IntArray, npt.NDArray[Any]]:
    order = np.argsort(labels)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[codes], labels[order]
