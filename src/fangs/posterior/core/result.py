"""Core: a set of entries, items or features of an estimate that hold together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fangs._extras import frame
from fangs._frozen import Frozen
from fangs._typing import BinaryMatrix, FloatArray, IntArray
from fangs.check.text import count, visible
from fangs.posterior.alignment import as_alignment
from fangs.posterior.core.problem import holds_together
from fangs.posterior.core.units import UNITS, By, failures

if TYPE_CHECKING:
    import pandas as pd

# Features of which a printed core has a line, and items or features that it names.
_ROWS, _NAMES = 20, 10


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Core(Frozen):
    """A set of entries, items or features that hold all at once; made by `fangs.core`.

    The arrays are read-only.

    Attributes
    ----------
    matrix
        (n, K): the estimate.
    level
        Share of the draws in which all of the core was to hold.
    by
        What the core is a set of: "entries", "items" or "features".
    entries
        (n, K): True for the entries of the core. By items these are whole rows, by features whole
        columns; a feature that holds may still differ in some of its entries.
    members
        The positions of the entries, items or features in the core; of entries, row by row, as in
        ``entries.ravel()``.
    probability
        Share of the draws, by weight, in which all of them hold: `level` or more.
    upper_bound
        No such set is larger than this.
    curve
        For each size, from 0 on, the largest share of draws found in which so many hold at once.
    draws
        The draws in which all of the core holds, by their numbers; none of weight 0.
    n_separate
        Number of entries, items or features that hold, each for itself, in that share of the draws.
    separate_probability
        Share of the draws, by weight, in which all of these hold at once.
    labels
        The name of each item.
    feature_names
        The names of the features, or their numbers from 1 on.
    is_weighted
        Whether draws have weights.
    note
        Says so if the estimate was made from other draws; else empty.
    """

    matrix: BinaryMatrix
    level: float
    by: By
    entries: npt.NDArray[np.bool_]
    members: IntArray
    probability: float
    upper_bound: int
    curve: FloatArray
    draws: IntArray
    n_separate: int
    separate_probability: float
    labels: tuple[str, ...]
    feature_names: tuple[str, ...]
    is_weighted: bool = False
    note: str = ""

    @property
    def size(self) -> int:
        """Number of entries, items or features in the core."""
        return len(self.members)

    @property
    def is_exact(self) -> bool:
        """Whether it is proved that no larger set holds in as many draws."""
        return self.size == self.upper_bound

    @property
    def n_units(self) -> int:
        """Number of entries, items or features that the estimate has."""
        return len(self.curve) - 1

    def to_frame(self) -> pd.DataFrame:
        """Return the curve as a pandas DataFrame with one row per size; needs pandas.

        Examples
        --------
        >>> import fangs
        >>> found = fangs.core([[1], [0]], [[[1], [0]]] * 3 + [[[1], [1]]], level=0.75)
        >>> found.to_frame()["probability"].tolist()
        [1.0, 1.0, 0.75]
        """
        return frame({"probability": self.curve}, index=range(len(self.curve)), name="size")

    def _repr_html_(self) -> str:
        from fangs.report.views import core_html

        return core_html(self)

    def __repr__(self) -> str:
        return (
            f"<Core: {self.size} of {count(self.n_units, UNITS[self.by], plural=self.by)}, "
            f"probability {self.probability:.4g} for level {self.level:g}>"
        )

    def __str__(self) -> str:
        first, *others = self.sentences
        others += [f"note: {self.note}"] if self.note else []
        return "\n".join([first, *(f"  {line}" for line in others), *self._members()])

    @property
    def sentences(self) -> tuple[str, ...]:
        """How large it is, and how that compares with all that hold one by one."""
        share, units = (
            f"{100 * self.level:.4g} %",
            count(self.n_units, UNITS[self.by], plural=self.by),
        )
        if not self.size:
            return (f"{share} core: none of {units} holds in {share} of the {self._whole}",)
        hold = "holds" if self.size == 1 else "hold together"
        proof = "no larger set does"
        if not self.is_exact:
            proof = f"a larger one, of at most {self.upper_bound:,}, may exist"
        core = f"{self.size:,} of {units} {hold} in {100 * self.probability:.1f} %"
        first = f"{share} core: {core} of the {self._whole}; {proof}"
        if self.n_separate == self.size:
            return (first,)
        joint = f"{100 * self.separate_probability:.1f} % of the {self._whole}"
        one_by_one = f"{self.n_separate:,} hold in {share} one by one"
        return first, f"{one_by_one}, but all of these together only in {joint}"

    @property
    def _whole(self) -> str:
        return "weight" if self.is_weighted else "draws"

    def probability_in(self, samples: Any, *, n_threads: int | None = None) -> float:
        """Share of other draws, by weight, in which all of the core holds.

        The core is the largest of very many sets, so the draws that it was found in favour it
        somewhat. Draws that took no part in the choice do not.

        Parameters
        ----------
        samples
            The posterior draws: `Samples`, or anything it accepts; or their `Alignment` to the
            estimate.
        n_threads
            Threads to use for the alignment; None means all cores.

        Examples
        --------
        >>> import fangs
        >>> draws = fangs.datasets.arrests()
        >>> first, second = draws.select(range(500)), draws.select(range(500, 1000))
        >>> found = fangs.core(fangs.estimate(first, seed=1), first)
        >>> found.probability, round(found.probability_in(second), 3)
        (0.952, 0.916)
        """
        alignment = as_alignment(self.matrix, samples, n_threads)
        failing = failures(alignment, self.by)
        info = alignment.engine.samples_info
        inside = np.isin(np.arange(self.n_units), self.members)
        holds = holds_together(failing, inside).astype(np.int64)
        return info.weigh(holds) / info.total_weight

    def _members(self) -> list[str]:
        """The names of the items or features in the core, or the numbers of its entries."""
        if self.by == "entries":
            return self._entries_by_feature()
        names = self.labels if self.by == "items" else self.feature_names
        shown = [visible(names[k]) for k in self.members]
        more = f" and {len(shown) - _NAMES} more" if len(shown) > _NAMES else ""
        return [f"  {self.by}: {', '.join(shown[:_NAMES])}{more}"] if shown else []

    def _entries_by_feature(self) -> list[str]:
        names = [visible(name) for name in self.feature_names[:_ROWS]]
        if not self.size:
            return []
        width = max(map(len, [*names, "feature"]))
        lines = [f"  {'feature':>{width}}  {'ones':>14}  {'zeros':>14}"]
        for name, ones, zeros in zip(names, *self.by_feature(), strict=False):
            shown = [f"{inside} of {every}" for inside, every in (ones, zeros)]
            lines.append(f"  {name:>{width}}  {shown[0]:>14}  {shown[1]:>14}")
        more = len(self.feature_names) - _ROWS
        return lines + ([f"  and {more} more"] if more > 0 else [])

    def by_feature(self) -> tuple[IntArray, IntArray]:
        """(K, 2) each: entries of the core and of the estimate in each feature, ones and zeros.

        Examples
        --------
        >>> import fangs
        >>> found = fangs.core([[1], [0], [0]], [[[1], [0], [0]]] * 19 + [[[1], [0], [1]]], level=1)
        >>> ones, zeros = found.by_feature()
        >>> ones.tolist(), zeros.tolist()
        ([[1, 1]], [[1, 2]])
        """
        is_one = self.matrix == 1
        ones, zeros = (
            np.stack([(self.entries & kind).sum(axis=0), kind.sum(axis=0)], axis=1)
            for kind in (is_one, ~is_one)
        )
        return ones, zeros
