"""What a release has to say the same in several places: its version, and what it needs."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, BUILD = SETTINGS["project"], SETTINGS["tool"]["scikit-build"]
RECIPE = (ROOT / "recipe" / "recipe.yaml").read_text("utf-8")


def needed(section):
    """What a section of the recipe lists with a version: {name: bounds}."""
    text = re.search(rf"^  {section}:\n((?:    - .*\n)+)", RECIPE, re.M)[1]
    return dict(re.findall(r"- ([\w-]+) ([<>=].+)", text))


def by_name(requirements):
    """The same for requirements of pyproject.toml."""
    return dict(re.fullmatch(r"([\w-]+)(.+)", each).groups() for each in requirements)


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("CITATION.cff", r"^version: (.+)$"),
        ("recipe/recipe.yaml", r'^  version: "(.+)"$'),
        ("CHANGELOG.md", r"^## \[(.+?)\]"),
    ],
)
def test_the_version_is_the_same_everywhere(file, pattern):
    found = re.search(pattern, (ROOT / file).read_text("utf-8"), re.M)
    assert found[1] == PROJECT["version"]


def test_the_recipe_needs_what_the_library_and_its_command_need():
    command = PROJECT["optional-dependencies"]["cli"]
    assert needed("run") == by_name([*PROJECT["dependencies"], *command])


def test_the_recipe_builds_with_the_tools_of_the_wheels():
    assert needed("host") == by_name(SETTINGS["build-system"]["requires"])
    stable = BUILD["overrides"][0]["cmake"]["version"]
    assert needed("build") == {"cmake": stable, "ninja": BUILD["ninja"]["version"]}


def test_build_tools_have_an_upper_bound():
    wheels = (ROOT / "scripts" / "wheels.sh").read_text("utf-8")
    tools = re.findall(r"'([^']+)'", re.search(r"pip install --quiet ('build.+)$", wheels, re.M)[1])
    tools += SETTINGS["build-system"]["requires"]
    tools += [BUILD["cmake"]["version"], BUILD["ninja"]["version"]]
    tools += [override["cmake"]["version"] for override in BUILD["overrides"]]
    assert len(tools) == 10
    assert [tool for tool in tools if "<" not in tool] == []
