"""The bound by column generation for any penalty, whatever ends it: a proof, time, Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from fangs._typing import BinaryMatrix
from fangs.bounds.columns.params import ColumnParams
from fangs.bounds.columns.proof import ColumnProof, largest_scale
from fangs.bounds.columns.protocol import PricingEngine
from fangs.engine import Deadline, OutOfTimeError
from fangs.loss import Objective
from fangs.search.state import Progress

INTERRUPTED = "interrupted"


@dataclass(frozen=True, eq=False)
class ColumnBound:
    """What column generation found out."""

    bound: Fraction | None
    """No allocation has a lower expected loss; None if nothing was proved."""
    n_columns: int
    better: BinaryMatrix | None
    """An allocation that is better than the one given, or None."""
    rounds: tuple[tuple[int, float], ...]
    stopped_because: str


def column_bound(
    engine: PricingEngine,
    objective: Objective,
    matrix: BinaryMatrix,
    deadline: Deadline,
    report: Callable[[Progress], None] | None = None,
    params: ColumnParams | None = None,
) -> ColumnBound:
    """Bound the expected loss of every allocation; `matrix` is a good one."""
    a, info = objective.exact_a, engine.samples_info
    params = params or ColumnParams()
    finest = params.max_denominator
    if info.n_items > params.max_items:
        return ColumnBound(None, 0, None, (), f"there are more than {params.max_items} items")
    if largest_scale(info) < 2 * min(a.denominator, finest):
        return ColumnBound(None, 0, None, (), "the draws weigh too much for whole numbers")
    if a.denominator <= finest:
        return _run(engine, objective, matrix, deadline, report, params)
    # The lowest loss is concave in a, and 0 at a = 0 and a = 2: interpolate.
    below = Fraction(a.numerator * finest // a.denominator, finest)
    share = (a - below) * finest
    total, n_columns, better, reasons = Fraction(0), 0, None, []
    for end, part in ((below, 1 - share), (below + Fraction(1, finest), share)):
        if 0 < end < 2:
            there = replace(objective, a=float(end))
            found = _run(engine, there, matrix, deadline, report, params)
            total += part * (found.bound or 0)
            n_columns = max(n_columns, found.n_columns)
            reasons.append(found.stopped_because)
            if found.better is not None and _score(engine, objective, found.better) < _score(
                engine, objective, better if better is not None else matrix
            ):
                better = found.better
            if found.stopped_because == INTERRUPTED:
                break
    return ColumnBound(total, n_columns, better, (), next(filter(None, reasons), ""))


def _run(
    engine: PricingEngine,
    objective: Objective,
    matrix: BinaryMatrix,
    deadline: Deadline,
    report: Callable[[Progress], None] | None,
    params: ColumnParams,
) -> ColumnBound:
    def on_round(n_columns: int, loss: float) -> None:
        if report is not None:
            report(Progress("columns", n_columns, None, loss))

    limited: Any = deadline.limit(engine)
    try:
        proof = ColumnProof(limited, objective, matrix, deadline, on_round, params)
    except OutOfTimeError:
        return ColumnBound(None, 0, None, (), "time is over")
    first, reason = proof.best, ""
    try:
        proof.run()
    except KeyboardInterrupt:
        reason = INTERRUPTED
    except OutOfTimeError:
        reason = "time is over"
    if not proof.is_proved and not reason:
        reason = "time is over" if deadline.is_over else proof.stopped_because
    return ColumnBound(
        proof.bound(),
        proof.columns.shape[1],
        proof.best_matrix if proof.best > first else None,
        tuple(proof.rounds),
        reason,
    )


def _score(engine: PricingEngine, objective: Objective, matrix: BinaryMatrix) -> int:
    overlap = engine.samples_info.weigh(engine.overlaps(matrix))
    return objective.score(int(matrix.sum()), overlap)
