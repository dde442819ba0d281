"""The page on where the paper and the software differ: direction of `a`, stop, padding columns."""

from __future__ import annotations

from pathlib import Path

from study.markdown import write_page


def write(docs: Path, direction: list[str], stopping: list[str], padding: list[str]) -> None:
    """Write the page."""
    write_page(
        docs / "study" / "differences.md",
        "Where the paper and the software differ",
        "Three points, why, and what they change. The draws are those of the "
        "[case studies](case-studies.md).",
        *direction,
        *stopping,
        *padding,
    )
