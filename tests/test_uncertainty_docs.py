"""The pages on uncertainty: their examples run and print what they say, and draw their pictures."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pytest

DOCS = Path(__file__).parents[1] / "docs"


pytestmark = pytest.mark.usefixtures("closed_figures")


@pytest.fixture(scope="module")
def gallery():
    spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("page", "least"),
    [("search", 4), ("uncertainty", 40), ("path", 10), ("certificates", 12)],
)
def test_the_examples_of_a_page_run(page, least):
    result = doctest.testfile(str(DOCS / f"{page}.md"), module_relative=False)
    assert result.attempted >= least
    assert result.failed == 0


@pytest.mark.parametrize("page", ["uncertainty", "path", "certificates"])
def test_every_picture_is_drawn_by_the_code_above_it(gallery, page):
    assert page in gallery.SESSIONS
    shown = re.findall(r"!\[[^]]{20,}\]\((\S+)\)", (DOCS / f"{page}.md").read_text("utf-8"))
    drawn = []
    for name, figure in gallery.run_session(DOCS / f"{page}.md"):
        assert figure.axes
        drawn.append(f"images/{name}.png")
    assert drawn == shown
    assert drawn
    assert all(0 < (DOCS / picture).stat().st_size < 60_000 for picture in drawn)


def test_a_picture_without_code_is_refused(gallery, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(">>> 1 + 1\n2\n\n![A picture](images/none.png)\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no code above it draws"):
        list(gallery.run_session(page))


@pytest.mark.parametrize(
    "piece",
    [
        "compare_chains", "summary", "align", "apply", "credible_ball", "typicality", "assess",
        "pairwise_similarity", "sparsity_path", "choose_a", "certify", "lower_bound",
    ],
)  # fmt: skip
def test_every_piece_has_an_example(piece):
    pages = [DOCS / f"{page}.md" for page in ("uncertainty", "path", "certificates")]
    parser = doctest.DocTestParser()
    examples = [e.source for page in pages for e in parser.get_examples(page.read_text("utf-8"))]
    assert any(re.search(rf"\.{piece}\(", source) for source in examples)
