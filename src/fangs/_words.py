"""Numbers in words that people read: rounded, and never with an exponent."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["rounded", "rounded_alike", "shortened", "span", "with_penalty"]


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


def with_penalty(a: float) -> str:
    """The penalty as the last argument of a call, where it is not the default.

    Examples
    --------
    >>> f"fangs.estimate(draws{with_penalty(1.7)})", f"fangs.estimate(draws{with_penalty(1.0)})"
    ('fangs.estimate(draws, a=1.7)', 'fangs.estimate(draws)')
    """
    return "" if a == 1 else f", a={a:g}"


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
