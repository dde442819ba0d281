"""Settings for every test, and the example that many of them look at.

Hypothesis examples are fixed and have no time limit.
"""

import pytest
from hypothesis import HealthCheck, settings

import fangs

settings.register_profile(
    "fangs",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fangs")


@pytest.fixture(scope="session")
def draws():
    return fangs.datasets.example()


@pytest.fixture(scope="session")
def estimate(draws):
    return fangs.estimate(draws, seed=1)


@pytest.fixture
def closed_figures():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")
