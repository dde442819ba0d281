"""The sessions on the pages run and print what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pytest

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.usefixtures("closed_figures")


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


@pytest.mark.parametrize(
    "piece",
    [
        "compare_chains", "summary", "align", "apply", "credible_ball", "typicality", "assess",
        "pairwise_similarity", "sparsity_path", "choose_a", "certify", "lower_bound", "compare",
        "modes", "at_least", "map", "levels",
    ],
)  # fmt: skip
def test_every_piece_has_an_example(piece):
    sources = [example.source for page in SESSIONS for example in examples(page)]
    assert any(re.search(rf"\.{piece}\(", source) for source in sources)
