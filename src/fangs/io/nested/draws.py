"""From the values that a path reaches to draws: matrices, labels of the items, chains.

The rule for chains: the last list (or the draws' axis of an array) counts draws; every combination
of positions in the lists before it is a chain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.interop import SparseColumns
from fangs.io.inspect import Variable, call
from fangs.io.nested.axes import Axes, axes_of
from fangs.io.nested.dialect import Dialect
from fangs.io.nested.matrices import Matrix, is_matrix, matrix_of
from fangs.io.nested.sparse import check_claims
from fangs.io.nested.values import Array, List
from fangs.io.nested.walk import Found, elements, kind_of
from fangs.samples import Samples

__all__ = ["Draws", "NotBinaryError", "gather", "is_stack"]


@dataclass(frozen=True)
class Draws:
    """Checked draws, not yet packed."""

    matrices: list[npt.NDArray[Any] | SparseColumns]
    items: tuple[str, ...] | None
    chains: list[int] | None
    layout: str

    def samples(self) -> Samples:
        """Pack them."""
        return Samples(self.matrices, items=self.items, chains=self.chains)

    def variable(self, place: str, path: str = "") -> Variable:
        """Their description, where they are at a place in a file."""
        n_features = list(map(_n_features, self.matrices))
        return Variable(
            place,
            self.layout,
            n_draws=len(self.matrices),
            n_items=self.matrices[0].shape[0],
            n_features=(min(n_features), max(n_features)),
            chains=len(set(self.chains)) if self.chains is not None else None,
            items=self.items,
            call=call(path, place or None),
        )


class NotBinaryError(ValueError):
    """Matrices with other values than 0 and 1; `finding` is what was found, without the remedy."""

    def __init__(self, finding: str, remedy: str) -> None:
        super().__init__(f"{finding}; an allocation holds only 0 and 1: {remedy} before saving")
        self.finding = finding


def gather(found: list[Found], dialect: Dialect, axes: Axes | None = None) -> Draws:
    """Draws out of matrices, lists of matrices or three-dimensional arrays."""
    while found and all(_is_list(here) for here in found):
        found = [element for here in found for element in elements(here, dialect)]
    if not found:
        raise ValueError("the list is empty; at least one draw is needed")
    if any(_is_list(here) for here in found):
        found = [here for here in found if _is_list(here)][:1]
        raise ValueError(f"{found[0]} is {kind_of(found[0].value)}, not a matrix of 0 and 1")
    if all(is_stack(here) for here in found):
        matrices, chains, layout = _of_stacks(found, dialect, axes)
    elif axes is not None:
        raise ValueError(f"{found[0]} is {kind_of(found[0].value)}; leave out the axes")
    elif not found[0].at and len(found) == 1 and is_matrix(found[0].value):
        raise ValueError(
            f"{found[0]} is {kind_of(found[0].value)}, a single matrix, not a list of draws; "
            "fangs.io.read_values reads it as an array"
        )
    else:
        matrices = [matrix_of(here, dialect) for here in found]
        chains, layout = [here.at[:-1] for here in found], "list over draws"
    _check_binary(matrices, dialect, is_padded=layout.startswith("array"))
    items = _same_items(matrices, dialect)
    numbers: dict[tuple[int, ...], int] = {}
    labels = [numbers.setdefault(chain, len(numbers)) for chain in chains]
    values = [matrix.values for matrix in matrices]
    check_claims(values)
    return Draws(values, items, labels if any(chains) else None, layout)


def _n_features(matrix: npt.NDArray[Any] | SparseColumns) -> int:
    if isinstance(matrix, SparseColumns):
        return int(np.count_nonzero(np.diff(matrix.starts)))
    return int(np.count_nonzero((matrix == 1).any(axis=0)))


def is_stack(here: Found) -> bool:
    """Whether it is a three-dimensional array of numbers."""
    value = here.value
    return (
        isinstance(value, Array)
        and value.kind in ("logical", "integer", "double")
        and len(value.shape) == 3
    )


def _is_list(here: Found) -> bool:
    return isinstance(here.value, List) and not is_matrix(here.value)


def _of_stacks(
    found: list[Found], dialect: Dialect, axes: Axes | None
) -> tuple[list[Matrix], list[tuple[int, ...]], str]:
    matrices, chains, layout = [], [], ""
    for here in found:
        assert isinstance(here.value, Array)
        order = axes or axes_of(here, dialect)
        layout = f"array{dialect.axes(order)}"
        stack = here.value.array().transpose(order)
        labels = here.value.labels[order[1]]
        for b, matrix in enumerate(stack):
            matrices.append(Matrix(matrix, labels, f"draw {b + 1} of {here}"))
            # One array has draws but no chains; one of several arrays is a chain.
            chains.append(here.at)
    if not matrices:
        raise ValueError(f"{found[0]} has no draws; at least one is needed")
    return matrices, chains, layout


def _same_items(matrices: list[Matrix], dialect: Dialect) -> tuple[str, ...] | None:
    """Labels of the rows, which all draws must share; rows in another order are put in order."""
    first = matrices[0]
    for matrix in matrices:
        if matrix.values.shape[0] != first.values.shape[0]:
            raise ValueError(_differing_rows(matrices, first, matrix, dialect))
        if matrix.items == first.items:
            continue
        if matrix.items is None or first.items is None:
            bare = matrix.place if matrix.items is None else first.place
            named = first.place if matrix.items is None else matrix.place
            raise ValueError(f"{bare} has no row names, but {named} has; name the rows of all")
        if len(set(first.items)) < len(first.items) or set(first.items) != set(matrix.items):
            name = next(
                (x for x in matrix.items if x not in first.items),
                next((x for x in first.items if x not in matrix.items), first.items[0]),
            )
            raise ValueError(
                f"the row names of {matrix.place} are not those of {first.place}, for example "
                f"{name!r}; every draw needs the same items"
            )
        at = {name: row for row, name in enumerate(matrix.items)}
        order = np.array([at[name] for name in first.items])
        rows = matrix.values
        matrix.values = rows.take_rows(order) if isinstance(rows, SparseColumns) else rows[order]
    return first.items


def _differing_rows(matrices: list[Matrix], first: Matrix, other: Matrix, dialect: Dialect) -> str:
    widths = {matrix.values.shape[1] for matrix in matrices}
    text = (
        f"{other.place} has {other.values.shape[0]} rows, but {first.place} has "
        f"{first.values.shape[0]}; every draw needs one row per item"
    )
    if len(widths) > 1:
        return text
    turn = "lapply(x, t)" if dialect.language == "R" else "cellfun(@transpose, x, ...)"
    return (
        f"{text}. All have {widths.pop()} columns: if these are the items, transpose the draws, in "
        f"{dialect.language} with {turn}, or here with fangs.Samples([m.T for m in "
        "fangs.io.read_values(path, variable=...)])"
    )


def _check_binary(matrices: list[Matrix], dialect: Dialect, *, is_padded: bool) -> None:
    """Refuse values other than 0 and 1; in an array, columns of NaN or -1 alone are padding."""
    for matrix in matrices:
        values = matrix.values
        if isinstance(values, SparseColumns):
            continue
        is_bad = (values != 0) & (values != 1)
        if not is_bad.any():
            continue
        is_padding = ((values != values) | (values == -1)).all(axis=0) & is_padded
        bad = np.argwhere(is_bad & ~is_padding)
        if len(bad):
            item, feature = (int(at) for at in bad[0])
            value = values[item, feature]
            is_missing = bool(value != value)
            missing = "NA" if dialect.language == "R" else "NaN"
            said = missing if is_missing else f"{value:g}"
            remedy = "leave the draw out" if is_missing else "recode the values"
            if 0 < value < 1:
                remedy = "if these are probabilities, draw entries from them"
            where = f"{matrix.place}{dialect.entry(item, feature)}"
            raise NotBinaryError(f"{where} is {said}", remedy)
