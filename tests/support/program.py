"""The fangs program, run as a process of its own from this source tree."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = (sys.executable, "-m", "fangs")


def run(*arguments, **options):
    """Run the program to its end; what it printed and returned."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )
