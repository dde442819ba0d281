"""Formulas as MathML, which browsers show by themselves: pages need neither script nor network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)

REPAIRS = (
    ('<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
    ("<mi>&#x025B3;</mi>", "<mo>&#x025B3;</mo>"),  # symmetric difference
    ("<mi>&#x029F5;</mi>", "<mo>&#x02216;</mo>"),  # set minus, in a form that more fonts have
    ("<mo>max</mo>", "<mi>max</mi>"),
    ("<mo>min</mo>", "<mi>min</mi>"),
)
"""Where latex2mathml gives too much space, or too little."""

LIMITS = re.compile(
    r"<msub>(<mi>(?:max|min)</mi>(?:<mi>[^<]*</mi>|<mrow>(?:(?!</?mrow).)*</mrow>))</msub>"
)
"""A minimum or maximum and its range, which a displayed formula has below it."""


def mathml(tex: str, *, display: bool) -> str:
    """Return a formula as MathML, with a warning about what cannot be turned into it."""
    tex = " ".join(tex.split())
    found = convert(tex, display="block" if display else "inline")
    if "\\" in found:
        log.warning("a formula has a command that latex2mathml does not know: %s", tex)
    for given, wanted in REPAIRS:
        found = found.replace(given, wanted)
    return LIMITS.sub(r"<munder>\1</munder>", found) if display else found


def visit_inline(translator: Any, node: nodes.math) -> None:
    """A formula within a line."""
    translator.body.append(mathml(node.astext(), display=False))
    raise nodes.SkipNode


def visit_display(translator: Any, node: nodes.math_block) -> None:
    """A formula on a line of its own; one too wide for a phone scrolls by itself."""
    translator.body.append(f'<div class="formula">{mathml(node.astext(), display=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about the renderer."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_display, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
