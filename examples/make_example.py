"""Make the draws that fangs.datasets.example() returns: a real posterior of the bars images.

One hundred noisy pictures of 6 x 6 pixels, sums of four images (Griffiths and Ghahramani 2005).
Four chains of the collapsed Gibbs sampler for the linear-Gaussian model, under an Indian buffet
process prior with its mass and both scales sampled. Takes a few seconds.

    python examples/make_example.py src/fangs/datasets/bars.npz
"""

from __future__ import annotations

import sys

import fangs
from fangs import simulate

SEED = 0


def main(path: str) -> None:
    """Write the draws to ``path``."""
    truth = simulate.bars(100, sigma_x=0.5, seed=SEED)
    posterior = simulate.sample_posterior(
        truth.data, n_chains=4, burn_in=1000, n_draws=100, thin=10, seed=SEED
    )
    items = [f"image {number}" for number in range(1, 101)]
    fangs.Samples(posterior.draws, items=items, chains=posterior.chains).save(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
