"""The picture of the features of each chain."""

import numpy as np
import pytest

import fangs
from fangs import plot


def names(axis):
    return [tick.get_text() for tick in axis.get_ticklabels()]


def test_rows_are_features_and_columns_chains(draws, estimate):
    found = fangs.align(estimate.named(["box", "step", "cross", "corner"]), draws).by_chain()
    ax = plot.by_chain(found)
    (image,) = ax.images
    np.testing.assert_array_equal(image.get_array(), found.shares.T)
    assert image.get_clim() == (0, 1)
    assert names(ax.yaxis) == ["box", "step", "cross", "corner"]
    assert names(ax.xaxis) == ["0", "1", "2", "3"]
    assert [text.get_text() for text in ax.texts] == [f"{100 * x:.0f}" for x in found.shares.T.flat]


def test_many_chains_have_shades_only(many):
    found = fangs.align(fangs.estimate(many, seed=1), many).by_chain()
    ax = plot.by_chain(found)
    assert not ax.texts
    assert ax.images[0].get_array().shape == found.shares.T.shape


def test_what_is_no_table_by_chain_is_refused(draws):
    with pytest.raises(
        TypeError, match=r"give a fangs.FeaturesByChain, from fangs.align\(...\).by_chain"
    ):
        plot.by_chain(draws)
