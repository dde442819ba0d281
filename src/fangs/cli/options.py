"""What commands share: arguments and options, and the look of their examples."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["draws", "examples", "max_seconds", "quiet", "seed", "threads", "variable", "weights"]

draws = click.argument("draws", type=click.Path(path_type=Path))
variable = click.option(
    "--variable", metavar="NAME", help="Array that holds the draws, if the file has several."
)
weights = click.option(
    "--weights",
    metavar="FILE|NAME",
    help="How much each draw counts: an .npy or text file, or an array in the file of the draws.",
)
seed = click.option("--seed", type=int, help="Same seed, same estimate.  [default: a new one]")
threads = click.option("--threads", type=int, help="Threads to use.  [default: all cores]")
max_seconds = click.option(
    "--max-seconds", type=float, help="Stop the search then, with the best estimate so far."
)
quiet = click.option(
    "--quiet", is_flag=True, help="Print only errors and what other options ask for."
)


def examples(*lines: str) -> str:
    """Examples for the end of a help page, one per line."""
    # Click leaves the lines of a block alone if it starts with a backspace.
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
