"""JSON files: an estimate as one document, for other programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs.io.atomic import whole_file

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["as_json", "plain", "write_estimate"]


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write an estimate as one JSON document, whole or not at all."""
    with whole_file(path) as file:
        file.write(as_json(estimate).encode() + b"\n")


def as_json(estimate: Estimate) -> str:
    """Return one JSON document with everything but the loss of each draw."""
    document: dict[str, Any] = {
        "n_items": estimate.n_items,
        "n_features": estimate.n_features,
        "n_ones": estimate.n_ones,
        "n_draws": estimate.n_draws,
        "a": estimate.a,
        "expected_loss": estimate.expected_loss,
        "is_flip_optimal": estimate.is_flip_optimal,
        "n_ties": estimate.n_ties,
        "lower_bound": estimate.lower_bound,
        "between_chains": estimate.between_chains,
        "items": estimate.items,
        "features": estimate.features,
        "matrix": estimate.matrix.tolist(),
        "proportions": estimate.proportions.tolist(),
        "search": None if estimate.search is None else asdict(estimate.search),
    }
    return json.dumps(document, default=plain, ensure_ascii=False)


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
