"""Descents to the bottom: every step is exact, lowers the loss and holds the flips it should."""

from itertools import pairwise

import numpy as np
import pytest

import fangs
from fangs import sweeten
from fangs.engine import Engine
from fangs.loss import Objective
from fangs.simulate import posterior_like
from fangs.sweeten import Descent


def steps_of(n_items, n_features, *, a=0.3, seed=1):
    """The draws and all states of a descent from the first of them."""
    made = posterior_like(
        n_items, n_features, 60, density=0.3, noise=0.15, births=2, deaths=0.2, seed=seed
    )
    engine = Engine(made.draws)
    states = list(Descent(engine, np.asarray(made.draws[0])).states(Objective.of(engine, a)))
    return made.draws, Objective.of(engine, a), states


@pytest.mark.parametrize(("n_items", "n_features"), [(12, 3), (15, 20)])
def test_every_step_makes_its_flips_and_lowers_the_loss(n_items, n_features):
    draws, objective, states = steps_of(n_items, n_features)
    assert len(states) > 3
    for before, after in pairwise(states):
        expected = fangs.expected_loss(after.matrix, draws, a=objective.a)
        assert objective.loss_of_score(after.score) == expected
        if not after.flips:  # the last says only that it is the bottom, or columns were added
            assert after.score == before.score
            continue
        assert after.score < before.score
        assert after.n_flips == before.n_flips + len(after.flips)
        flipped = before.matrix.copy()
        for item, feature in after.flips:
            flipped[item, feature] ^= 1
        assert np.array_equal(after.matrix, flipped)
    assert states[-1].is_flip_optimal


def test_among_many_features_flips_made_at_once_have_nothing_in_common():
    _, _, states = steps_of(15, 20)
    assert max(len(state.flips) for state in states) > 5
    for state in states:
        items, features = zip(*state.flips, strict=True) if state.flips else ((), ())
        assert len(set(items)) == len(items)
        assert len(set(features)) == len(features)


def test_the_best_flip_of_each_item_is_chosen_in_order_of_worth():
    flips = np.array([7, 1, 6, 0, 4])  # items 2, 0, 2, 0, 1 of three features
    assert sweeten._apart(flips, 3).tolist() == [7, 1, 4]


def test_among_few_features_flips_of_one_item_are_kept_apart_after_they_failed(monkeypatch):
    log = []
    attempt, apart = sweeten.attempt, sweeten._apart

    def attempted(nearby, objective, state, batch):
        won = attempt(nearby, objective, state, batch)
        log.append(("worked" if won is not None else "failed", batch.tolist()))
        return won

    def set_apart(flips, n_features):
        chosen = apart(flips, n_features)
        items = (chosen // n_features).tolist()
        assert sorted(set(items)) == sorted(items)
        assert set(items) == set((flips // n_features).tolist())
        firsts = [flips[flips // n_features == item][0] for item in items]
        assert chosen.tolist() == firsts
        log.append(("apart", chosen.tolist()))
        return chosen

    monkeypatch.setattr(sweeten, "attempt", attempted)
    monkeypatch.setattr(sweeten, "_apart", set_apart)
    steps_of(20, 3, a=0.1)
    outcomes = [outcome for outcome, _ in log]
    assert outcomes[0] == "worked"
    first = outcomes.index("failed")
    assert outcomes.index("apart") == first + 1
    (_, together), (_, chosen), (_, tried) = log[first : first + 3]
    assert tried == chosen, "at once, before one by one"
    assert set(chosen) < set(together)
    assert outcomes[-1] == "worked"


def test_one_by_one_go_only_flips_that_are_apart(monkeypatch):
    apart, at_once, attempt = sweeten._apart, sweeten._at_once, sweeten.attempt
    last, in_a_row = [], 0

    def set_apart(flips, n_features):
        last[:] = apart(flips, n_features).tolist()
        return np.array(last)

    def new_round(flips, n_features, is_crowded):
        last[:] = flips.tolist()
        return at_once(flips, n_features, is_crowded)

    def attempted(nearby, objective, state, batch):
        nonlocal in_a_row
        assert set(batch.tolist()) <= set(last)
        in_a_row += len(batch) < len(last)
        return attempt(nearby, objective, state, batch)

    monkeypatch.setattr(sweeten, "_apart", set_apart)
    monkeypatch.setattr(sweeten, "_at_once", new_round)
    monkeypatch.setattr(sweeten, "attempt", attempted)
    for seed in (1, 2):
        steps_of(12, 6, a=0.05, seed=seed)
    assert in_a_row > 10


def test_what_has_failed_is_not_tried_again_because_it_is_apart():
    flips = np.array([7, 1, 4])  # of items 2, 0 and 1
    tried = [batch.tolist() for batch in sweeten._at_once(flips, 3, is_crowded=False)]
    assert tried == [[7, 1, 4]]
    assert [batch.tolist() for batch in sweeten._at_once(flips, 3, is_crowded=True)] == tried
    more = np.array([7, 1, 0])
    tried = [batch.tolist() for batch in sweeten._at_once(more, 3, is_crowded=False)]
    assert tried == [[7, 1, 0], [7, 1]]


def test_a_gain_too_small_for_floating_point_is_a_gain():
    # Half of 1.3333333333333333 is a hair below two thirds, the share of draws that have the entry.
    draws = [[[1], [1]], [[1], [1]], [[1], [0]]]
    engine = Engine(fangs.Samples(draws))
    objective = Objective.of(engine, 4 / 3)
    assert float(objective.price) == 2.0 > objective.price
    *_, last = Descent(engine, np.array([[1], [0]], dtype=np.uint8)).states(objective)
    assert last.is_flip_optimal
    assert last.matrix[:, 0].tolist() == [1, 1]


def test_flips_come_best_first():
    objective = Objective(1.0, n_draws=10, total_ones=0)
    counts = np.array([[6, 9], [0, 6], [10, 4]])
    assert objective.best_first(counts, np.array([0, 1, 2, 3])).tolist() == [2, 1, 0, 3]
