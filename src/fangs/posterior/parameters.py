"""ParameterTable: parameters of features over the draws, in the order of a reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import require
from fangs._frozen import Frozen
from fangs._typing import FloatArray, IntArray
from fangs.check.text import rounded, visible
from fangs.posterior.intervals import equal_tailed
from fangs.posterior.parameter_forms import Parameters

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ParameterTable(Frozen):
    """Mean, spread and interval of parameters by feature and coordinate; from `Alignment.table`.

    Arrays have the shape (K, ...) of the parameters of one draw and are read-only. They are NaN for
    a feature that is never matched.

    Attributes
    ----------
    level
        Share of the draws that intervals hold.
    mean
        Mean over the draws in which the feature has a match.
    sd
        Standard deviation over these draws; NaN for a single draw.
    low
        Lower end of the equal-tailed interval that holds the share `level` of these draws.
    high
        Its upper end.
    matched
        (K,): share of all draws in which the feature has a match, which may be as little as one
        shared item. `FeatureSummary.present` counts only matches that are much like the feature.
    dims
        Names of the dimensions behind the features.
    coords
        Labels along each of them.
    features
        The names of the features, or their numbers from 1 on.
    """

    level: float
    mean: FloatArray
    sd: FloatArray
    low: FloatArray
    high: FloatArray
    matched: FloatArray
    dims: tuple[str, ...]
    coords: tuple[tuple[Any, ...], ...]
    features: tuple[str | int, ...]

    @classmethod
    def of(
        cls,
        given: Parameters,
        values: npt.NDArray[Any],
        matched: npt.NDArray[np.bool_],
        level: float,
        weights: IntArray,
        features: Sequence[str | int],
    ) -> ParameterTable:
        """Sum up parameters (B, K, ...); `matched` (B, K) says which draws match a feature."""
        shape, rest = values.shape[1:], values.shape[2:]
        found = np.full((4, *shape), np.nan)
        for at in np.ndindex(shape):
            taken = matched[:, at[0]] & (weights > 0)
            some, times = values[(slice(None), *at)][taken].astype(np.float64), weights[taken]
            if len(some):
                low, high = equal_tailed(some, level, times)
                mean, total = np.average(some, weights=times), int(times.sum())
                spread = float(times @ (some - mean) ** 2)
                sd = np.sqrt(spread / (total - 1)) if total > 1 else np.nan
                found[(slice(None), *at)] = mean, sd, low, high
        dims = given.dims or tuple(f"dim_{i}" for i in range(len(rest)))
        coords = tuple(
            tuple(np.asarray(given.coords[dim]).tolist())
            if dim in given.coords
            else tuple(range(n))
            for dim, n in zip(dims, rest, strict=True)
        )
        mean, sd, low, high = found
        return cls(
            level=level,
            mean=mean,
            sd=sd,
            low=low,
            high=high,
            matched=weights @ matched / weights.sum(),
            dims=dims,
            coords=coords,
            features=tuple(features),
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each feature and coordinate."""
        lower, upper = self._interval_names()
        for at in product(*(range(extent) for extent in self.mean.shape)):
            labels = {
                dim: coord[i] for dim, coord, i in zip(self.dims, self.coords, at[1:], strict=True)
            }
            yield {
                "feature": self.features[at[0]],
                **labels,
                "mean": float(self.mean[at]),
                "sd": float(self.sd[at]),
                lower: float(self.low[at]),
                upper: float(self.high[at]),
                "matched": float(self.matched[at[0]]),
            }

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame, indexed by feature and coordinates."""
        pandas = require("pandas", extra="all")
        names = ["feature", *self.dims]
        columns = [*names, "mean", "sd", *self._interval_names(), "matched"]
        frame: pd.DataFrame = pandas.DataFrame(list(self.rows()), columns=columns).set_index(names)
        return frame

    def __str__(self) -> str:
        lower, upper = self._interval_names()
        table = [["feature", *self.dims, "mean", "sd", lower, upper, "matched"]]
        for row in self.rows():
            *labels, mean, sd, low, high, matched = row.values()
            numbers = [rounded(value, 4) for value in (mean, sd, low, high)]
            table.append([*map(visible, labels), *numbers, f"{100 * matched:.0f} %"])
        widths = [max(len(line[c]) for line in table) for c in range(len(table[0]))]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in table
        )

    def __repr__(self) -> str:
        return f"<ParameterTable: {self.mean.size} parameters of {len(self.mean)} features>"

    def _interval_names(self) -> tuple[str, str]:
        tail = 50 * (1 - self.level)
        return f"{tail:.4g} %", f"{100 - tail:.4g} %"
