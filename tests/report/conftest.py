"""What a report of the example knows."""

import pytest

from fangs.report import gather


@pytest.fixture(scope="session")
def known(estimate, draws):
    return gather.gather(estimate, draws, budget=gather.Budget(seconds=60))  # a proof takes one
