"""Run the fangs command on the bundled draws and leave its files in a folder.

python examples/demo.py demo
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from fangs import datasets


def main(folder: str = "demo") -> None:
    """Estimate the bundled example into ``folder``."""
    demo = Path(folder)
    demo.mkdir(exist_ok=True)
    draws = demo / "draws.npz"
    datasets.example().save(draws)

    targets = [demo / f"estimate.{suffix}" for suffix in ("npz", "csv", "json")]
    command = ["fangs", "estimate", str(draws), "--seed", "1"]
    for target in targets:
        command += ["--out", str(target)]
    print("$", shlex.join(command), flush=True)
    program = Path(sysconfig.get_path("scripts"), "fangs")
    subprocess.run([program, *command[1:]], check=True)

    print(f"""
Open
  {demo}/estimate.csv   the matrix: an image per row, a feature per column
  {demo}/estimate.json  the same with proportions and the record of the search
  {demo}/estimate.npz   everything, for fangs.load("{demo}/estimate.npz") in Python""")


if __name__ == "__main__":
    main(*sys.argv[1:])
