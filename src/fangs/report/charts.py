"""Charts as inline SVG. The style sheet of the page colours them, in light and dark."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor

import numpy as np

from fangs.check.text import rounded, shortened
from fangs.path.sparsity import SparsityPath
from fangs.posterior.ball import CredibleBall
from fangs.posterior.intervals import Distribution
from fangs.report.markup import Html, element, join, void

WIDTH, HEIGHT = 360.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 22.0, 36.0
FEW = 16
"""Width of an axis up to which each whole number has a mark."""


@dataclass(frozen=True)
class Frame:
    """The plotting area, and where values lie in it."""

    x: tuple[float, float]
    y: tuple[float, float]

    def across(self, value: float) -> float:
        """Horizontal position of a value."""
        share = (value - self.x[0]) / ((self.x[1] - self.x[0]) or 1.0)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def up(self, value: float) -> float:
        """Vertical position of a value."""
        share = (value - self.y[0]) / ((self.y[1] - self.y[0]) or 1.0)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def axes(
        self,
        x_label: str,
        y_label: str,
        *,
        percent: bool = False,
        whole: bool = False,
        counted: bool = False,
    ) -> Html:
        """Axes with round numbers; `whole` marks every whole number of a few.

        Where the heights are `counted`, they have no fractions.
        """
        bottom = HEIGHT - BOTTOM
        pieces = [_line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis")]
        marks = ticks(*self.x)
        if whole and self.x[1] - self.x[0] <= FEW:
            marks = [float(k) for k in range(ceil(self.x[0]), floor(self.x[1]) + 1)]
        for value in marks:
            pieces.append(_text(self.across(value), bottom + 13, rounded(value, 6), "middle"))
        for value in ticks(*self.y, about=6 if counted else 4, least=1.0 if counted else 0.0):
            height = self.up(value)
            shown = f"{100 * value:g} %" if percent else rounded(value, 6)
            pieces += [
                _line(LEFT, height, WIDTH - RIGHT, height, "grid"),
                _text(LEFT - 4, height + 3.5, shown, "end"),
            ]
        pieces.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, x_label, "middle"))
        pieces.append(_text(2, 11, y_label, "start"))
        return join(pieces)


def ticks(low: float, high: float, *, about: int = 6, least: float = 0.0) -> list[float]:
    """Round numbers from low to high, at least `least` apart.

    Examples
    --------
    >>> ticks(0, 10), ticks(0, 1.5, least=1.0)
    ([0.0, 2.0, 4.0, 6.0, 8.0, 10.0], [0.0, 1.0])
    """
    rough = (high - low) / about or 1.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = max(next(s * power for s in (1, 2, 5, 10) if s * power >= rough * 0.999), least)
    first = np.ceil(low / step - 1e-9)
    return [float(round(k * step, 10)) + 0.0 for k in np.arange(first, high / step + 1e-9)]


def number_chart(posterior: Distribution, marked: int) -> Html:
    """Bars for a whole number's distribution, with one number marked."""
    values, shares = posterior.values.tolist(), posterior.probabilities.tolist()
    frame = Frame(
        (min(*values, marked) - 0.8, max(*values, marked) + 0.8), (0.0, max(shares) * 1.3)
    )
    pieces = [frame.axes("number of features", "share of draws", percent=True, whole=True)]
    for value, share in zip(values, shares, strict=True):
        kind = "mark" if value == marked else "bar"
        x, y = (value - 0.4, value + 0.4), (0.0, share)
        pieces.append(_rectangle(frame, x, y, _share(value, share), class_=kind))
    pieces.append(_flag(frame, marked, f"estimate: {marked}", "inside"))
    return _svg(pieces, "Posterior distribution of the number of features")


def loss_chart(ball: CredibleBall) -> Html:
    """Histogram of losses, with their mean and the radius of the credible ball."""
    heights, edges = ball.histogram()
    is_weighted = ball.weights is not None
    frame = Frame(
        (0.0, float(max(edges[-1], ball.radius)) * 1.02 or 1.0), (0.0, float(heights.max()) * 1.3)
    )
    label = "share of the weight" if is_weighted else "draws"
    pieces = [frame.axes("loss from the estimate", label, percent=is_weighted)]
    for height, left, right in zip(heights.tolist(), edges, edges[1:], strict=False):
        share = f"{rounded(100 * height)} % of the weight" if is_weighted else f"{height:g} draws"
        note = f"loss {rounded(max(left, 0.0), 4)} to {rounded(right, 4)}: {share}"
        x, y = (max(left, 0.0), right), (0.0, height)
        pieces.append(_rectangle(frame, x, y, note, class_="bar"))
    mean = f"mean {rounded(ball.expected_loss, 4)}"
    pieces.append(_flag(frame, ball.expected_loss, mean, "inside"))
    pieces.append(_flag(frame, ball.radius, f"radius {rounded(ball.radius, 4)}", "outside"))
    return _svg(pieces, "Losses of the draws, with the radius of the credible ball")


