"""The entries that a report shows one by one, capped so that browsers stay responsive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fangs.estimate import Estimate
from fangs.plot.order import item_order
from fangs.report.facts import Facts
from fangs.report.heat import coded, signed

ROWS = 200
"""Items shown one by one: those with the largest expected mismatch."""
COLUMNS = 60
"""Features shown one by one."""
PATH_COLUMNS = 40
"""The same, for estimates along the path."""


@dataclass(frozen=True, eq=False)
class ShownEntries:
    """Which part of the estimate is shown entry by entry, and in which orders."""

    items: npt.NDArray[np.int64]
    """The items shown, in the order of the draws."""
    codes: list[list[int]]
    """A row per item shown, in the form of `coded`."""
    orders: dict[str, list[int]]
    """Positions among the items shown, by the name of the order."""

    @classmethod
    def of(cls, facts: Facts) -> ShownEntries:
        """Choose what to show."""
        e, mismatch = facts.estimate, facts.summary.items.mismatch
        items = np.sort(np.argsort(-mismatch, kind="stable")[:ROWS])
        return cls(
            items=items,
            codes=codes_of(e, items, COLUMNS),
            orders={
                "grouped": item_order(e.matrix[items]).tolist(),
                "given": list(range(len(items))),
                "unsure": np.argsort(-mismatch[items], kind="stable").tolist(),
            },
        )

    def script_data(self, facts: Facts) -> dict[str, Any]:
        """What the script needs: labels, entries, orders, the path."""
        labels = facts.estimate.labels
        path = () if facts.path is None else facts.path.estimates
        chosen = min(range(len(path)), key=lambda i: abs(path[i].a - facts.estimate.a), default=0)
        return {
            "items": [str(labels[i]) for i in self.items],
            "codes": self.codes,
            "names": facts.estimate.feature_names[:COLUMNS],
            "orders": self.orders,
            "chosen": chosen,
            "path": [
                {
                    "a": e.a,
                    "features": e.n_features,
                    "ones": e.n_ones,
                    "loss": float(f"{e.expected_loss:.6g}"),
                    "codes": codes_of(e, self.items, PATH_COLUMNS),
                    "names": e.feature_names[:PATH_COLUMNS],
                }
                for e in path
            ],
        }


def codes_of(e: Estimate, items: npt.NDArray[np.int64], columns: int) -> list[list[int]]:
    """The entries of some items, for the first features."""
    matrix = e.matrix[items, :columns]
    return coded(signed(matrix, e.proportions[items, :columns]), matrix)
