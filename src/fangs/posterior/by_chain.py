"""FeaturesByChain: which features each chain has, and so what the chains disagree about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import FloatArray
from fangs.check.names import feature_labels
from fangs.check.text import visible
from fangs.draws.info import SamplesInfo

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FeaturesByChain(Frozen):
    """The share of each chain's draws that have each feature; from `Alignment.by_chain`.

    A draw has a feature if the feature is present in it: if its match has a Jaccard index of at
    least 1/2. The array is read-only.

    Attributes
    ----------
    shares
        (chains, K): share of the chain's draws, by weight, that have the feature.
    chains
        The label of each chain. Chains whose draws all have weight 0 are left out.
    feature_names
        The names of the features, or their numbers from 1 on.
    """

    shares: FloatArray
    chains: tuple[str | int, ...]
    feature_names: tuple[str, ...]

    @classmethod
    def of(
        cls, info: SamplesInfo, is_present: npt.NDArray[np.bool_], feature_names: tuple[str, ...]
    ) -> FeaturesByChain:
        """Average over the draws of each chain; `is_present` (B, K) says which draws have it."""
        if info.chains is None:
            raise ValueError(
                "the draws have no chains; say which chain each is from: "
                "fangs.Samples(draws, chains=labels)"
            )
        weights = np.ones(info.n_draws, np.int64) if info.weights is None else info.weights
        counted = np.unique(info.chain_codes[info.counted])
        of_chain = (info.chain_codes == counted[:, None]) * weights
        return cls(
            shares=of_chain @ is_present / of_chain.sum(axis=1, keepdims=True),
            chains=tuple(info.chain_names[c] for c in counted),
            feature_names=feature_names,
        )

    @property
    def spread(self) -> FloatArray:
        """(K,): the largest share of a chain less the smallest: how far they disagree."""
        return np.asarray(np.ptp(self.shares, axis=0))

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row per feature and a column per chain; needs pandas."""
        columns: dict[Any, Any] = dict(zip(self.chains, self.shares, strict=True))
        names = feature_labels(self.feature_names)
        made: pd.DataFrame = frame(columns, index=names, name="feature")
        made.columns.name = "chain"
        return made

    def rows(self) -> list[list[str]]:
        """A header, and a row per feature with the shares in per cent."""
        header = ["Feature", *(f"Chain {visible(chain)}" for chain in self.chains)]
        shown = [[f"{100 * share:.0f} %" for share in column] for column in self.shares.T]
        names = map(visible, self.feature_names)
        return [header, *([name, *row] for name, row in zip(names, shown, strict=True))]

    def _repr_html_(self) -> str:
        from fangs.report.views import by_chain_html

        return by_chain_html(self)

    def __str__(self) -> str:
        table = self.rows()
        widths = [max(len(row[c]) for row in table) for c in range(len(table[0]))]
        lines = (
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in table
        )
        return "\n".join([*lines, "Share of the chain's draws that have the feature"])

    def __repr__(self) -> str:
        n_chains, n_features = self.shares.shape
        return f"<FeaturesByChain: {n_features} features in {n_chains} chains>"