def path_chart(path: SparsityPath, posterior: Distribution | None = None) -> Html:
    """Features against the penalty as steps, over the posterior of their number."""
    heights, ends = path.steps("n_features")
    numbers = [*path.n_features.tolist(), *heights.tolist(), 1]
    if posterior is not None:
        numbers += posterior.values.tolist()
    frame = Frame((0.0, 2.0), (0.0, max(numbers) + 0.5))
    pieces = [] if posterior is None else _bands(frame, posterior)
    label = "features (shaded: posterior)" if posterior is not None else "features"
    pieces.append(frame.axes("a", label, counted=True))
    steps = zip(heights, pairwise(ends.tolist()), strict=True)
    corners = [(frame.across(a), frame.up(k)) for k, both in steps for a in both]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    pieces.append(element("polyline", points=joined, class_="course"))
    for a, k in zip(path.a, path.n_features.tolist(), strict=True):
        x, y = frame.across(a), frame.up(k)
        note = element("title", f"a = {a:g}: {k} features")
        pieces.append(element("circle", note, cx=f"{x:.1f}", cy=f"{y:.1f}", r=3.5, class_="point"))
    return _svg(pieces, "Number of features of the estimate against a")


def _bands(frame: Frame, posterior: Distribution) -> list[Html]:
    """A band across the frame for each value of the posterior, the stronger the more likely."""
    bands = []
    shares = zip(posterior.values, posterior.probabilities, posterior.strengths, strict=True)
    for value, share, strength in shares:
        low, high = max(value - 0.5, frame.y[0]), value + 0.5
        look = {"class_": "band", "fill_opacity": f"{0.7 * strength:.3f}"}
        bands.append(_rectangle(frame, frame.x, (low, high), _share(value, share), **look))
    return bands


def bar_chart(values: Mapping[str, float], title: str, *, full: float | None = None) -> Html:
    """Named bars from left to right with their values; `full` is 100 % of values in per cent.

    The lowest is marked, or the highest where `full` is given.
    """
    left, row = min(7.0 * max(map(len, values), default=0) + 8, WIDTH * 0.45), 20.0
    widest = full or max([*values.values(), 0.0]) or 1.0
    best = (max if full else min)(values.values(), default=0.0)
    pieces = []
    for k, (name, value) in enumerate(values.items()):
        width = (WIDTH - left - 60) * min(max(value / widest, 0.0), 1.0)
        kind = "mark" if value == best else "bar"
        shown = f"{floor(10 * value + 1e-6) / 10:g} %" if full else rounded(value, 5)
        place = {"x": f"{left:.1f}", "y": k * row + 3, "width": f"{width:.2f}", "height": row - 6}
        pieces += [
            _text(left - 6, k * row + 14, shortened(name, 22), "end"),
            element("rect", element("title", f"{name}: {rounded(value, 6)}"), **place, class_=kind),
            _text(left + width + 5, k * row + 14, shown, "start"),
        ]
    return _svg(pieces, title, height=max(len(values), 1) * row)


STYLE = """
text { fill: #808080; font: 10.5px system-ui, sans-serif } .bar, .band { fill: #99a3ad }
.mark, .point { fill: #2b8cc4 } .axis { stroke: #808080 }
.grid { stroke: #808080; stroke-opacity: .3; stroke-width: .6 }
.flag { stroke-width: 1.6; stroke: #2b8cc4 }
.flag.outside { stroke: #d55e00; stroke-dasharray: 4 3 }
.course { fill: none; stroke: #2b8cc4; stroke-width: 1.8 }
"""
"""Colours for charts outside the report; they can be read on white and on black."""


def chart_image(chart: Html, *, alt: str, width: int = 300) -> Html:
    """A chart as an image of its own, for places whose style sheet is not ours."""
    shape = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', chart)
    assert shape is not None
    height = round(width * float(shape[2]) / float(shape[1]))
    alone = chart.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    at = alone.index(">") + 1
    alone = f"{alone[:at]}<style>{STYLE}</style>{alone[at:]}"
    source = "data:image/svg+xml;base64," + base64.b64encode(alone.encode()).decode()
    return void(
        "img", src=source, alt=alt, style=f"width:{width}px;height:{height}px;max-width:none"
    )


def _svg(pieces: Sequence[Html], title: str, *, height: float = HEIGHT) -> Html:
    return element(
        "svg",
        element("title", title),
        join(pieces),
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        role="img",
        class_="chart",
    )


def _share(value: int, share: float) -> str:
    return f"{value} features: {100 * share:.1f} % of the draws"


def _rectangle(
    frame: Frame,
    x: tuple[float, float],
    y: tuple[float, float],
    note: str,
    **look: str,
) -> Html:
    left, right, top, bottom = *map(frame.across, x), frame.up(y[1]), frame.up(y[0])
    place = {"x": left, "y": top, "width": max(right - left - 0.5, 0.5), "height": bottom - top}
    shown = {name: f"{value:.2f}" for name, value in place.items()}
    return element("rect", element("title", note), **shown, **look)


def _flag(frame: Frame, value: float, label: str, kind: str) -> Html:
    x = frame.across(value)
    near_end = x > WIDTH * 0.7
    high = TOP if kind == "inside" else TOP + 12
    return join(
        [
            _line(x, high, x, HEIGHT - BOTTOM, f"flag {kind}"),
            _text(x + (-4 if near_end else 4), high + 8, label, "end" if near_end else "start"),
        ]
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return element("line", **{key: f"{value:.1f}" for key, value in ends.items()}, class_=kind)


def _text(x: float, y: float, words: str, anchor: str) -> Html:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
