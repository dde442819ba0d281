"""The sessions on the pages run and print what they say, also on objects of the real libraries."""

import doctest
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILES = {"bring/r": ROOT / "tests" / "data" / "r"}
"""The folder that a page's files are in; other pages write theirs."""


def name(page):
    return page.relative_to(DOCS).with_suffix("").as_posix()


def examples(page):
    return doctest.DocTestParser().get_examples(page.read_text("utf-8"))


SESSIONS = [page for page in sorted(DOCS.rglob("*.md")) if examples(page)]


def test_pages_have_sessions():
    families = {"pymc", "numpyro", "stan", "arviz", "pandas", "r", "matlab", "files"}
    tasks = {"alternatives", "certificates", "chains", "path", "simulate", "uncertainty"}
    assert tasks | {f"bring/{family}" for family in families} <= set(map(name, SESSIONS))


@pytest.mark.parametrize("page", SESSIONS, ids=name)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    if name(page) in FILES:
        shutil.copytree(FILES[name(page)], tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)  # some write files
    flags = doctest.ELLIPSIS | (doctest.NORMALIZE_WHITESPACE if "bring" in name(page) else 0)
    result = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert result.attempted == len(examples(page))
    assert result.failed == 0
