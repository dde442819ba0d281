"""The page: sections, style and script in one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from fangs.check.text import count
from fangs.estimate import Estimate
from fangs.formats.whole import check_writable, whole_file
from fangs.report.entries import ShownEntries
from fangs.report.gather import Facts, gather
from fangs.report.markup import Html, data_block, element, join, text
from fangs.report.sections import in_order
from fangs.search import Interrupted

SUFFIXES = (".html", ".htm")


def write_report(
    estimate: Estimate,
    samples: Any,
    path: str | os.PathLike[str],
    *,
    title: str = "Feature allocation",
    level: float = 0.95,
    effort: str = "auto",
    n_threads: int | None = None,
) -> Estimate:
    """Write one self-contained HTML page about an estimate, whole or not at all.

    Arguments are those of `Estimate.report`. Returns what the page is about; its `origin` says
    whether and why it is not the estimate given. On Ctrl-C there is no page, and the estimate given
    goes with `Interrupted`.
    """
    check_page(path)
    try:
        facts = gather(estimate, samples, level=level, effort=effort, n_threads=n_threads)
        page = render(facts, title=title)
        with whole_file(path) as file:
            file.write(page.encode())
    except KeyboardInterrupt as interrupt:
        raise Interrupted(estimate) from interrupt  # not what a part of the page had found
    return facts.estimate


def check_page(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no page could be written to, before any long work for it."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(
            f"path is of type {type(path).__name__}; give the file to write first, then the draws: "
            'estimate.report("report.html", draws)'
        )
    check_writable(path, suffixes=SUFFIXES)


def render(facts: Facts, *, title: str) -> str:
    """The whole page as text."""
    body = [content for part in in_order(facts) if (content := part(facts)) is not None]
    script = _part("page.js")
    return Template(_part("page.html")).substitute(
        title=text(title),
        about=about(facts),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=_part("page.css"),
        data=data_block(ShownEntries.of(facts).script_data(facts), name="data"),
        contents=contents(body),
        body=join(body),
    )


def about(facts: Facts) -> Html:
    """What the page is made from, with what, and when."""
    e, chains = facts.estimate, facts.samples.chains
    words = [count(e.n_draws, "draw"), f"a = {e.a:g}"]
    if chains is not None:
        words.insert(1, count(len(np.unique(chains)), "chain"))
    made = f"fangs {version('fangs')}, {date.today().isoformat()}"
    return element("p", " · ".join([*words, made]), class_="about")


def contents(sections: Sequence[Html]) -> Html:
    """Links to the sections that have a title.

    Examples
    --------
    >>> from fangs.report.markup import section
    >>> contents([section("path", "The path", "...")])
    '<nav aria-label="Contents"><ul><li><a href="#path">The path</a></li></ul></nav>'
    """
    titles = (re.match(r'<section id="([a-z]+)"><h2>([^<]+)</h2>', part) for part in sections)
    links = (
        element("li", element("a", Html(found[2]), href=f"#{found[1]}"))
        for found in titles
        if found is not None
    )
    return element("nav", element("ul", *links), aria_label="Contents")


def _part(name: str) -> str:
    return files("fangs.report").joinpath(name).read_text(encoding="utf-8")
