"""What commands share: the draws and how to read them, common options, the look of examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click

from fangs.cli.cluster import Place, cluster
from fangs.cli.text import lines_of
from fangs.formats import read

__all__ = [
    "DrawFiles",
    "a",
    "as_document",
    "cluster",
    "draws",
    "examples",
    "max_seconds",
    "named_dims",
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
    place: Place = field(default_factory=Place)

    def read(self) -> Any:
        """Read the draws, to where passes are made; of several files, each is a chain.

        Returns `Samples` or `ShardedSamples`. Shards, and a cluster that was started for them, are
        let go when the command ends.
        """
        if not self.place.is_sharded:
            return read(self._source, **self._given)
        opened = self.place.open(self._source, **self._given)
        return click.get_current_context().with_resource(opened)

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
    click.option("--thin", type=int, metavar="N", help="Then keep every N-th draw of each chain."),
    click.option(
        "--keep-chains",
        metavar="NAMES",
        help="Chains to keep, separated by commas.  [default: all]",
    ),
    click.option("--chains", metavar="NAME", help="The variable or column with each draw's chain."),
    click.option(
        "--weights",
        metavar="FILE|NAME",
        help="How much each draw counts: a text or .npy file, or a variable or column of DRAWS.",
    ),
    click.option(
        "--dims",
        multiple=True,
        metavar="ROLE=NAME",
        help="What the draw, chain, item, feature, weight or value is called in DRAWS, such as "
        "item=person; may be given several times.",
    ),
    click.option(
        "--items", type=FILE, metavar="FILE", help="Names of the items: a text file, one a line."
    ),
)


def named_dims(pairs: tuple[str, ...]) -> dict[str, str] | None:
    """``--dims item=person`` as ``dims={"item": "person"}``.

    Examples
    --------
    >>> named_dims(("item=person", "value=Z"))
    {'item': 'person', 'value': 'Z'}
    """
    if not pairs:
        return None
    split = [pair.partition("=") for pair in pairs]
    for pair, (role, sign, name) in zip(pairs, split, strict=True):
        if not (role and sign and name):
            raise click.UsageError(f"--dims {pair}: write ROLE=NAME, such as --dims item=person")
    return {role: name for role, _, name in split}


def draws(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument DRAWS and the options for reading it, as one `DrawFiles`."""

    @wraps(command)
    def wrapped(draws: tuple[Path, ...], **rest: Any) -> Any:
        names = ("variable", "burn_in", "thin", "chains", "weights")
        settings = {name: rest.pop(name) for name in names}
        kept, dims, items = (rest.pop(name) for name in ("keep_chains", "dims", "items"))
        settings["keep_chains"] = None if kept is None else kept.split(",")
        settings["dims"] = named_dims(dims)
        settings["items"] = None if items is None else lines_of(items, "labels")
        return command(DrawFiles(draws, settings), **rest)

    for option in reversed(_READING):
        wrapped = option(wrapped)
    argument = click.argument("draws", type=FILE, nargs=-1, required=True, metavar="DRAWS...")
    return argument(wrapped)


class Penalty(click.ParamType):  # type: ignore[type-arg]
    """One number; several are for `fangs path`."""

    name = "float"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """The number."""
        if isinstance(value, str) and "," in value:
            self.fail(f"takes one penalty, not {value}; for several: fangs path --grid {value}")
        found: float = click.FLOAT.convert(value, param, ctx)
        return found


a = click.option(
    "-a",
    type=Penalty(),
    default=1.0,
    show_default=True,
    help="Price of a one that the estimate has and a draw lacks, in (0, 2); the larger, the fewer "
    "ones (not always fewer features).",
)
seed = click.option("--seed", type=int, help="Same seed, same result.  [default: a new one]")
threads = click.option("--threads", type=int, help="Threads to use.  [default: all cores]")
max_seconds = click.option(
    "--max-seconds", type=float, help="Search this long at most; keep the best estimate so far."
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
