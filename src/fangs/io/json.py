"""JSON files: draws as sets of items, and an estimate as one document, for other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._typing import BinaryMatrix, IntArray
from fangs.io.atomic import whole_file
from fangs.io.guard import MAX_PIECE_BYTES, check_piece
from fangs.io.inspect import Variable, described
from fangs.io.source import DrawSource
from fangs.samples import Samples

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["as_json", "describe", "finite", "plain", "read", "write_estimate", "write_samples"]


def read(path: Path, variable: str | None) -> DrawSource:
    """Read draws, each a list of features, each a list of items.

    The document is an object with the keys draws, n_items or items, and if need be chains and
    weights; or the list of draws alone. Items are labels, or positions from 0.
    """
    check_piece(path.stat().st_size, name="the file", limit=2 * MAX_PIECE_BYTES)
    document = json.loads(path.read_bytes().decode("utf-8-sig", "surrogatepass"))
    if isinstance(document, list):
        document = {"draws": document}
    if not isinstance(document, dict):
        raise ValueError("it is neither a list of draws nor an object with the key 'draws'")
    name = "draws" if variable is None else variable
    draws = document.get(name)
    if not isinstance(draws, list):
        there = ", ".join(list(document)[:8])
        raise ValueError(f"it has no list {name!r}; it has the keys {there or '(none)'}")
    seen = _items_of(draws)
    labels, n_items = document.get("items"), document.get("n_items")
    if labels is not None and not isinstance(labels, list):
        raise ValueError("its 'items' are no list of labels")
    of_draws: dict[str, Any] = {}
    for key in ("chains", "weights"):
        if (values := document.get(key)) is not None:
            if not isinstance(values, list) or len(values) != len(draws):
                raise ValueError(f"its {key!r} are no list with one value for each draw")
            of_draws[key] = np.array(values)
    if labels is not None or n_items is not None:
        samples = Samples.from_sets(draws, n_items, items=labels)
        return DrawSource.of_samples(samples, **of_draws)

    def over_items(items: tuple[str, ...]) -> DrawSource:
        samples = Samples.from_sets(draws, items=items)
        return DrawSource.of_samples(samples, **of_draws)

    def matrices(kept: IntArray) -> Iterator[BinaryMatrix]:
        if not all(isinstance(item, str) for item in seen):
            raise ValueError(
                "its items are positions, and it does not say how many there are; add the key "
                "'n_items', or give items="
            )
        samples = Samples.from_sets(draws, items=seen)
        return (samples[int(b)] for b in kept)

    names = all(isinstance(item, str) for item in seen)
    return DrawSource(
        n_draws=len(draws),
        read=matrices,
        items=tuple(seen) if names else None,
        over_items=over_items,
        **of_draws,
    )


def describe(path: Path) -> list[Variable]:
    """What a document holds."""
    try:
        samples = read(path, None).samples()
    except ValueError:
        return []
    return [described(samples, path, name="draws", what="sets")]


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws as sets of items, whole or not at all; a draw on each line."""
    head: dict[str, Any] = {"n_items": samples.n_items}
    if samples.items is not None:
        head["items"] = samples.items
    if samples.chains is not None:
        head["chains"] = samples.chains.tolist()
    if samples.weights is not None:
        head["weights"] = samples.weights.tolist()
    labels = range(samples.n_items) if samples.items is None else samples.items
    with whole_file(path) as file:
        file.write(_encoded(head)[:-1] + b', "draws": [')
        for b, draw in enumerate(samples):
            sets = [[labels[i] for i in np.flatnonzero(column)] for column in draw.T]
            file.write((b",\n" if b else b"\n") + _encoded(sets))
        file.write(b"\n]}\n")


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write an estimate as one JSON document, whole or not at all."""
    with whole_file(path) as file:
        file.write(as_json(estimate).encode("utf-8", "backslashreplace") + b"\n")


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
        "features": estimate.features,
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


def _items_of(draws: list[Any]) -> list[Any]:
    """The different items in the order in which they occur; refuses what is no set of items."""
    seen: dict[Any, None] = {}
    for b, draw in enumerate(draws):
        if not isinstance(draw, list):
            raise ValueError(f"draws[{b}] is {str(draw)[:40]!r}, not a list of features")
        for k, feature in enumerate(draw):
            place = f"draws[{b}], feature {k}"
            if not isinstance(feature, list):
                raise ValueError(f"{place} is {str(feature)[:40]!r}, not a list of items")
            for item in feature:
                if type(item) not in (int, str):
                    raise ValueError(f"{place} has {str(item)[:40]!r}; items are names or numbers")
            if len(set(feature)) < len(feature):
                raise ValueError(
                    f"{place} names an item twice; a draw is a list of sets of items, not a "
                    "matrix of 0 and 1"
                )
            seen.update(dict.fromkeys(feature))
    return list(seen)
