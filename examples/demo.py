"""Run the fangs command on the bundled draws and leave its files in a folder.

python examples/demo.py demo
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from fangs import datasets


def main(folder: str = "demo") -> None:
    """Estimate the bundled example into ``folder``."""
    demo = Path(folder)
    demo.mkdir(exist_ok=True)
    draws = demo / "draws.npz"
    datasets.example().save(draws)

    targets = [demo / f"estimate.{suffix}" for suffix in ("npz", "csv", "json")]
    outs = [word for target in targets for word in ("--out", str(target))]
    run("estimate", str(draws), "--seed", "1", *outs)
    page = demo / "report.html"
    run("report", str(draws), "--estimate", str(targets[0]), "--out", str(page))

    print(f"""
Open
  {demo}/report.html    everything on one page, in any browser
  {demo}/estimate.csv   the matrix: an image per row, a feature per column
  {demo}/estimate.json  the same with proportions and the record of the search
  {demo}/estimate.npz   everything, for fangs.load("{demo}/estimate.npz") in Python""")


def run(*arguments: str) -> None:
    """Show a command and run it."""
    print("$", shlex.join(["fangs", *arguments]), flush=True)
    subprocess.run([sys.executable, "-m", "fangs", *arguments], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
