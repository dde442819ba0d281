"""stability(): how much of an estimate would be found again from other draws of the same chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.check.arguments import as_count, as_penalty_for, as_seed
from fangs.check.text import count, rounded, span, visible
from fangs.engine import match
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.posterior.alignment import Alignment, as_alignment
from fangs.posterior.assess import note_on_draws
from fangs.posterior.stability.bootstrap import BlockBootstrap
from fangs.posterior.stability.replicates import Replicate, Replicates
from fangs.search import Interrupted, Progress
from fangs.search.progress import listening

if TYPE_CHECKING:
    import pandas as pd

# Features that are printed.
_ROWS = 20
FEATURE_WORDS = (
    "  found in: this share of the replicates has a match with a Jaccard index >= 1/2",
    "  in all: its items that all replicates have; least: the smallest share that has an item",
)
"""What the columns of the table of features mean."""


def stability(
    estimate: Any,
    samples: Any,
    *,
    n: int = 50,
    a: float | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> Stability:
    """Estimate again from draws that are drawn again, and say how much of an estimate stays.

    The draws are a sample of the posterior. With a little luck in the chains, another estimate
    would have come out: in a replicate, blocks of neighbouring draws are drawn again within each
    chain, as many draws as the chain has, and these are estimated from. What all replicates have
    does not hang on that luck. This is the error of the *estimate* by Monte Carlo, which longer
    chains make smaller; it is not the uncertainty of the posterior, for which see `fangs.summary`.
    Nor does it notice modes that no chain has visited.

    The blocks are those of the circular block bootstrap (Politis and Romano 1992). Their length is
    chosen for each chain by the autocorrelation of the losses (Politis and White 2004; Patton,
    Politis and White 2009). No block goes from one chain to another. Where draws have weights, the
    weight of a draw is multiplied by its number of copies; draws of weight 0 are left out.

    Each replicate is searched from the estimate; the first four and then every eighth also from a
    fresh start. As soon as that leads elsewhere, and always in small problems, perturbations
    follow, as in the search for an estimate, and what one replicate finds is tried in the others.
    50 replicates cost about five to twenty estimates.

    Parameters
    ----------
    estimate
        An `Estimate`, or any 0/1 matrix.
    samples
        The posterior draws: `Samples`, or anything it accepts; or their `Alignment` to the
        estimate, if it has been made already.
    n
        Number of replicates. A share of a half has a standard error of 7 % with 50 of them.
    a
        Price of a one that an estimate has and a draw lacks; by default that of `estimate`, or 1
        for a plain matrix.
    seed
        Makes the replicates repeatable: same draws and seed, same result, whatever the number of
        threads.
    n_threads
        Threads to use; None means all cores.
    progress
        True shows a progress bar; or a function to be called with `Progress`.

    Raises
    ------
    Interrupted
        On Ctrl-C; its `partial` is the `Stability` of the replicates that are done.

    Examples
    --------
    >>> import fangs
    >>> draws = fangs.datasets.arrests()
    >>> found = stability(fangs.estimate(draws, seed=1), draws, seed=1)
    >>> found.identical, found.n_features.tolist() == [4] * 50
    (0.26, True)
    >>> found.verdict
    '13 of 50 replicates (26 %) have the same estimate; 75 of its 80 ones are in all of them.'
    """
    n, a, seed = as_count(n, name="n"), as_penalty_for(estimate, a), as_seed(seed)
    alignment = as_alignment(estimate, samples, n_threads)
    engine, matrix = alignment.engine, alignment.reference
    info, losses = engine.samples_info, alignment.losses(a)
    bootstrap = BlockBootstrap.of(info, losses)
    work = Replicates(engine, matrix, a, seed, bootstrap)
    objective = Objective.of(info, a)
    loss = objective.expected_loss(int(matrix.sum()), info.weigh(alignment.overlaps))

    def result() -> Stability:
        facts = {"a": a, "seed": seed, "expected_loss": loss, "chains": info.chain_names}
        note = note_on_draws(estimate, info)
        return _result(alignment, bootstrap, work.found, facts | {"note": note})

    try:
        with listening(progress) as report:
            work.solve(n, _counting(report, n, loss))
    except KeyboardInterrupt as interrupt:
        given = estimate if isinstance(estimate, Estimate) else None
        raise Interrupted(given, result() if work.found else None) from interrupt
    return result()


def _counting(
    report: Callable[[Progress], None] | None, n: int, loss: float
) -> Callable[[int], None]:
    """Tells the user how many replicates are done."""
    if report is None:
        return lambda done: None
    return lambda done: report(Progress("replicates", done, n, loss))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Stability(Frozen):
    """How much of an estimate stays when draws are drawn again; made by `fangs.stability`.

    The arrays are read-only.

    Attributes
    ----------
    matrix
        (n, K): the estimate.
    a
        The penalty of all estimates.
    seed
        Gives the same replicates again.
    expected_loss
        Expected loss of the estimate over all draws.
    entries
        (n, K): share of the replicates whose estimate has the entry, once its features are aligned
        to those of the estimate.
    features
        (K,): share of the replicates whose estimate has the feature: the Jaccard index of the
        feature and its match is at least 1/2.
    distances
        (R,): FARO loss between the estimate and that of each replicate, at a = 1, where it is a
        metric.
    n_features
        (R,): number of features of each replicate's estimate.
    losses
        (R,): expected loss of each replicate's estimate over the draws of the replicate.
    matrices
        (R,): the estimate of each replicate, left-ordered.
    chains
        The label of each chain; none without chains.
    block_lengths
        Number of draws in a block, for each chain that has draws of weight above 0; one number
        without chains.
    n_draws
        Number of draws.
    labels
        The name of each item.
    feature_names
        The names of the features, or their numbers from 1 on.
    note
        Says so if the estimate was made from other draws; else empty.
    """

    matrix: BinaryMatrix
    a: float
    seed: int
    expected_loss: float
    entries: FloatArray
    features: FloatArray
    distances: FloatArray
    n_features: IntArray
    losses: FloatArray
    matrices: tuple[BinaryMatrix, ...]
    chains: tuple[str | int, ...]
    block_lengths: tuple[int, ...]
    n_draws: int
    labels: tuple[str, ...]
    feature_names: tuple[str, ...]
    note: str = ""

    @property
    def n(self) -> int:
        """Number of replicates."""
        return len(self.distances)

    @property
    def identical(self) -> float:
        """Share of the replicates whose estimate is the same allocation."""
        return float((self.distances == 0).mean())

    @property
    def identical_error(self) -> float:
        """Standard error of that share, from the number of replicates."""
        return float(np.sqrt(self.identical * (1.0 - self.identical) / self.n))

    @property
    def verdict(self) -> str:
        """One plain sentence."""
        kept = self.entries[self.matrix == 1]
        always, same = int((kept == 1.0).sum()), int((self.distances == 0).sum())
        return (
            f"{same:,} of {count(self.n, 'replicate')} ({100 * self.identical:.0f} %) have the "
            f"same estimate; {always:,} of its {count(len(kept), 'one')} are in all of them."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per replicate, from 0 on; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.datasets.example()
        >>> found = stability(fangs.estimate(draws, seed=1), draws, n=5, seed=1)
        >>> found.to_frame().columns.tolist()
        ['distance', 'n_features', 'n_ones', 'expected_loss']
        """
        columns: dict[str, Any] = {
            "distance": self.distances,
            "n_features": self.n_features,
            "n_ones": [int(matrix.sum()) for matrix in self.matrices],
            "expected_loss": self.losses,
        }
        return frame(columns, index=range(self.n), name="replicate")

    def _repr_html_(self) -> str:
        from fangs.report.views import stability_html

        return stability_html(self)

    def __repr__(self) -> str:
        return f"<Stability: {self.verdict}>"

    def __str__(self) -> str:
        lines = [
            self.verdict,
            *(f"  {name:<13}{words}" for name, words in self.described.items()),
            *([f"Note: {self.note}"] if self.note else []),
        ]
        return "\n".join([*lines, *self._feature_lines()])

    @property
    def described(self) -> dict[str, str]:
        """What print and a notebook say of the replicates, by name."""
        sizes, times = np.unique(self.n_features, return_counts=True)
        n_chains = f" in {count(len(self.chains), 'chain')}" if self.chains else ""
        found = [f"{k} in {n:,}" for k, n in zip(sizes.tolist(), times.tolist(), strict=True)]
        return {
            "distance": f"mean {rounded(float(self.distances.mean()))}, "
            f"largest {rounded(float(self.distances.max()), 6)} (FARO loss at a = 1)",
            "features": ", ".join(found),
            "blocks": f"{span(self.block_lengths)} of {count(self.n_draws, 'draw')}{n_chains}",
        }

    @property
    def feature_table(self) -> tuple[tuple[int, float, int, float], ...]:
        """What people read of each feature.

        Its items; the share of the replicates that have it; of its entries, how many all of them
        have, and the smallest share that has one.
        """
        rows = []
        for j, column in enumerate(self.matrix.T == 1):
            shares = self.entries[column, j]
            always = int((shares == 1.0).sum())
            rows.append((int(column.sum()), float(self.features[j]), always, float(shares.min())))
        return tuple(rows)

    def _feature_lines(self) -> list[str]:
        if not self.feature_names:
            return []
        names = [visible(name) for name in self.feature_names[:_ROWS]]
        width = max(map(len, [*names, "feature"]))
        lines = ["", f"  {'feature':>{width}}  items  found in  in all  least"]
        for name, (size, share, always, least) in zip(names, self.feature_table, strict=False):
            lines.append(
                f"  {name:>{width}}  {size:>5}  {100 * share:>6.0f} %  {always:>6}  "
                f"{100 * least:>3.0f} %"
            )
        if len(self.feature_names) > _ROWS:
            lines.append(f"  and {len(self.feature_names) - _ROWS} more")
        return [*lines, *FEATURE_WORDS]


