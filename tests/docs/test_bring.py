"""The recipes for bringing draws run, on objects built with the real libraries."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

BRING = Path(__file__).parents[2] / "docs" / "bring"
PAGES = sorted(page.stem for page in BRING.glob("*.md"))


def test_there_is_a_recipe_for_each_family():
    assert {"pymc", "numpyro", "stan", "arviz", "pandas"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_the_recipe_runs(page):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(BRING / f"{page}.md"), module_relative=False, optionflags=flags)
    assert result.attempted > 5
    assert result.failed == 0
