"""An estimate for other programs: a JSON document, or a plain table of 0 and 1."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fangs.archive import plain, whole_file

if TYPE_CHECKING:
    from fangs.result import Estimate

__all__ = ["as_csv", "as_json", "check_target", "write"]


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
        "lower_bound": estimate.lower_bound,
        "items": estimate.items,
        "features": estimate.features,
        "matrix": estimate.matrix.tolist(),
        "proportions": estimate.proportions.tolist(),
        "search": None if estimate.search is None else asdict(estimate.search),
    }
    return json.dumps(document, default=plain, ensure_ascii=False)


def as_csv(estimate: Estimate) -> str:
    """Return the matrix as comma-separated text: a row per item, a column per feature."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["item", *range(1, estimate.n_features + 1)])
    for label, row in zip(estimate.labels, estimate.matrix.tolist(), strict=True):
        table.writerow([label, *row])
    return text.getvalue()


def check_target(
    path: str | os.PathLike[str], *, suffixes: tuple[str, ...] = (".npz", ".csv", ".json")
) -> None:
    """Refuse a path that could not be written to, before any long work is done for it.

    Examples
    --------
    >>> check_target("estimate.docx")
    Traceback (most recent call last):
    ValueError: cannot write 'estimate.docx': its name must end in .npz, .csv or .json
    """
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        *first, last = suffixes
        known = f"{', '.join(first)} or {last}"
        raise ValueError(f"cannot write {str(target)!r}: its name must end in {known}")
    if target.is_dir():
        raise ValueError(f"cannot write {str(target)!r}: it is a directory")
    folder = target.resolve().parent
    if not folder.is_dir():
        raise ValueError(f"cannot write {str(target)!r}: there is no directory {str(folder)!r}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"cannot write {str(target)!r}: {str(folder)!r} is not writable")


def write(estimate: Estimate, path: str | os.PathLike[str]) -> None:
    """Write ``estimate`` in the form the suffix of ``path`` names, whole or not at all.

    Parameters
    ----------
    estimate
        What to write.
    path
        Ends in .npz (everything, for `fangs.load`), .csv (the matrix) or .json.
    """
    check_target(path)
    WRITERS[Path(path).suffix.lower()](estimate, path)


def _write_text(text: str, path: str | os.PathLike[str]) -> None:
    with whole_file(path) as file:
        file.write(text.encode())


WRITERS: dict[str, Callable[[Estimate, str | os.PathLike[str]], None]] = {
    ".npz": lambda estimate, path: estimate.save(path),
    ".csv": lambda estimate, path: _write_text(as_csv(estimate), path),
    ".json": lambda estimate, path: _write_text(as_json(estimate) + "\n", path),
}
