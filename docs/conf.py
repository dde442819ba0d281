"""The documentation site: `make docs` builds docs/ into site/; warnings are errors."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import elsewhere

project = "fangs"
author = "The fangs developers"
copyright = author
version = release = installed("fangs")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "mathml",  # docs/_ext: formulas without script or network
    "made_pages",  # docs/_ext: changelog, reference, commands
    "elsewhere",  # docs/_ext: links to other projects, without their sites
]
exclude_patterns = ["_ext", "*.py", "Thumbs.db"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
default_role = "autolink"  # `name` links where it can
html_math_renderer = "mathml"

autodoc_typehints = "none"  # numpydoc describes the parameters
autodoc_member_order = "bysource"
autosummary_generate = True
toc_object_entries = False  # the headings of the reference are the same names
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

intersphinx_mapping = elsewhere.mapping(Path(__file__).parents[1] / "build" / "inventories")

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "fangs"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("changelog", "glossary", "index", "performance")}
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
