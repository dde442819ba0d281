"""Tables with draws, as plain columns: long (a row per one) and wide (a row per draw).

A long table has the columns draw, item and feature, and may have chain, weight and value. A row says
that the feature has the item in that draw. A row without a feature only names its draw and its
item: that is how a draw without features, or an item without any, is known. With a column value,
only rows with value 1 count.

A wide table has columns such as Z[2,3] or Z.2.3: item 2, feature 3, counted from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.interop.columns import Coder
from fangs.interop.source import DrawSource
from fangs.samples import Samples

__all__ = ["Grid", "draws_of_long", "draws_of_wide", "find_grid", "is_long", "role_of"]

ROLES = {
    "draw": ("draw", ".draw", "draw__", "iteration", ".iteration"),
    "item": ("item",),
    "feature": ("feature",),
    "chain": ("chain", ".chain", "chain__"),
    "weight": ("weight", ".weight"),
    "value": ("value",),
}
"""Names of columns, in lower case, by what they hold; of several the first one counts."""

MAX_DRAW_BYTES = 2**30
"""Largest unpacked draw; beyond it a number of a feature or an item is taken for a mistake."""

Columns = Mapping[str, Any]


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
            raise ValueError(f"a long table needs a column {missing[0]!r}; it has {_some(block)}")
        lengths = {role: len(block[name]) for role, name in roles.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns have different lengths: {lengths}")
        for role, name in roles.items():
            coders.setdefault(role, Coder(role)).add(block[name])
    if not coders:
        raise ValueError("the table has no rows")
    return _LongTable.of(coders).source(items)


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
    >>> find_grid(names).names
    ['Z[1,1]', 'Z[1,2]', 'Z[2,1]', 'Z[2,2]']
    >>> draws_of_wide(names, [(np.array([[1, 0, 1, 1]]), {})]).samples()[0]
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    grid = find_grid(names, variable)
    coders = {role: Coder(role) for role in role_of(names) if role in ("chain", "draw", "weight")}

    def matrices() -> Iterator[npt.NDArray[Any]]:
        for cells, columns in blocks:
            for role, name in role_of(list(columns)).items():
                if role in coders:
                    coders[role].add(columns[name])
            yield from cells.reshape(len(cells), grid.n_items, grid.n_features)

    samples = Samples(matrices())
    chains = coders["chain"].values() if "chain" in coders else None
    weights = coders["weight"].numbers() if "weight" in coders else None
    order = np.arange(len(samples))
    if "draw" in coders and (draw := coders["draw"].values()).dtype.kind == "i":
        ranks = 0 * order if chains is None else np.unique(chains, return_inverse=True)[1]
        for rank in np.unique(ranks):  # draws of a chain in the order of their numbers
            here = np.flatnonzero(ranks == rank)
            order[here] = here[np.argsort(draw[here], kind="stable")]
    return DrawSource.of_samples(
        samples.select(order),
        chains=None if chains is None else chains[order],
        weights=None if weights is None else weights[order],
    )


@dataclass(frozen=True)
class Grid:
    """The columns of a wide table that hold the draws."""

    variable: str
    n_items: int
    n_features: int
    names: list[str]
    """Their names, item by item."""


_CELL = re.compile(r"(.+?)(?:\[(\d+), ?(\d+)\]|\[(\d+)\]\[(\d+)\]|\.(\d+)\.(\d+))")


def find_grids(names: Sequence[str]) -> dict[str, dict[tuple[int, int], str]]:
    """Columns by variable, item and feature (counted from 1)."""
    grids: dict[str, dict[tuple[int, int], str]] = {}
    for name in names:
        found = _CELL.fullmatch(name)
        if found is None or re.search(r"[.\]]\d*$", found[1]):  # theta.1.2.3 has three dimensions
            continue
        variable, *numbers = (part for part in found.groups() if part is not None)
        at = (int(numbers[0][:9]), int(numbers[1][:9]))
        if grids.setdefault(variable, {}).setdefault(at, name) is not name:
            raise ValueError(f"there are two columns for {variable}[{at[0]},{at[1]}]")
    return grids


def find_grid(names: Sequence[str], variable: str | None = None) -> Grid:
    """The columns Z[1,1], Z[1,2], ... of the variable, or of the only one that there is."""
    grids = find_grids(names)
    if variable is None:
        if not grids:
            raise ValueError(
                "it has neither columns draw, item and feature, nor columns such as Z[1,1] or "
                f"Z.1.1; it has {_some(names)}"
            )
        if len(grids) > 1:
            first = next(iter(grids))
            raise ValueError(
                f"it has several variables ({_some(grids)}); say which has the draws: "
                f"variable={first!r}"
            )
        variable = next(iter(grids))
    if variable not in grids:
        raise ValueError(
            f"it has no columns {variable}[1,1], {variable}[1,2], ...; "
            + (f"it has those of {_some(grids)}" if grids else f"it has {_some(names)}")
        )
    cells = grids[variable]
    n_items, n_features = (max(at[axis] for at in cells) for axis in (0, 1))
    if any(0 in at for at in cells):
        raise ValueError(f"it counts {variable} from 0; columns must be counted from 1")
    if n_items * n_features != len(cells):
        lacking = next(
            (i, k)
            for i in range(1, n_items + 1)
            for k in range(1, n_features + 1)
            if (i, k) not in cells
        )
        raise ValueError(f"there is no column {variable}[{lacking[0]},{lacking[1]}]")
    return Grid(variable, n_items, n_features, [cells[at] for at in sorted(cells)])


def role_of(names: Iterable[str]) -> dict[str, str]:
    """Columns that have a meaning of their own, by what they hold."""
    lower = {name.lower(): name for name in names}
    found = {}
    for role, aliases in ROLES.items():
        for alias in aliases:
            if alias in lower:
                found[role] = lower[alias]
                break
    return found


def is_long(names: Iterable[str]) -> bool:
    """Whether a table with these columns is a long one."""
    return {"item", "feature"} <= set(role_of(names))


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
        if np.issubdtype(coders["item"].labels.dtype, np.integer):
            item, labels = _sorted(item, coders["item"].labels)
        else:
            labels = coders["item"].labels
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
        return cls(
            draw[order], item[order], feature[order], is_one[order], labels, chains, weights
        )

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

    def _matrix(
        self, here: slice, positions: IntArray, n_items: int, *, name: str
    ) -> BinaryMatrix:
        is_one = self.is_one[here]
        features = self.feature[here]
        n_features = int(features.max(initial=-1)) + 1
        if n_items * n_features > MAX_DRAW_BYTES:
            raise ValueError(
                f"{name} has a feature with the number {n_features}; features are counted from 1 in "
                "each draw"
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
    """Columns of the features: their numbers, or for names the order in which they occur."""
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


def _some(names: Iterable[str]) -> str:
    """The first few names."""
    listed = [str(name) for name in names]
    return ", ".join(listed[:8]) + (", ..." if len(listed) > 8 else "") if listed else "no columns"


