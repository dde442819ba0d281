"""Random choices of the search go by weight: heavy draws come often, draws of weight 0 never."""

from collections import Counter

import numpy as np
import pytest

import fangs
from fangs.engine import ThreadedEngine
from fangs.loss import Objective
from fangs.search.local_search import LocalSearch
from fangs.search.perturb import FeatureExchange
from fangs.search.starts import random_walk

WEIGHTS = np.array([1, 0, 97, 1, 1])
# Each draw has a feature of its own, so that it can be recognised.
DRAWS = [np.eye(5, dtype=np.uint8)[:, [b]] for b in range(5)]


def test_walks_take_copies():
    info = fangs.Samples(DRAWS, weights=WEIGHTS).info
    rng = np.random.default_rng(0)
    counts = Counter(np.concatenate([random_walk(info, 10, rng) for _ in range(200)]).tolist())
    assert counts[1] == 0
    assert 0.95 < counts[2] / 2000 < 0.99
    assert sorted(random_walk(info, 100, rng).tolist()) == np.repeat(range(5), WEIGHTS).tolist()


def test_exchanged_features_come_from_heavy_draws():
    engine = ThreadedEngine(fangs.Samples(DRAWS, weights=WEIGHTS), 1)
    objective = Objective.of(engine.samples_info, 1.0)
    rng, counts = np.random.default_rng(2), Counter()
    for _ in range(200):
        search = LocalSearch(engine, objective, np.zeros((5, 0), dtype=np.uint8))
        FeatureExchange()(search, rng)
        counts[int(np.flatnonzero(search.matrix.any(axis=1))[0])] += 1
    assert counts[1] == 0
    assert counts[2] > 180


@pytest.mark.parametrize(
    "method",
    [
        lambda s, seed: fangs.estimate(s, n_init=1, n_sweet=1, n_iter=0, seed=seed),
        lambda s, seed: fangs.alternatives.deterministic(s, n_init=1, n_sweet=1, seed=seed),
        lambda s, seed: fangs.estimate(s, n_init=1, n_sweet=1, seed=seed),
    ],
    ids=["algorithm 1", "deterministic", "default"],
)
def test_baselines_are_heavy_draws(method):
    samples = fangs.Samples(DRAWS, weights=WEIGHTS)
    counts = Counter(method(samples, seed).search.starts[0].draw for seed in range(60))
    assert counts[1] == 0
    assert counts[2] > 50
