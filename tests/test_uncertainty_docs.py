"""The examples of docs/uncertainty.md run and print what they say."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_page_on_uncertainty_runs():
    page = Path(__file__).parents[1] / "docs" / "uncertainty.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0
