"""The plots, judged by their artists: what is drawn where, in which colour, with which words."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

import fangs
from fangs import plot
from fangs.plot.palette import INSIDE, OUTSIDE


def labels(axis):
    return [tick.get_text() for tick in axis.get_ticklabels()]


def small(items=("ann", "$b", "c" * 30)):
    matrix = [[0, 1], [1, 0], [1, 1]]
    return fangs.assess(matrix, fangs.Samples([matrix, matrix, [[0], [1], [1]]], items=items))


def test_an_allocation_is_shaded_by_share_and_coloured_by_membership(estimate):
    ax = estimate.plot(order="given")
    (image,) = ax.images
    signed = np.where(estimate.matrix == 1, estimate.proportions, -estimate.proportions)
    np.testing.assert_array_equal(image.get_array(), signed)
    assert to_hex(image.cmap(image.norm(1.0))).upper() == INSIDE
    assert to_hex(image.cmap(image.norm(-1.0))).upper() == OUTSIDE
    assert image.cmap(image.norm(0.0)) == pytest.approx(ax.get_facecolor(), abs=0.01)


@pytest.mark.parametrize("order", ["left", "leaf", "given"])
def test_rows_and_labels_move_together(order):
    found = small()
    ax = plot.allocation(found, order=order)
    shown = ax.images[0].get_array()
    names = {"ann": 0, "$b": 1, "c" * 11 + "…" + "c" * 12: 2}
    for row, label in enumerate(labels(ax.yaxis)):
        assert (shown[row] > 0).tolist() == (found.matrix[names[label]] == 1).tolist()
    assert labels(ax.xaxis) == ["1", "2"]


def test_orders_put_like_rows_together(estimate):
    for order in ("left", "leaf"):
        rows = estimate.matrix[plot.item_order(estimate.matrix, order)]
        changes = (rows[1:] != rows[:-1]).any(axis=1).sum()
        assert changes == len(np.unique(estimate.matrix, axis=0)) - 1
    assert plot.item_order([[0], [1]], [1, 0]).tolist() == [1, 0]


def test_labels_are_not_read_as_formulas():
    ax = plot.allocation(small(items=("$\\frac$", "$x_{", "plain")))
    ax.figure.canvas.draw()
    assert "$\\frac$" in labels(ax.yaxis)


def test_a_comparison_marks_each_difference_once():
    first, second = [[1, 0], [1, 1], [0, 1]], [[0, 1], [1, 1], [1, 1]]
    ax = plot.comparison(first, second, order="given", names=("ours", "theirs"))
    shown = ax.images[0].get_array()
    # Column 2 of the second stands for column 1 of the first; they differ in the last item.
    assert shown.tolist() == [[1, 0, 0, 1, 0], [1, 1, 0, 1, 1], [0, 1, 0, -1, 1]]
    (crosses,) = ax.collections
    assert crosses.get_offsets().tolist() == [[0, 2]]
    assert [text.get_text() for text in ax.texts] == ["ours", "theirs"]


def test_a_comparison_keeps_features_that_match_nothing():
    ax = plot.comparison([[1], [0]], [[0, 1], [1, 0]], order="given")
    assert ax.images[0].get_array().tolist() == [[1, 0, 0, 1, 0], [0, 0, 0, 0, -1]]


def test_the_posterior_of_k_has_the_shares_and_the_mark(draws, estimate):
    ax = plot.n_features(draws, estimate=estimate)
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in ax.patches}
    assert heights == {k: pytest.approx(np.mean(draws.n_features == k)) for k in heights}
    assert sum(heights.values()) == pytest.approx(1)
    (line,) = ax.lines
    assert line.get_xdata()[0] == estimate.n_features
    assert [to_hex(bar.get_facecolor()).upper() == INSIDE for bar in ax.patches].index(True) == 0


def test_losses_show_mean_and_radius(draws, estimate):
    ax = plot.losses(estimate, draws, level=0.5)
    assert sum(bar.get_height() for bar in ax.patches) == len(draws)
    mean, radius = (line.get_xdata()[0] for line in ax.lines)
    assert mean == pytest.approx(estimate.losses.mean())
    assert radius == np.sort(estimate.losses)[199]


def test_feature_sizes_show_the_interval_of_each(draws, estimate):
    ax = plot.feature_sizes(estimate, draws)
    segments = ax.collections[0].get_segments()
    found = fangs.summary(estimate, draws).features
    assert [segment[:, 1].tolist() for segment in segments] == found.size_interval.tolist()
    assert ax.lines[1].get_ydata().tolist() == estimate.matrix.sum(axis=0).tolist()


def test_bars_of_whole_losses_hold_equally_many_values_each(draws, estimate):
    edges = np.array([bar.get_x() for bar in plot.losses(estimate, draws).patches])
    widths = np.diff(edges)
    assert (edges % 1 == 0.5).all()  # no loss lies on an edge
    assert (widths == widths[0]).all()
    matrix, others = [[1], [1]], [[[1], [0]], [[1], [1]], [[0], [0]]]
    ax = plot.losses(fangs.assess(matrix, others, a=0.75), others)
    assert sum(bar.get_height() for bar in ax.patches) == 3


def test_mismatches_show_the_least_sure_items_and_why(draws):
    found = fangs.estimate(draws, a=1.25, seed=1)
    ax = plot.mismatches(found, draws, n_items=7)
    items = fangs.summary(found, draws).items
    worst = np.argsort(-items.mismatch, kind="stable")[:7]
    assert labels(ax.yaxis) == [draws.items[i] for i in worst]
    present, left_out = (np.array([bar.get_width() for bar in bars]) for bars in ax.containers)
    np.testing.assert_allclose(present + left_out, items.mismatch[worst])
    lacking = [
        [1.25 * (e == 1 and not z) for e, z in zip(found.matrix[i], row, strict=True)]
        for i in worst
        for row in fangs.align(found, draws).draws()[:, i]
    ]
    expected = np.array(lacking).sum(axis=1).reshape(7, len(draws)).mean(axis=1)
    np.testing.assert_allclose(present, expected, atol=1e-12)
    assert ax.get_ylim() == (6.5, -0.5)  # the least sure on top
    assert len(labels(plot.mismatches([[1], [0]], [[[1], [1]]]).yaxis)) == 2


def test_ticks_fit_the_room_that_labels_and_colours_leave():
    matrix = np.ones((20, 80), dtype=int)
    names = [f"patient with a long name, number {i}" for i in range(20)]
    ax = fangs.assess(matrix, fangs.Samples([matrix], items=names)).plot(figsize=(4, 4))
    ax.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert len(boxes) > 1
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_labels_are_longer_where_they_would_be_the_same():
    names = [f"patient with a long name and number {i:04d} of site 1" for i in (17, 117, 217)]
    shown = labels(plot.allocation(small(items=names)).yaxis)
    assert len(set(shown)) == 3
    assert {len(name) for name in shown} == {32}
    shown = labels(plot.allocation(small(items=[name[:-10] for name in names])).yaxis)
    assert all(name.startswith("patient wi") and len(name) == 24 for name in shown)


def test_labels_and_sizes_of_figures_can_be_given(draws, estimate):
    found = small()
    ax = found.plot(order=[2, 0, 1], labels=["x", "y", "z"], figsize=(4, 3))
    assert labels(ax.yaxis) == ["z", "x", "y"]
    assert ax.figure.get_size_inches().tolist() == [4, 3]
    for picture in (plot.losses, plot.feature_sizes, plot.mismatches):
        assert picture(estimate, draws, figsize=(4, 3)).figure.get_size_inches()[0] == 4


def test_similarity_is_ordered_on_both_sides(draws):
    order = np.arange(draws.n_items)[::-1]
    ax = plot.similarity(draws, order=order, cmap="magma")
    shared = fangs.pairwise_similarity(draws)[::-1, ::-1]
    np.testing.assert_array_equal(ax.images[0].get_array(), shared)
    assert ax.images[0].cmap.name == "magma"


def test_the_path_shows_features_and_ones_over_the_posterior(draws):
    path = fangs.sparsity_path(draws, a=[0.1, 1.0, 1.9], seed=1)
    ax = plot.path(path, samples=draws)
    assert ax.lines[0].get_ydata().tolist() == path.n_features.tolist()
    right = next(other for other in ax.figure.axes if other is not ax)
    assert right.lines[0].get_ydata().tolist() == path.n_ones.tolist()
    *bands, steps = ax.patches
    heights, edges, _ = steps.get_data()
    assert heights.tolist() == [segment.n_features for segment in path.segments]
    assert edges.tolist() == [*(float(s.interval.low) for s in path.segments), 2.0]
    strongest = max(bands, key=lambda band: band.get_alpha())
    assert strongest.get_y() + 0.5 == np.bincount(draws.n_features).argmax()


def test_bounds_are_shares_of_the_loss_and_break_where_there_is_none():
    def certificate(a, loss, **bounds):
        best = max(bounds, key=bounds.get)
        return fangs.results.Certificate(bounds[best], loss, a, bounds[best] == loss, best, bounds)

    found = [
        certificate(1.5, 4.0, items=1.0, pairs=2.0, dual=4.0),
        certificate(1.0, 5.0, items=4.0, pairs=4.5),
        certificate(0.5, 0.0, items=0.0),
    ]
    lines = {line.get_label(): line for line in plot.bounds(found).lines}
    assert lines["by items"].get_xdata().tolist() == [0.5, 1.0, 1.5]
    assert lines["by items"].get_ydata().tolist() == [100.0, 80.0, 25.0]
    np.testing.assert_array_equal(lines["by pairs"].get_ydata(), [np.nan, 90.0, 50.0])
    np.testing.assert_array_equal(lines["by dual"].get_ydata(), [np.nan, np.nan, 100.0])
    alone = plot.bounds(found[1])
    assert [line.get_label() for line in alone.lines[:-1]] == ["by items", "by pairs"]


def test_chains_show_separation_and_distance(draws):
    found = fangs.compare_chains(draws, seed=1)
    ax = plot.chains(found)
    np.testing.assert_array_equal(ax.images[0].get_array(), found.separation)
    assert [text.get_text() for text in ax.texts] == [f"{d:g}" for d in found.distances.flat]


def test_given_axes_are_drawn_on_and_returned(draws, estimate):
    figure, axes = plt.subplots(1, 4)
    assert estimate.plot(ax=axes[0], colorbar=False) is axes[0]
    assert plot.n_features(draws, ax=axes[1]) is axes[1]
    assert plot.losses(estimate, draws, ax=axes[2]) is axes[2]
    assert plot.feature_sizes(estimate, draws, ax=axes[3]) is axes[3]
    assert plt.get_fignums() == [figure.number]


def test_styles_are_respected(draws, estimate):
    with plt.style.context(["dark_background", {"axes.grid": True}]):
        ax = plot.similarity(draws, order="given")
        for axes in (ax, estimate.plot(), plot.comparison(estimate, draws[0])):
            lines = [*axes.get_xgridlines(), *axes.get_ygridlines()]
            assert not any(line.get_visible() for line in lines)
        assert ax.images[0].cmap.name == plt.rcParams["image.cmap"]
        assert to_hex(ax.get_facecolor()) == "#000000"
        image = estimate.plot().images[0]
        assert image.cmap(image.norm(0.0))[:3] == pytest.approx((0, 0, 0), abs=0.01)
    with plt.rc_context({"figure.figsize": (3, 2), "image.cmap": "cividis"}):
        assert plot.n_features(draws).figure.get_size_inches().tolist() == [3, 2]
        assert plot.similarity(draws, order="given").images[0].cmap.name == "cividis"


def test_odd_estimates_can_be_drawn():
    nothing = fangs.assess(np.zeros((3, 0)), [np.zeros((3, 0)), np.ones((3, 1))])
    one = fangs.assess([[1]], [[[1]], [[0]]])
    for found in (nothing, one):
        found.plot().figure.canvas.draw()
        plot.comparison(found, found).figure.canvas.draw()
        samples = [found.matrix] * 3
        plot.n_features(samples, estimate=found).figure.canvas.draw()
        plot.losses(found, samples).figure.canvas.draw()
        plot.feature_sizes(found, samples).figure.canvas.draw()
        plot.similarity(samples).figure.canvas.draw()


def names(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_an_entry_has_the_shade_of_the_highest_level_it_reaches(estimate):
    shares = (0.9, 0.2, 0.5)  # in any order
    ax = plot.levels(estimate, shares=shares, order="given")
    reached = np.zeros(estimate.matrix.shape)
    for share in shares:
        reached += estimate.proportions >= share
    np.testing.assert_array_equal(ax.images[0].get_array(), reached)
    assert names(ax)[2] == f"90 %: {int((reached == 3).sum())} entries, 4 features"


def test_features_without_an_entry_at_a_level_are_not_counted():
    draws = [[[1, 0], [0, 1]]] * 6 + [[[1], [0]]] * 4
    ax = plot.levels(fangs.estimate(draws, seed=1), shares=[0.5, 0.9])
    assert names(ax) == ["50 %: 2 entries, 2 features", "90 %: 1 entry, 1 feature"]


def test_an_estimate_without_features_has_a_picture():
    ax = plot.levels(fangs.estimate([np.zeros((3, 0))] * 4, seed=1))
    assert ax.images[0].get_array().tolist() == [[0.0]] * 3


def test_modes_are_shown_side_by_side_with_their_differences(draws):
    found = fangs.modes(draws, seed=1)
    ax = plot.modes(found, order="given")
    first, second = found.aligned()
    both = np.where(first & second, 1, -1)
    expected = np.hstack([first * both, np.zeros((100, 1)), second * both])
    np.testing.assert_array_equal(ax.images[0].get_array(), expected)
    assert (expected == -1).sum() == found.distances[0, 1]
    assert [text.get_text() for text in ax.texts] == ["mode 1, 75 %", "mode 2, 25 %"]
    ax = plot.modes(fangs.modes(draws, n_modes=1, seed=1))  # one mode has no differences
    assert set(np.unique(ax.images[0].get_array())) == {0, 1}


def test_names_of_chains_do_not_overlap_and_are_inside_the_picture(many):
    ax = plot.chains(fangs.compare_chains(many, seed=1))
    ax.figure.canvas.draw()
    for axis, side in ((ax.xaxis, "x"), (ax.yaxis, "y")):
        shown = axis.get_ticklabels()
        assert len({label.get_text() for label in shown}) == 16
        boxes = [label.get_window_extent() for label in shown]
        ends = sorted((getattr(box, f"{side}0"), getattr(box, f"{side}1")) for box in boxes)
        assert all(end <= start + 1 for (_, end), (start, _) in pairwise(ends))
        assert axis.label.get_window_extent().y0 >= 0
    # The matrix takes a fair part of the picture.
    assert ax.get_window_extent().width > 0.3 * ax.figure.bbox.width


def test_the_path_of_other_draws_says_so_and_no_other_path_does():
    """These draws have chains in different modes, which is another note."""
    draws = fangs.datasets.example()
    path = fangs.sparsity_path(draws, a=[1.0], seed=1)
    assert path.estimates[0].note
    assert "other draws" not in fangs.plot.path(path, samples=draws).get_xlabel()
    assert "other draws" in fangs.plot.path(path, samples=draws[:99]).get_xlabel()
