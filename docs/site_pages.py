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

ROOT = Path(__file__).parent.parent


def on_files(files: Files, config: Any) -> Files:
    """Add the made pages to those that were written."""
    made = {
        "index.md": for_the_site(read("README.md")),
        "changelog.md": for_the_site(read("CHANGELOG.md")),
    }
    modules = [value for name in fangs.__all__ if ismodule(value := getattr(fangs, name))]
    for module in [fangs, *modules]:
        made[f"reference/{module.__name__}.md"] = reference_page(module)
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


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
