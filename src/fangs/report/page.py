"""The page: sections, style and script put into one file that asks nothing of any network."""

from __future__ import annotations

import base64
import hashlib
import os
from importlib.resources import files
from string import Template
from typing import Any

from fangs.archive import whole_file
from fangs.report import sections
from fangs.report.facts import Facts, gather
from fangs.report.markup import data_block, join, text
from fangs.report.matrix import Matrix, matrix_section
from fangs.result import Estimate


def write_report(
    estimate: Estimate,
    samples: Any,
    path: str | os.PathLike[str],
    *,
    title: str = "Feature allocation",
    level: float = 0.95,
    effort: str = "auto",
    n_threads: int | None = None,
) -> None:
    """Write one self-contained HTML page about an estimate, whole or not at all.

    Parameters
    ----------
    estimate
        From `fangs.estimate` or `fangs.assess`.
    samples
        The posterior draws it was made from.
    path
        The file to write, such as ``report.html``.
    title
        What the page is called.
    level
        Share of the draws that intervals and the credible ball hold.
    effort
        "full" also searches along `a`, compares chains and looks for the best bound however long
        it takes, "quick" never, "auto" where it does not take long. The page says what is left
        out.
    n_threads
        Threads to use; None means all cores.

    Examples
    --------
    >>> import fangs, pathlib, tempfile
    >>> draws = fangs.datasets.example()
    >>> estimate = fangs.estimate(draws, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "report.html")
    ...     write_report(estimate, draws, path, effort="quick")
    ...     "4 features over 100 items" in path.read_text(encoding="utf-8")
    True
    """
    facts = gather(estimate, samples, level=level, effort=effort, n_threads=n_threads)
    page = render(facts, title=title)
    with whole_file(path) as file:
        file.write(page.encode())


def render(facts: Facts, *, title: str) -> str:
    """The whole page as text."""
    shown = Matrix.of(facts)
    body = [
        sections.verdict_section(facts),
        matrix_section(facts, shown),
        sections.features_section(facts),
        sections.posterior_section(facts),
    ]
    if facts.path is not None:
        body.append(sections.path_section(facts))
    if facts.chains is not None:
        body.append(sections.chains_section(facts))
    body += [sections.settings_section(facts), sections.citation_section()]
    script = _part("page.js")
    return Template(_part("page.html")).substitute(
        title=text(title),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=_part("page.css"),
        data=data_block(shown.script_data(facts), name="data"),
        body=join(body),
    )


def _part(name: str) -> str:
    return files("fangs.report").joinpath(name).read_text(encoding="utf-8")
