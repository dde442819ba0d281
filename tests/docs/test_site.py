"""The documentation site: made pages, and formulas as a browser shows them."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

import fangs
from support.browser import chromium, requested, resize

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def load(name):
    pytest.importorskip("sphinx")
    spec = importlib.util.spec_from_file_location(name, DOCS / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made_pages():
    return load("made_pages")


def test_links_of_made_pages_lead_to_pages(made_pages):
    text = made_pages.for_the_site((ROOT / "CHANGELOG.md").read_text("utf-8"))
    links = re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", text)
    assert links
    for link in links:
        assert (DOCS / link).exists(), link


def test_reference_names_everything_public(made_pages):
    page = made_pages.reference_page(fangs)
    assert ".. autofunction:: fangs.estimate\n" in page
    assert ".. autoclass:: fangs.Estimate\n" in page
    assert ":: fangs.simulate" not in page  # a module, with a page of its own
    assert ".. autoclass:: fangs.simulate.IBP" in made_pages.reference_page(fangs.simulate)
    assert ".. autoclass:: fangs.draws.info.SamplesInfo" in page  # part of a result
    formats = made_pages.reference_page(fangs.formats)
    assert ":: fangs.formats.read_values" in formats
    assert ":: fangs.formats.convert" not in formats  # which is on the page of fangs


def test_the_page_of_commands_has_the_help_of_each(made_pages):
    page = made_pages.command_page()
    for command in made_pages.COMMANDS:
        assert f"\n## {command.name}\n" in page
        assert f"Usage: fangs {command.name} " in page
        assert command.examples[0] in page


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(folder / "html")]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return folder / "html"


@pytest.mark.parametrize("page", ["guide", "understand"])
def test_pages_of_contributors_are_not_among_those_of_users(site, page):
    listed = re.findall(
        r'toctree-l1"><a[^>]*href="(\w+)\.html"', (site / f"{page}.html").read_text()
    )
    assert listed
    assert not {"extending", "releasing"} & set(listed)
    assert 'href="extending.html"' in (site / "contributors.html").read_text("utf-8")


def test_search_finds_words_without_network(site, tmp_path):
    with chromium(tmp_path) as browser:
        browser.get((site / "search.html").as_uri() + "?q=templates")
        WebDriverWait(browser, 30).until(  # results come one by one
            lambda page: "How the search works" in page.find_element(By.ID, "search-results").text
        )


def without_code(html):
    return re.sub(r"<(pre|code|script|style)\b.*?</\1>", "", html, flags=re.S)


def test_no_formula_is_left_as_text(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        words = re.sub(r"<[^>]*>", "", without_code(page.read_text("utf-8")))
        assert re.findall(r"\$.{,30}|\\[a-zA-Z]+", words) == [], page
    assert (site / "theory-bounds.html").read_text("utf-8").count("<math") > 150
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


def test_pages_fetch_nothing_from_elsewhere(site):
    for page in site.rglob("*.html"):
        html = page.read_text("utf-8")
        assert re.findall(r'(?:src|rel="stylesheet" href)="(?:https?:)?//[^"]*', html) == [], page


def test_the_reference_links_to_other_projects_without_network(site):
    links = {
        link
        for page in (site / "reference").glob("*.html")
        for link in re.findall(r'href="(https://[^"]*#[\w.]+)"', page.read_text("utf-8"))
    }
    for name, page in load("elsewhere").PLACES.items():
        assert any(link.endswith(f"/{page}#{name}") for link in links), name


@pytest.fixture(scope="module")
def formulas():
    pytest.importorskip("latex2mathml")
    return load("mathml")


def test_a_command_that_is_not_known_is_an_error_of_the_build(formulas, monkeypatch):
    warnings = []
    monkeypatch.setattr(formulas.log, "warning", lambda text, tex: warnings.append(tex))
    formulas.mathml(r"\sum_b x_b", display=False)
    assert warnings == []
    formulas.mathml(r"\nosuchcommand x", display=False)
    assert warnings == [r"\nosuchcommand x"]


def test_formulas_are_set_by_the_browser_alone(site, tmp_path):
    with chromium(tmp_path, script=False) as browser:
        for name in ("theory-bounds", "path"):
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
