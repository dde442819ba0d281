"""Build fangs in several ways and check that all give the same bits.

python scripts/same_bits.py [build ...] tries other optimisations, compilers, instruction sets and
Pythons, as far as they are here; clang++ comes with Debian's package clang. Each build has an
environment of its own under build/same-bits, and runs tests/test_digest.py.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "same-bits"
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")

# Name, compiler, optimisation, flags. -mpopcnt leaves nothing to dispatch; without __SSE2__ the
# plain loops run.
COMPILERS = [
    ("gcc -O3", "g++", "-O3", ""),
    ("gcc -O0", "g++", "-O0", ""),
    ("gcc -O3 -mpopcnt", "g++", "-O3", "-mpopcnt"),
    ("gcc, no vector code", "g++", "-O3", "-U__SSE2__ -D__POPCNT__"),
    ("clang -O3", "clang++", "-O3", ""),
]


def find_python(name):
    """An interpreter on the path or of pyenv, or None."""
    of_pyenv = Path.home().glob(f".pyenv/versions/{name.removeprefix('python')}.*/bin/python")
    for path in [shutil.which(name), *map(str, of_pyenv)]:
        # pyenv puts programs on the path that only say that there is no such version.
        if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
            return path
    return None


def build_and_run(name, python, compiler, optimisation, flags):
    """Whether a build gives the recorded bits; None where it cannot be made here."""
    python = find_python(python)
    if python is None or shutil.which(compiler) is None:
        return None
    folder = WORK / name.replace(" ", "_").replace(",", "")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    inside = folder / "bin" / "python"
    install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    settings = [
        f"--config-settings=build-dir={folder}/build",
        f"--config-settings=cmake.define.CMAKE_CXX_FLAGS={flags}",
        f"--config-settings=cmake.define.FANGS_OPTIMIZE={optimisation}",
    ]
    environment = {**os.environ, "CXX": compiler}
    subprocess.run([*install, ".", "pytest", *settings], check=True, cwd=ROOT, env=environment)
    # Without the settings and fixtures of the other tests, which need more packages.
    alone = ["-c", os.devnull, "--rootdir", ".", "--noconftest", "-p", "no:cacheprovider"]
    test = [inside, "-m", "pytest", "-q", *alone, "tests/test_digest.py"]
    return subprocess.run(test, cwd=ROOT).returncode == 0


def main():
    """Make the builds that were named, or all; exit with 1 if one gives other bits."""
    builds = [(name, PYTHONS[0], *rest) for name, *rest in COMPILERS]
    builds += [(python, python, "g++", "-O3", "") for python in PYTHONS[1:]]
    results = {}
    for name, *how in builds:
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        results[name] = build_and_run(name, *how)
        said = {True: "same bits", False: "OTHER BITS", None: "not here"}[results[name]]
        print(f"{name:22} {said}", flush=True)
    sys.exit(any(found is False for found in results.values()))


if __name__ == "__main__":
    main()
