"""The fangs program, run to its end: in this process, or in one of its own."""

import io
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout

from fangs.cli import main

PROGRAM = (sys.executable, "-m", "fangs")


def run(*arguments, cwd="."):
    """What the program printed and returned, in this process."""
    out, err = io.StringIO(), io.StringIO()
    words = [*map(str, arguments)]
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        try:
            main(words)
        except SystemExit as ended:
            code = ended.code
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def run_alone(*arguments, **options):
    """The same in a process of its own."""
    words = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **options)


def assert_fails(result, *words):
    """The program could not do it: code 2, no result, one line on stderr that has these words."""
    assert (result.returncode, result.stdout) == (2, ""), result
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("fangs: ")
    assert [word for word in words if word not in result.stderr] == [], result.stderr
