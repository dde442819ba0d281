"""Order and names of features: the options, and the estimate that they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from fangs.cli.options import FILE, as_one, lines_of
from fangs.cli.output import Output
from fangs.estimate import Estimate
from fangs.formats import read_matrix
from fangs.posterior.feature_order import ORDERS

__all__ = ["FeatureOptions", "features"]


@dataclass(frozen=True)
class FeatureOptions:
    """How the features of an estimate are to be ordered and named."""

    order: str | None
    feature_names: Path | None

    @property
    def files(self) -> list[Path | None]:
        """The files with names and with an order, each or None."""
        return [self.feature_names, None if self.order in (None, *ORDERS) else Path(self.order)]

    def check(self) -> None:
        """Refuse files that cannot be read, before any work is done."""
        names, order = self.files
        for path in (names, order):
            if path is not None and not path.exists():
                known = "" if path == names else "; --order takes left, size or a file"
                raise FileNotFoundError(f"there is no file {str(path)!r}{known}")
        if order is not None:
            read_matrix(order)
        if names is not None:
            lines_of(names, "names")

    def arranged(self, estimate: Estimate, output: Output) -> Estimate:
        """The same estimate, its features ordered and then named.

        What does not fit the features that were found is complained of at the end: a search is not
        thrown away for a name.
        """
        try:
            if self.order in ORDERS:
                estimate = estimate.ordered(self.order)
            elif self.order is not None:
                estimate = estimate.ordered(read_matrix(self.order, items=estimate.items))
            if self.feature_names is not None:
                estimate = estimate.named(lines_of(self.feature_names, "names"))
        except ValueError as error:
            output.failure = error
        return estimate


features = as_one(
    "features",
    FeatureOptions,
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
