"""Feature exchange: one feature is dropped, added or replaced by one that some draw has."""

from collections import Counter

import numpy as np
import pytest

from fangs.search.perturb import FeatureExchange
from oracles import reference as ref
from support.searches import overlap_score, search_from
from support.strategies import noisy_draws, random_allocation


def features(matrix):
    """The nonempty features, each as bytes, with how often they occur."""
    columns = ref.without_empty_features(matrix).astype(np.uint8).T
    return Counter(column.tobytes() for column in columns)


def test_an_exchange_changes_one_feature():
    rng = np.random.default_rng(6)
    draws = noisy_draws(rng, 7, 4, 9)
    of_draws = set().union(*(features(draw) for draw in draws))
    kinds = Counter()
    for _ in range(300):
        search = search_from(random_allocation(rng, 7, int(rng.integers(0, 4))), draws, 1.0)
        before = features(search.matrix)
        FeatureExchange()(search, rng)
        after = features(search.matrix)
        lost, gained = before - after, after - before
        assert lost.total() <= 1
        assert gained.total() <= 1
        assert set(gained) <= of_draws
        kinds[lost.total(), gained.total()] += 1
        assert search.score == overlap_score(search, draws)
        assert not search.matrix.any(axis=0).all(), "no room for a birth"
    assert min(kinds[1, 0], kinds[0, 1], kinds[1, 1]) > 30


@pytest.mark.parametrize(
    ("start", "n_others", "wanted"),
    [(np.eye(2), 0, {1}), ([[], []], 0, {0}), ([[], []], 1, {0, 1})],
)
def test_draws_without_features_have_none_to_give(start, n_others, wanted):
    draws = [np.zeros((2, 0), dtype=int)] * 3 + [np.ones((2, 1), dtype=int)] * n_others
    ends = set()
    for seed in range(30):
        search = search_from(start, draws, 1.0)
        FeatureExchange()(search, np.random.default_rng(seed))
        ends.add(search.n_features)
    assert ends == wanted
