"""JSON files: draws as sets of items or as nested lists of 0 and 1, and estimates.

A document is a list of draws, or an object with the key draws, and if need be items or n_items,
chains and weights; or an object of named variables, such as draws under another name. Nested lists
of 0 and 1 may be matrices, or sets of positions: the key form says which ("matrices" or "sets").
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.check.arguments import as_matrix
from fangs.draws.form import Form, NamedMatrix
from fangs.draws.forms.entries import EntriesForm
from fangs.draws.forms.list import ListForm
from fangs.draws.forms.sets import SetsForm
from fangs.draws.labels import labels_or_none
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable
from fangs.formats.format import Format
from fangs.formats.guard import MAX_PIECE_BYTES, check_piece
from fangs.formats.whole import whole_file

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["FORMAT", "as_json", "finite", "plain"]

_DRAWS = "draws"
_BESIDE = {"items", "n_items", "chains", "weights", "form", "first_item"}


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    check_piece(path.stat().st_size, name="the file", limit=2 * MAX_PIECE_BYTES)
    content = path.read_bytes()
    if path.suffix.lower() == ".gz":
        content = gzip.decompress(content)
    yield JsonForm(json.loads(content.decode("utf-8-sig", "surrogatepass")))


class JsonForm:
    """A document; what it holds is a list, sets, or an object of such entries."""

    def __init__(self, document: Any) -> None:
        if not isinstance(document, list | dict):
            raise ValueError("it is neither a list of draws nor an object")
        is_list = isinstance(document, list)
        self._document: dict[str, Any] = dict({_DRAWS: document} if is_list else document)

    def variables(self, request: Request) -> list[Variable]:
        """The draws, or all entries of an object."""
        return list(self._form(None, request).variables(request))

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """The draws under the key draws, or under this one."""
        form = self._form(variable, request)
        return form.draws(variable if isinstance(form, EntriesForm) else None, request)

    def matrix(self, request: Request) -> NamedMatrix:
        """The matrix of an estimate."""
        document = self._document
        if not isinstance(document.get("matrix"), list):
            raise ValueError('it has no "matrix"; give a file from Estimate.save')
        for key in ("items", "feature_names"):
            if document.get(key) is not None and not isinstance(document[key], list):
                raise ValueError(f'its "{key}" are no list of labels')
        items = document.get("items")
        return NamedMatrix(
            as_matrix(document["matrix"], name='its "matrix"'),
            None if items is None else tuple(map(str, items)),
            labels_or_none(document.get("feature_names") or ()) or (),
        )

    def _form(self, variable: str | None, request: Request) -> Form:
        key = _DRAWS if variable is None else variable
        given = self._document.get(key)
        if not isinstance(given, list) or (set(self._document) - _BESIDE - {key}):
            return EntriesForm(self._document, _DRAWS)
        items, n_items = self._document.get("items"), self._document.get("n_items")
        if items is not None and not isinstance(items, list):
            raise ValueError("its 'items' are no list of labels")
        labels = None if items is None else tuple(map(str, items))
        wanted = labels if request.items is None else request.items
        if self._are_matrices(given, None if wanted is None else len(wanted)):
            beside = {name: self._document[name] for name in ("items", "chains", "weights")
                      if self._document.get(name) is not None}  # fmt: skip
            return EntriesForm({key: given, **beside}, _DRAWS) if beside else ListForm(given, key)
        chains, weights = (self._one_each(name, len(given)) for name in ("chains", "weights"))
        return SetsForm(given, key, n_items=n_items, items=labels, chains=chains, weights=weights)

    def _are_matrices(self, draws: list[Any], n_items: int | None) -> bool:
        """Whether lists are matrices of 0 and 1, and no sets of items."""
        said = self._document.get("form")
        if said in ("matrices", "sets"):
            return bool(said == "matrices")
        if not _may_be_matrices(draws):
            return False
        if "n_items" not in self._document and "items" not in self._document:
            return True  # sets of positions need the number of items
        n_rows = len(_first_matrix(draws))
        known = n_items if n_items is not None else self._document.get("n_items")
        if n_rows != known:
            return False
        if not _may_be_sets(draws):
            return True
        raise ValueError(
            "its draws may be matrices of 0 and 1, or sets of items; add the key 'form' with the "
            "value 'matrices' or 'sets'"
        )

    def _one_each(self, key: str, n_draws: int) -> list[Any] | None:
        values = self._document.get(key)
        if values is None:
            return None
        if not isinstance(values, list) or len(values) != n_draws:
            raise ValueError(f"its {key!r} are no list with one value for each draw")
        return list(values)


def _first_matrix(draws: list[Any]) -> list[Any]:
    first = draws[0]
    matrix: list[Any] = first[0] if first and first[0] and isinstance(first[0][0], list) else first
    return matrix


def _may_be_matrices(draws: list[Any]) -> bool:
    """Whether all draws have as many rows, all rows of a draw as many entries, all 0 or 1."""
    if draws and all(isinstance(draw, list) for draw in draws) and _depth(draws) == 4:
        draws = [draw for chain in draws for draw in chain]
    if not draws or not all(isinstance(draw, list) and draw for draw in draws):
        return False
    rows = [row for draw in draws for row in draw]
    return (
        len({len(draw) for draw in draws}) == 1
        and all(isinstance(row, list) for row in rows)
        and all(len({len(row) for row in draw}) == 1 for draw in draws)
        and all(type(x) in (int, bool, float) and x in (0, 1) for row in rows for x in row)
        and any(rows)
    )


def _may_be_sets(draws: list[Any]) -> bool:
    rows = [row for draw in draws for row in draw]
    return all(all(type(x) is int for x in row) and len(set(row)) == len(row) for row in rows)


def _depth(value: Any) -> int:
    filled = [part for part in value if part] if isinstance(value, list) else []
    return 1 + (_depth(filled[0]) if filled else 0) if isinstance(value, list) else 0


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as sets of items, whole or not at all; a draw on each line."""
    head: dict[str, Any] = {"form": "sets", "n_items": samples.n_items}
    if samples.items is not None:
        head["items"] = samples.items
    if samples.chains is not None:
        head["chains"] = samples.chains.tolist()
    if samples.weights is not None:
        head["weights"] = samples.weights.tolist()
    labels = range(samples.n_items) if samples.items is None else samples.items
    with whole_file(path) as target, _packer(path, target) as file:
        file.write(_encoded(head)[:-1] + b', "draws": [')
        for b, draw in enumerate(samples):
            sets = [[labels[i] for i in np.flatnonzero(column)] for column in draw.T]
            file.write((b",\n" if b else b"\n") + _encoded(sets))
        file.write(b"\n]}\n")


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write an estimate as one JSON document, whole or not at all."""
    with whole_file(path) as target, _packer(path, target) as file:
        file.write(as_json(estimate).encode("utf-8", "backslashreplace") + b"\n")


@contextmanager
def _packer(path: Path, target: Any) -> Iterator[Any]:
    if path.suffix.lower() != ".gz":
        yield target
        return
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0) as packed:
        yield packed


def as_json(estimate: Estimate) -> str:
    """Return one JSON document with everything but the loss of each draw."""
    document: dict[str, Any] = {
        "n_items": estimate.n_items,
        "n_features": estimate.n_features,
        "n_ones": estimate.n_ones,
        "n_draws": estimate.n_draws,
        "effective_draws": estimate.effective_draws,
        "a": estimate.a,
        "expected_loss": estimate.expected_loss,
        "is_flip_optimal": estimate.is_flip_optimal,
        "n_ties": estimate.n_ties,
        "lower_bound": estimate.lower_bound,
        "between_chains": estimate.between_chains,
        "items": estimate.items,
        "feature_names": estimate.feature_names,
        "features": [
            [estimate.item_names[i] for i in np.flatnonzero(column)] for column in estimate.matrix.T
        ],
        "matrix": estimate.matrix.tolist(),
        "proportions": estimate.proportions.tolist(),
        "search": None if estimate.search is None else asdict(estimate.search),
        "fingerprint": estimate.fingerprint,
        "note": estimate.note,
    }
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
    """Turn a NumPy scalar into a Python one; refuse anything else that JSON does not know.

    Examples
    --------
    >>> json.dumps({"seed": np.int64(3)}, default=plain)
    '{"seed": 3}'
    """
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(
        f"cannot save {value!r}: labels and settings must be text or numbers "
        f"(got {type(value).__name__})"
    )


def _encoded(value: Any) -> bytes:
    """UTF-8; half a character, which has no bytes there, becomes its JSON escape."""
    text = json.dumps(value, default=plain, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


FORMAT = Format(_open, write_samples=write_samples, write_estimate=write_estimate)
