"""Long tables, in memory or in a file: a row for each one of each draw.

The columns are draw, item and feature, and may be chain, weight and value. A row says that the
feature has the item in that draw. A row without a feature only names its draw, and its item if it
has one: that is how a draw without features, or an item without any, is known. With a column value,
only rows with value 1 count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.interop.columns import Coder
from fangs.interop.roles import Columns, some

__all__ = ["LongTable", "OverItems"]

MAX_DRAW_BYTES = 2**30
"""Largest unpacked draw; beyond it a number of a feature or an item is taken for a mistake."""


@dataclass(frozen=True, eq=False)
class OverItems:
    """Which items the rows of a long table belong to."""

    positions: IntArray
    """Of the items of the table, among all."""
    n_items: int
    labels: tuple[str, ...] | None
    """None where the table counts its items."""
    problem: str = ""
    """Why the draws cannot be read before all items are named; mostly empty."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LongTable:
    """A long table whose rows are sorted by draw."""

    name: str
    """What complaints call it."""
    first_row: int
    """What complaints call its first row."""
    row: IntArray
    """Where each row was."""
    draw: IntArray
    """Number of each row's draw, ascending from 0."""
    item: IntArray
    """-1 where the row has none."""
    feature: IntArray
    """-1 where the row has none."""
    is_one: npt.NDArray[np.bool_]
    items: Coder
    features: Coder
    draw_labels: npt.NDArray[Any]
    """(n_draws,): what each draw is called."""
    chains: npt.NDArray[Any] | None
    weights: npt.NDArray[Any] | None

    @classmethod
    def of(
        cls,
        blocks: Iterable[Columns],
        roles: dict[str, str],
        *,
        name: str = "the table",
        first_row: int = 1,
        known: dict[str, list[Any]] | None = None,
    ) -> LongTable:
        """Take a table in, block by block.

        Parameters
        ----------
        blocks
            Blocks of rows: the columns by name, all of one length.
        roles
            Which column holds what.
        name, first_row
            What complaints call the table and its first row.
        known
            The values that a column can have, in their order, where that is known.
        """
        if missing := [role for role in ("draw", "item", "feature") if role not in roles]:
            there = some(roles.values())
            raise ValueError(f"a long table needs a column {missing[0]!r}; {name} has {there}")
        coders = {
            role: Coder(column, is_label=role == "item", known=(known or {}).get(column))
            for role, column in roles.items()
        }
        for block in blocks:
            lengths = {column: len(block[column]) for column in roles.values()}
            if len(set(lengths.values())) > 1:
                raise ValueError(f"the columns of {name} have different lengths: {lengths}")
            for role, column in roles.items():
                coders[role].add(block[column])
        for coder in coders.values():
            coder.table, coder.first_row = name, first_row
        return cls._sorted(coders, name, first_row)

    @classmethod
    def _sorted(cls, coders: dict[str, Coder], name: str, first_row: int) -> LongTable:
        numbers = coders["draw"].required()
        chain = coders["chain"].ranks() if "chain" in coders else 0 * numbers
        draw, first = _draw_order(numbers, chain, coders["draw"].labels)
        chains = coders["chain"].values()[first] if "chain" in coders else None
        _refuse_gaps(coders["draw"], numbers[first], chains, name)
        item, feature = coders["item"].codes(), coders["feature"].codes()
        if (alone := np.flatnonzero((item < 0) & (feature >= 0))).size:
            raise ValueError(
                f"{name} has a feature without an item in row {alone[0] + first_row}; leave the "
                "feature empty, too, for a draw without features"
            )
        order = np.argsort(draw, kind="stable")
        return cls(
            name=name,
            first_row=first_row,
            row=order,
            draw=draw[order],
            item=item[order],
            feature=feature[order],
            is_one=_ones(coders, feature)[order],
            items=coders["item"],
            features=coders["feature"],
            draw_labels=coders["draw"].labels[numbers[first]],
            chains=chains,
            weights=_weights(coders, draw, first),
        )

    @property
    def n_draws(self) -> int:
        """Number of draws."""
        return len(self.draw_labels)

    def over(self, items: tuple[str, ...] | None = None) -> OverItems:
        """The items that occur, or these, where the table may lack some."""
        codes, labels = self.items.in_order()
        start = int(labels[0]) if len(labels) and labels.dtype.kind == "i" else -1
        # Numbers 1 to n (or 0 to n - 1) are positions, all others are labels.
        counts = np.arange(start, start + len(labels))
        is_counted = start in (0, 1) and bool((labels == counts).all())
        names = tuple(str(label) for label in labels)
        if items is None:
            problem = ""
            if start in (0, 1) and not is_counted:
                absent = int(counts[int(np.argmax(labels != counts))])
                problem = (
                    f"{self.name} has no {self.items.name} {absent}, though it has lower and "
                    "higher ones; give all items, such as items=range(n)"
                )
            wanted = None if is_counted else names
            return OverItems(codes, len(names), wanted, problem)
        place = {label: i for i, label in enumerate(items)}
        lacking = [label for label in names if label not in place]
        fits = len(names) == len(items) if start == 0 else len(names) <= len(items)
        if lacking and is_counted and fits:
            return OverItems(codes, len(items), items)
        if lacking:
            at = int(np.argmax(self.items.codes() == self.items.code_of(lacking[0])))
            raise ValueError(
                f"items= lacks {lacking[0]!r}, the {self.items.name} in row "
                f"{at + self.first_row} of {self.name}; give all items"
            )
        positions = np.array([place[label] for label in names], dtype=np.int64)
        return OverItems(positions[codes], len(items), items)

    def matrices(self, over: OverItems, kept: IntArray | None = None) -> Iterator[BinaryMatrix]:
        """Yield some draws, or all."""
        if over.problem:
            raise ValueError(over.problem)
        ends = np.searchsorted(self.draw, np.arange(self.n_draws), side="right")
        for b in range(self.n_draws) if kept is None else kept:
            yield self._matrix(b, slice(0 if b == 0 else ends[b - 1], ends[b]), over)

    def _matrix(self, b: int, here: slice, over: OverItems) -> BinaryMatrix:
        is_one, features = self.is_one[here], self.feature[here]
        has_feature = features >= 0
        columns = np.full(len(features), -1, dtype=np.int64)
        if self._columns is None:  # features with names: each draw counts its own
            columns[has_feature] = np.unique(features[has_feature], return_inverse=True)[1]
        else:
            columns[has_feature] = self._columns[features[has_feature]]
        n_features = int(columns.max(initial=-1)) + 1
        if over.n_items * n_features > MAX_DRAW_BYTES:
            raise ValueError(
                f"draw {self.draw_labels[b]} of {self.name} has a feature with the number "
                f"{n_features}; features are counted from 1 in each draw"
            )
        matrix = np.zeros((over.n_items, n_features), dtype=np.uint8)
        rows = over.positions[self.item[here][has_feature]]
        places = rows * n_features + columns[has_feature]
        matrix.ravel()[places[is_one[has_feature]]] = 1
        distinct, first = np.unique(places, return_index=True)
        if len(distinct) < len(places):
            at = int(np.setdiff1d(np.arange(len(places)), first)[0])
            item = self.items.labels[self.item[here][has_feature][at]]
            feature = self.features.labels[features[has_feature][at]]
            raise ValueError(
                f"{self.name} has draw {self.draw_labels[b]}, item {item!r}, feature {feature} "
                "more than once; give each entry once"
            )
        return matrix

    @cached_property
    def _columns(self) -> IntArray | None:
        """The column of each feature by its number, from 0; None where features have names."""
        labels = self.features.labels
        if labels.dtype.kind != "i":
            return None
        lowest = int(labels.min(initial=0))
        if lowest < 0:
            raise ValueError(
                f"{self.name} has the {self.features.name} {lowest}; count features from 1"
            )
        found: IntArray = labels - (0 if (labels == 0).any() else 1)
        return found


