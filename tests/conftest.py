"""Settings for every test, and the example that many of them look at.

Hypothesis examples are fixed and have no time limit.
"""

import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

import fangs

os.environ["MPLBACKEND"] = "agg"  # also for the processes that tests start

settings.register_profile(
    "fangs",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fangs")

# A shell ignores Ctrl-C in what it runs in the background, and processes inherit that; tests that
# interrupt themselves would then never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def draws():
    return fangs.datasets.example()


@pytest.fixture(scope="session")
def estimate(draws):
    return fangs.estimate(draws, seed=1)


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
