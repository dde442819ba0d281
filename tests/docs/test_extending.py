"""The page on extensions: every block of code runs, as a new file, a line of a registry, or a use.

A block whose first line names a file is that file. `# FILE, in NAME` are lines of the registry NAME
in an existing file. All other blocks are run one after another, as a user would.
"""

import contextlib
import io
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import fangs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "extending.md"
REGISTRIES = ("PERTURBATIONS", "METHODS", "FORMATS", "FORMS", "_MODULES")


class Page:
    """Runs the blocks of the page in order, and cleans up after itself with `monkeypatch`."""

    def __init__(self, monkeypatch):
        self.patch = monkeypatch
        self.names = {"__name__": "page"}
        self.added = {}
        self.files, self.registries = [], []

    def run(self, block):
        first, _, rest = block.partition("\n")
        if found := re.fullmatch(r"# (src/fangs/\S+\.py), in (\w+)", first):
            self.add_lines(*found.groups(), rest)
        elif found := re.fullmatch(r"# (src/fangs/\S+\.py)", first):
            self.add_file(found[1], rest)
        else:
            exec(compile(block, str(PAGE), "exec"), self.names)

    def add_file(self, path, code):
        assert not (ROOT / path).exists(), f"{path} is no new file"
        self.files.append(path)
        module = ModuleType(module_name(path))
        self.patch.setitem(sys.modules, module.__name__, module)  # dataclasses look it up there
        exec(compile(code, path, "exec"), vars(module))
        self.added[Path(path).stem] = module
        self.added |= {n: v for n, v in vars(module).items() if not n.startswith("_")}

    def add_lines(self, path, registry, lines):
        assert re.search(rf"^{registry}\b.*= [\[{{]$", (ROOT / path).read_text("utf-8"), re.M)
        self.registries.append(registry)
        module = import_module(module_name(path))
        if isinstance(getattr(module, registry), list):
            added = eval(f"[{lines}]", vars(module) | self.added)
            self.patch.setattr(module, registry, [*added, *getattr(module, registry)])
            return
        for name, value in eval(f"{{{lines}}}", vars(module) | self.added).items():
            assert name not in getattr(module, registry)
            self.patch.setitem(getattr(module, registry), name, value)


def module_name(path):
    name = path.removeprefix("src/").removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__")


@pytest.fixture
def page(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # the page writes files
    before = set(vars(fangs.plot))
    yield Page(monkeypatch)
    for name in set(vars(fangs.plot)) - before:  # functions are remembered when first used
        delattr(fangs.plot, name)


def blocks():
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)


def test_every_block_runs(page):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in blocks():
            page.run(block)
    assert len(page.files) == 5
    assert set(page.registries) == set(REGISTRIES)
    assert "one_start" in printed.getvalue()
    assert page.names["counting"].passes["neighbourhood"] > 0
    assert "random_flips" in page.names["PERTURBATIONS"]


def test_all_code_on_the_page_is_run():
    fences = re.findall(r"^```(\w*)$", PAGE.read_text("utf-8"), re.M)
    assert fences[::2] == ["python"] * len(blocks())
