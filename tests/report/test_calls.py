"""The calls next to warnings do what the warning speaks of."""

import numpy as np
import pytest

import fangs
from fangs.report import gather, verdict

SAMPLES = fangs.datasets.example()


def remarks(known):
    return {remark.text: str(remark.call) for remark in verdict.verdict(known)}


def call_of(known, part):
    (call,) = (call for text, call in remarks(known).items() if part in text)
    return call


def run(call, draws):
    return eval(call, {"fangs": fangs, "draws": draws})


@pytest.fixture(scope="module")
def sparse():
    """A report at another penalty than 1 on draws that have two modes and no chains."""
    draws = fangs.Samples(list(SAMPLES), items=SAMPLES.items)
    return draws, gather.gather(fangs.estimate(draws, a=1.7, seed=1), draws)


def test_the_call_for_modes_has_the_penalty_of_the_report(sparse):
    draws, known = sparse
    found = run(call_of(known, "The draws have 2 modes"), draws)
    assert found.expected_loss == known.modes.expected_loss
    assert found.a == 1.7


def test_the_call_for_a_better_estimate_has_the_penalty_of_the_report():
    draws = fangs.Samples(list(SAMPLES.select(np.arange(40))))
    poor = fangs.assess(np.ones((100, 1), dtype=int), draws, a=1.4)
    known = gather.gather(poor, draws)
    found = run(call_of(known, "Another allocation"), draws)
    assert found.a == 1.4
    assert found.expected_loss <= known.better.expected_loss
    assert call_of(known, "A single flip") == "fangs.estimate(draws, a=1.4)"


def test_chains_apart_name_the_penalty_too():
    estimate = fangs.estimate(SAMPLES, a=1.4, seed=1)
    found = fangs.compare_chains(SAMPLES, estimate=estimate, seed=1)
    assert found.estimates[0].a == 1.4
    assert "fangs.modes(draws, n_modes=2, a=1.4) gives" in found.verdict


def test_an_estimate_from_other_draws_comes_with_a_call():
    few = SAMPLES.select(np.arange(50))
    known = gather.gather(fangs.estimate(few, seed=1), SAMPLES.select(np.arange(60)))
    assert call_of(known, "made from other draws") == "fangs.estimate(draws)"


def test_more_loss_than_entries_is_no_share():
    draws = SAMPLES.select(np.arange(40))
    one = np.zeros((100, 1), dtype=int)
    one[0] = 1
    (said,) = (text for text in remarks(gather.gather(fangs.assess(one, draws), draws))
               if "expected FARO loss is" in text)  # fmt: skip
    assert "more than the 100 × 1 = 100 entries of the estimate" in said
    assert "% of them" not in said
