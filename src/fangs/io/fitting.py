"""Which of several variables of a file may be the draws: those whose first draw is of 0 and 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from fangs.interop.given import is_binary
from fangs.io.inspect import Variable
from fangs.io.source import DrawSource

__all__ = ["fitting", "one_fitting", "unfit"]


def fitting(names: Iterable[str], source_of: Callable[[str], DrawSource]) -> list[str]:
    """Of these variables, those whose first draw holds 0 and 1 alone, or padding.

    Other variables, such as parameters of the features, may have as many dimensions as draws have.
    """
    return [name for name in names if _fits(name, source_of)]


def one_fitting(names: Iterable[str], source_of: Callable[[str], DrawSource]) -> str:
    """The only variable that fits; refused where none does or several do."""
    names = list(names)
    found = fitting(names, source_of)
    if not found:
        listed = ", ".join(names[:8])
        raise ValueError(f"none of its variables holds draws of 0 and 1; it has {listed}")
    if len(found) > 1:
        raise ValueError(
            f"several variables could be the draws ({', '.join(found[:8])}); say which: "
            f"variable={found[0]!r}"
        )
    return found[0]


def unfit(name: str, what: str) -> Variable:
    """What is said of a variable that has the dimensions of draws, but not their values."""
    return Variable(name, what, problem=f"{what}; its first draw has values other than 0 and 1")


def _fits(name: str, source_of: Callable[[str], DrawSource]) -> bool:
    try:
        first = list(source_of(name).read(np.zeros(1, dtype=np.int64)))
    except ValueError:
        return False
    return bool(first) and is_binary(np.asarray(first[0]))
