"""The picture of stability(): shares of entries, and distances of the replicates."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

import fangs
from fangs.plot.palette import INSIDE, NEUTRAL


@pytest.fixture(scope="module")
def found():
    draws = fangs.datasets.arrests()
    return fangs.stability(fangs.estimate(draws, seed=1), draws, n=20, seed=1)


def test_entries_are_shaded_by_share_and_coloured_by_membership(found):
    ax = fangs.plot.stability(found, order="given")
    wanted = np.where(found.matrix == 1, found.entries, -found.entries)
    assert np.array_equal(ax.images[0].get_array(), wanted)
    assert ax.get_title() == "Share of the replicates"
    assert [tick.get_text() for tick in ax.get_xticklabels()] == list("1234")


def test_distances_are_counted_and_the_same_estimate_is_blue(found):
    distances = fangs.plot.stability(found).figure.axes[1]
    bars = {round(bar.get_x() + bar.get_width() / 2): bar for bar in distances.patches}
    for distance, bar in bars.items():
        assert bar.get_height() == np.count_nonzero(found.distances == distance)
        assert to_hex(bar.get_facecolor()).upper() == (NEUTRAL if distance else INSIDE)
    assert sum(bar.get_height() for bar in bars.values()) == found.n
    assert distances.get_title() == f"{100 * found.identical:.0f} % the same"


def test_many_distances_are_put_together():
    rng = np.random.default_rng(2)
    draws = [(rng.random((300, 6)) < 0.5).astype(int) for _ in range(12)]
    found = fangs.stability(fangs.assess(draws[0], draws), draws, n=60, seed=1)
    assert len(np.unique(found.distances)) > 40
    distances = fangs.plot.stability(found).figure.axes[1]
    assert sum(bar.get_height() for bar in distances.patches) == 60


def test_on_axes_of_your_own_only_the_matrix_is_drawn(found):
    figure, axes = plt.subplots()
    assert fangs.plot.stability(found, ax=axes) is axes
    assert figure.axes == [axes]
    assert len(axes.images) == 1


def test_a_size_of_your_own(found):
    figure = fangs.plot.stability(found, figsize=(7, 4)).figure
    assert figure.get_size_inches().tolist() == [7, 4]
