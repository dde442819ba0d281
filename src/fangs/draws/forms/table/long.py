"""Long tables: a row for each one of each draw, or for each entry with a column of 0 and 1.

The columns are draw, item and feature, and may be chain and weight. A row without a feature only
names its draw, and its item if it has one: that is how a draw without features, or an item without
any, is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.draws.forms.dimensions import is_numbered
from fangs.draws.forms.table.columns import NOTHING, Coder, Label, Levels, Table, binary, typed
from fangs.draws.labels import first_number
from fangs.draws.roles import ROLES
from fangs.draws.source import DrawSource, numbered
from fangs.draws.sparse import SparseColumns
from fangs.draws.variables import Variable, choose

__all__ = ["Entries", "LongTable", "RowKeys"]

MAX_DRAW_CELLS = 2**30
"""Largest draw; beyond it a number of a feature is taken for a mistake."""


class RowKeys:
    """The draw and the item of each row of a table, and what is known of the draws."""

    def __init__(self, table: Table, roles: Mapping[str, str]) -> None:
        self.table = table
        self.coders = {
            role: Coder(roles[role], table, is_label=role in ("item", "chain"))
            for role in ("draw", "item", "chain", "weight")
            if role in roles
        }
        self.columns = [coder.name for coder in self.coders.values()]

    @property
    def items(self) -> Coder:
        """The items of the rows."""
        return self.coders["item"]

    def add(self, block: Mapping[str, Any]) -> None:
        """Take the next block of rows."""
        for coder in self.coders.values():
            coder.add(block[coder.name])

    def sort(self) -> None:
        """Put the draws into their order, after the last block.

        Draws are told apart by chain and number. They are sorted by number where no two chains
        share one, else by chain first; draws with names keep the order of the names.
        """
        draws, chain = self.coders["draw"], self.coders.get("chain")
        codes, labels = draws.required(), draws.labels
        has_numbers = labels.dtype.kind == "i"
        number = np.unique(labels, return_inverse=True)[1][codes] if has_numbers else codes
        chains = 0 * codes if chain is None else chain.in_order()[0][chain.required()]
        key = chains * len(labels) + number
        if has_numbers and len(np.unique(key)) == len(np.unique(number)):
            key = number
        _, first, self.draw = np.unique(key, return_index=True, return_inverse=True)
        self.n_draws, self.draw_labels = len(first), labels[codes[first]]
        self.chains = None if chain is None else chain.values()[first]
        if has_numbers:
            self._refuse_gaps()
        self.weights = None
        if (weight := self.coders.get("weight")) is not None:
            every = weight.numbers()
            self.weights = every[first]
            other = every != self.weights[self.draw]
            for at in np.flatnonzero(other)[:1].tolist():
                raise ValueError(
                    f"{self.table.name} has the {weight.name} {every[at]} in row "
                    f"{draws.row(other)}, but {self.weights[self.draw[at]]} in another row of the "
                    "same draw; give one weight per draw"
                )

    def _refuse_gaps(self) -> None:
        """Refuse numbers with gaps: a draw without features may have lost its row.

        Thinned draws have one step, the same in all chains.
        """
        chains = np.zeros(self.n_draws) if self.chains is None else self.chains
        by_chain = {c: np.sort(self.draw_labels[chains == c]) for c in np.unique(chains).tolist()}
        steps = [int(np.gcd.reduce(np.diff(n))) for n in by_chain.values() if len(n) > 1]
        step = min(steps, default=0)
        for chain, numbers in by_chain.items():
            for at in np.flatnonzero(np.diff(numbers) != step)[:1].tolist():
                where = "" if self.chains is None else f"chain {chain!r} of "
                raise ValueError(
                    f"{where}{self.table.name} has no {self.coders['draw'].name} "
                    f"{numbers[at] + step}, though it has lower and higher ones; a draw without "
                    "features needs a row whose feature is empty; if it was left out on purpose, "
                    "number the draws without gaps"
                )


class Entries:
    """Entries of the draws of a table, sorted by draw and feature.

    The feature of an entry is a column of its draw; or the code of a name, and each draw counts
    those that it has. Draws have at least `n_columns` columns.
    """

    def __init__(
        self,
        keys: RowKeys,
        row: IntArray,
        feature: IntArray,
        *,
        n_columns: int = 0,
        has_names: bool = False,
    ) -> None:
        self._keys, item = keys, keys.items.codes[row]
        self._order = np.lexsort((item, feature, keys.draw[row]))
        feature = feature[self._order]
        self._draw, self._item = keys.draw[row[self._order]], item[self._order]
        is_first = np.ones(len(row), dtype=bool)
        is_first[1:] = (np.diff(self._draw) != 0) | (np.diff(feature) != 0)
        self._group = np.cumsum(is_first) - 1
        starts = np.searchsorted(self._draw[is_first], np.arange(keys.n_draws))
        self._column = self._group - starts[self._draw] if has_names else feature
        for at in np.flatnonzero(~is_first[1:] & (np.diff(self._item) == 0))[:1].tolist():
            raise ValueError(
                f"{keys.table.name} has {self._place(at)} more than once for one feature; give "
                "each entry once"
            )
        self.n_columns = np.full(keys.n_draws, n_columns, dtype=np.int64)
        np.maximum.at(self.n_columns, self._draw[is_first], self._column[is_first] + 1)
        self._n_items = len(keys.items.labels)
        sizes = np.bincount(self._group)
        self.is_dense = len(sizes) > 0 and bool((sizes == self._n_items).all())
        if self._n_items * int(self.n_columns.max()) > MAX_DRAW_CELLS:
            widest = int(np.argmax(self.n_columns))
            raise ValueError(
                f"draw {keys.draw_labels[widest]} of {keys.table.name} has a feature with the "
                f"number {self.n_columns[widest]}; features are counted from 1 in each draw"
            )

    def _place(self, at: int) -> str:
        item = self._keys.items.labels.tolist()[self._item[at]]
        return f"draw {self._keys.draw_labels[self._draw[at]]}, item {item!r}"

    def describe(self, name: str, what: str) -> Variable:
        """What is said of the draws."""
        if problem := self._missing_item():
            return Variable(name, what, problem=problem)
        return self.draws(None, name).describe(name, what, self._n_items, self.n_columns)

    def draws(self, values: npt.NDArray[np.int8] | None, name: str) -> DrawSource:
        """The draws; `values` are 1, 0 or -1 for each entry, None where all are ones.

        A feature is absent where all of its entries are -1.
        """
        if values is None:
            return self._source(np.ones(len(self._draw), dtype=bool), name)
        values = values[self._order]
        if (missing := values < 0).any():
            absent = np.bincount(self._group[missing], minlength=self._group[-1] + 1)
            bad = missing & (absent[self._group] < self._n_items)
            if bad.any():
                raise ValueError(
                    f"{self._keys.table.name} has no value for {self._place(int(np.argmax(bad)))}; "
                    "give 0 or 1"
                )
        return self._source(values == 1, name)

    def _source(
        self, is_one: npt.NDArray[np.bool_], name: str, items: tuple[str, ...] | None = None
    ) -> DrawSource:
        """The draws, over all items of the table or over these."""
        keys = self._keys
        ranks, found = keys.items.in_order()
        labels = tuple(map(str, found))
        first = first_number(labels)  # None if they do more than to count
        n_items, problem = self._n_items, self._missing_item()
        if items is not None:
            n_items, problem = len(items), ""
            ranks = self._places(labels, items, first)[ranks]
            labels, first = items, None
        column, item = self._column[is_one], ranks[self._item[is_one]]
        ends = np.searchsorted(self._draw[is_one], np.arange(keys.n_draws + 1))

        def read(at: IntArray) -> Iterator[SparseColumns]:
            if problem:
                raise ValueError(problem)
            for b in at.tolist():
                here = slice(ends[b], ends[b + 1])
                starts = np.searchsorted(column[here], np.arange(self.n_columns[b] + 1))
                yield SparseColumns(n_items, starts, item[here])

        return DrawSource(
            n_draws=keys.n_draws,
            read=read,
            name=numbered(name),
            items=labels if first is None else None,
            first_item=0 if first == 0 and not is_numbered(keys.items.name) else 1,
            chains=keys.chains,
            weights=keys.weights,
            over_items=lambda items: self._source(is_one, name, items),
            n_features=int(self._group[-1]) + 1 if len(self._group) else 0,
        )

    def _places(self, labels: Sequence[str], items: tuple[str, ...], first: int | None) -> IntArray:
        """Where the items of the table are among all; those that only count are in order."""
        place = {label: i for i, label in enumerate(items)}
        lacking = [label for label in labels if label not in place]
        if not lacking:
            return np.array([place[label] for label in labels], dtype=np.int64)
        if first is None or len(labels) > len(items) or (first == 0 and len(labels) < len(items)):
            raise ValueError(
                f"items= lacks {lacking[0]!r}, which {self._keys.table.name} has; give all items"
            )
        return np.arange(len(labels))

    def _missing_item(self) -> str:
        """Why the draws cannot be read before all items are named; mostly empty."""
        coder = self._keys.items
        _, found = coder.in_order()
        start = found[0] if found.dtype.kind == "i" and len(found) else -1
        numbers = np.arange(len(found)) + start
        if start not in (0, 1) or (np.diff(found) < 0).any() or (found == numbers).all():
            return ""
        return (
            f"{self._keys.table.name} has no {coder.name} {numbers[found != numbers][0]}, though "
            "it has lower and higher ones; give all items, such as items=range(n)"
        )


class LongTable:
    """A long table that has been read; one of the `others` may be the column of 0 and 1."""

    def __init__(self, table: Table, roles: Mapping[str, str], others: Sequence[str]) -> None:
        self._table, self._others = table, others
        keys, features = RowKeys(table, roles), Coder(roles["feature"], table)
        parts: dict[str, list[npt.NDArray[np.int8]]] = {name: [] for name in others}
        self._wrong: dict[str, Any] = {}
        for block in table.blocks([*keys.columns, features.name, *others]):
            keys.add({**block, keys.items.name: _items_of(block, keys.items.name, features.name)})
            features.add(block[features.name])
            for name in [name for name in others if name not in self._wrong]:
                if (values := binary(block[name])) is None:
                    cells: Any = getattr(block[name], "labels", block[name])
                    self._wrong[name] = next(x for x in cells if binary([x]) is None)
                else:
                    parts[name].append(values)
        keys.sort()
        has_feature = features.codes >= 0
        if (alone := (keys.items.codes < 0) & has_feature).any():
            raise ValueError(
                f"{table.name} has a feature without an item in row {features.row(alone)}; leave "
                "the feature empty, too, for a draw without features"
            )
        labels = features.labels
        has_names = labels.dtype.kind != "i"
        lowest = 0 if has_names else labels.min(initial=1)
        if lowest < 0:
            raise ValueError(f"{table.name} has the {features.name} {lowest}; count from 1")
        columns = np.arange(len(labels)) if has_names else labels - min(lowest, 1)
        rows = np.flatnonzero(has_feature)
        self._entries = Entries(keys, rows, columns[features.codes[rows]], has_names=has_names)
        self._values = {x: np.concatenate(parts[x])[rows] for x in others if x not in self._wrong}

    def variables(self, value: str | None) -> list[Variable]:
        """The draws; by each column of 0 and 1, if there are several."""
        is_clear = value is not None or len(self._values) < 2
        if is_clear:
            self.draws(value, self._table.name)  # refuses what is unclear
        names = [""] if is_clear else list(self._values)
        rows = [self._entries.describe(name, "long table") for name in names]
        return [*rows, *(Variable(name, "a column of other values") for name in self._wrong)]

    def draws(self, value: str | None, name: str) -> DrawSource:
        """The draws, whose ones a column tells; None is the only one of 0 and 1."""
        if value is None and self._others:
            value = self._only_value(name)
        if value in self._wrong:
            raise ValueError(
                f"{self._table.name} has {self._wrong[value]} in the column {value!r}, which is "
                "none of draw, item and feature and has other values than 0 and 1; drop it, or "
                'name the column of 0 and 1: dims={"value": ...}'
            )
        return self._entries.draws(None if value is None else self._values[value], name)

    def _only_value(self, name: str) -> str:
        usual = [column for column in self._others if column.lower() in ROLES["value"]]
        if not self._values:
            return (usual or self._others)[0]
        found = [self._entries.describe(column, "long table") for column in self._values]
        value = choose(found, name=name, by_name=False)
        if value not in usual and not self._entries.is_dense:
            raise ValueError(
                f"{self._table.name} has the column {value!r} of 0 and 1, but not a row for every "
                "item of each feature; drop it, or say that it tells ones from zeros: "
                f'dims={{"value": {value!r}}}'
            )
        return value


def _items_of(block: Mapping[str, Any], item: str, feature: str) -> Any:
    """The items of a block, where NA is none in a row without a feature; one may be called NA."""
    items, features = block[item], block[feature]
    are_text = all(getattr(column, "dtype", "O") == "O" for column in (items, features))
    if not are_text or isinstance(items, Levels) or NOTHING.isdisjoint(features):
        return items
    cells = [
        None if x in NOTHING and y in NOTHING and type(y) is not Label else y
        for x, y in zip(features, items, strict=True)
    ]
    return typed(cells) if isinstance(items, np.ndarray) else cells
