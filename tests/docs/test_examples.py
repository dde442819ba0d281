"""The sessions on the pages run and print what they say."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def examples(page):
    return doctest.DocTestParser().get_examples(page.read_text("utf-8"))


# Those in docs/bring need files; test_bring.py runs them.
SESSIONS = sorted(page for page in DOCS.glob("*.md") if examples(page))


def test_pages_have_sessions():
    names = {page.stem for page in SESSIONS}
    assert {"alternatives", "certificates", "path", "simulate", "uncertainty"} <= names


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted == len(examples(page))
    assert result.failed == 0
