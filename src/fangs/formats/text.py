"""Text files with a draw on each line: a string of 0 and 1 for each feature, as sBayes writes.

Strings are separated by tabs or spaces; the i-th character says whether the feature has item i.
There is no header and there are no names.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from fangs._typing import BinaryMatrix
from fangs.draws.form import Form
from fangs.draws.forms.list import ListForm
from fangs.formats.format import Format

__all__ = ["FORMAT"]


@contextmanager
def _open(path: Path) -> Iterator[Form]:
    with open(path, encoding="utf-8-sig") as file:
        lines = [line.split() for line in file]
    if not any(lines):
        raise ValueError("there is no feature in it")
    n_lines = max(b for b, words in enumerate(lines, start=1) if words)
    if n_lines < len(lines) and not all(lines[:n_lines]):
        raise ValueError(
            "it has empty lines, which may be draws without a feature, also at its end; remove "
            "the last ones, or write the draws as .json"
        )
    lines = lines[:n_lines]
    n_items = max(len(word) for words in lines for word in words)
    yield ListForm([_matrix(words, b, n_items) for b, words in enumerate(lines)], "draws")


def _matrix(words: list[str], b: int, n_items: int) -> BinaryMatrix:
    for word in words:
        if set(word) - {"0", "1"}:
            raise ValueError(
                f"line {b + 1} has {word[:20]!r}; a .txt file has a draw on each line, and for "
                "each feature a string of 0 and 1: name a table .csv or .tsv"
            )
        if len(word) != n_items:
            raise ValueError(
                f"line {b + 1} has a string of {len(word)} characters, but others have {n_items}; "
                "each needs one for every item"
            )
    columns = [np.frombuffer(word.encode(), dtype=np.uint8) - ord("0") for word in words]
    return np.stack(columns, axis=1) if columns else np.zeros((n_items, 0), dtype=np.uint8)


FORMAT = Format(_open)
