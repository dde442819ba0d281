"""Order and names of features: the options, and the estimate that they ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from fangs.cli.options import FILE
from fangs.cli.text import lines_of
from fangs.estimate import Estimate
from fangs.formats import read_matrix
from fangs.posterior.feature_order import ORDERS

__all__ = ["FeatureOptions", "features"]


@dataclass(frozen=True)
class FeatureOptions:
    """How the features of an estimate are to be ordered and named."""

    order: str | None
    names: Path | None

    def check(self) -> None:
        """Refuse files that cannot be read, before any work is done."""
        file = None if self.order in (None, *ORDERS) else Path(str(self.order))
        for path in (self.names, file):
            if path is not None and not path.exists():
                known = "" if path == self.names else "; --order takes left, size or a file"
                raise FileNotFoundError(f"there is no file {str(path)!r}{known}")
        if file is not None:
            read_matrix(file)
        if self.names is not None:
            lines_of(self.names, "names")

    def arranged(self, estimate: Estimate) -> tuple[Estimate, ValueError | None]:
        """The same estimate, its features ordered and then named.

        What does not fit the features that were found is given back as an error, with the estimate
        as far as it could be arranged: a search is not thrown away for a name.
        """
        try:
            if self.order in ORDERS:
                estimate = estimate.ordered(self.order)
            elif self.order is not None:
                estimate = estimate.ordered(read_matrix(self.order, items=estimate.items))
            if self.names is not None:
                estimate = estimate.named(lines_of(self.names, "names"))
        except ValueError as error:
            return estimate, error
        return estimate, None


_OPTIONS = (
    click.option(
        "--order",
        metavar="left|size|FILE",
        help="Order of the features; a file with another estimate puts those that match its "
        "features first.  [default: left]",
    ),
    click.option(
        "--feature-names",
        type=FILE,
        metavar="FILE",
        help="Names of the features in that order: a text file, one a line.",
    ),
)


def features(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for the order and names of features, as one `FeatureOptions`."""

    @wraps(command)
    def wrapped(*args: Any, order: str | None, feature_names: Path | None, **rest: Any) -> Any:
        return command(*args, features=FeatureOptions(order, feature_names), **rest)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
