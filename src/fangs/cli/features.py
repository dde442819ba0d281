"""Order and names of features: the options, and the estimate that they ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from fangs.cli.options import FILE
from fangs.estimate import Estimate
from fangs.feature_order import ORDERS
from fangs.io import read_matrix

__all__ = ["FeatureOptions", "features"]


@dataclass(frozen=True)
class FeatureOptions:
    """How the features of an estimate are to be ordered and named."""

    order: str | None
    names: Path | None

    def check(self) -> None:
        """Refuse a file that is not there before any work is done."""
        for path in (self.names, None if self.order in (None, *ORDERS) else Path(str(self.order))):
            if path is not None and not path.is_file():
                known = "" if path == self.names else "; --order takes left, size or a file"
                raise FileNotFoundError(f"there is no file {str(path)!r}{known}")

    def arranged(self, estimate: Estimate) -> Estimate:
        """The same estimate, its features ordered and then named."""
        if self.order in ORDERS:
            estimate = estimate.ordered(self.order)
        elif self.order is not None:
            estimate = estimate.ordered(read_matrix(self.order, items=estimate.items))
        if self.names is None:
            return estimate
        return estimate.named(self.names.read_text("utf-8").splitlines())


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
