"""Long tables: a row per draw, item and feature of each one; chain, weight and value if wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import IntArray
from fangs.interop.given import Given, SparseColumns, labels_of, numbered
from fangs.interop.tables import NAMES, Table


def read_long(
    table: Table, roles: dict[str, str], name: str, *, items: tuple[str, ...] | None
) -> Given:
    """Draws of a long table.

    A row without item and feature stands for a draw without features. A column of values may tell
    zeros from ones; else every row is a one.
    """
    _check_columns(table, roles, name)
    chain = _coded(table, roles["chain"], name) if "chain" in roles else None
    draw = _coded(table, roles["draw"], name)
    item = _coded(table, roles["item"], name, labels=items)
    feature = _coded(table, roles["feature"], name)
    for one in (draw, *([] if chain is None else [chain])):
        _refuse_missing(one, name)
    if (unpaired := np.flatnonzero((item.codes < 0) != (feature.codes < 0))).size:
        raise ValueError(
            f"{name} has an item without a feature, or a feature without an item, in row "
            f"{unpaired[0]}; leave out both for a draw without features"
        )
    draws, chains = _number_draws(draw, chain, name)
    if items is None:
        _refuse_gaps(item, name, step=1, remedy="give all items, such as items=range(n)")
    ones = _ones(table, roles, item, name)
    given = _Entries(draws.codes, item.codes, feature.codes, ones)
    given.refuse_repeated(item, feature, draws, name)
    return Given(
        given.columns(len(draws.labels), len(item.labels)),
        numbered(name),
        items=items if items is not None else labels_of(item.labels),
        chains=chains,
        weights=_weights(table, roles, draws.codes, len(draws.labels), name),
    )


@dataclass(frozen=True)
class _Coded:
    """A column as whole numbers, with the labels that they stand for; -1 is no value."""

    column: str
    codes: IntArray
    labels: list[Any]


@dataclass(frozen=True)
class _Entries:
    draw: IntArray
    item: IntArray
    feature: IntArray
    is_one: npt.NDArray[np.bool]

    def refuse_repeated(self, item: _Coded, feature: _Coded, draws: _Coded, name: str) -> None:
        """Refuse a table that gives one entry twice."""
        order = np.lexsort((self.item, self.feature, self.draw))
        keys = np.stack([self.draw[order], self.feature[order], self.item[order]])
        same = np.flatnonzero((np.diff(keys, axis=1) == 0).all(axis=0) & (keys[2, 1:] >= 0))
        if len(same):
            at = order[same[0]]
            raise ValueError(
                f"{name} has draw {draws.labels[self.draw[at]]!r}, item "
                f"{item.labels[self.item[at]]!r}, feature {feature.labels[self.feature[at]]!r} "
                "more than once; give each entry once"
            )

    def columns(self, n_draws: int, n_items: int) -> Iterator[SparseColumns]:
        """Yield the draws; features keep their order."""
        order = np.lexsort((self.item, self.feature, self.draw))
        order = order[self.item[order] >= 0]
        draw, feature = self.draw[order], self.feature[order]
        item, is_one = self.item[order], self.is_one[order]
        bounds = np.searchsorted(draw, np.arange(n_draws + 1))
        for first, last in pairwise(bounds):
            here = slice(first, last)
            kept, column = np.unique(feature[here], return_inverse=True)
            ones = is_one[here]
            starts = np.searchsorted(column[ones], np.arange(len(kept) + 1)).astype(np.int64)
            yield SparseColumns(n_items, starts, item[here][ones])


def _coded(
    table: Table, column: str, name: str, *, labels: tuple[str, ...] | None = None
) -> _Coded:
    values = table.columns[column]
    known: list[Any] | None = list(labels) if labels is not None else table.categories.get(column)
    missing = _is_missing(values)
    if known is not None:
        place = {str(label): i for i, label in enumerate(known)}
        codes = np.array(
            [
                -1 if gone else place.get(_text(v), -2)
                for v, gone in zip(values, missing, strict=True)
            ],
            dtype=np.int64,
        )
        if (unknown := np.flatnonzero(codes == -2)).size:
            raise ValueError(
                f"{name} has the {column} {_text(values[unknown[0]])!r} in row {unknown[0]}, which "
                f"is not among the {len(known)} that were given"
            )
        return _Coded(column, codes, known)
    if values.dtype.kind == "f" and (values[~missing] % 1 == 0).all():  # numbers next to nulls
        values = np.where(missing, 0, values).astype(np.int64)
    codes = np.full(len(values), -1, dtype=np.int64)
    found, first, inverse = np.unique(
        values[~missing] if values.dtype != object else values[~missing].astype(str),
        return_index=True,
        return_inverse=True,
    )
    if found.dtype.kind in "iu":
        codes[~missing] = inverse
        return _Coded(column, codes, found.tolist())
    order = np.argsort(first)  # names have no order but that of the table
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    codes[~missing] = rank[inverse]
    return _Coded(column, codes, found[order].tolist())


def _number_draws(
    draw: _Coded, chain: _Coded | None, name: str
) -> tuple[_Coded, npt.NDArray[Any] | None]:
    """Number the draws chain by chain, and give the chain of each."""
    if chain is None:
        _refuse_gaps(draw, name, remedy=_GAP_REMEDY)
        return draw, None
    pairs = chain.codes * len(draw.labels) + draw.codes
    found, codes = np.unique(pairs, return_inverse=True)
    of_chain, of_draw = np.divmod(found, len(draw.labels))
    for c, label in enumerate(chain.labels):
        here = [draw.labels[d] for d in of_draw[of_chain == c]]
        only = _Coded(draw.column, draw.codes, here)
        _refuse_gaps(only, f"chain {label!r} of {name}", _step(draw), remedy=_GAP_REMEDY)
    labels = [draw.labels[d] for d in of_draw]
    return _Coded(draw.column, codes, labels), np.asarray(chain.labels)[of_chain]


_GAP_REMEDY = (
    "a draw without features needs a row whose item and feature are empty; if it was left out on "
    "purpose, number the draws without gaps"
)


def _refuse_gaps(coded: _Coded, name: str, step: int | None = None, *, remedy: str) -> None:
    """Refuse numbers with gaps: what is absent may have no ones at all, or be left out."""
    step = _step(coded) if step is None else step
    if step == 0 or not isinstance(coded.labels[0], int):
        return
    gaps = np.diff(coded.labels) != step
    if gaps.any():
        absent = coded.labels[int(np.argmax(gaps))] + step
        raise ValueError(
            f"{name} has no {coded.column} {absent}, though it has lower and higher ones; {remedy}"
        )


def _step(coded: _Coded) -> int:
    """The step between numbers of thinned draws; 0 where there are no numbers, or only one."""
    if len(coded.labels) < 2 or not isinstance(coded.labels[0], int):
        return 0
    return int(np.gcd.reduce(np.diff(coded.labels)))


def _refuse_missing(coded: _Coded, name: str) -> None:
    if (gone := np.flatnonzero(coded.codes < 0)).size:
        raise ValueError(f"{name} has no {coded.column} in row {gone[0]}; give one in every row")


def _ones(table: Table, roles: dict[str, str], item: _Coded, name: str) -> npt.NDArray[np.bool]:
    if "value" not in roles:
        return np.ones(table.n_rows, dtype=bool)
    column = roles["value"]
    values = table.columns[column]
    bad = (values != 0) & (values != 1) & (item.codes >= 0)
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"{name} has the {column} {values[row]} in row {row}; an allocation holds only 0 and 1"
        )
    return np.asarray(values == 1)


def _weights(
    table: Table, roles: dict[str, str], draw: IntArray, n_draws: int, name: str
) -> IntArray | None:
    if "weight" not in roles:
        return None
    column = roles["weight"]
    values = np.asarray(table.columns[column], dtype=np.float64)
    bad = ~((values >= 0) & (values % 1 == 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"{name} has the {column} {values[row]:g} in row {row}; weights are whole numbers"
        )
    weights = np.zeros(n_draws, dtype=np.int64)
    weights[draw] = values.astype(np.int64)
    differs = weights[draw] != values
    if differs.any():
        row = int(np.argmax(differs))
        raise ValueError(
            f"{name} has the {column} {values[row]:g} in row {row}, but {weights[draw[row]]} in "
            "another row of the same draw; give one weight per draw"
        )
    return weights


def _check_columns(table: Table, roles: dict[str, str], name: str) -> None:
    """Refuse columns without a meaning: one that tells zeros from ones must not be overlooked."""
    usual = {column for names in NAMES.values() for column in names}
    unknown = [c for c in table.columns if c not in roles.values() and c not in usual]
    if unknown:
        raise ValueError(
            f"{name} has the column {unknown[0]!r}, which has no meaning in a table of draw, item "
            f'and feature; drop it, or name it if it holds 0 and 1: dims={{"value": '
            f"{unknown[0]!r}}}"
        )


def _is_missing(values: npt.NDArray[Any]) -> npt.NDArray[np.bool]:
    if values.dtype == object:
        return np.array([v is None or v != v or str(v) == "<NA>" for v in values], dtype=bool)
    return np.asarray(values != values)


def _text(value: Any) -> str:
    if isinstance(value, float | np.floating) and value % 1 == 0:
        return str(int(value))
    return str(value)
