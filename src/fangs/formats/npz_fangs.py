"""Draws and estimates in our own .npz archives, which keep everything."""

from __future__ import annotations

import os
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fangs.check.arguments import as_allocation
from fangs.draws.form import Form, NamedMatrix
from fangs.draws.forms.ragged import RaggedForm
from fangs.draws.info import SamplesInfo
from fangs.draws.labels import labels_or_none
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable
from fangs.formats.archive import kind_of, read_archive, write_archive
from fangs.formats.guard import naming, sniff
from fangs.formats.zip_arrays import ZipArrays

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["archive_form", "load_estimate", "write_estimate", "write_samples"]

Arrays = dict[str, NDArray[Any]]


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
    arrays: Arrays = {
        "bits": bits,
        "n_features": samples.n_features,
        "columns": columns,
        "n_columns": n_columns,
    }
    for name in ("chains", "weights"):
        if getattr(samples, name) is not None:
            arrays[name] = getattr(samples, name)
    record = {
        "n_items": samples.n_items,
        "items": samples.items,
        "first_item": samples.info.first_item,
        "weights_error": samples.weights_error,
    }
    write_archive(path, "samples", record, arrays)


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write everything about an estimate, whole or not at all."""
    write_archive(path, "estimate", *_parts(estimate))


def load_estimate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The fields of an estimate that was saved."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"path is of type {type(path).__name__}; give the .npz file of a saved estimate"
        )
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    with naming(path, "estimate"):
        sniff(path, ".npz")
        with ZipArrays(path) as file:
            kind = kind_of(file)
            if kind == "estimate":
                return _fields(*read_archive(file))
    found = "an archive from elsewhere" if kind is None else f"fangs {kind}"
    raise ValueError(f"{str(path)!r} holds {found}, not an estimate; fangs.read(path) reads draws")


def archive_form(file: ZipArrays, kind: str) -> Form:
    """The draws or the estimate of an archive that is open."""
    if kind not in ("samples", "estimate"):
        raise ValueError(f"it holds a fangs {kind}, which is neither draws nor an estimate")
    record, arrays = read_archive(file)
    if kind == "estimate":
        return _EstimateForm(_fields(record, arrays))
    n_items, items = record["n_items"], record["items"]
    bits, sizes = arrays["bits"], arrays["n_features"]
    labels = {name: arrays[name] for name in ("chains", "weights") if name in arrays}
    fits = bits.ndim == 2 and bits.shape[1] == -(-n_items // 8)
    if not fits or any(array.shape != sizes.shape for array in labels.values()):
        raise ValueError("the file is damaged: its arrays do not fit each other")
    return RaggedForm(
        bits,
        sizes,
        "draws",
        columns=arrays["columns"],
        n_columns=arrays["n_columns"],
        n_items=n_items,
        what="fangs samples",
        known=labels
        | {
            "items": None if items is None else tuple(items),
            "first_item": record["first_item"],
            "weights_error": record["weights_error"],
        },
    )


class _EstimateForm:
    """An estimate that was saved, in the place of a matrix."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def variables(self, request: Request) -> list[Variable]:
        """The estimate, which is no draws."""
        return [Variable("", "a fangs estimate; fangs.load(path) reads it")]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """Refused: it is an estimate."""
        raise ValueError("it holds a fangs estimate, not draws; fangs.load(path) reads it")

    def matrix(self, request: Request) -> NamedMatrix:
        """The matrix of the estimate."""
        info, names = self._fields["samples_info"], self._fields["feature_names"]
        return NamedMatrix(
            self._fields["matrix"],
            self._fields["items"],
            labels_or_none(names) or (),
            1 if info is None else info.first_item,
        )


def _parts(estimate: Estimate) -> tuple[dict[str, Any], Arrays]:
    """The fields of an estimate: a record, and arrays."""
    values = {field.name: getattr(estimate, field.name) for field in fields(estimate)}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    record = {name: value for name, value in values.items() if name not in arrays}
    if (search := record["search"]) is not None:
        record["search"] = asdict(search)
    if (info := record.pop("samples_info")) is not None:
        arrays |= {"draw_features": info.n_features, "draw_ones": info.n_ones}
        record["first_item"] = info.first_item
        if info.chains is not None:
            arrays["draw_chains"] = info.chains
    return record, arrays


def _fields(record: dict[str, Any], arrays: Arrays) -> dict[str, Any]:
    """The fields of an estimate out of its record and arrays, which must fit each other."""
    from fangs.estimate import Search, Start

    of_draws = dict(arrays)
    matrix = as_allocation(of_draws.pop("matrix"), name="matrix")
    proportions = of_draws.pop("proportions")
    if proportions.shape != matrix.shape or len({array.shape for array in of_draws.values()}) > 1:
        raise ValueError("the file is damaged: its arrays do not fit each other")
    found = record | {"items": None if record["items"] is None else tuple(record["items"])}
    found["feature_names"] = tuple(record["feature_names"])
    if (search := record["search"]) is not None:
        starts = tuple(Start(**start) for start in search["starts"])
        found["search"] = Search(**search | {"starts": starts})
    found["samples_info"] = None
    if "draw_features" in of_draws:
        found["samples_info"] = SamplesInfo(
            len(matrix),
            of_draws.pop("draw_features"),
            of_draws.pop("draw_ones"),
            found["items"],
            of_draws.pop("draw_chains", None),
            of_draws.get("weights"),
            first_item=found.pop("first_item"),
        )
    return found | of_draws | {"matrix": matrix, "proportions": proportions}
