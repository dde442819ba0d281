"""Names and files that the pages mention exist, and the tree in CONTRIBUTING is the real one."""

import pkgutil
import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

import fangs
from fangs import search
from fangs.search import SearchParams
from fangs.search.local_search import LocalSearch

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FILES = r"`((?:src|cpp|tests|docs|benchmarks|study|examples|scripts)/[\w./-]+)`"


def exists(dotted):
    """Whether `fangs.x.y` is a module, or an attribute of one."""
    found = fangs
    for name in dotted.split(".")[1:]:
        if not hasattr(found, name):
            try:
                import_module(f"{found.__name__}.{name}")
            except (ImportError, AttributeError):
                return False
        found = getattr(found, name)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_and_files_on_a_page_exist(page):
    text = re.sub(
        r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S
    )  # that runs anyway
    for dotted in set(re.findall(r"(?<![\w./-])fangs(?:\.[A-Za-z]\w*)+", text)):
        assert exists(dotted), dotted
    for file in re.findall(FILES, text):
        assert (ROOT / file).exists(), file


def pseudocode():
    text = (ROOT / "docs" / "how-the-search-works.md").read_text("utf-8")
    return re.search(r"```text\n(.*?)```", text, re.S)[1].splitlines()


def names_of_the_search():
    modules = [
        import_module(f"fangs.search.{m.name}") for m in pkgutil.iter_modules(search.__path__)
    ]
    return {name for module in modules for name in vars(module)} | set(vars(LocalSearch))


def test_the_pseudocode_names_functions_that_exist():
    lines = pseudocode()
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(lines) + 1))
    known = names_of_the_search() | {"Estimate.of"}
    named = [name for line in lines for name in re.split(r"  +", line.strip())[2:]]
    named = [name for column in named for name in column.split(", ")]
    assert len(named) > 12
    assert [name for name in named if name not in known] == []


def test_parameters_in_the_pseudocode_exist():
    known = {field.name for field in fields(SearchParams)} | set(fangs.estimate.__kwdefaults__)
    named = set(re.findall(r"\b(?:n|max)_[a-z]+\b", "\n".join(pseudocode())))
    assert named == {"n_init", "n_sweet", "n_final", "max_seconds"}
    assert named <= known


def tree():
    """Paths in the tree of CONTRIBUTING."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Where things are")[1]
    folder, paths = "", []
    for indent, name in re.findall(r"^    ( *)([\w./]+/|\w+\.py)(?:  .*)?$", text, re.M):
        folder = folder if indent else name
        paths.append(folder + name if indent else name)
    return paths


def test_the_tree_of_the_repository_is_complete():
    listed = tree()
    assert [path for path in listed if not (ROOT / path).exists()] == []
    folders = [ROOT / "src" / "fangs", ROOT / "cpp"]
    for folder in folders:
        there = {p.name for p in folder.iterdir() if p.is_dir() and not p.name.startswith("__")}
        named = {Path(p).name for p in listed if (ROOT / p).parent == folder and p.endswith("/")}
        assert named == there


def test_the_verbs_of_make_are_listed():
    verbs = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.M))
    listed = re.findall(
        r"^    make ([a-z-]+)  ", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    assert set(listed) == verbs - {"help"}
