"""``fangs demo``: the main job on the draws that come with the package."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from fangs import datasets
from fangs.cli import options
from fangs.cli.exit_codes import DONE
from fangs.cli.output import show

__all__ = ["command"]


@options.command(
    "demo",
    "Run the main job on the draws that come with fangs.",
    "fangs demo",
    "fangs demo somewhere",
)
@click.argument("folder", type=options.FILE, default=Path("demo"))
@click.pass_context
def command(context: click.Context, folder: Path) -> int:
    """Estimate the draws that come with fangs; leave the files and a report in FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    draws = folder / "draws.npz"
    datasets.example().save(draws)
    targets = [folder / f"estimate.{suffix}" for suffix in ("npz", "csv", "json")]
    outs = [word for target in targets for word in ("--out", str(target))]
    page = folder / "report.html"
    program = context.find_root().command
    for words in (
        ["estimate", str(draws), "--seed", "1", *outs],
        ["report", str(draws), "--estimate", str(targets[0]), "--out", str(page)],
    ):
        show("$ " + shlex.join(["fangs", *words]))
        if (code := program.main(words, prog_name="fangs", standalone_mode=False)) != DONE:
            return int(code)
    show(f"""
Open
  {folder}/report.html    everything on one page, in any browser
  {folder}/estimate.csv   the matrix: an image per row, a feature per column
  {folder}/estimate.json  the same with proportions and the record of the search
  {folder}/estimate.npz   everything, for fangs.load("{folder}/estimate.npz") in Python""")
    return DONE
