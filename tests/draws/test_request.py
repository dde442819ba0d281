"""What a caller asks of draws means the same whatever they come from: here a plain list."""

import numpy as np
import pytest

import fangs
from support.refusals import refuses

DRAWS = [np.ones((4, k), dtype=int) for k in (1, 2, 3, 4, 5, 1, 2, 3, 4)]
CHAINS = np.array([0, 0, 1, 0, 1, 1, 0, 0, 1])


@pytest.mark.parametrize(
    ("burn_in", "thin", "keep"),
    [(0, 1, None), (1, 2, None), (2, 1, [1]), (0, 3, 0), (1, 1, [1, 0]), (0, 9**30, 0)],
)  # fmt: skip
@pytest.mark.parametrize("weights", [None, [3, 1, 4, 1, 5, 9, 2, 6, 5]])
def test_draws_are_left_out_chain_by_chain(burn_in, thin, keep, weights):
    chosen = [
        b
        for label in (0, 1)
        if keep is None or label in np.atleast_1d(keep)
        for b in np.flatnonzero(label == CHAINS)[burn_in::thin]
    ]
    options = {"burn_in": burn_in, "thin": thin, "keep_chains": keep}
    found = fangs.Samples(DRAWS, chains=CHAINS, weights=weights, **options)
    assert found == fangs.Samples(DRAWS, chains=CHAINS, weights=weights).select(sorted(chosen))


def test_draws_without_chains_are_one_chain():
    assert fangs.Samples(DRAWS, burn_in=2, thin=3) == fangs.Samples(DRAWS[2::3])


def test_chosen_chains_may_be_named_as_text():
    found = fangs.Samples(DRAWS, chains=CHAINS)
    assert fangs.Samples(found, keep_chains=["1"]) == found.chain(1)
    assert fangs.Samples(found, keep_chains="1") == found.chain(1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"burn_in": 4}, ["burn_in = 4", "chain 1", "4 draws"]),
        ({"keep_chains": [2]}, ["keep_chains", "2", "0, 1"]),
        ({"keep_chains": []}, ["keep_chains"]),
        ({"chains": None, "keep_chains": [0]}, ["keep_chains", "no chains"]),
        ({"burn_in": 0.5}, ["burn_in", "0.5"]),
        ({"burn_in": -1}, ["burn_in", "-1"]),
        ({"thin": 0}, ["thin", "0"]),
        ({"items": "abcd"}, ["items", "str"]),
        ({"weights": [1, 2]}, ["weights", "(2,)", "9"]),
        ({"weights": "nowhere"}, ["'nowhere'"]),
        ({"chains": [1, 2]}, ["chains", "(2,)", "9"]),
    ],
)
def test_what_cannot_be_asked_is_refused(options, words):
    with refuses(*words):
        fangs.Samples(DRAWS, **({"chains": CHAINS} | options))
