"""modes(): several estimates for a posterior with several modes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from fangs._typing import FloatArray, IntArray
from fangs.check.arguments import as_count, as_penalty, as_seed
from fangs.engine import Engine, as_engine
from fangs.modes.number_of_modes import chosen, judge, margins
from fangs.modes.params import ModesParams
from fangs.modes.partition import Partition
from fangs.modes.result import Modes
from fangs.modes.solver import ModeSolver
from fangs.posterior.losses import faro_loss
from fangs.search import Interrupted, Progress
from fangs.search.progress import listening

MOST_MODES = 64


def modes(
    samples: Any,
    *,
    n_modes: int | None = None,
    max_modes: int = 8,
    a: float = 1.0,
    seed: int | None = None,
    n_threads: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
) -> Modes:
    """Find several estimates where one does not describe the posterior.

    The estimates minimise the mean over the draws of the smallest FARO loss to any of them. They
    are found by k-means in the space of allocations: each draw goes to the nearest estimate, each
    estimate is improved on its own draws, and so on until nothing changes, from several seedings.

    Parameters
    ----------
    samples
        The posterior draws: `Samples`, or anything it accepts.
    n_modes
        Number of modes. None chooses it: the largest number up to `max_modes` whose last mode
        saves at least 10 % of the expected loss, and whose modes are clear, not tiny, and differ
        in more than one entry or one feature; the guide has the rule in full. There are fewer
        modes than asked for if the draws have fewer different allocations.
    max_modes
        Largest number to try if `n_modes` is None.
    a
        Price of a one that an estimate has and a draw lacks, between 0 and 2; larger is sparser.
    seed
        Makes the search repeatable: same draws and seed, same modes, whatever the number of
        threads.
    n_threads
        Threads to use; None means all cores.
    progress
        True shows a progress bar; or a function to be called with `Progress`.

    Returns
    -------
    Modes
        The estimates with their draws, the heaviest first. With one mode, its estimate is that of
        `fangs.estimate` with the same seed.

    Examples
    --------
    >>> import fangs
    >>> found = modes(fangs.datasets.example(), seed=1)
    >>> found.weights.tolist(), found.expected_loss
    ([0.75, 0.25], 7.3325)
    >>> found.by_chain.tolist()
    [[100, 0], [100, 0], [100, 0], [0, 100]]
    >>> found.curve[:3].tolist()
    [24.8825, 7.3325, 7.0025]
    """
    wanted = None if n_modes is None else _as_number(n_modes, name="n_modes")
    most = _as_number(max_modes, name="max_modes") if wanted is None else wanted
    a, seed = as_penalty(a), as_seed(seed)
    engine = as_engine(samples, n_threads)
    with listening(progress) as report:
        return run_modes(engine, a, seed, n_modes=wanted, max_modes=most, report=report)


def _as_number(value: Any, *, name: str) -> int:
    """A number of modes that somebody may want to look at."""
    number = as_count(value, name=name)
    if number > MOST_MODES:
        raise ValueError(
            f"{name} = {number} is more than {MOST_MODES}: every further mode takes searches over "
            "all draws; begin with fewer, and look at the curve of expected losses"
        )
    return number


def run_modes(
    engine: Engine,
    a: float,
    seed: int,
    *,
    n_modes: int | None = None,
    max_modes: int = 8,
    params: ModesParams | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Modes:
    """Find the modes; an interrupt leaves the estimate of all draws, and the modes so far."""
    params = params or ModesParams()
    solver = ModeSolver(engine, a, seed, params=params, report=report)
    try:
        solver.solve(max_modes if n_modes is None else n_modes)
        return _result(solver, n_modes=n_modes, max_modes=max_modes)
    except KeyboardInterrupt as interrupt:
        single = solver.single or getattr(interrupt, "estimate", None)
        partial = None
        with suppress(KeyboardInterrupt):  # pressed again
            n_done = len(solver.partitions)
            if n_done > 1:  # their estimates are known
                wanted = None if n_modes is None else n_done
                partial = _result(solver, n_modes=wanted, max_modes=n_done)
        raise Interrupted(single, partial) from interrupt


def _result(solver: ModeSolver, *, n_modes: int | None, max_modes: int) -> Modes:
    """The best number of modes, or the one asked for, with the estimate of each."""
    engine, params = solver.engine, solver.params
    steps = judge(solver.partitions, params)
    number = chosen(steps) if n_modes is None else len(solver.partitions)
    partition = solver.partitions[number - 1].heaviest_first()
    curve = np.zeros(max_modes if n_modes is None else n_modes)
    curve[: len(steps)] = [step.expected_loss for step in steps]
    estimates = solver.estimates(partition)
    closeness, info = margins(partition), engine.samples_info
    return Modes(
        a=solver.a,
        seed=solver.seed,
        is_chosen=n_modes is None,
        estimates=estimates,
        weights=partition.counts / info.total_weight,
        labels=partition.labels,
        expected_loss=partition.expected_loss,
        losses=partition.losses,
        margins=closeness,
        doubtful=info.counted[closeness[info.counted] <= params.clear_margin],
        distances=_distances(partition),
        by_chain=_by_chain(partition),
        curve=curve,
        steps=steps,
        engine=engine,
    )


def _distances(partition: Partition) -> FloatArray:
    """(M, M): FARO loss between the centres at a = 1, where it is a metric."""
    matrices = [centre.matrix for centre in partition.centres]
    return np.array([[faro_loss(x, y) for y in matrices] for x in matrices])


def _by_chain(partition: Partition) -> IntArray | None:
    """(chains, M): weight of the draws of each chain in each mode."""
    info = partition.info
    if info.chains is None:
        return None
    chains = range(len(info.chain_names))
    return np.stack([partition.count(info.chain_codes == c) for c in chains])
