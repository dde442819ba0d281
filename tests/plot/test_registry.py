"""The registry of plots: every name is found, loaded late, and without matplotlib until drawn."""

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from fangs import plot

MODULES = [f"fangs.plot.{module.name}" for module in pkgutil.iter_modules(plot.__path__)]


def output(code):
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_every_name_is_a_function_of_the_module_it_is_listed_with():
    for module in MODULES:
        import_module(module)  # a module of the same name would hide a function from now on
    for name in plot.__all__:
        assert callable(getattr(plot, name)), name
        assert getattr(plot, name).__module__ in MODULES
    assert dir(plot) == sorted(plot.__all__)


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(plot.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: line.module for line in block.body for alias in line.names}
    assert seen == {name: getattr(plot, name).__module__ for name in plot.__all__}


def test_an_unknown_plot_is_an_attribute_error():
    with pytest.raises(AttributeError, match="pie"):
        _ = plot.pie


@pytest.mark.parametrize("missing", ["matplotlib", "scipy"])
def test_a_missing_extra_is_named(missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import fangs\n"
        "e = fangs.assess([[1, 0], [0, 1], [1, 1]], [[[1], [0], [0]]])\n"
        "try: e.plot(order='leaf')\n"
        "except ImportError as error: print(error)"
    )
    said = output(code)
    assert missing in said
    assert "fangs[plot]" in said


def test_modules_are_loaded_when_used_and_matplotlib_when_something_is_drawn():
    code = (
        "import sys, fangs; print('fangs.plot.matrices' in sys.modules);"
        "sys.modules['matplotlib'] = None;"
        "print(all(callable(getattr(fangs.plot, name)) for name in dir(fangs.plot)));"
        "print('fangs.plot.matrices' in sys.modules)"
    )
    assert output(code).split() == ["False", "True", "True"]
