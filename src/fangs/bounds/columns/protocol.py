"""What column generation asks of an engine, beyond the passes that all others use."""

from __future__ import annotations

from typing import Protocol

from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.engine import Engine


class Pricing(Protocol):
    """What columns earn at prices of the draws' features; docs/theory-bounds.md, "Columns".

    From each draw a column earns its largest overlap with a feature beyond the price of that
    feature, and each of its items costs something. All numbers are whole.
    """

    @property
    def n_features(self) -> int:
        """Number of features of all draws together."""

    def set_prices(self, prices: IntArray) -> None:
        """(all features,): not negative, in the order of the draws."""

    def profits(self, columns: BinaryMatrix) -> IntArray:
        """(C,): what each column earns, less its cost."""

    def climb(self, columns: BinaryMatrix) -> tuple[BinaryMatrix, IntArray]:
        """Flip items of each column until no flip raises its profit; columns and profits."""

    def explore(
        self, threshold: int, *, list_all: bool, max_nodes: int, max_found: int, seconds: float
    ) -> tuple[BinaryMatrix, IntArray, int, bool]:
        """Search all columns for those whose profit exceeds the threshold.

        Returns columns, profits, nodes visited, and whether the search was complete: then no
        columns means that there are none. With `list_all` all of them are returned, except that
        items which are in the same features of all draws are taken together. Without it some are
        returned if there are any; the threshold must not be negative then.
        """

    def solve(
        self,
        columns: BinaryMatrix,
        *,
        least: IntArray,
        is_fixed: IntArray,
        tolerance: float,
        enough: float,
        seconds: float,
    ) -> tuple[FloatArray, FloatArray, float, float]:
        """Solve the linear programme over these columns; see `columns.programme.solve`.

        Returns multiplicities, a price per feature, their value, and its gap.
        """


class PricingEngine(Engine, Protocol):
    """An engine that can price columns."""

    def pricing(
        self, members: IntArray, weights: IntArray, *, scale: int, item_cost: int
    ) -> Pricing:
        """Price columns over these draws, each counted `weights` times.

        An overlap of one item counts `scale`, an item of a column costs `item_cost`.
        """
