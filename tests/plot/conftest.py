"""Draws of many chains with long names."""

import numpy as np
import pytest

import fangs


@pytest.fixture(scope="session")
def many():
    made = fangs.simulate.posterior_like(12, 3, 160, noise=0.1, seed=1)
    names = [f"a chain with a long name {c}" for c in np.repeat(range(16), 10)]
    return fangs.Samples(made.draws, chains=names)
