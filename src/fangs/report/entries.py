"""The entries that a report shows one by one, capped so that browsers stay responsive."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.check.text import rounded
from fangs.estimate import Estimate
from fangs.plot.order import item_order
from fangs.report.gather import Facts
from fangs.report.heat import coded

ROWS = 200
"""Items shown at once: at first those with the largest expected mismatch."""
COLUMNS = 60
"""Features shown one by one."""
PATH_COLUMNS = 40
"""The same, for estimates along the path."""
ENTRIES = 600_000
"""Entries that the page holds for its script to search and sort."""


@dataclass(frozen=True, eq=False)
class ShownEntries:
    """Which part of the estimate the page holds entry by entry, and in which orders."""

    items: npt.NDArray[np.int64]
    """The items that the page holds, in the order of the draws."""
    codes: npt.NDArray[np.int16]
    """A row per item that the page holds, in the form of `coded`."""
    orders: dict[str, list[int]]
    """Positions among these items, by the name of the order."""
    first: list[int]
    """Positions of the items that the page shows at first, in that order."""

    @classmethod
    def of(cls, facts: Facts) -> ShownEntries:
        """Choose what to hold and what to show."""
        e, least_sure = facts.estimate, facts.summary.items.least_sure
        most = max(ROWS, ENTRIES // max(1, min(e.n_features, COLUMNS)))
        items = np.sort(least_sure[:most])
        orders = {
            "grouped": item_order(e.matrix[items]).tolist(),
            "given": list(range(len(items))),
            "unsure": np.searchsorted(items, least_sure[:most]).tolist(),
        }
        start = "grouped" if len(items) <= ROWS else "unsure"
        return cls(items, codes_of(e, items, COLUMNS), orders, orders[start][:ROWS])

    def script_data(self, facts: Facts) -> dict[str, Any]:
        """What the script needs: labels, entries, orders, the path."""
        labels = facts.estimate.item_names
        path = () if facts.path is None else facts.path.estimates
        chosen = min(range(len(path)), key=lambda i: abs(path[i].a - facts.estimate.a), default=0)
        return {
            "items": [str(labels[i]) for i in self.items],
            "codes": base64.b64encode(self.codes.astype("<i2").tobytes()).decode(),
            "width": self.codes.shape[1],
            "names": facts.estimate.feature_names[:COLUMNS],
            "orders": self.orders,
            "first": self.first,
            "rows": ROWS,
            "chosen": chosen,
            "path": [self._on_path(e) for e in path],
        }

    def _on_path(self, e: Estimate) -> dict[str, Any]:
        return {
            "a": e.a,
            "features": e.n_features,
            "ones": e.n_ones,
            "loss": rounded(e.expected_loss, 6),
            "codes": codes_of(e, self.items[self.first], PATH_COLUMNS).tolist(),
            "names": e.feature_names[:PATH_COLUMNS],
        }


def codes_of(e: Estimate, items: npt.NDArray[np.int64], columns: int) -> npt.NDArray[np.int16]:
    """The entries of some items, for the first features."""
    return coded(e.matrix[items, :columns], e.proportions[items, :columns])
