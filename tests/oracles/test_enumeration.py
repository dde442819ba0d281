"""The tabulated exhaustive search agrees with the obvious one."""

import numpy as np
import pytest

from oracles import reference as ref
from oracles.enumeration import Enumeration


@pytest.mark.parametrize("a", [0.75, 1.0, 1.5])
@pytest.mark.parametrize("kind", ["uniform_problem", "noisy_problem"])
def test_tabulated_search_agrees_with_reference(kind, a):
    rng = np.random.default_rng(1)
    table = Enumeration(n_items=2, draw_features=2, max_features=5)
    for n_draws in (1, 2, 4, 8):
        chosen = getattr(table, kind)(rng, n_draws)
        draws = [table.draws[b] for b in chosen]
        assert table.best_loss(chosen, a) == ref.best_estimate(draws, a)[1]
        assert table.best_draw_loss(chosen, a) == min(ref.expected_loss(Z, draws, a) for Z in draws)
        E = rng.integers(len(table.estimates))
        assert table.losses(chosen, a)[E] == ref.expected_loss(table.estimates[E], draws, a)


def test_search_beyond_the_tabulated_width_is_refused():
    table = Enumeration(n_items=2, draw_features=2, max_features=2)
    with pytest.raises(AssertionError):
        table.best_loss(np.array([len(table.draws) - 1]), 1.0)
