"""Certificate: a lower bound on the expected loss, and what it says of an estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs.check.text import rounded
from fangs.estimate import Estimate

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Certificate"]


@dataclass(frozen=True)
class Certificate(Frozen):
    """A lower bound on the expected loss of all allocations, and what it says of an estimate.

    Attributes
    ----------
    lower_bound
        No allocation has a lower expected loss than this.
    expected_loss
        The expected loss of the estimate.
    a
        The penalty of both.
    is_global_optimum
        Whether the bound proves that no allocation has a lower expected loss than the estimate.
    method
        The method that gave the bound: "items", "pairs", "dual" or "columns".
    bounds
        The bound by each method that was tried; "dual" and "columns" only if they are better than
        those before them.
    n_columns
        Columns of the linear programme of column generation; 0 if it was not used.
    better
        An allocation found on the way with a lower expected loss than the estimate, flip-optimal;
        None if there was none. Its `lower_bound` is set.
    rounds
        Number of columns and loss of the linear programme after each round.
    stopped_because
        Why the work ended before a proof; empty if it did not.
    note
        Says so if the estimate was made from other draws; else empty.
    fingerprint
        Identifies the draws; see ``Samples.fingerprint``.

    Examples
    --------
    >>> import fangs
    >>> samples = fangs.Samples([[[1, 0], [1, 0], [0, 1], [0, 1]]] * 3 + [[[1], [1], [0], [0]]])
    >>> found = fangs.estimate(samples, seed=1)
    >>> print(fangs.certify(found, samples))
    Globally optimal: no allocation has an expected loss below 0.5 (proved by items)
    """

    lower_bound: float
    expected_loss: float
    a: float
    is_global_optimum: bool
    method: str
    bounds: Mapping[str, float]
    n_columns: int = 0
    better: Estimate | None = field(default=None, compare=False)
    rounds: tuple[tuple[int, float], ...] = field(default=(), compare=False, repr=False)
    stopped_because: str = ""
    note: str = ""
    fingerprint: str | None = None

    @property
    def gap(self) -> float:
        """The most by which the estimate's expected loss exceeds the lowest possible one."""
        return self.expected_loss - self.lower_bound

    @property
    def gap_percent(self) -> float:
        """The gap in per cent of the estimate's expected loss."""
        return 100.0 * self.gap / self.expected_loss if self.expected_loss > 0 else 0.0

    def attach(self, estimate: Estimate) -> Estimate:
        """Return the estimate with `lower_bound` filled in.

        Examples
        --------
        >>> import fangs
        >>> samples = fangs.datasets.example()
        >>> found = fangs.estimate(samples, seed=1)
        >>> certificate = fangs.certify(found, samples, method="pairs")
        >>> certificate.attach(found).lower_bound == certificate.lower_bound
        True
        """
        if estimate.fingerprint is not None and estimate.fingerprint != self.fingerprint:
            raise ValueError(
                "estimate was made from other draws than those of the certificate; attach the "
                "certificate to fangs.assess(estimate, draws, a=a) with its draws and penalty"
            )
        if (estimate.expected_loss, estimate.a) != (self.expected_loss, self.a):
            raise ValueError(
                f"estimate has expected loss {estimate.expected_loss} at a = {estimate.a}, but the "
                f"certificate is for {self.expected_loss} at a = {self.a}; attach it to the "
                "estimate that was certified"
            )
        return replace(estimate, lower_bound=self.lower_bound)

    def to_frame(self) -> pd.DataFrame:
        """Return the bound by each method as a pandas DataFrame; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> certificate = fangs.certify([[1], [1], [0]], [[[1], [1], [0]], [[0], [1], [1]]])
        >>> certificate.to_frame()["percent_of_loss"].tolist()
        [100.0]
        """
        bounds, loss = list(self.bounds.values()), self.expected_loss
        columns = {
            "lower_bound": bounds,
            "percent_of_loss": [100.0 * b / loss if loss > 0 else 100.0 for b in bounds],
        }
        made: pd.DataFrame = frame(columns, index=list(self.bounds), name="method")
        return made

    def _repr_html_(self) -> str:
        from fangs.report.views import certificate_html

        return certificate_html(self)

    def __str__(self) -> str:
        note = f"\nNote: {self.note}" if self.note else ""
        loss, lower = rounded(self.expected_loss, 6), rounded(self.lower_bound, 6)
        if self.better is not None:
            known = self.better.expected_loss
            proved = self.better.lower_bound == known
            return (
                f"Expected loss {loss}, but an allocation with {rounded(known, 6)} was found: use "
                ".better. "
                + ("It is globally optimal" if proved else "No allocation is below ")
                + ("" if proved else lower)
                + f" (proved by {self.method}){note}"
            )
        if self.is_global_optimum:
            return (
                "Globally optimal: no allocation has an expected loss below "
                f"{loss} (proved by {self.method}){note}"
            )
        return (
            f"Expected loss {loss}, lower bound {lower} by {self.method}: at most "
            f"{rounded(self.gap, 4)} above the optimum, {self.gap_percent:.1f} % of the loss{note}"
        )
