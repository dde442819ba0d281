"""Pages of the site that are made, not written: the first from the README, the reference by module.

A hook of MkDocs (see mkdocs.yml). Every public name has its place on a page of the reference
because the pages are made from ``__all__``.
"""

from __future__ import annotations

import re
from inspect import ismodule
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.structure.files import File, Files

import fangs

DOCS = Path(__file__).parent
ROOT = DOCS.parent
ORDER = (
    "search",
    "uncertainty",
    "modes",
    "error-rates",
    "path",
    "certificates",
    "plots",
    "alternatives",
    "simulate",
    "performance",
    "extending",
)
"""Pages in the order of reading; others follow by name."""


def on_config(config: Any) -> Any:
    """Put the pages that there are into the order of reading."""
    written = sorted(page.stem for page in DOCS.glob("*.md"))
    ordered = [name for name in ORDER if name in written]
    ordered += [name for name in written if name not in ORDER]
    study = re.findall(r"\]\(([a-z-]+\.md)\)", (DOCS / "study" / "index.md").read_text("utf-8"))
    config.nav = [
        {"fangs": "index.md"},
        *(f"{name}.md" for name in ordered),
        {"Verification study": ["study/index.md", *(f"study/{page}" for page in study)]},
        {"Reference": [f"reference/{module.__name__}.md" for module in modules()]},
        "changelog.md",
    ]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the made pages to those that were written."""
    made = {
        "index.md": for_the_site(read("README.md")),
        "changelog.md": for_the_site(read("CHANGELOG.md")),
    }
    for module in modules():
        made[f"reference/{module.__name__}.md"] = reference_page(module)
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Show blank lines of answers as such, where doctest wants a word for them."""
    return markdown.replace("\n<BLANKLINE>\n", "\n\n")


def modules() -> list[ModuleType]:
    """Return the package and its public modules."""
    return [fangs, *(value for name in fangs.__all__ if ismodule(value := getattr(fangs, name)))]


def for_the_site(text: str) -> str:
    """Return a page of the repository with its links turned towards the site."""
    text = text.replace("](docs/", "](").replace("](CHANGELOG.md)", "](changelog.md)")
    return re.sub(r"\[([^]]*)\]\((LICENSE|CONTRIBUTING\.md)\)", r"\1", text)


def reference_page(module: ModuleType) -> str:
    """Return a page with everything that the module makes public, other modules aside."""
    names = sorted(name for name in module.__all__ if not ismodule(getattr(module, name)))
    entries = "\n\n".join(f"::: {module.__name__}.{name}" for name in names)
    about = (module.__doc__ or "").strip()
    return f"# {module.__name__}\n\n{about}\n\n{entries}\n"


def read(name: str) -> str:
    """Return a file at the top of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")
