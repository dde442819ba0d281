"""Plots, pages and notebooks draw the same numbers: bars, steps, shades and orders."""

import base64
import re

import numpy as np
import pytest

import fangs
from fangs import plot
from fangs.report import charts, gather
from fangs.report.entries import ShownEntries
from fangs.report.sections.matrix import matrix_section
from fangs.report.sections.modes import modes_section
from support.pages import pixels


@pytest.fixture(params=[False, True], ids=["draws", "weighted"])
def given(request, draws):
    """Draws without and with weights, an estimate, and what a page knows of them."""
    samples = fangs.Samples(draws, weights=1 + 4 * (draws.chains == 3)) if request.param else draws
    found = fangs.estimate(samples, seed=1)
    return found, samples, gather.gather(found, samples, effort="quick")


def bars(chart):
    """Left ends and heights of the bars of a chart, in its own units."""
    place = r'<rect x="([^"]*)" y="[^"]*" width="[^"]*" height="([^"]*)"'
    return np.array(re.findall(place, chart), dtype=float).T


def on_one_line(first, second):
    """Whether two lists are the same but for units and origin, up to rounded pixels."""
    return np.allclose(second, np.polyval(np.polyfit(first, second, 1), first), atol=0.06)


def test_losses_have_the_same_bars_and_marks(given):
    found, samples, known = given
    ax, chart = plot.losses(found, samples), charts.loss_chart(known.ball)
    left, heights = bars(chart)
    flags = [float(x) for x in re.findall(r'<line x1="([^"]*)"[^>]*class="flag', chart)]
    drawn = [max(bar.get_x(), 0) for bar in ax.patches]
    lines = [line.get_xdata()[0] for line in ax.lines]
    assert len(left) == len(drawn) > 5
    assert on_one_line([*drawn, *lines], [*left, *flags])
    assert on_one_line([0, *(bar.get_height() for bar in ax.patches)], [0, *heights])


def test_numbers_of_features_have_the_same_shares(given):
    found, samples, known = given
    chart = charts.number_chart(known.summary.n_features, found.n_features)
    shares = [bar.get_height() for bar in plot.n_features(samples).patches]
    assert on_one_line([0, *shares], [0, *bars(chart)[1]])


def test_the_path_has_the_same_steps_symbols_and_bands(given):
    _, samples, known = given
    path = fangs.sparsity_path(samples, a=[0.1, 1.0, 1.9], seed=1)
    ax, chart = plot.path(path, samples=samples), charts.path_chart(path, known.summary.n_features)
    *bands, steps = ax.patches
    heights, ends, _ = steps.get_data()
    course = re.search(r'points="([^"]*)"', chart)[1].split()
    x, y = np.array([point.split(",") for point in course], dtype=float).T
    assert on_one_line(np.repeat(ends, 2)[1:-1], x)
    symbols = np.array(re.findall(r'cx="([^"]*)" cy="([^"]*)"', chart), dtype=float).T
    assert on_one_line(ax.lines[0].get_xdata(), symbols[0])
    drawn = [*np.repeat(heights, 2), *ax.lines[0].get_ydata()]
    assert on_one_line(drawn, [*y, *symbols[1]])
    opacities = [float(o) / 0.7 for o in re.findall(r'fill-opacity="([^"]*)"', chart)]
    assert np.allclose(opacities, [band.get_alpha() / 0.5 for band in bands], atol=0.001)
    assert max(opacities) == 1


def test_an_estimate_has_the_same_shades_in_the_same_order(given):
    found, _, known = given
    shown = plot.allocation(found).images[0].get_array()
    for markup in (matrix_section(known), found._repr_html_()):
        assert np.allclose(next(pixels(markup)), shown, atol=0.51 / 127)
    entries = ShownEntries.of(known)
    codes = entries.codes[entries.first]
    assert np.allclose((abs(codes) - 1) * np.sign(codes) / 1000, shown, atol=0.00051)


def test_the_least_sure_items_are_the_same(given):
    found, samples, known = given
    labels = plot.mismatches(found, samples, n_items=5).get_yticklabels()
    first = ShownEntries.of(known).orders["unsure"][:5]
    assert [label.get_text() for label in labels] == [found.items[i] for i in first]


def test_modes_have_the_same_shades_in_the_same_order(known):
    modes = known.modes
    shown = plot.modes(modes).images[0].get_array()
    width = modes.aligned()[0].shape[1]
    for k, values in enumerate(pixels(modes_section(known))):
        assert np.array_equal(values, shown[:, k * (width + 1) :][:, :width])
    assert np.array_equal(next(pixels(modes._repr_html_())), shown)  # the same gaps, too


def test_bounds_have_the_same_per_cents(draws, estimate):
    found = fangs.certify(estimate, draws, method="pairs")
    drawn = [line.get_ydata()[0] for line in plot.bounds(found).lines[:-1]]
    chart = base64.b64decode(re.search(r"base64,([^\"]*)", found._repr_html_())[1]).decode()
    written = re.findall(r"<title>\w+: ([\d.]+)</title>", chart)
    assert written == [f"{percent:.6g}" for percent in drawn]


def test_items_are_equally_alike(draws):
    few = draws.select(range(150))  # a notebook looks at 200 draws at most
    order = plot.item_order(np.round(fangs.pairwise_similarity(few), 1))
    image = plot.similarity(few, order=order).images[0]
    shown = np.clip(image.norm(image.get_array()), 0, 1)
    assert np.allclose(next(pixels(few._repr_html_())), shown, atol=0.51 / 127)
