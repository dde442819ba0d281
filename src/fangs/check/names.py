"""Names of features: text that a person gives, or their numbers from 1 on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any


def as_feature_names(names: Any, *, n_features: int, name: str = "names") -> tuple[str, ...]:
    """One distinct name per feature.

    Examples
    --------
    >>> as_feature_names(["tall", "wide"], n_features=2)
    ('tall', 'wide')
    """
    if isinstance(names, str | bytes | Set | Mapping) or not isinstance(names, Iterable):
        raise TypeError(
            f"{name} is of type {type(names).__name__}; give a list, one name per feature in order"
        )
    found = tuple(str(one) for one in names)
    if len(found) != n_features:
        raise ValueError(
            f"{name} has {len(found)} names, but the estimate has {n_features} features; give one "
            "each"
        )
    if len(set(found)) != len(found):
        twice = next(one for one in found if found.count(one) > 1)
        raise ValueError(f"{name} has {twice!r} more than once; names must differ")
    return found


def feature_numbers(n_features: int) -> tuple[str, ...]:
    """What features without names are called: 1, 2, and so on.

    Examples
    --------
    >>> feature_numbers(3)
    ('1', '2', '3')
    """
    return tuple(str(j) for j in range(1, n_features + 1))


def feature_labels(names: Sequence[str]) -> list[str] | list[int]:
    """Names as labels of a table or array: whole numbers where features are only numbered.

    Examples
    --------
    >>> feature_labels(["1", "2"]), feature_labels(["2", "1"])
    ([1, 2], ['2', '1'])
    """
    if tuple(names) == feature_numbers(len(names)):
        return list(range(1, len(names) + 1))
    return list(names)