def _draw_order(
    numbers: IntArray, chain: IntArray, names: npt.NDArray[Any]
) -> tuple[IntArray, IntArray]:
    """The position of each row's draw, and the first row of each draw.

    Draws are told apart by chain and number. They are sorted by number where no two chains share
    one, else by chain first; draws with names keep the order of the names.
    """
    n_names = len(names)
    pairs, first, inverse = np.unique(
        chain * n_names + numbers, return_index=True, return_inverse=True
    )
    by_name, by_chain = pairs % n_names, pairs // n_names
    if names.dtype.kind != "i":
        order = np.lexsort((by_name, by_chain))
    elif len(np.unique(by_name)) == len(pairs):
        order = np.argsort(names[by_name], kind="stable")
    else:
        order = np.lexsort((names[by_name], by_chain))
    rank = np.empty(len(pairs), dtype=np.int64)
    rank[order] = np.arange(len(pairs))
    return rank[inverse], first[order]


def _refuse_gaps(
    draw: Coder, numbers: IntArray, chains: npt.NDArray[Any] | None, name: str
) -> None:
    """Refuse numbers with gaps: a draw without features may have lost its row.

    Thinned draws have one step, the same in all chains.
    """
    if draw.labels.dtype.kind != "i":
        return
    of_draw = draw.labels[numbers]
    names = [None] if chains is None else np.unique(chains).tolist()
    by_chain = {c: np.sort(of_draw if c is None else of_draw[chains == c]) for c in names}
    steps = [int(np.gcd.reduce(np.diff(here))) for here in by_chain.values() if len(here) > 1]
    step = min(steps, default=0)
    for chain, here in by_chain.items():
        gaps = np.diff(here) != step
        if gaps.any():
            where = name if chain is None else f"chain {chain!r} of {name}"
            raise ValueError(
                f"{where} has no {draw.name} {here[int(np.argmax(gaps))] + step}, though it has "
                "lower and higher ones; a draw without features needs a row whose feature is "
                "empty; if it was left out on purpose, number the draws without gaps"
            )


def _ones(coders: dict[str, Coder], feature: IntArray) -> npt.NDArray[np.bool_]:
    is_one = feature >= 0
    if "value" not in coders:
        return is_one
    value = coders["value"]
    codes, labels = value.codes(), value.labels
    wrong = np.array([str(label) not in ("0", "1") for label in labels], dtype=bool)
    bad = is_one & ((codes < 0) | np.append(wrong, False)[codes])
    if bad.any():
        row = int(np.argmax(bad))
        shown = labels[codes[row]] if codes[row] >= 0 else "(none)"
        raise ValueError(
            f"{value.table} has the {value.name} {shown} in row {row + value.first_row}; an "
            "allocation holds only 0 and 1"
        )
    ones = np.array([str(label) == "1" for label in labels] + [False], dtype=bool)
    return np.asarray(is_one & ones[codes])


def _weights(coders: dict[str, Coder], draw: IntArray, first: IntArray) -> IntArray | None:
    if "weight" not in coders:
        return None
    weight = coders["weight"]
    every = weight.numbers()
    weights: IntArray = every[first]
    if (bad := np.flatnonzero(every != weights[draw])).size:
        row = int(bad[0])
        raise ValueError(
            f"{weight.table} has the {weight.name} {every[row]} in row {row + weight.first_row}, "
            f"but {weights[draw[row]]} in another row of the same draw; give one weight per draw"
        )
    return weights
