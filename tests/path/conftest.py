"""Draws whose features come and go along the path, and the path over them."""

import pytest

import fangs
from fangs.path import sparsity_path
from fangs.simulate import posterior_like


@pytest.fixture(scope="module")
def samples():
    made = posterior_like(20, 4, 300, density=0.35, noise=0.25, births=1.5, deaths=0.1, seed=2)
    return fangs.Samples(made.draws, items=[f"item {i}" for i in range(20)])


@pytest.fixture(scope="module")
def path(samples):
    return sparsity_path(samples, seed=1)
