"""held_out_loss(): estimate from half of each chain, and judge by the other half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import FloatArray, IntArray
from fangs.check.arguments import as_penalty, as_seed
from fangs.check.text import rounded, rounded_alike
from fangs.draws.info import SamplesInfo
from fangs.engine import as_engine
from fangs.estimate import Estimate
from fangs.posterior.losses import expected_loss
from fangs.posterior.stability.bootstrap import chain_members
from fangs.search import Interrupted, Progress, run_search
from fangs.search.progress import listening
from fangs.search.record import SearchSettings

if TYPE_CHECKING:
    import pandas as pd

HALVES = ("first", "second")
"""The halves of the chains, in the order of the results."""


def held_out_loss(
    samples: Any,
    *,
    a: float = 1.0,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> HeldOutLoss:
    """Estimate from half of each chain, and take the expected loss over the other half.

    An estimate is the best for the draws that it was made from, so their expected loss is a little
    too low. Draws that it has not seen tell by how much, and how far the halves of the chains are
    from telling the same. The halves are the first and the second part of each chain, because
    neighbours in a chain are alike. Draws of weight 0 are left out; a chain of an odd number of
    draws has the one in the middle in its second half.

    Costs two estimates of half the draws, with searches that know nothing of the other half.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts; at least two of them in one chain.
    a
        Price of a one that an estimate has and a draw lacks, between 0 and 2.
    seed
        Makes the searches repeatable.
    n_threads
        Threads to use; None means all cores.
    progress
        True shows a progress bar; or a function to be called with `Progress`.

    Examples
    --------
    >>> import fangs
    >>> print(held_out_loss(fangs.datasets.arrests(), seed=1))
    An estimate from half of each chain, at a = 1:
      from the first half: expected loss 29.500 over it, 27.680 over the second
      from the second half: expected loss 26.540 over it, 29.988 over the first
    On average 28.83 over draws that it has not seen, 0.81 more than over its own
    """
    a, seed = as_penalty(a), as_seed(seed)
    engine = as_engine(samples, n_threads)
    halves = [engine.select(draws) for draws in _halves(engine.samples_info)]
    settings = SearchSettings(seed=seed)
    try:
        with listening(progress) as report:
            first, second = (run_search(half, a, settings, report=report) for half in halves)
        judged = (expected_loss(first, halves[1], a=a), expected_loss(second, halves[0], a=a))
    except KeyboardInterrupt as interrupt:
        raise Interrupted(None) from interrupt  # half of the draws give no estimate of all
    own = (first.expected_loss, second.expected_loss)
    return HeldOutLoss(
        a=a, own=np.array(own), held_out=np.array(judged), estimates=(first, second), seed=seed
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class HeldOutLoss(Frozen):
    """Expected losses over draws that an estimate has not seen; made by `fangs.held_out_loss`.

    The arrays are read-only.

    Attributes
    ----------
    a
        The penalty of the estimates and the losses.
    own
        (2,): expected loss of the estimate from the first half over the first, and of that from
        the second over the second.
    held_out
        (2,): expected loss of the same two over the other half.
    estimates
        The two estimates.
    seed
        The seed of their searches.
    """

    a: float
    own: FloatArray
    held_out: FloatArray
    estimates: tuple[Estimate, Estimate]
    seed: int

    @property
    def gap(self) -> float:
        """How much higher the loss is over draws that the estimates have not seen, on average."""
        return float((self.held_out - self.own).mean())

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per half that was estimated from; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> held_out_loss(fangs.datasets.arrests(), seed=1).to_frame().columns.tolist()
        ['n_draws', 'n_features', 'own', 'held_out']
        """
        columns: dict[str, Any] = {
            "n_draws": [estimate.n_draws for estimate in self.estimates],
            "n_features": [estimate.n_features for estimate in self.estimates],
            "own": self.own,
            "held_out": self.held_out,
        }
        return frame(columns, index=HALVES, name="half")

    def _repr_html_(self) -> str:
        from fangs.report.views import held_out_html

        return held_out_html(self)

    def __repr__(self) -> str:
        own, held_out = (rounded(float(x.mean()), 6) for x in (self.own, self.held_out))
        return f"<HeldOutLoss: {held_out} over draws not seen, {own} over its own, at a={self.a:g}>"

    def __str__(self) -> str:
        losses = rounded_alike([*self.own.tolist(), *self.held_out.tolist()], 5)
        lines = [f"An estimate from half of each chain, at a = {self.a:g}:"]
        for half, other, ours, theirs in zip(
            HALVES, HALVES[::-1], losses[:2], losses[2:], strict=True
        ):
            lines.append(
                f"  from the {half} half: expected loss {ours} over it, {theirs} over the {other}"
            )
        return "\n".join([*lines, self.conclusion])

    @property
    def conclusion(self) -> str:
        """The two losses over draws not seen in one sentence."""
        mean, gap = rounded(float(self.held_out.mean()), 4), self.gap
        than = f"{rounded(abs(gap), 2)} {'more' if gap >= 0 else 'less'} than over its own"
        return f"On average {mean} over draws that it has not seen, {than}"


def _halves(info: SamplesInfo) -> tuple[IntArray, IntArray]:
    """The draws of the first and of the second halves of the chains."""
    members = chain_members(info)
    first = np.sort(np.concatenate([draws[: len(draws) // 2] for draws in members]))
    second = np.sort(np.concatenate([draws[len(draws) // 2 :] for draws in members]))
    if len(first) == 0:
        raise ValueError(
            "samples has no chain of two draws or more, so none has two halves; give more draws"
        )
    return first, second
