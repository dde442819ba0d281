"""Numbers that people read are written out, however large: never 1.7e+04."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

import fangs

N = 1_100_000
EXPONENT = re.compile(r"\de[+-]\d")


@pytest.fixture(scope="module")
def draws():
    """Draws whose losses have seven digits: half of them lack a feature that all items have."""
    both, one = np.ones((N, 2), dtype=np.uint8), np.ones((N, 1), dtype=np.uint8)
    halved = both.copy()
    halved[: N // 2, 1] = 0
    return fangs.Samples([both, one] * 6 + [halved] * 4, chains=[0, 1] * 8)


@pytest.fixture(scope="module")
def estimate(draws):
    return fangs.assess(np.ones((N, 2), dtype=np.uint8), draws)


def test_results_print_large_losses_in_full(draws, estimate):
    path = fangs.sparsity_path(draws, a=[1.0], seed=1)
    shown = [
        estimate,
        fangs.certify(estimate, draws, method="items"),
        fangs.credible_ball(estimate, draws),
        fangs.compare(draws, methods=["map"]),
        path,
        fangs.modes(draws, n_modes=2, seed=1),
    ]
    assert estimate.expected_loss > 100_000
    for thing in shown:
        for words in (str(thing), repr(thing), thing._repr_html_()):
            assert not EXPONENT.search(words), words


def test_pictures_write_large_losses_in_full(draws, estimate):
    for ax in (
        fangs.plot.losses(estimate, draws),
        fangs.plot.starts(fangs.estimate(draws, seed=1)),
        fangs.plot.chains(fangs.compare_chains(draws, seed=1)),
    ):
        legend = ax.get_legend()
        texts = [*ax.texts, *(legend.get_texts() if legend else [])]
        assert not [text.get_text() for text in texts if EXPONENT.search(text.get_text())]
        plt.close(ax.figure)


def test_tables_of_parameters_write_large_numbers_in_full():
    found = fangs.align([[1], [1]], [[[1], [1]], [[1], [1]]]).table([[123456.0], [654321.0]])
    assert "388,888" in str(found) or "388,889" in str(found)
    assert not EXPONENT.search(str(found))
