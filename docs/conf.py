"""The documentation site: `make docs` builds docs/ into site/; warnings are errors."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

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
    "made_pages",  # docs/_ext: README, changelog, reference
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

# The inventories of other projects come from the network, which a build does not need. A release
# sets this, so that its reference links to them.
intersphinx_mapping = (
    {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "pandas": ("https://pandas.pydata.org/docs", None),
        "xarray": ("https://docs.xarray.dev/en/stable", None),
    }
    if os.environ.get("FANGS_INTERSPHINX")
    else {}
)

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "fangs"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
