"""Tests on every Python found here, with the newest and the lowest dependencies: ``nox``.

Interpreters are never downloaded; a session without one is skipped and nox says so.
"""

import tomllib
from pathlib import Path

import nox

nox.options.download_python = "never"
nox.options.default_venv_backend = "venv"
nox.options.sessions = ["newest", "lowest"]

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
TESTS = ["tests/engine", "tests/search", "tests/posterior", "tests/test_loss.py", "tests/cli"]


@nox.session(python=PYTHONS)
def newest(session: nox.Session) -> None:
    """Run the tests with the newest dependencies."""
    session.install(".[test]")
    session.run("pytest", "-q", *(session.posargs or ["tests"]))


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the core's tests with the oldest versions that pyproject.toml allows."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["cli"], *extras["plot"]]
    pins = [word.replace(">=", "==") for word in wanted]
    session.install(".", *pins, "hypothesis>=6.100", "pytest>=8")
    session.run("pytest", "-q", *(session.posargs or TESTS))
