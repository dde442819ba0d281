"""Draws and estimates in our own .npz archives, which keep everything.

An archive holds arrays, and one JSON record of all that is no array.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.typing import NDArray

from fangs.check.arguments import as_allocation
from fangs.draws.form import Form, NamedMatrix
from fangs.draws.forms.entries import Other
from fangs.draws.forms.ragged import RaggedForm, kept_columns
from fangs.draws.info import SamplesInfo
from fangs.draws.labels import labels_or_none
from fangs.draws.request import Request
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable
from fangs.formats.guard import DamagedError
from fangs.formats.json import plain
from fangs.formats.npy import StoredArray
from fangs.formats.registry import open_file
from fangs.formats.whole import whole_file

if TYPE_CHECKING:
    from fangs.draws.samples import Samples
    from fangs.estimate import Estimate

__all__ = ["archive_form", "load_estimate", "write_archive", "write_estimate", "write_samples"]

_RECORD = "fangs"
"""Name of the array with the record; only our archives have it."""
_VERSION = 1

Arrays = dict[str, NDArray[Any]]


def write_samples(samples: Samples, path: Path) -> None:
    """Write draws, whole or not at all: one bit per entry, then compressed."""
    arrays: dict[str, Any] = {
        "bits": _Bits(samples),
        "n_features": samples.n_features,
        "columns": kept_columns(samples),
        "n_columns": samples.n_columns,
        "chains": samples.chains,
        "weights": samples.weights,
    }
    record = {
        "n_items": samples.n_items,
        "items": samples.items,
        "first_item": samples.info.first_item,
        "weights_error": samples.weights_error,
    }
    known = {name: array for name, array in arrays.items() if array is not None}
    write_archive(path, "samples", record, known)


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write everything about an estimate, whole or not at all."""
    write_archive(path, "estimate", *_parts(estimate))


def write_archive(path: Path, kind: str, record: Mapping[str, Any], arrays: Arrays) -> None:
    """Write arrays, and a record of what is no array, whole or not at all and without pickle."""
    head = {"kind": kind, "version": _VERSION, "arrays": list(arrays), "record": record}
    everything: dict[str, Any] = {_RECORD: np.array(json.dumps(head, default=plain)), **arrays}
    with whole_file(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, array in everything.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                if isinstance(array, _Bits):
                    array.write(member)
                else:
                    np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


class _Bits:
    """The features of all draws as rows of bits, which are never held together."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples

    def write(self, file: IO[bytes]) -> None:
        """Write them as an .npy file."""
        shape = int(self._samples.n_features.sum()), -(-self._samples.n_items // 8)
        header = {"descr": "|u1", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, header)
        for draw in self._samples:
            file.write(np.packbits(draw.T, axis=1, bitorder="little").tobytes())


def load_estimate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The fields of an estimate that was saved."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"path is of type {type(path).__name__}; give the .npz file of a saved estimate"
        )
    with open_file(path, what="estimate") as form:
        if not isinstance(form, EstimateForm):
            raise ValueError(
                "it is no .npz file that Estimate.save wrote; fangs.read(path) reads draws"
            )
        return form.fields


def archive_form(entries: Mapping[str, StoredArray | Other]) -> Form | None:
    """The draws or the estimate of one of our archives; None for an archive from elsewhere."""
    if _RECORD not in entries:
        return None
    head = json.loads(str(np.asarray(entries[_RECORD])))
    if head["version"] > _VERSION:
        raise ValueError("it was written by a newer fangs: upgrade to read it")
    record = head["record"]
    if sorted(entries) != sorted([_RECORD, *head["arrays"]]):
        raise DamagedError("it has other arrays than it says")
    whole = [name for name in head["arrays"] if name != "bits"]
    arrays = {name: np.asarray(entries[name]) for name in whole}
    if head["kind"] == "estimate":
        return EstimateForm(_fields(record, arrays))
    labels = {name: arrays[name] for name in ("chains", "weights") if name in arrays}
    if any(array.shape != arrays["n_features"].shape for array in labels.values()):
        raise DamagedError("its arrays do not fit each other")
    known = {name: record[name] for name in ("first_item", "weights_error")}
    return RaggedForm(
        entries["bits"],
        arrays["n_features"],
        "draws",
        columns=arrays["columns"],
        n_columns=arrays["n_columns"],
        n_items=record["n_items"],
        what="fangs samples",
        known=known | labels | {"items": record["items"] and tuple(record["items"])},
    )


class EstimateForm:
    """An estimate that was saved, in the place of a matrix."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def variables(self, request: Request) -> list[Variable]:
        """The estimate, which is no draws."""
        return [Variable("", "a fangs estimate: fangs.load(path)")]

    def draws(self, variable: str | None, request: Request) -> DrawSource:
        """Refused: it is an estimate."""
        raise ValueError("it holds a fangs estimate, not draws: fangs.load(path)")

    def matrix(self, request: Request) -> NamedMatrix:
        """The matrix of the estimate."""
        info, names = self.fields["samples_info"], self.fields["feature_names"]
        return NamedMatrix(
            self.fields["matrix"],
            self.fields["items"],
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
    from fangs.search.record import Search, Start

    of_draws = dict(arrays)
    matrix = as_allocation(of_draws.pop("matrix"), name="matrix")
    proportions = of_draws.pop("proportions")
    if proportions.shape != matrix.shape or len({array.shape for array in of_draws.values()}) > 1:
        raise DamagedError("its arrays do not fit each other")
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
