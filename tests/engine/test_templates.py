"""Templates grown along walks through the draws, against a plain reference."""

import numpy as np
import pytest

import fangs
from fangs import _core
from oracles.template import grow
from support.strategies import noisy_draws, random_allocation


# From 683 items on weights need 32 bits; below, the unit of the weights depends on the items.
@pytest.mark.parametrize("n_items", [1, 20, 63, 64, 65, 86, 682, 683])
@pytest.mark.parametrize("n_rounds", [1, 2, 3])
def test_templates_equal_a_plain_reference(n_items, n_rounds):
    rng = np.random.default_rng(n_items)
    samples = fangs.Samples(noisy_draws(rng, n_items, 7, 40, noise=0.25))
    draws = list(samples)
    walks = [rng.permutation(40)[:size] for size in (0, 1, 16, 37)]
    found = _core.grow_templates(samples._draws, walks, n_rounds, 2)
    for counts, walk in zip(found, walks, strict=True):
        assert np.array_equal(counts, grow(draws, walk, n_rounds))


def test_a_template_past_16_bits_of_columns_counts_every_draw():
    """Its last columns are matched again while there are 33,000 of them.

    Draw b has 1,320 copies of the feature {b}. Every 16 draws those go that are older than ten
    draws and have been met once. The last draw is the last but one again.
    """
    n_copies, n_draws = 1_320, 31
    draws = [np.zeros((n_draws, n_copies), dtype=np.uint8) for _ in range(n_draws)]
    for b, draw in enumerate(draws):
        draw[b] = 1
    walk = np.append(np.arange(n_draws), n_draws - 1)
    [counts] = _core.grow_templates(fangs.Samples(draws)._draws, [walk], 1, 1)
    wanted = np.zeros((n_draws, 9), dtype=np.int64)
    wanted[np.arange(22, 31), np.arange(9)] = [1, 1, 1, 1, 1, 1, 1, 1, 2]
    assert np.array_equal(counts, np.repeat(wanted, n_copies, axis=1))


def test_templates_do_not_depend_on_the_width_of_their_weights():
    """A walk so long that columns might need 32 bits changes nothing for a short one."""
    rng = np.random.default_rng(5)
    samples = fangs.Samples([random_allocation(rng, 100, 60, density=0.1) for _ in range(30)])
    short, long = rng.permutation(30)[:20], np.tile(np.arange(30), 20)
    assert samples.n_features[long].sum() > 32_767
    [alone] = _core.grow_templates(samples._draws, [short], 2, 1)
    together, _ = _core.grow_templates(samples._draws, [short, long], 2, 2)
    assert np.array_equal(alone, together)
