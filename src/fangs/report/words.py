"""Numbers, times and lists in words."""

from __future__ import annotations

from collections.abc import Sequence

from fangs._words import rounded, rounded_alike, shortened, with_penalty

__all__ = [
    "DISAGREE",
    "FEW_DRAWS",
    "count",
    "count_effective",
    "listed",
    "rounded",
    "rounded_alike",
    "shortened",
    "time_taken",
    "with_penalty",
]

FEW_DRAWS = 100
"""Below this number of draws, or of effective draws, there is a warning."""
DISAGREE = 0.25
"""Share of the entries' variance between the chains from which on they are said to disagree.
Chains that agree have about one over the effective number of draws of a chain."""


def count(number: int, noun: str, *, plural: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> count(1, "draw"), count(2000, "draw"), count(2, "entry", plural="entries")
    ('1 draw', '2,000 draws', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def count_effective(effective_draws: float) -> str:
    """An effective sample size in words; whether it is small.

    Examples
    --------
    >>> count_effective(412.3), count_effective(3.21)
    ('412 equal draws', '3.21 equal draws: few draws carry most of the weight')
    """
    shown = f"{effective_draws:,.3g}" if effective_draws < FEW_DRAWS else f"{effective_draws:,.0f}"
    few = "" if effective_draws >= FEW_DRAWS else ": few draws carry most of the weight"
    return f"{shown} equal draws{few}"


def listed(words: Sequence[str]) -> str:
    """Words with commas and an "and".

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def time_taken(seconds: float) -> str:
    """A length of time to two figures.

    Examples
    --------
    >>> time_taken(0.0000712), time_taken(2.34), time_taken(123.4)
    ('under 0.001 s', '2.3 s', '123 s')
    """
    if seconds < 0.001:
        return "under 0.001 s"
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"
