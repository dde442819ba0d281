"""The pages on files from elsewhere: their sessions run, on files of tests/data or their own."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = {"r": ROOT / "tests" / "data" / "r", "matlab": None}
"""The folder that the page's files are in; None where the page writes them."""


@pytest.mark.parametrize("page", FILES)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    if FILES[page] is not None:
        shutil.copytree(FILES[page], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    path = ROOT / "docs" / "bring" / f"{page}.md"
    result = doctest.testfile(str(path), module_relative=False, optionflags=flags)
    assert result.attempted > 8
    assert result.failed == 0
