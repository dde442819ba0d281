"""Make the draws that fangs.datasets.arrests() returns: features of the arrest rates of states.

Four chains of the collapsed Gibbs sampler for the linear-Gaussian model on standardised rates,
under an Indian buffet process prior whose mass is sampled. Takes half a minute.

    python examples/make_arrests.py src/fangs/datasets/arrests.npz
"""

from __future__ import annotations

import sys

import fangs
from fangs import simulate

SEED = 1


def main(path: str) -> None:
    """Write the draws to ``path``."""
    table = fangs.datasets.arrest_rates()
    posterior = simulate.sample_posterior(
        table.standardised(),
        sigma_x=0.5,
        sigma_a=1.5,
        n_chains=4,
        burn_in=5000,
        n_draws=250,
        thin=40,
        seed=SEED,
    )
    fangs.Samples(posterior.draws, items=table.states, chains=posterior.chains).save(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
