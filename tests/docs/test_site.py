"""The documentation site: made pages, and formulas as a browser shows them."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import fangs
from support.browser import chromium, requested, resize

DOCS = Path(__file__).parents[2] / "docs"


def load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site_pages():
    pytest.importorskip("mkdocs")
    return load("site_pages")


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_links_of_made_pages_lead_to_pages(site_pages, name):
    text = site_pages.for_the_site(site_pages.read(name))
    links = re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", text)
    assert links
    for link in links:
        assert link == "changelog.md" or (DOCS / link).exists(), link


def test_reference_names_everything_public(site_pages):
    page = site_pages.reference_page(fangs)
    assert "::: fangs.estimate\n" in page
    assert "::: fangs.simulate" not in page  # a module, with a page of its own
    assert "::: fangs.simulate.IBP" in site_pages.reference_page(fangs.simulate)


def test_every_written_page_is_in_the_navigation(site_pages):
    nav = str(site_pages.on_config(SimpleNamespace(nav=None)).nav)
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert "study/recovery.md" in pages
    assert [page for page in pages if f"'{page}'" not in nav] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    result = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return folder


def without_code(html):
    return re.sub(r"<(pre|code|script|style)\b.*?</\1>", "", html, flags=re.S)


def test_no_formula_is_left_as_text(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        words = re.sub(r"<[^>]*>", "", without_code(page.read_text("utf-8")))
        assert re.findall(r"\$.{,30}|\\[a-zA-Z]+", words) == [], page
    assert (site / "certificates.html").read_text("utf-8").count("<math") > 150
    assert "<math" in (site / "path.html").read_text("utf-8")


def test_an_example_is_copied_without_prompts_and_answers(site, tmp_path):
    with chromium(tmp_path) as browser:
        browser.get((site / "uncertainty.html").as_uri())
        copied = browser.execute_script(
            "getSelection().selectAllChildren(document.querySelector('pre'));"
            "return getSelection().toString()"
        )
    assert "draws = fangs.datasets.example()" in copied
    assert ">>>" not in copied
    assert "array(" not in copied
    compile(copied, "example", "exec")


def test_no_word_of_doctest_is_left(site):
    page = (site / "uncertainty.html").read_text("utf-8")
    assert "BLANKLINE" in (DOCS / "uncertainty.md").read_text("utf-8")
    assert "BLANKLINE" not in page
    assert "doctest:" not in page


def test_pages_fetch_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        html = page.read_text("utf-8")
        assert re.findall(r'(?:src|rel="stylesheet" href)="(?:https?:)?//[^"]*', html) == [], page


@pytest.fixture(scope="module")
def formulas():
    pytest.importorskip("latex2mathml")
    return load("formulas")


def markdown(formulas, text):
    from markdown import Markdown

    return Markdown(extensions=["fenced_code", formulas.Formulas()]).convert(text)


def test_formulas_are_told_from_code_and_prices(formulas):
    html = markdown(formulas, "The set $e_j$, in code `$e_j$`, for $5 or $6.\n\n```\n$e_j$\n```\n")
    assert html.count("<math") == 1
    assert "<msub><mi>e</mi><mi>j</mi></msub>" in html
    assert "<code>$e_j$</code>" in html
    assert "for $5 or $6." in html


def test_a_formula_keeps_what_markdown_would_take_for_emphasis(formulas):
    html = markdown(formulas, "*If $a_1 * b_2 * c_3$\nthen* and\n\n$$x_1 * y_2 < z_3$$")
    assert html.count("<em>") == 1
    assert html.count("<msub>") == 6
    assert '<span class="formula"><math' in html
    assert "&#x0003C;" in html


def test_a_command_that_is_not_known_is_an_error_of_the_build(formulas, caplog):
    formulas.mathml(r"\sum_b x_b", display=False)
    assert not caplog.records
    formulas.mathml(r"\nosuchcommand x", display=False)
    assert "nosuchcommand" in caplog.text


def test_formulas_are_set_by_the_browser_alone(site, tmp_path):
    with chromium(tmp_path, script=False) as browser:
        for name in ("certificates", "path"):
            resize(browser, 390)
            requested(browser)
            browser.get((site / f"{name}.html").as_uri())
            addresses = requested(browser)
            assert addresses
            assert all(address.startswith(("file:", "data:")) for address in addresses)
            width = "return document.documentElement.scrollWidth"
            assert browser.execute_script(width) == 390
            lowered = browser.execute_script(
                "const box = m => m.getBoundingClientRect();"
                "const middle = m => box(m).top + box(m).bottom;"
                "return [...document.querySelectorAll('msub')].map(m => "
                "middle(m.children[1]) - middle(m.children[0]))"
            )
            assert lowered
            assert min(lowered) > 0  # subscripts are below: it is a formula, not a line of letters
