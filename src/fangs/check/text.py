"""The words of complaints and prints: numbers rounded, lists joined, labels that can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def rounded(number: float, figures: int = 3) -> str:
    """A number to so many figures, without an exponent; whole digits are never dropped.

    Examples
    --------
    >>> rounded(24.8825), rounded(1234.5), rounded(0.04), rounded(170.0, 2), rounded(0.00001234)
    ('24.9', '1,234', '0.04', '170', '0.0000123')
    >>> rounded(24.8825, 6), rounded(24882.5, 6), rounded(1234567.8, 6), rounded(100.0, 2)
    ('24.8825', '24,882.5', '1,234,568', '100')
    """
    text = f"{number:,.{figures}g}"
    mantissa, exponent, power = text.partition("e")
    if not exponent:
        return text
    if int(power) > 0:
        return f"{number:,.0f}"
    decimals = len(mantissa.lstrip("-").replace(".", "")) - 1 - int(power)
    return f"{number:.{decimals}f}"


def rounded_alike(numbers: Sequence[float], figures: int = 6) -> list[str]:
    """Numbers of one column, with equally many decimals: the largest has at most `figures` figures.

    Examples
    --------
    >>> rounded_alike([10.89361, 24.41, 9.0]), rounded_alike([78.0, 1.0]), rounded_alike([1234.5])
    (['10.8936', '24.4100', '9.0000'], ['78', '1'], ['1,234.5'])
    """
    whole = len(f"{max(map(abs, numbers), default=0.0):.0f}")
    decimals = max(figures - whole, 0)
    while decimals and all(round(x, decimals) == round(x, decimals - 1) for x in numbers):
        decimals -= 1
    return [f"{number:,.{decimals}f}" for number in numbers]


def span(numbers: Sequence[float]) -> str:
    """The smallest and the largest of some numbers; one number where they are the same.

    Examples
    --------
    >>> span([78.0, 5.0, 9.0]), span([4.0, 4.0]), span([])
    ('5 to 78', '4', '–')
    """
    ends = dict.fromkeys((rounded(min(numbers), 6), rounded(max(numbers), 6)) if numbers else "–")
    return " to ".join(ends)


def shortened(label: str, longest: int) -> str:
    """A label that is too long without its middle: the ends tell labels apart.

    Examples
    --------
    >>> shortened("patient with a long name 17", 18)
    'patient …g name 17'
    >>> shortened("short", 18)
    'short'
    """
    if len(label) <= longest:
        return label
    last = longest // 2
    return f"{label[: longest - last - 1]}…{label[len(label) - last :]}"


def visible(value: Any) -> str:
    r"""Text in which every character can be seen: others, such as escape codes, are written out.

    Examples
    --------
    >>> print(visible("red: \x1b[31m, two\nlines"), visible("grün"))
    red: \x1b[31m, two\nlines grün
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


FEW_DRAWS = 100
"""Below this number of draws, or of effective draws, there is a warning."""
FEW_EFFECTIVE = 200
"""Below this effective number of independent draws, a longer run is advised."""


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


def with_error(number: float, error: float | None) -> str:
    """A number and its standard error, to the digits that the error supports: two figures of it.

    Where the error is 0 or unknown, the number alone.

    Examples
    --------
    >>> with_error(28.172, 1.204), with_error(1234.5, 0.0996), with_error(1234.5, 118.0)
    ('28.2 ± 1.2', '1,234.50 ± 0.10', '1,234 ± 118')
    >>> with_error(28.172, 0.0), with_error(28.172, None)
    ('28.172', '28.172')
    """
    if not error:
        return rounded(number, 6)
    exponent = int(f"{error:.1e}".partition("e")[2])
    decimals = max(0, 1 - exponent)
    return f"{number:,.{decimals}f} ± {error:,.{decimals}f}"


def join_words(words: Iterable[str], conjunction: str = "and") -> str:
    """Words with commas, the last two with an "and" or another conjunction.

    Examples
    --------
    >>> join_words(["a", "b", "c"]), join_words(["a"]), join_words([".npz", ".csv"], "or")
    ('a, b and c', 'a', '.npz or .csv')
    """
    *first, last = words
    return f"{', '.join(first)} {conjunction} {last}" if first else last


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
