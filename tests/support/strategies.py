"""Random allocations and draws, from Hypothesis and from a generator, with the awkward ones in."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

# Multiples of 1/8 make every loss an exact float, so tests can demand equality.
PENALTIES = tuple(k / 8 for k in range(1, 16))
penalties = st.sampled_from(PENALTIES)


def allocations(n_items, max_features=4):
    """0/1 matrices with empty and duplicate columns as they come."""
    shape = st.tuples(st.just(n_items), st.integers(0, max_features))
    return hnp.arrays(np.uint8, shape, elements=st.integers(0, 1))


@st.composite
def several_allocations(draw, count, max_items=5, max_features=4):
    """`count` allocations of the same items."""
    n_items = draw(st.integers(1, max_items))
    return [draw(allocations(n_items, max_features)) for _ in range(count)]


@st.composite
def estimate_and_draws(draw, max_items=4, max_features=4, max_draws=4):
    count = draw(st.integers(2, max_draws + 1))
    estimate, *draws = draw(several_allocations(count, max_items, max_features))
    return estimate, draws


def random_allocation(rng, n_items, n_features, density=0.4):
    return (rng.random((n_items, n_features)) < density).astype(np.uint8)


def noisy_draws(rng, n_items, n_features, n_draws, noise=0.15):
    """Draws around one truth: shuffled columns, flipped bits, features dropped and duplicated."""
    truth = random_allocation(rng, n_items, n_features)
    draws = []
    for _ in range(n_draws):
        draw = truth ^ (rng.random(truth.shape) < noise)
        kept = rng.permutation(n_features)[: rng.integers(0, n_features + 1) or n_features]
        if n_features and rng.random() < 0.3:
            kept = np.append(kept, rng.integers(n_features))
        draws.append(draw[:, kept].astype(np.uint8))
    return draws
