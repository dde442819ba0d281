"""Modes: several estimates, the draws of each, and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.check.names import as_feature_names, feature_numbers
from fangs.check.text import rounded, span, visible
from fangs.engine import Engine
from fangs.estimate import Estimate, chains_apart_words
from fangs.modes.aligned import aligned_columns, aligned_matrices
from fangs.modes.number_of_modes import ModesStep
from fangs.posterior.alignment import Alignment
from fangs.posterior.ball import CredibleBall, credible_ball
from fangs.posterior.summary import Summary, summary

if TYPE_CHECKING:
    import pandas as pd

# Draws that are named one by one in print.
_NAMED = 8


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Modes(Frozen):
    """A few estimates that together describe a posterior; made by `fangs.modes`.

    Modes are counted from 0 in arrays and from 1 in print. Each estimate is one of its own draws:
    its ``losses`` and ``proportions`` are over these alone. `alignment` gives what `fangs.summary`,
    `fangs.credible_ball` and relabelling need. The arrays are read-only.

    Attributes
    ----------
    a
        Price of a one that an estimate has and a draw lacks; ``2 - a`` is that of a missed one.
    seed
        Seed of the searches.
    is_chosen
        Whether the rule chose the number of modes.
    estimates
        One for each mode, the heaviest first.
    weights
        (M,): share of the draws in each mode, by the weights of the draws if they have some. It
        estimates the share of the posterior only if the chains move between the modes.
    labels
        (B,): the mode of each draw: that of the smallest loss.
    expected_loss
        Mean over the draws, by weight, of the smallest loss to any estimate.
    losses
        (B, M): FARO loss of each estimate to each draw.
    margins
        (B,): how much nearer a draw is to its own mode than to any other, as a share of the
        loss between the two: 0 halfway, 1 at the mode itself.
    doubtful
        Draws whose second mode is nearly as near: their margin is at most a third.
    distances
        (M, M): FARO loss between the estimates at a = 1, where it is a metric.
    by_chain
        (chains, M): number of draws of each chain in each mode, or their weight if draws have
        weights; None without chains.
    curve
        Expected loss with 1, 2, 3, ... modes, as far as they were tried.
    steps
        What the rule for the number of modes looked at.
    engine
        What passes over the draws.
    feature_names
        (W,): a name for each column of `aligned`; "1", "2", ... where `named` gave none.
    """

    a: float
    seed: int
    is_chosen: bool
    estimates: tuple[Estimate, ...]
    weights: FloatArray
    labels: IntArray
    expected_loss: float
    losses: FloatArray
    margins: FloatArray
    doubtful: IntArray
    distances: FloatArray
    by_chain: IntArray | None
    curve: FloatArray
    steps: tuple[ModesStep, ...]
    engine: Engine
    feature_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.feature_names:
            width = self.aligned()[0].shape[1]
            object.__setattr__(self, "feature_names", feature_numbers(width))

    def named(self, names: Any) -> Modes:
        """The same modes with a name for each feature; like features of all modes share theirs.

        Parameters
        ----------
        names
            A list of different names, one per column of `aligned`. Estimates, summaries and
            pictures of the modes keep them.

        Examples
        --------
        >>> import fangs
        >>> found = fangs.modes(fangs.datasets.example(), seed=1)
        >>> found = found.named(["box", "step", "cross", "corner", "second corner"])
        >>> found.estimates[1].feature_names
        ('box', 'cross', 'corner', 'step', 'second corner')
        """
        columns = aligned_columns([e.matrix for e in self.estimates])
        given = as_feature_names(names, n_features=len(columns[0]))
        estimates = []
        for estimate, features in zip(self.estimates, columns, strict=True):
            name_of = dict(zip(features.tolist(), given, strict=True))
            own = [name_of[j] for j in range(estimate.n_features)]
            estimates.append(estimate.named(own))
        return replace(self, estimates=tuple(estimates), feature_names=given)

    @property
    def n_modes(self) -> int:
        """Number of modes."""
        return len(self.estimates)

    @property
    def chains(self) -> tuple[str | int, ...]:
        """The labels of the chains, in the order of `by_chain`; none without chains."""
        return self.engine.samples_info.chain_names

    @property
    def are_chains_apart(self) -> bool:
        """Whether any two chains are in different modes; then weights are shares of chains.

        A chain that never moves between modes cannot show how much of the posterior each has.
        """
        found = self.engine.chain_separation
        return found is not None and bool(found.apart)

    def members(self, mode: int) -> IntArray:
        """The draws of a mode, in increasing order."""
        return np.flatnonzero(self.labels == self._number(mode))

    def alignment(self, mode: int) -> Alignment:
        """The draws of a mode aligned to its estimate, for relabelling within the mode.

        `fangs.summary`, `fangs.credible_ball` and `fangs.typicality` take it in the place of draws.
        Its draws are numbered within the mode; `members` has their numbers among all draws.

        Examples
        --------
        >>> import fangs
        >>> found = fangs.modes(fangs.datasets.example(), seed=1)
        >>> found.alignment(1)
        <Alignment: 100 draws to 5 features over 100 items, 116 features of draws unmatched>
        """
        mode = self._number(mode)
        found, engine = self.estimates[mode], self.engine.select(self.members(mode))
        return Alignment.of(engine, found.matrix, found.feature_names)

    def summary(self, mode: int, *, level: float = 0.95) -> Summary:
        """How sure the estimate of a mode is, over its own draws; see `fangs.summary`."""
        return summary(self.estimates[self._number(mode)], self.alignment(mode), level=level)

    def credible_ball(self, mode: int, *, level: float = 0.95) -> CredibleBall:
        """The draws of a mode nearest to its estimate; see `fangs.credible_ball`."""
        found = self.estimates[self._number(mode)]
        return credible_ball(found, self.alignment(mode), level=level)

    def aligned(self) -> list[BinaryMatrix]:
        """The matrices of all estimates, like features in like columns, zeros where one is absent.

        The first keeps its columns. Features that match none of it follow at the end.
        """
        return aligned_matrices([found.matrix for found in self.estimates])

    def differences(self) -> list[FloatArray]:
        """For each mode, (n, W): 1 where all modes have the entry, -1 where only some do.

        It is 0 where the mode itself lacks the entry. Columns are those of `aligned`.
        """
        matrices = self.aligned()
        in_all = np.all(matrices, axis=0)
        return [np.where(in_all, 1.0, -1.0) * matrix for matrix in matrices]

    @property
    def explanation(self) -> str:
        """One sentence about the number of modes, and one about chains in different modes."""
        if not self.are_chains_apart:
            return self._about_number
        if self.n_modes == 1:
            words = chains_apart_words(self.estimates[0])
            return f"{self._about_number} But {words[0].lower()}{words[1:]}."
        return (
            f"{self._about_number} The chains are in different modes: the weights are shares of "
            "chains, not of the posterior. Report each mode with its chains."
        )

    @property
    def _about_number(self) -> str:
        asked = len(self.curve)
        if not self.is_chosen and self.n_modes < asked:
            return f"{asked} modes were asked for, but no loss is left with {self.n_modes}."
        if not self.is_chosen:
            return f"{self.n_modes} modes were asked for." if self.n_modes > 1 else "One mode."
        if self.n_modes == 1:
            of_what = " for the pooled draws" if self.are_chains_apart else ""
            return (
                f"One estimate is enough{of_what}: no larger number of modes is both clear and "
                "saves a tenth of the expected loss."
            )
        saved = 1 - self.expected_loss / float(self.curve[0])
        return (
            f"{self.n_modes} modes: they are clear, and save {100 * saved:.0f} % of the expected "
            "loss of one estimate."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas DataFrame with one row per mode, counted from 1; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> fangs.modes(fangs.datasets.example(), seed=1).to_frame()["weight"].tolist()
        [0.75, 0.25]
        """
        columns: dict[str, Any] = {
            "weight": self.weights,
            "n_draws": np.bincount(self.labels, minlength=self.n_modes),
            "n_features": [e.n_features for e in self.estimates],
            "n_ones": [e.n_ones for e in self.estimates],
            "expected_loss": [e.expected_loss for e in self.estimates],
        }
        columns |= {f"to_mode_{m + 1}": row for m, row in enumerate(self.distances)}
        made: pd.DataFrame = frame(columns, index=range(1, self.n_modes + 1), name="mode")
        return made

    def _repr_html_(self) -> str:
        from fangs.report.views import modes_html

        return modes_html(self)

    def __repr__(self) -> str:
        shares = ", ".join(f"{share:.3g}" for share in self.weights)
        return (
            f"<Modes: {self.n_modes} with weights {shares}, expected loss "
            f"{rounded(self.expected_loss, 6)} at a={self.a:g}>"
        )

    def __str__(self) -> str:
        total = rounded(self.expected_loss, 6)
        lines = [
            self.explanation,
            f"Expected loss {total} at a = {self.a:g}, to the nearest estimate",
            "",
            "  mode   weight  draws  features  ones  expected loss  to the other modes",
        ]
        counts = np.bincount(self.labels, minlength=self.n_modes)
        for m, found in enumerate(self.estimates):
            others = np.delete(self.distances[m], m)
            apart = span(others.tolist())
            loss = rounded(found.expected_loss, 6)
            lines.append(
                f"  {m + 1:>4}  {100 * self.weights[m]:>5.1f} %  {counts[m]:>5}  "
                f"{found.n_features:>8}  {found.n_ones:>4}  {loss:>13}  {apart}"
            )
        curve = ", ".join(rounded(loss, 6) for loss in self.curve[: len(self.steps)])
        lines += ["", f"Expected loss with 1, 2, ... modes: {curve}"]
        return "\n".join([*lines, *self._chain_lines(), *self._doubtful_lines()])

    def _chain_lines(self) -> list[str]:
        if self.by_chain is None or self.n_modes == 1:
            return []
        what = "Draws" if self.engine.samples_info.weights is None else "Weight of the draws"
        lines = ["", f"{what} of each chain in each mode:"]
        for chain, counts in zip(self.chains, self.by_chain, strict=True):
            lines.append(f"  chain {visible(chain)}: " + ", ".join(str(count) for count in counts))
        return lines

    def _doubtful_lines(self) -> list[str]:
        if self.n_modes == 1:
            return []
        if not len(self.doubtful):
            return ["", "Every draw is clearly nearest to one mode."]
        named = ", ".join(str(b) for b in self.doubtful[:_NAMED])
        more = ", …" if len(self.doubtful) > _NAMED else ""
        return [
            "",
            f"Nearly as near to a second mode: {len(self.doubtful)} of {len(self.labels)} draws "
            f"({named}{more})",
        ]

    def _number(self, mode: Any) -> int:
        if not isinstance(mode, int | np.integer) or isinstance(mode, bool):
            raise TypeError(f"a mode is chosen by its whole number, not by {mode!r}")
        if not 0 <= mode < self.n_modes:
            raise IndexError(f"there is no mode {mode}; there are {self.n_modes}, counted from 0")
        return int(mode)
