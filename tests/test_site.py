"""The made pages of the documentation site: first page and reference."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

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


def test_links_of_the_first_page_lead_to_pages(site_pages):
    links = re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", site_pages.first_page())
    assert links
    for link in links:
        assert link == "changelog.md" or (DOCS / link).exists(), link


def test_reference_names_everything_public(site_pages):
    page = site_pages.reference_page(fangs)
    assert "::: fangs.estimate\n" in page
    assert "::: fangs.simulate" not in page  # a module, with a page of its own
    assert "::: fangs.simulate.IBP" in site_pages.reference_page(fangs.simulate)
