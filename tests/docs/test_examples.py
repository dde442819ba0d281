"""The sessions on the pages run and print what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SESSIONS = (
    "alternatives", "certificates", "error-rates", "modes", "path", "search", "simulate",
    "uncertainty",
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("closed_figures")


def examples(page):
    return doctest.DocTestParser().get_examples((DOCS / f"{page}.md").read_text("utf-8"))


@pytest.mark.parametrize("page", SESSIONS)
def test_the_examples_of_a_page_run(page):
    result = doctest.testfile(str(DOCS / f"{page}.md"), module_relative=False)
    assert result.attempted == len(examples(page)) > 8
    assert result.failed == 0


def test_every_page_with_a_session_is_run():
    with_prompts = {page.stem for page in DOCS.glob("*.md") if examples(page.stem)}
    assert with_prompts == set(SESSIONS)


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
