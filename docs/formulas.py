"""Formulas of the pages, turned into MathML while the site is built.

A hook of MkDocs (see mkdocs.yml): ``$...$`` within a line and ``$$...$$`` for a line of its own.
Browsers show MathML by themselves, so that the pages need neither script nor network.
"""

from __future__ import annotations

import logging
import re
from typing import Any

from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

log = logging.getLogger("mkdocs.hooks")  # whose warnings are errors in a strict build

FORMULA = r"\$\$(?P<display>[^$]+)\$\$|\$(?P<inline>(?!\s)[^$]+(?<!\s))\$(?!\d)"
"""As on GitHub: no space inside the dollars, no digit behind, so that prices are left alone."""
REPAIRS = (
    ('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
    ("<mi>&#x025B3;</mi>", "<mo>&#x025B3;</mo>"),  # symmetric difference
    ("<mi>&#x029F5;</mi>", "<mo>&#x02216;</mo>"),  # set minus, in a form that more fonts have
    ("<mo>max</mo>", "<mi>max</mi>"),
    ("<mo>min</mo>", "<mi>min</mi>"),
)
"""Where latex2mathml gives too much space, or too little."""


def on_config(config: Any) -> Any:
    """Let Markdown know formulas, on every page."""
    config.markdown_extensions.append(Formulas())
    return config


def mathml(tex: str, *, display: bool) -> str:
    """Return a formula as MathML, with a warning about what cannot be turned into it."""
    tex = " ".join(tex.split())
    found = convert(tex, display="block" if display else "inline")
    if "\\" in found:
        log.warning("a formula has a command that latex2mathml does not know: %s", tex)
    for given, wanted in REPAIRS:
        found = found.replace(given, wanted)
    return found


class Formulas(Extension):
    """Markdown with formulas."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Look for formulas after code, but before anything that a formula could hold."""
        md.inlinePatterns.register(_Formula(FORMULA, md), "formula", 185)


class _Formula(InlineProcessor):
    def handleMatch(  # type: ignore[override]  # noqa: N802 (Markdown's name)
        self, found: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        display = found["display"]
        html = mathml(display or found["inline"], display=display is not None)
        if display:  # too wide for a phone it scrolls, and the page does not
            html = f'<span class="formula">{html}</span>'
        return self.md.htmlStash.store(html), found.start(), found.end()
