"""The examples of docs/simulate.md run and print what they say."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_page_on_simulation_runs():
    page = Path(__file__).parents[1] / "docs" / "simulate.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0
