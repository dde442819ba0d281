"""What a search was asked to do, and the record of what it did."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from fangs._extras import frame
from fangs._frozen import Frozen

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Search", "SearchSettings", "Start"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """What a search is asked to do, as given to `fangs.estimate`.

    Attributes
    ----------
    seed
        Gives the same search again, together with the same settings.
    n_init, n_sweet, n_iter, max_seconds
        As for `fangs.estimate`.
    """

    seed: int | None
    n_init: int = 16
    n_sweet: int = 4
    n_iter: int | None = None
    max_seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Search(SearchSettings, Frozen):
    """How an estimate was found: the settings, and what was done.

    Attributes
    ----------
    seed, n_init, n_sweet, n_iter, max_seconds
        The settings given to `fangs.estimate`.
    starts
        Every start, the sweetened ones with their final loss.
    flips
        Flips accepted over all starts.
    stopped_because
        Why the search ended, in words.
    seconds
        Wall time by phase.

    Examples
    --------
    >>> import fangs
    >>> search = fangs.estimate(fangs.datasets.example(), n_init=5, n_sweet=2, seed=1).search
    >>> search.n_init, search.n_sweet, search.seed
    (5, 2, 1)
    >>> search.to_frame()["method"].tolist() == [start.method for start in search.starts]
    True
    """

    starts: tuple[Start, ...] = ()
    flips: int = 0
    stopped_because: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    def to_frame(self) -> pd.DataFrame:
        """Return the starts as a pandas DataFrame, a row each, counted from 1; needs pandas."""
        columns = {
            name.name: [getattr(start, name.name) for start in self.starts]
            for name in fields(Start)
        }
        numbers = range(1, len(self.starts) + 1)
        made: pd.DataFrame = frame(columns, index=numbers, name="start")
        return made


@dataclass(frozen=True, kw_only=True)
class Start:
    """One start of the search.

    Attributes
    ----------
    method
        How the start was made: from a "baseline" draw, from a "template" of many draws, where the
        search on a "subsample" had ended, "given" by the caller, or at a "neighbour" on the path
        over `a`; in a report also from the estimate of a "chain" or the "proportions"; for an
        alternative, its name.
    draw
        The draw it was made from, if one.
    initial_loss
        Expected loss before any flip.
    loss
        Expected loss after sweetening, or None if it was not sweetened.
    flips
        Flips accepted.
    n_features
        Features at the end.
    n_draws
        Draws over which the losses were taken: those of a subsample, or all.

    Examples
    --------
    >>> import fangs
    >>> start = fangs.estimate(fangs.datasets.example(), seed=1).search.starts[0]
    >>> start.loss <= start.initial_loss
    True
    """

    method: str
    draw: int | None
    initial_loss: float
    loss: float | None
    flips: int
    n_features: int
    n_draws: int
