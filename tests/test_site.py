"""The made pages of the documentation site: first page and reference."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import fangs

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def site_pages():
    pytest.importorskip("mkdocs")
    spec = importlib.util.spec_from_file_location("site_pages", DOCS / "site_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
