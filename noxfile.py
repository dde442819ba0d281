"""Tests on every Python found here, with the newest and the lowest dependencies: ``nox``.

Interpreters are found, on the PATH or in a folder of pyenv, and never downloaded; a session without
one is skipped and nox says so.
"""

# /// script
# dependencies = ["nox>=2025.5.1"]
# ///

import os
import re
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2025.5.1"
nox.options.download_python = "never"
nox.options.default_venv_backend = "venv"
# nox looks on the PATH, where pyenv has the versions that are switched on, only.
PYENV = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
os.environ["PATH"] = os.pathsep.join(
    [os.environ["PATH"], *sorted(map(str, PYENV.glob("versions/3.*/bin")))]
)

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
USED = ("cli", "dask", "files", "plot", "all")
"""The extras for users; the others are for development."""
# What the tests need besides; whatever goes with the old versions. Old versions of zarr do not ask
# for google-crc32c; without it the newest numcodecs warns on stderr, where tests want nothing.
TOOLS = ("google-crc32c", "hypothesis", "jax", "netCDF4", "polars", "pytest>=8", "pytest-xdist")
# Old libraries use what newer ones of theirs have deprecated.
QUIET = ("-W", "ignore::DeprecationWarning", "-W", "ignore::FutureWarning")
# The pages are tested by .ci/run, on one Python.
TESTS = ("tests", "--ignore=tests/docs", "--ignore=tests/study")
CORE = (
    "tests/engine", "tests/search", "tests/posterior", "tests/path", "tests/modes", "tests/bounds",
    "tests/draws", "tests/formats", "tests/plot", "tests/cli", "tests/test_loss.py",
    "tests/test_estimate.py", "tests/test_import.py",
)  # fmt: skip


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def newest(session: nox.Session) -> None:
    """Run the tests with the newest dependencies."""
    session.install(".[test]")
    session.run("pytest", "-q", "-n", "auto", *(session.posargs or TESTS))


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests with the oldest versions that pyproject.toml allows."""
    session.install(".", *lower_bounds(), *TOOLS)
    session.run("pytest", "-q", "-n", "auto", *QUIET, *(session.posargs or CORE))


def lower_bounds() -> list[str]:
    """Every library that users may need, at its lower bound; the higher one where there are two."""
    found: dict[str, str] = {}
    for requirement in [
        *PROJECT["dependencies"],
        *(word for extra in USED for word in EXTRAS[extra]),
    ]:
        name, _, version = requirement.partition(">=")
        if version and key(version) > key(found.get(name, "0")):
            found[name] = version
    return [f"{name}=={version}" for name, version in found.items()]


def key(version: str) -> list[int]:
    """What orders versions."""
    return [int(number) for number in version.split(".")]


@nox.session(python="3.11", default=False)
@nox.parametrize("extra", USED)
def extras(session: nox.Session, extra: str) -> None:
    """See that what an extra brings is refused without it, and works after the message's remedy."""
    session.install(str(wheel(session)))
    script = Path("scripts/extras.py").resolve()
    place = session.create_tmp()
    with session.chdir(place):  # away from the sources
        remedy = session.run("python", str(script), "missing", extra, silent=True)
        session.log(remedy)
        [install] = set(re.findall(r"pip install '(.+?)'", str(remedy)))
        session.install(install)
        session.run("python", str(script), "there", extra)


def wheel(session: nox.Session) -> Path:
    """The wheel named after ``--``, or one of the sources, built once for all sessions of a run."""
    if session.posargs:
        return Path(session.posargs[0]).resolve()
    place = Path(session.cache_dir) / "wheel"
    if not _built:
        for old in place.glob("*.whl"):
            old.unlink()
        session.run("python", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(place), ".")
        _built.extend(place.glob("*.whl"))
    [path] = _built
    return path.resolve()


_built: list[Path] = []

if __name__ == "__main__":
    nox.main()
