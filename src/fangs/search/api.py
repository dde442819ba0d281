"""estimate(): check the arguments, run the search, keep what was found when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fangs._typing import BinaryMatrix
from fangs.check.arguments import as_count, as_penalty, as_seconds, as_seed
from fangs.check.text import rounded
from fangs.draws.info import SamplesInfo
from fangs.draws.matrices import matched_allocation
from fangs.engine import Deadline, Engine, OutOfTimeError, as_engine, matching_cost
from fangs.estimate import Estimate
from fangs.loss import Objective
from fangs.search.algorithm1 import algorithm1
from fangs.search.multistart import first_start, multistart
from fangs.search.params import SearchParams
from fangs.search.progress import listening
from fangs.search.record import SearchSettings
from fangs.search.state import Progress, SearchState

LONG_MATCHING = 10.0
"""Seconds for one matching that are not granted beyond a limit."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped the work; the exception holds what was found until then.

    Attributes
    ----------
    estimate
        The best estimate found, over all draws and at the penalty asked for, or None.
    partial
        The finished part of a larger result, such as a `Comparison` of the methods that have ended
        or a `SparsityPath` of the penalties that are done; else None.
    """

    def __init__(self, estimate: Estimate | None, partial: Any = None) -> None:
        kept = []
        if estimate is not None:
            kept.append(
                "the best estimate so far, of expected loss "
                f"{rounded(estimate.expected_loss, 6)}, is "
                "sys.last_value.estimate at a prompt or in a notebook, and the attribute "
                "`estimate` of this exception in a program"
            )
        if partial is not None:
            kept.append("what has ended is its attribute `partial`")
        super().__init__("interrupted; " + (", and ".join(kept) or "nothing was found before"))
        self.estimate = estimate
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return Interrupted, (self.estimate, self.partial)


def estimate(
    samples: Any,
    *,
    a: float = 1.0,
    start: Any = None,
    n_init: int = 16,
    n_sweet: int = 4,
    n_iter: int | None = None,
    max_seconds: float | None = None,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> Estimate:
    """Find the feature allocation of lowest expected FARO loss.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    a
        Price of a one that the estimate has and a draw lacks; ``2 - a`` is the price of the
        opposite. Between 0 and 2; the best estimate at a larger `a` never has more ones, though it
        may have more features.
    start
        A matrix or an earlier estimate to begin from as well, such as that of a search which was
        stopped, or of last week's shorter chains. The estimate is at least as good as this. Rows
        with labels are matched by name.
    n_init
        Number of starts: half from single draws as in the paper, half from templates, which are
        averages of many draws. With `n_iter` all are from single draws.
    n_sweet
        Number of the best starts that are sweetened over all draws; where draws are many, twice
        as many are first sweetened on a subsample.
    n_iter
        None sweetens each start until no single flip lowers the expected loss, and then tries to
        get past that point. A number runs the paper's Algorithm 1 and nothing else, with that many
        random proposals per start.
    max_seconds
        Go on looking for something better until this time is over or nothing better has been
        found for long. By default the clock plays no part, so that the same seed always gives the
        same estimate. The clock starts with the call. One pass over all draws sums up what was
        found, and time is set aside for it; where the draws are so large that the time granted is
        too short for a pass, it is overrun by one.
    seed
        Makes the search repeatable: same draws and seed, same estimate, whatever the number of
        threads. None picks one and records it in ``.search.seed``.
    n_threads
        Threads to use; None means all cores.
    progress
        True shows a progress bar; or a function to be called with `Progress`.

    Returns
    -------
    Estimate
        The allocation, its expected loss, and how it was found.

    Examples
    --------
    >>> draws = [[[1, 0], [1, 1]], [[0, 1], [1, 1]], [[1], [1]]]
    >>> found = estimate(draws, seed=1)
    >>> found.matrix
    array([[1, 0],
           [1, 1]], dtype=uint8)
    >>> found.is_flip_optimal
    True
    >>> estimate(draws, start=found, seed=1).expected_loss <= found.expected_loss
    True
    """
    deadline = Deadline(as_seconds(max_seconds, name="max_seconds"))
    settings = SearchSettings(
        seed=as_seed(seed),
        n_init=as_count(n_init, name="n_init"),
        n_sweet=as_count(n_sweet, name="n_sweet"),
        n_iter=None if n_iter is None else as_count(n_iter, name="n_iter", minimum=0),
        max_seconds=as_seconds(max_seconds, name="max_seconds"),
    )
    if start is not None and n_iter is not None:
        raise ValueError(
            f"start cannot be combined with n_iter = {n_iter}, the paper's Algorithm 1, which "
            "makes its own starts; leave out one of them"
        )
    a = as_penalty(a)
    engine = as_engine(samples, n_threads)
    if start is not None:
        info = engine.samples_info
        start = matched_allocation(start, name="start", n_items=info.n_items, items=info.items)
    with listening(progress) as report:
        return run_search(engine, a, settings, start=start, report=report, deadline=deadline)


def run_search(
    engine: Engine,
    a: float,
    settings: SearchSettings,
    *,
    start: BinaryMatrix | None = None,
    params: SearchParams | None = None,
    report: Callable[[Progress], None] | None = None,
    deadline: Deadline | None = None,
) -> Estimate:
    """Search as the settings say; on an interrupt, what was found goes with the exception.

    Draws of weight 0 take no part in the search; the estimate has their losses. `deadline` runs
    since the work began; by default it begins here.
    """
    info = engine.samples_info
    counted = info.counted
    some = engine if len(counted) == info.n_draws else engine.select(counted)
    deadline = deadline or Deadline(settings.max_seconds)
    _check_granted(info, deadline)
    state = SearchState(some, Objective.of(info, a), settings, report, deadline, start)
    try:
        try:
            _search(state, params or SearchParams())
        except OutOfTimeError:
            state.stopped_because = (
                f"the time limit of {state.deadline.max_seconds:g} s was reached"
            )
        matrix = state.best_matrix()
        if matrix is None:
            matrix = first_start(some, a, settings.seed)
        return _summed_up(state, engine, matrix)
    except KeyboardInterrupt as interrupt:
        state.stopped_because = "interrupted"
        raise Interrupted(_kept(state, engine)) from interrupt


def _check_granted(info: SamplesInfo, deadline: Deadline) -> None:
    """Refuse a limit that not even the matching of two draws could keep."""
    seconds, n_bytes = matching_cost(info)
    if seconds > max(deadline.max_seconds, LONG_MATCHING):
        raise ValueError(
            f"max_seconds = {deadline.max_seconds:g} is too short for draws of "
            f"{info.n_features.max():,} features: to match two of them alone takes about "
            f"{seconds:,.0f} s and {n_bytes / 1e9:,.0f} GB for each thread, and an estimate takes "
            "several times as long; give more time, or None for no limit"
        )


def _search(state: SearchState, params: SearchParams) -> None:
    """Search until the algorithm ends; `OutOfTimeError` if time is over before."""
    n_iter = state.settings.n_iter
    if n_iter is None:
        multistart(state, params)
    else:
        algorithm1(state, n_iter)


def _summed_up(state: SearchState, engine: Engine, matrix: BinaryMatrix) -> Estimate:
    """The allocation as an estimate, by one pass over all draws that no limit ends."""
    with state.phase("finish"):
        found = Estimate.of(engine, matrix, state.objective.a)
    return found.with_search(state.record(engine.samples_info.counted))


def _kept(state: SearchState, engine: Engine) -> Estimate | None:
    """What was found until Ctrl-C; None if that is nothing, or if it is pressed again."""
    try:
        matrix = state.best_matrix()
        return None if matrix is None else _summed_up(state, engine, matrix)
    except KeyboardInterrupt:
        return None
