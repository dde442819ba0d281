"""What commands share: the draws and how to read them, common options, the look of examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from fangs._extras import require
from fangs.distributed import shard
from fangs.io import read
from fangs.samples import Samples

__all__ = [
    "DrawFiles",
    "a",
    "as_document",
    "cluster",
    "draws",
    "examples",
    "max_seconds",
    "quiet",
    "seed",
    "threads",
]

FILE = click.Path(path_type=Path)


@dataclass(frozen=True)
class DrawFiles:
    """The files of draws that a command was given, and how to read them."""

    paths: tuple[Path, ...]
    settings: dict[str, Any]

    def read(self) -> Samples:
        """Read the draws; of several files, each is a chain."""
        return read(self._source, **self._given)

    @contextmanager
    def on(self, scheduler: str | None, n_workers: int | None) -> Iterator[Any]:
        """The draws where they are to be worked on: here, or in shards on a Dask cluster."""
        if scheduler is None and n_workers is None:
            yield self.read()
            return
        if scheduler is not None and n_workers is not None:
            raise click.UsageError("--workers starts a cluster of its own: drop --scheduler")
        distributed = require("distributed", extra="dask")
        with ExitStack() as stack:
            if scheduler is None:
                cluster = distributed.LocalCluster(
                    n_workers=n_workers, threads_per_worker=1, dashboard_address=":0"
                )
                scheduler = stack.enter_context(cluster).scheduler_address
            try:
                client = stack.enter_context(distributed.Client(scheduler, timeout=30))
            except (OSError, TimeoutError) as error:
                raise click.ClickException(f"no scheduler answers at {scheduler}") from error
            yield stack.enter_context(shard(self._source, client=client, **self._given))

    @property
    def _source(self) -> Any:
        return self.paths[0] if len(self.paths) == 1 else list(self.paths)

    @property
    def _given(self) -> dict[str, Any]:
        return {name: value for name, value in self.settings.items() if value is not None}


_READING = (
    click.option(
        "--variable", metavar="NAME", help="Where in the file the draws are, if it has several."
    ),
    click.option("--burn-in", type=int, help="Draws to leave out at the start of each chain."),
    click.option("--thin", type=int, help="Keep one of so many draws of each chain."),
    click.option(
        "--chains", metavar="NAMES", help="Chains to keep, separated by commas.  [default: all]"
    ),
    click.option(
        "--weights",
        metavar="FILE|NAME",
        help="How much each draw counts: a text or .npy file, or a variable of the file.",
    ),
    click.option(
        "--items", type=FILE, metavar="FILE", help="Names of the items: a text file, one a line."
    ),
)


def draws(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument DRAWS and the options for reading it, as one `DrawFiles`."""

    @wraps(command)
    def wrapped(draws: tuple[Path, ...], **rest: Any) -> Any:
        settings = {name: rest.pop(name) for name in ("variable", "burn_in", "thin")}
        chains, weights, items = (rest.pop(name) for name in ("chains", "weights", "items"))
        settings["chains"] = None if chains is None else chains.split(",")
        settings["weights"] = weights
        settings["items"] = None if items is None else items.read_text("utf-8").splitlines()
        return command(DrawFiles(draws, settings), **rest)

    for option in reversed(_READING):
        wrapped = option(wrapped)
    argument = click.argument("draws", type=FILE, nargs=-1, required=True, metavar="DRAWS...")
    return argument(wrapped)


a = click.option(
    "-a",
    type=float,
    default=1.0,
    show_default=True,
    help="Price of a one that the estimate has and a draw lacks, in (0, 2); the larger, the fewer "
    "ones (not always fewer features).",
)
_CLUSTER = (
    click.option(
        "--scheduler", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler."
    ),
    click.option("--workers", "n_workers", type=int, help="Work on this many worker processes."),
)


def cluster(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say where passes over the draws are made."""
    for option in reversed(_CLUSTER):
        command = option(command)
    return command


seed = click.option("--seed", type=int, help="Same seed, same result.  [default: a new one]")
threads = click.option("--threads", type=int, help="Threads to use.  [default: all cores]")
max_seconds = click.option(
    "--max-seconds", type=float, help="Stop the search then, with the best estimate so far."
)
quiet = click.option(
    "--quiet", is_flag=True, help="Print only errors and what other options ask for."
)
as_document = click.option(
    "--json", "as_document", is_flag=True, help="Print one JSON document instead of text."
)


def examples(*lines: str) -> str:
    """Examples for the end of a help page, one per line."""
    # Click leaves the lines of a block alone if it starts with a backspace.
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
