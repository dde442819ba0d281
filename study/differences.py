"""The page on where the paper and the software differ: direction of `a`, search, padding."""

from __future__ import annotations

from pathlib import Path

from study.markdown import write_page


def write(docs: Path, direction: list[str], stopping: list[str], padding: list[str]) -> None:
    """Write the page."""
    write_page(
        docs / "study" / "differences.md",
        "Where the paper and the software differ",
        "This software departs from the paper in three points: the direction of `a`, the search "
        "and its stop, and the padding columns. For each, this page says what differs, why, and "
        "what it changes. The draws are those of the [case studies](case-studies.md). The paper's "
        "proof of the triangle inequality is a further point: see "
        "[Theory](../theory.md#where-the-papers-proof-fails).",
        *direction,
        *stopping,
        *padding,
    )
