"""Draws and estimates in our own .npz archives, which keep everything."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs._typing import BinaryMatrix, IntArray
from fangs.estimate import Estimate
from fangs.io.archive import read_archive, write_archive
from fangs.io.guard import check_piece
from fangs.io.inspect import Variable, described
from fangs.io.source import DrawSource
from fangs.samples import Samples

__all__ = ["describe", "read_samples", "write_estimate", "write_samples"]


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write everything about an estimate, whole or not at all."""
    record = {
        "expected_loss": float(estimate.expected_loss),
        "a": float(estimate.a),
        "items": estimate.items,
        "feature_names": estimate.feature_names,
        "is_flip_optimal": bool(estimate.is_flip_optimal),
        "n_ties": int(estimate.n_ties),
        "lower_bound": estimate.lower_bound,
        "between_chains": estimate.between_chains,
        "search": None if estimate.search is None else asdict(estimate.search),
        "fingerprint": estimate.fingerprint,
        "note": estimate.note,
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "matrix": estimate.matrix,
        "proportions": estimate.proportions,
        "losses": estimate.losses,
    }
    if estimate.weights is not None:
        arrays["weights"] = estimate.weights
    if (info := estimate.samples_info) is not None:
        arrays |= {"draw_features": info.n_features, "draw_ones": info.n_ones}
        if info.chains is not None:
            arrays["draw_chains"] = info.chains
    write_archive(path, kind="estimate", record=record, arrays=arrays)


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws, whole or not at all: one bit per entry, then compressed."""
    n_columns = samples.n_columns
    n_features = int(samples.n_features.sum())
    bits = np.empty((n_features, -(-samples.n_items // 8)), dtype=np.uint8)
    columns = np.empty(n_features, dtype=np.min_scalar_type(n_columns.max()))
    end = 0
    for b, draw in enumerate(samples):
        here = slice(end, end := end + draw.shape[1])
        bits[here] = np.packbits(draw.T, axis=1, bitorder="little")
        columns[here] = samples.columns(b)
    arrays: dict[str, npt.NDArray[Any]] = {
        "bits": bits,
        "n_features": samples.n_features,
        "columns": columns,
        "n_columns": n_columns,
    }
    if samples.chains is not None:
        arrays["chains"] = samples.chains
    record: dict[str, Any] = {"n_items": samples.n_items, "items": samples.items}
    if samples.weights is not None:
        arrays["weights"] = samples.weights
        record["weights_error"] = samples.weights_error
    write_archive(path, kind="samples", record=record, arrays=arrays)


def read_samples(path: Path) -> DrawSource:
    """Read an archive that `write_samples` made."""
    record, arrays = read_archive(path, kind="samples")
    items = record.get("items")
    n_items, bits, n_features, columns, n_columns = _checked(record.get("n_items"), arrays)
    if items is not None and (not isinstance(items, list) or len(items) != n_items):
        raise ValueError(f"the archive is damaged: it has other labels than its {n_items} items")
    chains, weights = arrays.get("chains"), arrays.get("weights")
    for name, array in (("chains", chains), ("weights", weights)):
        if array is not None and array.shape != n_features.shape:
            raise ValueError(f"the archive is damaged: {name} has the shape {array.shape}")
    error = record.get("weights_error", 0.0)
    if type(error) not in (int, float) or not 0 <= error < math.inf:
        raise ValueError(f"the archive is damaged: it claims {error!r} as error of its weights")
    ends = np.cumsum(n_features)

    def read(kept: IntArray) -> Iterator[BinaryMatrix]:
        for b in kept:
            here = slice(ends[b] - n_features[b], ends[b])
            rows = np.unpackbits(bits[here], axis=1, count=n_items, bitorder="little")
            matrix = np.zeros((n_items, n_columns[b]), dtype=np.uint8)
            matrix[:, columns[here]] = rows.T
            yield matrix

    return DrawSource(
        n_draws=len(n_features),
        read=read,
        items=None if items is None else tuple(str(label) for label in items),
        chains=chains,
        weights=weights,
        weights_error=error,
    )


def describe(path: Path) -> Variable:
    """What an archive of ours holds."""
    return described(read_samples(path).samples(), path, what="fangs samples")


def _checked(
    n_items: Any, arrays: dict[str, Any]
) -> tuple[int, BinaryMatrix, IntArray, IntArray, IntArray]:
    """The arrays, if they fit each other: nothing is padded or cut."""
    damaged = "the archive is damaged: "
    if type(n_items) is not int or n_items < 1:
        raise ValueError(f"{damaged}it claims {n_items!r} items")
    dimensions = {"bits": 2, "n_features": 1, "columns": 1, "n_columns": 1}
    for name, n_dims in dimensions.items():
        if name not in arrays or arrays[name].ndim != n_dims or arrays[name].dtype.kind not in "iu":
            raise ValueError(f"{damaged}it has no array {name!r} of whole numbers")
    bits = arrays["bits"]
    n_features, columns, n_columns = (arrays[name] for name in list(dimensions)[1:])
    if bits.dtype != np.uint8 or bits.shape[1] != -(-n_items // 8):
        raise ValueError(f"{damaged}it claims {n_items} items, but its rows are of another length")
    spare = -n_items % 8
    if spare and (bits[:, -1] >> (8 - spare)).any():
        raise ValueError(f"{damaged}its rows have more than the {n_items} items that it claims")
    if len(n_features) != len(n_columns) or (n_features < 0).any() or (n_columns < 0).any():
        raise ValueError(f"{damaged}its draws have no proper sizes")
    if int(n_features.sum(dtype=np.float64)) != len(bits) or len(columns) != len(bits):
        raise ValueError(f"{damaged}it has {len(bits)} features, but its draws claim other numbers")
    widths = np.repeat(n_columns.astype(np.int64), n_features)
    if (columns.astype(np.int64) >= widths).any() or (columns < 0).any():
        raise ValueError(f"{damaged}a feature has a column that its draw does not have")
    check_piece(n_items * int(n_columns.max(initial=0)), name="a draw")
    whole = (np.asarray(x, dtype=np.int64) for x in (n_features, columns, n_columns))
    first, second, third = whole
    return n_items, bits, first, second, third
