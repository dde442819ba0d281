"""R-hat and effective sample size have the values of ArviZ."""

import warnings

import numpy as np
import pytest

from fangs.posterior import diagnostics

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import arviz


def chains(seed, kind):
    rng = np.random.default_rng(seed)
    n_chains, n_draws = int(rng.integers(2, 6)), int(rng.integers(4, 200))
    return KINDS[kind](rng.normal(size=(n_chains, n_draws)), np.arange(n_chains)[:, None])


KINDS = {
    "independent": lambda steps, chain: steps,
    "walk": lambda steps, chain: np.cumsum(steps, axis=1),
    "ties": lambda steps, chain: np.round(steps),
    "antithetic": lambda steps, chain: steps * (-1.0) ** np.arange(steps.shape[1]),
    "apart": lambda steps, chain: steps + chain,
    "spread": lambda steps, chain: steps * (1 + 3 * chain),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20))
def test_values_are_those_of_arviz(kind, seed):
    table = chains(seed, kind)
    with np.errstate(divide="ignore", invalid="ignore"):
        wanted = arviz.rhat(table, method="rank"), arviz.ess(table, method="bulk")
    assert diagnostics.rhat(table) == pytest.approx(float(wanted[0]), rel=1e-9)
    assert diagnostics.bulk_ess(table) == pytest.approx(float(wanted[1]), rel=1e-9)


def test_constants_are_named_without_a_warning():
    same = np.full((3, 10), 4)
    assert diagnostics.rhat(same) == 1.0
    assert diagnostics.bulk_ess(same) == 30
    apart = np.repeat([[4], [5], [5]], 10, axis=1)
    assert diagnostics.rhat(apart) == np.inf
    assert diagnostics.bulk_ess(apart) < 30


@pytest.mark.parametrize(("n_chains", "n_draws"), [(2, 20), (4, 40), (3, 100)])
def test_chance_seldom_exceeds_its_bound_and_comes_near(n_chains, n_draws):
    rng = np.random.default_rng(n_draws)
    bound = diagnostics.chance_rhat(n_chains, n_draws)
    drawn = [diagnostics.rhat(rng.normal(size=(n_chains, n_draws))) for _ in range(400)]
    assert np.mean(np.array(drawn) > bound) < 0.012
    assert np.quantile(drawn, 0.99) > 1 + 0.5 * (bound - 1)
