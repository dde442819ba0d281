"""What commands share: the draws and how to read them, common options, the look of examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any

import click

from fangs.cli.output import Output
from fangs.cli.place import PLACE_OPTIONS, Place
from fangs.estimate import Estimate, load
from fangs.formats import read
from fangs.formats.guard import MAX_LABEL_BYTES, check_piece, file_errors
from fangs.search import estimate

FILE = click.Path(path_type=Path)
_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Command(click.Command):
    """A command whose help ends with examples."""

    examples: tuple[str, ...] = ()


def command(name: str, short_help: str, *lines: str) -> Callable[..., Command]:
    """Make a function a command with these examples."""

    def decorate(function: Callable[..., int]) -> Command:
        settings = {"short_help": short_help, "epilog": examples(*lines)}
        made = click.command(name, cls=Command, **settings)(function)
        made.examples = lines
        return made

    return decorate


def examples(*lines: str) -> str:
    """Examples for the end of a help page, one per line."""
    # Click leaves the lines of a block alone if it starts with a backspace.
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def as_one(name: str, make: Callable[..., Any], *options: _Decorator) -> _Decorator:
    """Options that a command takes as one object, which is made of their values."""
    names = signature(make).parameters

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapped(**given: Any) -> Any:
            values = {key: given.pop(key) for key in names if key in given}
            return function(**given, **{name: make(**values)})

        decorated: Callable[..., Any] = wrapped
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


@dataclass(frozen=True)
class DrawFiles:
    """The files of draws that a command was given, and how to read them."""

    draws: tuple[Path, ...]
    variable: str | None
    burn_in: int | None
    thin: int | None
    keep_chains: str | None
    chains: str | None
    weights: str | None
    dims: tuple[str, ...]
    items: Path | None

    @property
    def files(self) -> list[Any]:
        """All files that may be read; weights may also be a name, and be absent."""
        return [*self.draws, self.weights, self.items]

    def read(self, place: Place | None = None) -> Any:
        """Read the draws, to where passes are made; of several files, each is a chain.

        Returns `Samples` or `ShardedSamples`. Shards, and a cluster that was started for them, are
        let go when the command ends.
        """
        source = self.draws[0] if len(self.draws) == 1 else list(self.draws)
        if place is None or not place.is_sharded:
            return read(source, **self._request())
        opened = place.open(source, **self._request())
        return click.get_current_context().with_resource(opened)

    def _request(self) -> dict[str, Any]:
        names = ("variable", "burn_in", "thin", "chains", "weights")
        given = {name: getattr(self, name) for name in names} | {
            "keep_chains": None if self.keep_chains is None else self.keep_chains.split(","),
            "dims": named_dims(self.dims),
            "items": None if self.items is None else lines_of(self.items, "labels"),
        }
        return {name: value for name, value in given.items() if value is not None}


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


def lines_of(path: Path, what: str) -> list[str]:
    """The lines of a text file; one that is no file, no text or far too large is refused.

    Examples
    --------
    >>> lines_of(Path("/dev/null"), "names")
    Traceback (most recent call last):
    ValueError: '/dev/null' holds no names that fangs can read: it is a folder, a device or a pipe
    """
    with file_errors(path, what):
        size = path.stat().st_size
        if not path.is_file():  # a pipe would wait for ever, and a device never end
            raise ValueError("it is a folder, a device or a pipe")
        check_piece(size, name="the file", limit=MAX_LABEL_BYTES)
        return path.read_text("utf-8").splitlines()


draws = as_one(
    "draws",
    DrawFiles,
    click.argument("draws", type=FILE, nargs=-1, required=True, metavar="DRAWS..."),
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
place = as_one("place", Place, *PLACE_OPTIONS)


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
max_seconds = click.option(
    "--max-seconds", type=float, help="Search this long at most; keep the best estimate so far."
)


@dataclass(frozen=True)
class KnownEstimate:
    """The estimate that a command is about: one from a file, or one to search for now."""

    file: Path | None
    a: float | None
    seed: int | None

    def __post_init__(self) -> None:
        if self.file is not None and not (self.a is None and self.seed is None):
            raise click.UsageError("--estimate brings its own -a and --seed: drop these")

    def find(self, samples: Any, output: Output, **settings: Any) -> Estimate:
        """The estimate; on Ctrl-C the best so far."""
        if self.file is not None:
            return load(self.file)
        settings |= {"a": 1.0 if self.a is None else self.a, "seed": self.seed}
        found: Estimate = output.search(estimate, samples, **settings)
        return found


known = as_one(
    "known",
    KnownEstimate,
    click.option(
        "--estimate",
        "file",
        type=FILE,
        metavar="FILE",
        help="An .npz file from fangs estimate.  [default: estimate now]",
    ),
    click.option(
        "-a",
        type=Penalty(),
        help="Penalty to estimate at, in (0, 2); see fangs estimate.  [default: 1]",
    ),
    seed,
)

_PRINTING = {
    "json": click.option(
        "--json", "as_document", is_flag=True, help="Print one JSON document instead of text."
    ),
    "quiet": click.option(
        "--quiet", is_flag=True, help="Print only errors and what other options ask for."
    ),
}


def output(*names: str) -> _Decorator:
    """Give a command its `Output`, with these of the options for it."""
    return as_one("output", Output, *(_PRINTING[name] for name in names))
