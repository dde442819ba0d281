"""Tables that pages, notebooks and the screen share: a header, and the cells of each row."""

from __future__ import annotations

from typing import Any

import numpy as np

from fangs.check.text import rounded, rounded_alike
from fangs.estimate import Estimate
from fangs.modes import Modes
from fangs.path.sparsity import SparsityPath
from fangs.posterior.chains import ChainComparison
from fangs.posterior.core.result import Core
from fangs.posterior.error_rates import shares_inside
from fangs.posterior.summary import Summary

Table = tuple[list[str], list[list[Any]]]


def estimate_table(e: Estimate) -> Table:
    """A row per feature: its size, and how sure its members are."""
    sizes = e.matrix.sum(axis=0, dtype=np.int64)
    means = shares_inside(e.matrix, e.proportions)[0] / np.maximum(sizes, 1)
    rows = [
        [name, f"{size:,}", f"{mean:.2f}"]
        for name, size, mean in zip(e.feature_names, sizes, means, strict=True)
    ]
    return ["Feature", "Items", "Mean proportion"], rows


def features_table(found: Summary) -> Table:
    """A row per feature: its size, error rates, and what the draws have in its place."""
    f, rates = found.features, found.error_rates
    header = ["Feature", "Items", "Wrong", "Missed", "Jaccard", "Present"]
    rows = []
    for j, name in enumerate(found.feature_names):
        low, high = f.size_interval[j]
        row = [
            name,
            f"{f.size[j]:,}",
            f"{100 * rates.feature_false_discovery[j]:.1f} %",
            f"{100 * rates.feature_false_omission[j]:.1f} %",
            f"{f.jaccard[j]:.3f}",
            f"{100 * f.present[j]:.1f} %",
            f"{low:,.0f} to {high:,.0f}" if f.matched[j] > 0 else "never matched",
        ]
        rows.append(row)
    return [*header, f"Items, {rounded(100 * found.level, 4)} %"], rows


def core_table(found: Core) -> Table:
    """A row per feature: how many of its ones and zeros are in the core."""
    ones, zeros = found.by_feature()
    rows = [
        [name, *(f"{inside:,} of {every:,}" for inside, every in both)]
        for name, *both in zip(found.feature_names, ones, zeros, strict=True)
    ]
    return ["Feature", "Ones in the core", "Zeros in the core"], rows


def path_table(found: SparsityPath) -> Table:
    """A row per penalty."""
    losses = rounded_alike(found.expected_losses.tolist())
    rows = [
        [f"{e.a:g}", e.n_features, f"{e.n_ones:,}", loss, e.n_ties]
        for e, loss in zip(found.estimates, losses, strict=True)
    ]
    return ["a", "Features", "Ones", "Expected loss", "Ties"], rows


def chains_table(found: ChainComparison) -> Table:
    """A row per chain: its draws, its estimate, and how far that is from the pooled one."""
    losses = rounded_alike([e.expected_loss for e in found.estimates])
    columns = zip(
        found.chains, found.n_draws, found.estimates, losses, found.to_pooled, strict=True
    )
    rows = [
        [chain, f"{n_draws:,}", e.n_features, f"{e.n_ones:,}", loss, rounded(apart, 6)]
        for chain, n_draws, e, loss, apart in columns
    ]
    return ["Chain", "Draws", "Features", "Ones", "Expected loss", "To pooled"], rows


def modes_table(found: Modes) -> Table:
    """A row per mode: its weight, its estimate, and how far that is from the others."""
    header = ["Mode", "Weight", "Draws", "Features", "Ones", "Expected loss"]
    losses = rounded_alike([e.expected_loss for e in found.estimates])
    rows = []
    for m, e in enumerate(found.estimates):
        weight = f"{rounded(100 * found.weights[m])} %"
        row = [m + 1, weight, f"{e.n_draws:,}", e.n_features, f"{e.n_ones:,}", losses[m]]
        apart = [rounded(distance, 6) for distance in found.distances[m]]
        apart[m] = "–"
        rows.append([*row, *apart])
    return [*header, *(f"To mode {m + 1}" for m in range(found.n_modes))], rows
