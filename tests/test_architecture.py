"""The rules of the house: imports point one way, and the draws have one door."""

import ast
import re
from pathlib import Path

import pytest

import fangs

SOURCE = Path(fangs.__file__).parent

LAYERS = [
    {"_typing", "_extras", "_frozen", "_core", "_sampler"},
    {"check"},
    {"draws"},
    {"formats"},
    {"allocation", "loss"},
    {"engine"},
    {"estimate"},
    {"search"},
    {"posterior"},
    {"bounds"},
    {"path", "modes"},
    {"alternatives"},
    {"distributed"},
    {"results"},
    {"datasets", "simulate"},
    {"plot"},
    {"report"},
    {"cli"},
]
"""From the ground up: a module may import what is in its own package or in a lower layer."""

LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts not in {("__init__",), ("__main__",)}:
            yield parts[0], path


def imports(tree):
    """(imported package of fangs, whether inside a function, whether for types only)."""
    found = []

    def visit(node, in_function, for_types):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("fangs"):
            names = node.module.split(".")[1:2] or [alias.name for alias in node.names]
            found.extend((name, in_function, for_types) for name in names)
        if isinstance(node, ast.Import):
            found.extend(
                (alias.name.split(".")[1], in_function, for_types)
                for alias in node.names
                if alias.name.startswith("fangs.")
            )
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        is_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for child in ast.iter_child_nodes(node):
            visit(child, in_function or is_function, for_types or is_types)

    visit(tree, False, False)
    return found


def test_every_module_has_a_layer():
    assert {package for package, _ in modules()} <= set(LEVEL)


@pytest.mark.parametrize(("package", "path"), list(modules()), ids=lambda x: getattr(x, "name", x))
def test_imports_point_down(package, path):
    for imported, in_function, for_types in imports(ast.parse(path.read_text())):
        if imported not in LEVEL or imported == package or in_function or for_types:
            continue
        assert LEVEL[imported] < LEVEL[package], f"{path.name} imports {imported} from above"


UPWARDS = {
    "draws": {"formats", "report"},
    "formats": {"estimate", "search"},
    "estimate": {"plot", "posterior", "report"},
    # Results show themselves in notebooks.
    **{key: {"report"} for key in ("posterior", "bounds", "path", "modes", "alternatives")},
}
"""What methods may import inside a function: `samples.save()`, `estimate.plot()`, `fangs.load`."""


@pytest.mark.parametrize(("package", "path"), list(modules()), ids=lambda x: getattr(x, "name", x))
def test_only_methods_reach_upwards(package, path):
    for imported, in_function, _ in imports(ast.parse(path.read_text())):
        if in_function and imported in LEVEL and LEVEL[imported] > LEVEL[package]:
            assert imported in UPWARDS.get(package, ()), f"{path.name} reaches up to {imported}"


def test_the_core_is_touched_by_the_engine_and_the_draws_alone():
    touching = {
        package
        for package, path in modules()
        if any(name == "_core" for name, *_ in imports(ast.parse(path.read_text())))
    }
    assert touching == {"engine", "draws"}


def test_packed_draws_are_touched_by_the_engine_and_the_draws_alone():
    touching = {package for package, path in modules() if "._draws" in path.read_text()}
    assert touching == {"engine", "draws"}


def test_one_place_builds_estimates():
    """`Estimate.of`; reading a file back is the other way to one."""
    for package, path in modules():
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Estimate"
        ]
        assert not calls, f"{package}: {path.name} assembles an Estimate"


def test_engines_are_chosen_in_one_place():
    for package, path in modules():
        if package in ("engine", "distributed"):
            continue
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "ThreadedEngine"
        ]
        assert not calls, f"{path.name} builds an engine of its own"


def test_dir_shows_the_public_surface_only():
    assert set(dir(fangs)) == set(fangs.__all__)
    for name in fangs.__all__:
        assert getattr(fangs, name) is not None


CPP = Path(__file__).parents[1] / "cpp"
COMPILER = r"__builtin|__attribute__|gnu::|__declspec|_MSC_VER|__GNUC__|__clang__|intrin\.h"


@pytest.mark.parametrize("path", sorted(CPP.rglob("*.?pp")), ids=lambda path: path.name)
def test_only_one_header_knows_compilers(path):
    found = re.findall(COMPILER, path.read_text("utf-8"))
    assert bool(found) == (path == CPP / "simd" / "machine.hpp"), found
