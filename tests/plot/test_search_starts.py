"""The plot of the starts: which of them are drawn, and from where to where."""

from dataclasses import replace

import pytest

import fangs
from fangs import plot
from fangs.plot.search_starts import comparable_starts


def start(method, n_draws, loss=9.0):
    return fangs.results.Start(
        method=method, draw=None, initial_loss=10.0, loss=loss, flips=3, n_features=2,
        n_draws=n_draws,
    )  # fmt: skip


def lines(ax):
    return [(*line.get_xdata(), *line.get_ydata()) for line in ax.lines[:-1]]


def test_starts_run_from_their_first_to_their_last_loss(draws):
    found = fangs.estimate(draws, seed=1, n_init=6, n_sweet=2, n_iter=200)
    drawn = lines(plot.starts(found))
    assert len(drawn) == len(found.search.starts) == 6
    assert min(line[-1] for line in drawn) == found.expected_loss
    for made in found.search.starts:
        whole = (0, made.flips, made.initial_loss, made.loss) if made.flips else (0, made.loss)
        assert (whole if made.loss is not None else (0, made.initial_loss)) in drawn


def test_losses_over_a_subsample_are_not_drawn_with_those_over_all_draws(estimate):
    starts = (start("template", 256, 1.0), start("baseline", 256, None), start("subsample", 400))
    search = replace(estimate.search, starts=starts)
    ax = plot.starts(replace(estimate, search=search))
    assert lines(ax) == [(0, 3, 10.0, 9.0)]
    assert ax.get_legend().get_title().get_text() == "not drawn: 2 on a subsample"


@pytest.mark.parametrize(
    ("starts", "kept"),
    [
        ([], []),
        ([("template", 256), ("baseline", 256)], [0, 1]),  # interrupted on the subsample
        ([("template", 256), ("subsample", 400), ("subsample", 400)], [1, 2]),
        ([("template", 400), ("subsample", 400)], [1]),  # all draws, but only some items
        ([("template", 400), ("neighbour", 400)], [0, 1]),
    ],
)
def test_only_losses_over_the_same_draws_are_compared(starts, kept):
    made = [start(*each) for each in starts]
    assert comparable_starts(made) == [made[i] for i in kept]