def _result(
    alignment: Alignment, bootstrap: BlockBootstrap, found: Sequence[Replicate], known: Any
) -> Stability:
    """What the replicates that are done say of the estimate."""
    matrix, info = alignment.reference, alignment.engine.samples_info
    keys = [one.matrix.tobytes() for one in found]
    distinct = {key: one.matrix for key, one in zip(keys, found, strict=True)}
    compared = {key: _Compared.of(matrix, other) for key, other in distinct.items()}
    entries = np.zeros(matrix.shape, dtype=np.int64)
    features = np.zeros(matrix.shape[1], dtype=np.int64)
    for key, times in Counter(keys).items():
        entries += times * compared[key].entries
        features += times * compared[key].features
    return Stability(
        matrix=matrix,
        entries=entries / len(found),
        features=features / len(found),
        distances=np.array([compared[key].distance for key in keys], dtype=np.float64),
        n_features=np.array([one.matrix.shape[1] for one in found], dtype=np.int64),
        losses=np.array([one.expected_loss for one in found]),
        matrices=tuple(one.matrix for one in found),
        block_lengths=bootstrap.lengths,
        n_draws=info.n_draws,
        labels=info.item_names,
        feature_names=alignment.feature_names,
        **known,
    )


@dataclass(frozen=True, eq=False)
class _Compared:
    """The estimate of a replicate, aligned to the estimate of all draws."""

    distance: int
    entries: npt.NDArray[np.bool_]
    """(n, K): whether the feature aligned to column j has item i."""
    features: npt.NDArray[np.bool_]
    """(K,): whether the Jaccard index of column j and that feature is at least 1/2."""

    @classmethod
    def of(cls, matrix: BinaryMatrix, other: BinaryMatrix) -> _Compared:
        total, partners = match(matrix, other)
        entries = np.zeros(matrix.shape, dtype=bool)
        matched = partners >= 0
        entries[:, matched] = other[:, partners[matched]] == 1
        shared = (entries & (matrix == 1)).sum(axis=0)
        either = (entries | (matrix == 1)).sum(axis=0)
        distance = int(matrix.sum()) + int(other.sum()) - 2 * total
        return cls(distance, entries, matched & (2 * shared >= either))
