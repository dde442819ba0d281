"""Pages that are made, not written: changelog, reference from `__all__`, options of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import getdoc, isclass, ismodule
from pathlib import Path
from types import ModuleType

import click
from sphinx.application import Sphinx

import fangs
from fangs.cli.commands import COMMANDS
from fangs.draws.roles import NOT_DRAWS, ROLES

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
INFO = """## Sizes and labels of draws

`Samples.info` and `Estimate.samples_info` are of this class, which has no name in `fangs`.

### SamplesInfo

```{eval-rst}
.. autoclass:: fangs.draws.info.SamplesInfo
   :members: n_draws, total_weight, effective_draws, chain_names, chain_codes, fingerprint
```
"""

NAMES = """# What is what in your file

Dimensions, columns and entries are understood by their names, without regard to case, in every
object and every file. Of several names that are there, the first counts.

{table}

- *Other names*: say what they mean, in Python as `dims={{"item": "person", "value": "Z"}}`, in the
  shell as `--dims item=person --dims value=Z`. `weights="w"` and `chains="run"` name the variable
  or column with the weights and the chains.
- *`sample`* means a draw only where nothing else does: a biologist's samples are the items.
- *`Z_dim_0`, `Z_dim_1`*, as PyMC and ArviZ number dimensions, are items and features, by their
  numbers.
- *One dimension of an array is left, and one meaning*: then they belong together. Otherwise fangs
  asks, and always where it is a column of a table. Nothing that has names is read by position.
- *Values*: in a table with a row for each entry, the column of 0 and 1 tells ones from zeros,
  whatever it is called, if it is the only one and every feature lists all its items. Without such a
  column, each row is a one.
- *Names that are never taken for draws* where something else could be: {not_draws}.
- *Numbers as labels*: items that are only counted, from 0 or from 1 without a gap, have no labels.
  People read them counted from 1, or from 0 where the source itself counts from 0. Positions in
  Python count from 0, as everywhere in Python. Features are counted from 1 in all that people read.
"""


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the pages before Sphinx looks for them."""
    app.connect("config-inited", lambda app, config: write_pages(Path(app.srcdir)))
    app.connect("source-read", _without_words_of_doctest)
    app.connect("source-read", _with_pages_of_the_study)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(docs: Path) -> None:
    """Write the made pages; they are not part of the repository."""
    pages = {"changelog.md": for_the_site((ROOT / "CHANGELOG.md").read_text("utf-8"))}
    for module in modules():
        pages[f"reference/{module.__name__}.md"] = reference_page(module)
    pages["reference/index.md"] = reference_index()
    pages["command-reference.md"] = command_page()
    pages["bring/names.md"] = names_page()
    for name, text in pages.items():
        path = docs / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")


def modules() -> list[ModuleType]:
    """The package and its public modules."""
    parts = (value for name in fangs.__all__ if ismodule(value := getattr(fangs, name)))
    return sorted([fangs, *parts], key=lambda module: module.__name__)


def reference_index() -> str:
    """The first page of the reference."""
    names = "\n".join(module.__name__ for module in modules())
    about = "Every public function and class, by module. The [guide](../guide.md) goes by task."
    return f"# Reference\n\n{about}\n\n```{{toctree}}\n:maxdepth: 2\n\n{names}\n```\n"


def reference_page(module: ModuleType) -> str:
    """A page with everything that the module makes public: functions first, then classes."""
    names = [name for name in sorted(module.__all__) if not ismodule(getattr(module, name))]
    if module is fangs.formats:  # the rest of it is on the page of fangs
        names = [name for name in names if name not in fangs.__all__ + fangs.results.__all__]
    functions = [name for name in names if not isclass(getattr(module, name))]
    classes = [name for name in names if isclass(getattr(module, name))]
    about = (module.__doc__ or "").strip()
    parts = [f"# {module.__name__}", about]
    for title, group in (("Functions", functions), ("Classes", classes)):
        if group:
            entries = [_entry(module, name) for name in group]
            parts += [f"## {title}", _overview(module, group), *entries]
    if module is fangs:
        parts += [INFO]
    return "\n\n".join(parts) + "\n"


def _overview(module: ModuleType, names: list[str]) -> str:
    """A table with the first sentence of each."""
    rows = [
        f"* - {{py:obj}}`~{module.__name__}.{name}`\n  - {_first_line(getattr(module, name))}"
        for name in names
        if callable(getattr(module, name))
    ]
    return "\n".join(["```{list-table}", ":widths: 30 70", "", *rows, "```"])


def _first_line(value: object) -> str:
    return (getdoc(value) or "").partition("\n")[0]


def _entry(module: ModuleType, name: str) -> str:
    value = getattr(module, name)
    kind = "autoclass" if isclass(value) else "autofunction" if callable(value) else "autodata"
    lines = [f"### {name}", "", "```{eval-rst}", f".. {kind}:: {module.__name__}.{name}"]
    if kind == "autoclass":
        lines.append("   :members:")  # fields are in the section "Attributes" of the class
    return "\n".join([*lines, "```"])


def command_page() -> str:
    """The help of every command."""
    entries = ["# Commands and options", "What `fangs COMMAND --help` prints, for all commands."]
    for command in COMMANDS:
        context = click.Context(command, info_name=f"fangs {command.name}", max_content_width=96)
        entries += [f"## {command.name}", f"```text\n{command.get_help(context)}\n```"]
    return "\n\n".join(entries) + "\n"


def names_page() -> str:
    """What is what in your file: the table of names that all readers share."""
    rows = [f"| {role} | {_quoted(names)} |" for role, names in ROLES.items()]
    table = "\n".join(["| meaning | names |", "|---|---|", *rows])
    return NAMES.format(table=table, not_draws=_quoted(NOT_DRAWS))


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def for_the_site(text: str) -> str:
    """A page of the repository with its links turned towards the site."""
    text = text.replace("](docs/", "](").replace("](CHANGELOG.md)", "](changelog.md)")
    return re.sub(r"\[([^]]*)\]\((LICENSE|CONTRIBUTING\.md|SECURITY\.md)\)", r"\1", text)


def _without_words_of_doctest(app: Sphinx, name: str, content: list[str]) -> None:
    """Show blank lines of answers as such, and none where doctest wants one after an answer."""
    content[0] = content[0].replace("\n<BLANKLINE>\n", "\n\n")
    content[0] = re.sub(r"\n+\n```(?=\n)", "\n```", content[0])


def _with_pages_of_the_study(app: Sphinx, name: str, content: list[str]) -> None:
    """Put the pages that `make study` writes into the navigation."""
    if name == "study/index":
        content[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"
