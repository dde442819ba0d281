"""Links from the reference to other projects, made without asking their sites.

The few names that our docstrings mention are listed here with their places. They become the
inventories that intersphinx reads, so a build gives the same links with and without a network.
FANGS_INTERSPHINX=1 reads the projects' own inventories instead, and warns of a name that has gone.
"""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)

SITES = {
    "distributed": "https://distributed.dask.org/en/stable",
    "matplotlib": "https://matplotlib.org/stable",
    "numpy": "https://numpy.org/doc/stable",
    "pandas": "https://pandas.pydata.org/docs",
    "xarray": "https://docs.xarray.dev/en/stable",
}
PLACES = {
    "distributed.Client": "api.html",
    "matplotlib.axes.Axes": "api/_as_gen/matplotlib.axes.Axes.html",
    "numpy.random.Generator": "reference/random/generator.html",
    "numpy.random.SeedSequence": (
        "reference/random/bit_generators/generated/numpy.random.SeedSequence.html"
    ),
    "pandas.DataFrame": "reference/api/pandas.DataFrame.html",
    "xarray.DataArray": "generated/xarray.DataArray.html",
    "xarray.Dataset": "generated/xarray.Dataset.html",
}
"""Classes, and the page of the project's site that each is on."""
PHRASES = {
    r"`(?P<word>dask\.distributed\.Client)`": "distributed.Client",
    r"\b(?P<word>Axes)(?= to draw on)": "matplotlib.axes.Axes",
    r"(?<=, )(?P<word>Generator)(?= or None)": "numpy.random.Generator",
    r"(?P<word>SeedSequence)(?=,)": "numpy.random.SeedSequence",
    r"(?<=pandas )(?P<word>DataFrame)": "pandas.DataFrame",
    r"(?<=xarray )(?P<word>DataArray)": "xarray.DataArray",
    r"(?<=xarray )(?P<word>Dataset)": "xarray.Dataset",
}
"""Words of docstrings that become links, and the class that each means."""


def mapping(folder: Path) -> dict[str, tuple[str, str | None]]:
    """Return what intersphinx wants: the site of each project, and its inventory in a folder."""
    if os.environ.get("FANGS_INTERSPHINX"):
        return {project: (site, None) for project, site in SITES.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for project in SITES:
        (folder / f"{project}.inv").write_bytes(inventory(project))
    return {project: (site, str(folder / f"{project}.inv")) for project, site in SITES.items()}


def inventory(project: str) -> bytes:
    """Return the names of one project in the form that Sphinx writes and reads."""
    head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: stable\n"
    head += "# The remainder of this file is compressed using zlib.\n"
    names = {name: page for name, page in PLACES.items() if name.startswith(f"{project}.")}
    lines = "".join(f"{name} py:class 1 {page}#$ -\n" for name, page in names.items())
    return head.encode() + zlib.compress(lines.encode())


def link_words(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Turn the words of a docstring that mean classes elsewhere into links."""
    for words, target in PHRASES.items():
        link = rf":py:class:`\g<word> <{target}>`"
        lines[:] = [re.sub(words, link, line) for line in lines]


def report_missing(app: Sphinx) -> None:
    """Warn of a listed name that no inventory has."""
    for name in PLACES.keys() - app.env.intersphinx_inventory.get("py:class", {}).keys():
        log.warning("%s is not in the inventory of its project; see %s", name, Path(__file__).name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Link words before numpydoc reads the docstring; report after intersphinx has read."""
    app.connect("autodoc-process-docstring", link_words, priority=400)
    app.connect("builder-inited", report_missing, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
