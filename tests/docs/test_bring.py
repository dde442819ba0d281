"""The recipes for bringing draws run: on objects of the real libraries, and on real files."""

import doctest
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRING = ROOT / "docs" / "bring"
PAGES = sorted(page.stem for page in BRING.glob("*.md") if page.stem not in ("index", "names"))
FILES = {"r": ROOT / "tests" / "data" / "r"}
"""The folder that a page's files are in; other pages write theirs."""


def test_there_is_a_recipe_for_each_family():
    families = {"pymc", "numpyro", "stan", "arviz", "pandas", "r", "matlab", "files"}
    assert families <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_the_recipe_runs(page, tmp_path, monkeypatch):
    if page in FILES:
        shutil.copytree(FILES[page], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(BRING / f"{page}.md"), module_relative=False, optionflags=flags)
    assert result.attempted > 5
    assert result.failed == 0
