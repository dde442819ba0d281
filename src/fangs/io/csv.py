"""CSV files: the matrix of an estimate as a plain table of 0 and 1."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from fangs.io.atomic import whole_file

if TYPE_CHECKING:
    from fangs.estimate import Estimate

__all__ = ["as_csv", "write_estimate"]


def write_estimate(estimate: Estimate, path: Path) -> None:
    """Write the matrix of an estimate as a table, whole or not at all."""
    with whole_file(path) as file:
        file.write(as_csv(estimate).encode())


def as_csv(estimate: Estimate) -> str:
    """Return the matrix as comma-separated text: a row per item, a column per feature."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["item", *range(1, estimate.n_features + 1)])
    for label, row in zip(estimate.labels, estimate.matrix.tolist(), strict=True):
        table.writerow([label, *row])
    return text.getvalue()
