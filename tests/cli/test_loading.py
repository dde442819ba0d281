"""Ctrl-C while the program is still being imported ends it in one line, too."""

import os
import subprocess
import sys

import pytest

HASTY = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
except KeyboardInterrupt:
    raise ImportError("half imported")  # as libraries do
"""
SCRIPT = "import sys; sys.argv[0] = '/somewhere/bin/fangs'; from fangs.cli import main; main()"
"""What pip writes as the program, in one line."""


def run(tmp_path, interrupted, *words):
    """Run Python with Ctrl-C in the middle of importing a library."""
    (tmp_path / f"{interrupted}.py").write_text(HASTY)
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": paths},
        restore_signals=True,
        preexec_fn=unignore,
    )


def unignore():
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell may have it ignored


@pytest.mark.parametrize("interrupted", ["numpy", "click", "rich"])
@pytest.mark.parametrize("words", [["-m", "fangs", "--help"], ["-c", SCRIPT, "--help"]])
def test_an_interrupt_of_the_program_is_one_line(tmp_path, interrupted, words):
    done = run(tmp_path, interrupted, *words)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "fangs: interrupted\n")


def test_other_programs_have_their_own_interrupts(tmp_path):
    program = """
try:
    import fangs
except ImportError as error:
    print(error)
"""
    done = run(tmp_path, "numpy", "-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "half imported\n", "")
