"""Entries that are a matrix each, with numbers in their names: a draw each."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fangs.draws.forms.list import ListForm, depth
from fangs.draws.forms.stack import describe
from fangs.draws.request import Request
from fangs.draws.roles import names_no_draws
from fangs.draws.source import DrawSource
from fangs.draws.variables import Variable

__all__ = ["NumberedMatrices", "number_of", "stems_of"]

_NUMBERED = re.compile(r"(.*?)([0-9]{1,18})")


def number_of(key: str) -> tuple[str, int | None]:
    """What a name begins with, and the number at its end: ("arr_", 10), or ("Z", None)."""
    found = _NUMBERED.fullmatch(key)
    return (found[1], int(found[2])) if found else (key, None)


@dataclass(frozen=True)
class NumberedMatrices:
    """Matrices whose names begin alike; together they are called ``"arr_*"``, for example."""

    stem: str
    matrices: Mapping[str, Any]
    """By name, in the order of the numbers."""
    beside: Mapping[str, Any]
    """Other matrices, which may be no draws."""
    name: str
    """What complaints call the entries."""

    @classmethod
    def among(
        cls, entries: Mapping[str, Any], hidden: Collection[str], name: str, *, least: int
    ) -> list[NumberedMatrices]:
        """All groups of at least so many."""
        flat = {k: v for k, v in entries.items() if k not in hidden and depth(v) == 2}
        stems: dict[str, list[str]] = {}
        for key in sorted(flat, key=lambda key: number_of(key)[1] or 0):
            stem, number = number_of(key)
            if number is not None:
                stems.setdefault(stem, []).append(key)
        groups = {stem: keys for stem, keys in stems.items() if len(keys) >= least}
        taken = {key for keys in groups.values() for key in keys}
        beside = {key: value for key, value in flat.items() if key not in taken}
        return [
            cls(stem, {key: entries[key] for key in keys}, beside, name)
            for stem, keys in groups.items()
        ]

    @property
    def variable(self) -> str:
        """What they are called together."""
        return f"{self.stem}*"

    def draws(self) -> DrawSource:
        """The draws."""
        keys = list(self.matrices)
        source = ListForm(list(self.matrices.values()), self.name).draws(None, Request())
        return replace(source, name=lambda b: f"{self.name}[{keys[b]!r}]")

    def describe(self) -> Variable:
        """What they hold, and why they may be no draws."""
        shapes = [np.shape(matrix) for matrix in self.matrices.values()]
        keys, n_rows = list(self.matrices), {shape[0] for shape in shapes}
        called, problem = f"{keys[0]} to {keys[-1]}", None
        if len(n_rows) > 1:
            problem = f"{called} have {min(n_rows)} to {max(n_rows)} rows; draws have one per item"
        for key, matrix in self.beside.items():
            if names_no_draws(key) or np.shape(matrix)[0] in n_rows:
                problem = problem or (
                    f"{called} may be a draw each, but {key!r} is beside them; "
                    f"variable={self.variable!r} reads them alone"
                )
        found = describe(
            self.draws(), "a matrix per draw", min(n_rows), [shape[1] for shape in shapes],
            name=self.variable, shown=called,
        )  # fmt: skip
        return replace(found, problem=found.problem or problem)


def stems_of(keys: Sequence[str]) -> set[str]:
    """What names begin with, without signs before their number."""
    return {number_of(key)[0].lower().rstrip("_.- ") for key in keys}
