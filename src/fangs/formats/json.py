"""JSON files: draws as sets of items or as nested lists of 0 and 1, and estimates.

A document is a list of draws, or an object with the key draws, and if need be items or n_items,
chains and weights; or an object of named variables, such as draws under another name. Nested lists
of 0 and 1 may be matrices, or sets of positions: the key form says which ("matrices" or "sets").
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.check.arguments import as_matrix
from fangs.draws.form import Form, NamedMatrix
from fangs.draws.forms.entries import EntriesForm
from fangs.draws.forms.list import ListForm, depth
from fangs.draws.forms.sets import SetsForm
from fangs.draws.labels import labels_or_none
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable
from fangs.formats.format import Format
from fangs.formats.guard import WRITTEN, check_written
from fangs.formats.packed import open_unpacked
from fangs.formats.whole import whole_file

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["FORMAT", "as_json", "finite", "plain"]

_DRAWS = "draws"
_BESIDE = {"items", "n_items", "chains", "weights", "form", "first_item", "n_ones", WRITTEN}


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with open_unpacked(path) as file:
        yield JsonForm(json.loads(file.read().decode("utf-8-sig")))


class JsonForm:
    """A document; what it holds is a list, sets, or an object of such entries."""

    def __init__(self, document: Any) -> None:
        if not isinstance(document, list | dict):
            raise ValueError("it is neither a list of draws nor an object")
        self._document = {_DRAWS: document} if isinstance(document, list) else document
        check_written(self._document, self._document.get(WRITTEN))

    def variables(self, request: Request) -> list[Variable]:
        """The draws, or all entries of an object."""
        return list(self._form(_DRAWS, request).variables(request))

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws under the key draws, or under this one."""
        form = self._form(variable or _DRAWS, request)
        source = form.draws(variable if isinstance(form, EntriesForm) else None, request)
        is_ours = WRITTEN in self._document and variable in (None, _DRAWS)
        return source.counted(np.array(self._document["n_ones"])) if is_ours else source

    def matrix(self, request: Request) -> NamedMatrix:
        """The matrix of an estimate."""
        if not isinstance(self._document.get("matrix"), list):
            raise ValueError('it has no "matrix"; give a file from Estimate.save')
        names = labels_or_none(self._labels("feature_names")) or ()
        matrix = as_matrix(self._document["matrix"], name='its "matrix"')
        return NamedMatrix(matrix, self._labels("items"), names)

    def _form(self, key: str, request: Request) -> Form:
        """The form of what is under a key, or of all entries where it is not alone."""
        given = self._document.get(key)
        if not isinstance(given, list) or (set(self._document) - _BESIDE - {key}):
            return EntriesForm(self._document, _DRAWS)
        labels = self._labels("items")
        n_items: Any = self._document.get("n_items")
        beside = {name: self._document.get(name) for name in ("items", "chains", "weights")}
        beside = {name: values for name, values in beside.items() if values is not None}
        if self._are_matrices(given, labels if request.items is None else request.items):
            return EntriesForm({key: given, **beside}, _DRAWS) if beside else ListForm(given, key)
        chains, weights = beside.get("chains"), beside.get("weights")
        for name, values in (("chains", chains), ("weights", weights)):
            if values is not None and (not isinstance(values, list) or len(values) != len(given)):
                raise ValueError(f"its {name!r} are no list with one value for each draw")
        return SetsForm(given, key, n_items=n_items, items=labels, chains=chains, weights=weights)

    def _labels(self, key: str) -> tuple[str, ...] | None:
        labels = self._document.get(key)
        if labels is not None and not isinstance(labels, list):
            raise ValueError(f"its {key!r} are no list of labels")
        return None if labels is None else tuple(map(str, labels))

    def _are_matrices(self, draws: list[Any], items: Sequence[str] | None) -> bool:
        """Whether lists are matrices of 0 and 1, and no sets of items."""
        said = self._document.get("form")
        if said in ("matrices", "sets"):
            return bool(said == "matrices")
        matrices = _matrices(draws)
        if not matrices:
            return False
        if "n_items" not in self._document and "items" not in self._document:
            return True  # sets of positions need the number of items
        if len(matrices[0]) != (self._document.get("n_items") if items is None else len(items)):
            return False
        rows = [row for draw in draws for row in draw]
        if not all(all(type(x) is int for x in row) and len(set(row)) == len(row) for row in rows):
            return True
        raise ValueError(
            "its draws may be matrices of 0 and 1, or sets of items; add the key 'form' with the "
            "value 'matrices' or 'sets'"
        )


def _matrices(draws: list[Any]) -> list[Any]:
    """The draws, chains joined, if all may be matrices of 0 and 1 with as many rows; else none."""
    if depth(draws) == 4 and all(isinstance(chain, list) for chain in draws):
        draws = [draw for chain in draws for draw in chain]
    if not all(isinstance(draw, list) and draw for draw in draws):
        return []
    rows = [row for draw in draws for row in draw]
    may_be = (
        len({len(draw) for draw in draws}) == 1
        and all(isinstance(row, list) for row in rows)
        and all(len({len(row) for row in draw}) == 1 for draw in draws)
        and all(type(x) in (int, bool, float) and x in (0, 1) for row in rows for x in row)
        and any(rows)
    )
    return draws if may_be else []


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as sets of items, whole or not at all; a draw on each line."""
    head: dict[str, Any] = {"form": "sets", "n_items": samples.n_items}
    if samples.items is not None:
        head["items"] = samples.items
    if samples.chains is not None:
        head["chains"] = samples.chains.tolist()
    if samples.weights is not None:
        head["weights"] = samples.weights.tolist()
    head |= {"n_ones": samples.n_ones.tolist(), WRITTEN: " ".join([*head, "n_ones", _DRAWS])}
    labels = range(samples.n_items) if samples.items is None else samples.items
    with whole_file(path) as file:
        file.write(f'{_text(head)[:-1]}, "draws": [\n'.encode())
        for b, draw in enumerate(samples):
            sets = [[labels[i] for i in np.flatnonzero(column)] for column in draw.T]
            file.write((",\n" * (b > 0) + _text(sets)).encode())
        file.write(b"\n]}\n")


def _text(value: Any) -> str:
    return json.dumps(value, default=plain, ensure_ascii=False)


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write an estimate as one JSON document, whole or not at all."""
    with whole_file(path) as file:
        file.write(f"{as_json(estimate)}\n".encode())


def as_json(estimate: Estimate) -> str:
    """Return one JSON document with everything but the loss of each draw."""
    from fangs.estimate import FIELDS

    document = {field.name: field.of(estimate) for field in FIELDS if not field.is_by_draw}
    names = estimate.item_names
    document["features"] = [[names[i] for i in np.flatnonzero(f)] for f in estimate.matrix.T]
    if estimate.search is not None:
        document["search"] = asdict(estimate.search)
    return json.dumps(finite(document), default=plain, ensure_ascii=False, allow_nan=False)


def finite(value: Any) -> Any:
    """A document whose numbers JSON knows: those that are not finite become null."""
    if isinstance(value, dict):
        return {key: finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def plain(value: object) -> object:
    """An array or scalar of NumPy as plain Python; what else JSON does not know is refused.

    Examples
    --------
    >>> json.dumps({"seed": np.int64(3)}, default=plain)
    '{"seed": 3}'
    """
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(
        f"cannot save {value!r}: labels and settings must be text or numbers "
        f"(got {type(value).__name__})"
    )


FORMAT = Format(_open, write_samples=write_samples, write_estimate=write_estimate)
